import { deepEqual, type KubeObject, type OwnerReference } from '../sim/etcd/object.js';
import type { Trace } from '../sim/trace.js';
import { annotationsOf, changes, isTerminating } from './history.js';

/** A JSON object whose parts a comparison looks into. */
export type JsonMap = { readonly [field: string]: unknown };

/** Gives the objects of one run the form in which two runs that came out alike are equal: no uids, generated names, versions, times, addresses. */
export interface Canon {
  place(resource: string, object: KubeObject): string;
  /** @param withStatus status included; without it only what was wished for. */
  content(object: KubeObject, withStatus: boolean): JsonMap;
}

const canons = new WeakMap<Trace, Canon>();

/** The canonical names of everything that ever was in this run. */
export function canonOf(trace: Trace): Canon {
  let canon = canons.get(trace);
  if (canon === undefined) {
    canon = makeCanon(trace);
    canons.set(trace, canon);
  }
  return canon;
}

function makeCanon(trace: Trace): Canon {
  const tokens = new Map<string, string>();
  /** The pods that were given their nodes after they were made, by uid. */
  const scheduled = new Set<string>();
  for (const { commit } of changes(trace)) {
    const { object, previous, key } = commit;
    if (object === undefined) continue;
    if (key.resource === 'pods' && previous !== undefined && previous.spec?.nodeName !== object.spec?.nodeName)
      scheduled.add(object.metadata.uid ?? '');
    const { name = '', uid } = object.metadata;
    const stable = stableName(object);
    if (stable !== name) tokens.set(name, stable);
    if (uid !== undefined) tokens.set(uid, `uid of ${key.resource} ${key.namespace}/${stable}`);
  }
  const text = (value: string): string =>
    value
      .replace(timePattern, '<time>')
      .replace(addressPattern, '<address>')
      .replace(tokenPattern, (token) => tokens.get(token) ?? token);
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return isTime(value) ? '<time>' : value;
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== 'object') return value;
    const copy = new Map<string, unknown>();
    for (const [field, inner] of Object.entries(value))
      if (!volatileFields.has(field)) copy.set(text(field), isVersion(field, inner) ? '<version>' : plain(inner));
    return Object.fromEntries(copy);
  };
  return {
    place: (resource, object) => `${resource} ${object.metadata.namespace ?? ''}/${stableName(object)}`,
    content(object, withStatus) {
      const { apiVersion: _, kind, metadata, status, ...rest } = object;
      const { labels, finalizers, ownerReferences } = metadata;
      const annotations = Object.fromEntries(
        Object.entries(annotationsOf(object)).filter(([name]) => !name.startsWith('deployment.kubernetes.io/') && name !== nodeOfClaim),
      );
      return {
        ...(kind === 'Secret' ? namesOnly(rest) : (plain(scheduled.has(metadata.uid ?? '') ? withoutNode(rest) : rest) as JsonMap)),
        metadata: dropEmpty({
          labels: plain(labels ?? {}),
          annotations: plain(annotations),
          finalizers: [...(finalizers ?? [])].sort(),
          ownerReferences: [...(ownerReferences ?? [])].sort(byName).map(plain),
          terminating: isTerminating(object) ? true : undefined,
        }),
        ...(withStatus ? dropEmpty({ status: plain(settledStatus(ofOperators(kind, status), metadata.generation)) }) : {}),
      };
    },
  };
}

/** What the server or the clock decides anew in each run. */
const volatileFields = new Set([
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'managedFields',
  'nodePort',
  'healthCheckNodePort',
  'collisionCount',
]);
const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;
const addressPattern = /\b\d{1,3}(\.\d{1,3}){3}\b/g;
const tokenPattern = /[a-z0-9]([-a-z0-9]*[a-z0-9])?/g;

/** A label or annotation in which an operator notes the resourceVersion of another object: `owner-rv`, `config/resource-version`. */
function isVersion(field: string, value: unknown): boolean {
  return typeof value === 'string' && /^\d+$/.test(value) && /(^|[-._/])(rv|resource-?version)$/i.test(field);
}

