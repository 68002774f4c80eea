import type { KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { fill, within } from '../fill.js';
import { keyOf } from '../kinds.js';
import { forbidden, goQuote } from '../status.js';

type Fields = Readonly<Record<string, unknown>>;

interface PriorityClass {
  readonly name: string | undefined;
  readonly value: number;
  readonly preemptionPolicy: string;
}

/** Every cluster has them. */
const systemClasses: readonly PriorityClass[] = [
  { name: 'system-cluster-critical', value: 2_000_000_000, preemptionPolicy: 'PreemptLowerPriority' },
  { name: 'system-node-critical', value: 2_000_001_000, preemptionPolicy: 'PreemptLowerPriority' },
];

/** A new pod with what its PriorityClass and its RuntimeClass say (AD-17). @throws ApiStatusError 403 */
export function classified(call: Call, pod: KubeObject): KubeObject {
  const refuse = (text: string) => forbidden(call.kind, pod.metadata.name ?? pod.metadata.generateName ?? 'Unknown', text);
  return within(pod, 'spec', (spec: Fields) => withOverhead(call, withPriority(call, spec, refuse), refuse));
}

/** A pod that leaves out what its PriorityClass said when it was new keeps that. */
export function withKeptPriority({ server, kind, request }: Call, pod: KubeObject): KubeObject {
  const { priority, preemptionPolicy } = server.etcd.get(keyOf(kind, request.namespace, request.name ?? ''))?.spec ?? {};
  const kept = { ...(priority !== undefined && { priority }), ...(preemptionPolicy !== undefined && { preemptionPolicy }) };
  return within(pod, 'spec', (spec: Fields) => fill(spec, kept));
}

type Refuse = (text: string) => Error;

function withPriority({ server }: Call, spec: Fields, refuse: Refuse): Fields {
  const asked = spec.priorityClassName as string | undefined;
  const classes = server.etcd.list('priorityclasses.scheduling.k8s.io');
  const found = asked === undefined || asked === '' ? defaultClass(classes) : classOf(asked, classes);
  if (found === undefined) throw refuse(`no PriorityClass with name ${asked} was found`);
  const { name, value, preemptionPolicy } = found;
  if (spec.priority !== undefined && spec.priority !== value) throw refuse(computed('integer value of priority', spec.priority, value));
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw refuse(computed('string value of PreemptionPolicy', spec.preemptionPolicy, preemptionPolicy));
  }
  if (spec.priority === value && spec.preemptionPolicy === preemptionPolicy && spec.priorityClassName === name) return spec;
  return { ...spec, ...(name !== undefined && { priorityClassName: name }), priority: value, preemptionPolicy };
}

function computed(what: string, given: unknown, value: unknown): string {
  return `the ${what} (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
}

function classOf(name: string, classes: readonly KubeObject[]): PriorityClass | undefined {
  const stored = classes.find(({ metadata }) => metadata.name === name);
  return stored === undefined ? systemClasses.find((known) => known.name === name) : read(stored);
}

/** Of several defaults the lowest counts. */
function defaultClass(classes: readonly KubeObject[]): PriorityClass {
  let lowest: PriorityClass = { name: undefined, value: 0, preemptionPolicy: 'PreemptLowerPriority' };
  for (const each of classes) {
    if (each.globalDefault === true && (lowest.name === undefined || each.value < lowest.value)) lowest = read(each);
  }
  return lowest;
}

function read({ metadata, value, preemptionPolicy }: KubeObject): PriorityClass {
  return { name: metadata.name, value: value ?? 0, preemptionPolicy: preemptionPolicy ?? 'PreemptLowerPriority' };
}

function withOverhead({ server }: Call, spec: Fields, refuse: Refuse): Fields {
  const name = spec.runtimeClassName;
  if (typeof name !== 'string') return spec;
  const found = server.etcd.get({ resource: 'runtimeclasses.node.k8s.io', namespace: '', name });
  if (found === undefined) throw refuse(`pod rejected: RuntimeClass ${goQuote(name)} not found`);
  const overhead: Fields | undefined = found.overhead?.podFixed;
  return overhead === undefined ? spec : { ...spec, overhead };
}
