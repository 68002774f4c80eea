import type { ClusterState } from '../sim/cluster-state.js';
import { deepEqual, type KubeObject, type OwnerReference } from '../sim/etcd/object.js';
import { touchedAnnotation } from '../sim/network.js';
import type { Trace } from '../sim/trace.js';
import type { World } from '../sim/world.js';
import { fieldChanges } from './fields.js';
import { annotationsOf, changes, isOperator, isPerson, isTerminating } from './history.js';

/** An object without what may differ between two runs that came out alike: uids, generated names, versions, times, addresses. */
export interface CanonicalObject {
  readonly object: KubeObject;
  readonly resource: string;
  /** Its place, with a star for the part of the name that was generated. */
  readonly place: string;
  readonly content: JsonMap;
}

/** A JSON object whose parts a comparison looks into. */
export type JsonMap = { readonly [field: string]: unknown };

/** Gives the objects of one run their canonical form. */
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
  for (const { commit } of changes(trace)) {
    const { object, key } = commit;
    if (object === undefined) continue;
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
    for (const [field, inner] of Object.entries(value)) if (!volatileFields.has(field)) copy.set(text(field), plain(inner));
    return Object.fromEntries(copy);
  };
  return {
    place: (resource, object) => `${resource} ${object.metadata.namespace ?? ''}/${stableName(object)}`,
    content(object, withStatus) {
      const { apiVersion: _, kind: __, metadata, status, ...rest } = object;
      const { labels, finalizers, ownerReferences } = metadata;
      const annotations = Object.fromEntries(
        Object.entries(annotationsOf(object)).filter(([name]) => !name.startsWith('deployment.kubernetes.io/')),
      );
      return {
        ...(plain(rest) as JsonMap),
        metadata: dropEmpty({
          labels: plain(labels ?? {}),
          annotations: plain(annotations),
          finalizers: [...(finalizers ?? [])].sort(),
          ownerReferences: (ownerReferences ?? []).map((reference: OwnerReference) => plain(reference)),
          terminating: isTerminating(object) ? true : undefined,
        }),
        ...(withStatus && status !== undefined ? { status: plain(relativeGenerations(status, metadata.generation)) } : {}),
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

/** Seconds or milliseconds since 1970, of about our century. */
function isTime(value: number): boolean {
  return (value > 1.5e9 && value < 2.2e9) || (value > 1.5e12 && value < 2.2e12);
}

function stableName(object: KubeObject): string {
  const { name = '', generateName } = object.metadata;
  return generateName !== undefined && generateName !== '' && name.startsWith(generateName) ? `${generateName}*` : name;
}

/** How many generations there were differs from run to run; whether the newest was seen must not. */
function relativeGenerations(value: unknown, generation: number | undefined): unknown {
  if (Array.isArray(value)) return value.map((inner) => relativeGenerations(inner, generation));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      if (field !== 'observedGeneration' || generation === undefined) return [field, relativeGenerations(inner, generation)];
      return [field, inner === generation ? 'the present one' : 'another one'];
    }),
  );
}

function dropEmpty(fields: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !deepEqual(value, {}) && !deepEqual(value, [])),
  );
}

/** How an end state differs from that of the calm run. */
export interface Difference {
  readonly what: 'missing' | 'extra' | 'differs';
  readonly resource: string;
  readonly kind: string;
  /** The object of this run; of the calm one when it is missing here. */
  readonly object: KubeObject;
  /** The first field that differs, lists and maps of names shown as `[]`. Empty unless `what` is `differs`. */
  readonly path: string;
  readonly here: unknown;
  readonly calm: unknown;
}

/**
 * What differs between two states, the weightiest first. Only objects that an operator or a person has made or changed are
 * compared, and statuses only where an operator writes them: the rest is what the cluster's own controllers make of it.
 */
export function differences(
  world: World,
  here: { trace: Trace; state: ClusterState },
  calm: { trace: Trace; state: ClusterState },
): readonly Difference[] {
  const [own, other] = [scopeOf(world, here.trace), scopeOf(world, calm.trace)];
  const scope = { places: new Set([...own.places, ...other.places]), statuses: new Set([...own.statuses, ...other.statuses]) };
  const [mine, theirs] = [compared(here, scope), compared(calm, scope)];
  const found: Difference[] = [];
  for (const place of new Set([...theirs.keys(), ...mine.keys()])) {
    const [left, right] = pairOff(mine.get(place) ?? [], theirs.get(place) ?? []);
    for (let index = 0; index < Math.max(left.length, right.length); index++) {
      const [one, other] = [left[index], right[index]];
      const { object, resource } = (one ?? other) as CanonicalObject;
      const base = { resource, kind: object.kind ?? resource, object };
      if (one === undefined) found.push({ ...base, what: 'missing', path: '', here: undefined, calm: other?.content });
      else if (other === undefined) found.push({ ...base, what: 'extra', path: '', here: one.content, calm: undefined });
      else found.push({ ...base, what: 'differs', ...firstDifference(one.content, other.content, '') });
    }
  }
  return pairRenamed(found).sort((a, b) => weight(a) - weight(b));
}

