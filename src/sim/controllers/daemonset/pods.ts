import type { KubeObject } from '../../etcd/object.js';
import { byAge } from '../age.js';
import type { Toleration } from '../node-fit.js';
import { podOf } from '../pod-control.js';
import { isAssigned } from '../pod-state.js';

export const hashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';

/** WL-76: what every pod of a DaemonSet tolerates. */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const hostNetworkToleration: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** The tolerations of the template, and those that a daemon has besides; one of the same key, operator, effect and value is replaced. */
export function tolerationsOf(daemonSet: KubeObject): readonly Toleration[] {
  const spec = daemonSet.spec?.template?.spec;
  const added = spec?.hostNetwork === true ? [...daemonTolerations, hostNetworkToleration] : daemonTolerations;
  const same = (a: Toleration, b: Toleration) =>
    a.key === b.key && a.effect === b.effect && a.operator === b.operator && (a.value ?? '') === (b.value ?? '');
  const own: readonly Toleration[] = spec?.tolerations ?? [];
  const kept = own.map((toleration) => added.find((each) => same(each, toleration)) ?? toleration);
  return [...kept, ...added.filter((each) => !own.some((toleration) => same(each, toleration)))];
}

/** WL-75: how often the template has changed, as an annotation tells; undefined: it does not say. */
function generationOf(daemonSet: KubeObject): string | undefined {
  const text = daemonSet.metadata.annotations?.[generationAnnotation];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(Number(text)) : undefined;
}

/** WL-76: a pod for one node. The scheduler binds it there. */
export function daemonPod(daemonSet: KubeObject, hash: string, node: string): KubeObject {
  const plain = podOf(daemonSet, daemonSet.spec?.template);
  const generation = generationOf(daemonSet);
  const { affinity } = plain.spec;
  const required = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }] };
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return {
    ...plain,
    metadata: {
      ...plain.metadata,
      labels: { ...plain.metadata.labels, ...(generation !== undefined && { [generationLabel]: generation }), [hashLabel]: hash },
    },
    spec: { ...plain.spec, affinity: { ...affinity, nodeAffinity }, tolerations: tolerationsOf(daemonSet) },
  };
}

/** Whether a pod is of the present template. */
export function isUpdated(daemonSet: KubeObject, pod: KubeObject, hash: string): boolean {
  const { labels = {} } = pod.metadata;
  const generation = generationOf(daemonSet);
  return (hash !== '' && labels[hashLabel] === hash) || (generation !== undefined && labels[generationLabel] === generation);
}

/** The node a pod is on or meant for; undefined: it has none. */
export function targetNode(pod: KubeObject): string | undefined {
  if (isAssigned(pod)) return pod.spec.nodeName;
  const terms: readonly {
    readonly matchFields?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
  }[] = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const fields = terms.flatMap(({ matchFields = [] }) => matchFields);
  const { values = [] } = fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In') ?? {};
  return values.length === 1 ? values[0] : undefined;
}

/** Those on a node before those that are only meant for it, then the oldest. */
export function byPlaceAndAge(a: KubeObject, b: KubeObject): number {
  if (isAssigned(a) !== isAssigned(b)) return isAssigned(a) ? -1 : 1;
  return byAge(a, b);
}