/** Seconds or milliseconds since 1970, of about our century. */
function isTime(value: number): boolean {
  return (value > 1.5e9 && value < 2.2e9) || (value > 1.5e12 && value < 2.2e12);
}

/** Of a pod's status nothing but a condition can be an operator's; how its containers fare is the kubelet's to say. */
function ofOperators(kind: string | undefined, status: KubeObject['status']): KubeObject['status'] {
  return kind === 'Pod' ? { conditions: status?.conditions ?? [] } : status;
}

/** Where the scheduler says for which node a claim is bound. */
const nodeOfClaim = 'volume.kubernetes.io/selected-node';

/** On which node a pod runs is for the scheduler to say. */
function withoutNode({ spec, ...rest }: JsonMap): JsonMap {
  const { nodeName: _, ...wishes } = (spec ?? {}) as JsonMap;
  return { ...rest, spec: wishes };
}

function stableName(object: KubeObject): string {
  const { name = '', generateName, labels } = object.metadata;
  // A volume that is made for a claim is called by the claim's uid.
  const { claimRef } = object.kind === 'PersistentVolume' ? (object.spec ?? {}) : {};
  if (claimRef !== undefined && name === `pvc-${claimRef.uid}`) return `volume of ${claimRef.namespace}/${claimRef.name}`;
  const stable = generateName !== undefined && generateName !== '' && name.startsWith(generateName) ? `${generateName}*` : name;
  // The hash of a Deployment's template is in the names of its ReplicaSets and pods.
  const hash = labels?.['pod-template-hash'];
  return hash === undefined ? stable : stable.replace(`-${hash}`, '-*');
}

/** What a status says of the end, without what it tells of the way there. */
function settledStatus(value: unknown, generation: number | undefined): unknown {
  if (Array.isArray(value))
    return value.every(isCondition) ? conditionsThatHold(value, generation) : value.map((inner) => settledStatus(inner, generation));
  if (value === null || typeof value !== 'object') return value;
  return dropEmpty(
    Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [
        field,
        field === 'observedGeneration' ? relative(inner, generation) : settledStatus(inner, generation),
      ]),
    ),
  );
}

/** How many generations there were differs from run to run; whether the newest was seen must not. */
function relative(observed: unknown, generation: number | undefined): unknown {
  if (generation === undefined) return observed;
  return observed === generation ? 'the present one' : 'another one';
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
}

function isCondition(value: unknown): value is Condition {
  return value !== null && typeof value === 'object' && 'type' in value && 'status' in value && typeof value.type === 'string';
}

/**
 * A condition that is not True may as well be absent: one that came with a trouble stays behind as False when the trouble
 * is over. Its reason and message tell of the way there, and the order is that in which conditions came.
 */
function conditionsThatHold(conditions: readonly Condition[], generation: number | undefined): unknown {
  return conditions
    .filter(({ status }) => status === 'True')
    .map(({ type, observedGeneration }) => ({
      type,
      ...(observedGeneration === undefined ? {} : { observedGeneration: relative(observedGeneration, generation) }),
    }))
    .sort((one, other) => (one.type < other.type ? -1 : 1));
}

/** What is in a Secret is mostly made up at random; which keys it has is not. */
function namesOnly(fields: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      value !== null && typeof value === 'object' ? Object.keys(value).sort() : value,
    ]),
  );
}

function byName(one: OwnerReference, other: OwnerReference): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : one.kind < other.kind ? -1 : 1;
}

function dropEmpty(fields: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !deepEqual(value, {}) && !deepEqual(value, [])),
  );
}

/** A name whose last part mixes letters and digits or has no vowel, as random suffixes and hashes do. */
export function looksMadeUp(name: string): boolean {
  const tail = /-([a-z0-9]{4,})$/.exec(name)?.[1];
  return tail !== undefined && (/\d/.test(tail) || !/[aeiou]/.test(tail));
}
