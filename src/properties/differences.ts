import type { ClusterState } from '../sim/cluster-state.js';
import { deepEqual, type KubeObject } from '../sim/etcd/object.js';
import { touchedAnnotation } from '../sim/network.js';
import type { Trace } from '../sim/trace.js';
import type { World } from '../sim/world.js';
import { canonOf, type JsonMap, looksMadeUp } from './canon.js';
import { fieldChanges, isMap } from './fields.js';
import { changes, isOperator, isPerson } from './history.js';

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

interface CanonicalObject {
  readonly object: KubeObject;
  readonly resource: string;
  readonly content: JsonMap;
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
    const written = object !== undefined && previous !== undefined && !deepEqual(previous.status, object.status);
    if (operator && (request.subresource === 'status' || written)) statuses.add(key.resource);
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
    list.push({ object, resource: key.resource, content: canon.content(object, scope.statuses.has(key.resource)) });
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