function weight({ what, path }: Difference): number {
  if (what === 'missing') return 0;
  if (what === 'extra') return 1;
  return path.startsWith('status') ? 3 : 2;
}

interface Scope {
  /** Places that an operator or a person had a hand in. */
  readonly places: ReadonlySet<string>;
  /** Resources whose status an operator writes. */
  readonly statuses: ReadonlySet<string>;
}

const scopes = new WeakMap<Trace, Scope>();

function scopeOf(world: World, trace: Trace): Scope {
  let scope = scopes.get(trace);
  if (scope === undefined) {
    scope = findScope(world, trace);
    scopes.set(trace, scope);
  }
  return scope;
}

function findScope(world: World, trace: Trace): Scope {
  const places = new Set<string>();
  const statuses = new Set<string>();
  const canon = canonOf(trace);
  for (const { process, commit, request } of changes(trace)) {
    const operator = isOperator(world, process);
    if (!operator && !isPerson(world, process)) continue;
    const { object, previous, key } = commit;
    if (operator && (request.subresource === 'status' || (previous !== undefined && !deepEqual(previous.status, object?.status))))
      statuses.add(key.resource);
    if (operator || object === undefined || previous === undefined || !isTouch(previous, object))
      places.add(canon.place(key.resource, (object ?? previous) as KubeObject));
  }
  return { places, statuses };
}

/** A mark that means nothing to anybody does not make an object a person's. */
function isTouch(before: KubeObject, after: KubeObject): boolean {
  return fieldChanges(before, after).every(({ path }) => path[2] === touchedAnnotation);
}

function compared({ trace, state }: { trace: Trace; state: ClusterState }, scope: Scope): Map<string, CanonicalObject[]> {
  const canon = canonOf(trace);
  const byPlace = new Map<string, CanonicalObject[]>();
  for (const { key, object } of state.all()) {
    const place = canon.place(key.resource, object);
    if (!scope.places.has(place)) continue;
    const list = byPlace.get(place) ?? [];
    list.push({ object, resource: key.resource, place, content: canon.content(object, scope.statuses.has(key.resource)) });
    byPlace.set(place, list);
  }
  return byPlace;
}

/** Takes away what has an equal on the other side. */
function pairOff(mine: readonly CanonicalObject[], theirs: readonly CanonicalObject[]): [CanonicalObject[], CanonicalObject[]] {
  const right = [...theirs];
  const left = mine.filter((one) => {
    const equal = right.findIndex((other) => deepEqual(one.content, other.content));
    if (equal >= 0) right.splice(equal, 1);
    return equal < 0;
  });
  return [left, right];
}

/** An operator may make up names by itself: an object that only has another name than in the calm run is no difference. */
function pairRenamed(found: readonly Difference[]): Difference[] {
  const gone = new Set<Difference>();
  for (const extra of found) {
    if (extra.what !== 'extra' || !looksMadeUp(extra.object.metadata.name ?? '')) continue;
    const twin = found.find(
      (other) => other.what === 'missing' && !gone.has(other) && other.resource === extra.resource && deepEqual(other.calm, extra.here),
    );
    if (twin === undefined) continue;
    gone.add(twin);
    gone.add(extra);
  }
  return found.filter((difference) => !gone.has(difference));
}

/** A name whose last part mixes letters and digits or has no vowel, as random suffixes and hashes do. */
export function looksMadeUp(name: string): boolean {
  const tail = /-([a-z0-9]{4,})$/.exec(name)?.[1];
  return tail !== undefined && (/\d/.test(tail) || !/[aeiou]/.test(tail));
}

function firstDifference(here: unknown, calm: unknown, path: string): { path: string; here: unknown; calm: unknown } {
  if (isMap(here) && isMap(calm)) {
    for (const field of new Set([...Object.keys(calm), ...Object.keys(here)])) {
      if (!deepEqual(here[field], calm[field])) return firstDifference(here[field], calm[field], path === '' ? field : `${path}.${field}`);
    }
  }
  if (Array.isArray(here) && Array.isArray(calm) && here.length === calm.length) {
    const index = here.findIndex((each, at) => !deepEqual(each, calm[at]));
    return firstDifference(here[index], calm[index], `${path}[]`);
  }
  return { path, here, calm };
}

function isMap(value: unknown): value is JsonMap {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A difference in words, with names. */
export function differenceText(difference: Difference): string {
  const { what, object, path, here, calm } = difference;
  const { namespace, name } = object.metadata;
  const shown = `${object.kind ?? difference.resource} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`;
  if (what === 'missing') return `${shown} is missing`;
  if (what === 'extra') return `${shown} is left over`;
  return `${shown} has ${path} ${valueText(here)}, in the calm run ${valueText(calm)}`;
}

/** A difference without names, for a signature. */
export function differenceCulprit({ what, kind, path }: Difference): string {
  if (what !== 'differs') return `${kind} ${what === 'extra' ? 'left over' : what}`;
  return `${kind} ${path.split('.').slice(0, 3).join('.')}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
