import type { JsonValue, KubeObject, ManagedFieldsEntry } from '../../etcd/object.js';
import { builtInDefinition } from '../openapi/built-in.js';
import { type TypedValue, TypeFaults } from '../structured-merge/typed-value.js';
import { ownersAfterUpdate, type VersionedSet } from '../structured-merge/updating.js';
import { asTyped } from '../structured-merge/validation.js';
import { compareTexts } from '../structured-merge/value.js';
import { type Endpoint, neverOwned, versionsOf } from './endpoint.js';
import { decodeEntries, encodeEntries, identityOf, isReset, type Managed, managedBy, nobody } from './entries.js';
import { ConversionFault } from './faults.js';
import { withStructs, zeroValue } from './structs.js';
import { typingOf } from './typing.js';

/** A write that is no apply, as far as owners go. */
export interface Write {
  readonly endpoint: Endpoint;
  /** What was stored, in the endpoint's version; undefined for a create. */
  readonly live: KubeObject | undefined;
  /** What was sent, decoded: before admission and before the server resets what the endpoint does not write (PA-25). */
  readonly next: KubeObject;
  readonly manager: string;
  /** RFC 3339 */
  readonly time: string;
  /** `managedFields` of the body; undefined when it had none. */
  readonly sent?: readonly ManagedFieldsEntry[];
}

/** PA-16 */
const maximumUpdaters = 10;

/** Who owns what after a write that is no apply. Never fails: where tracking does, nobody owns anything (PA-27). */
export function managedAfterUpdate(before: Managed, write: Write): Managed {
  const present = presentOwners(before, write);
  // PA-17: what nobody has ever owned is not tracked.
  if (present.managers.size === 0 && write.live !== undefined) return nobody;
  try {
    return capped(tracked(present, write, before));
  } catch (error) {
    if (error instanceof TypeFaults || error instanceof ConversionFault) return nobody;
    throw error;
  }
}

/** PA-18 */
function presentOwners(before: Managed, { endpoint, sent }: Write): Managed {
  if (endpoint.subresource !== '' || sent === undefined) return before;
  if (isReset(sent)) return nobody;
  const managed = decodeEntries(sent);
  return managed === undefined || managed.managers.size === 0 ? before : managed;
}

/** @param before who owned what is stored. @throws TypeFaults, ConversionFault */
export function tracked(present: Managed, { endpoint, live, next, manager, time }: Write, before = present): Managed {
  const { kind, subresource } = endpoint;
  const { apiVersion } = kind;
  const self = 'current-operation';
  const owners = ownersAfterUpdate(
    versionsOf(endpoint, (value) => ((value as unknown) === live ? encodeEntries(before) : [])),
    typedObject(endpoint, live, next),
    typedObject(endpoint, next, next),
    apiVersion,
    present.managers,
    self,
  );
  const managers = new Map(owners);
  const times = new Map(present.times);
  const mine = managers.get(self);
  managers.delete(self);
  const set = mine?.set.difference(neverOwned);
  // PA-51: a write that takes nothing moves no time.
  if (set !== undefined && !set.isEmpty) {
    const identity = identityOf({ manager: manager || 'unknown', operation: 'Update', apiVersion, subresource });
    const previous = managers.get(identity);
    managers.set(identity, { set: previous === undefined ? set : set.union(previous.set), apiVersion, applied: false });
    times.set(identity, time);
  }
  return managedBy(managers, times);
}

/** @param object undefined: an object that nothing has been said of yet, before it became `next`. @throws TypeFaults */
function typedObject({ kind }: Endpoint, object: KubeObject | undefined, next: KubeObject): TypedValue {
  const { apiVersion } = kind;
  const typing = typingOf(kind);
  const named = object ?? kind;
  const type = named.kind === kind.kind && (!kind.custom || named.apiVersion === apiVersion) ? typing.typeIn(apiVersion) : undefined;
  if (type === undefined) throw new TypeFaults([{ path: '', text: `no corresponding type for ${named.apiVersion}, Kind=${named.kind}` }]);
  let value: JsonValue;
  if (kind.custom) value = (object ?? { apiVersion, kind: kind.kind }) as unknown as JsonValue;
  else {
    const definition = builtInDefinition(type.name as string) ?? {};
    value =
      object === undefined
        ? { ...(zeroValue(definition, next as unknown as JsonValue) as object), apiVersion, kind: kind.kind }
        : withStructs(object as unknown as JsonValue, definition, true);
  }
  return asTyped(value, typing.schema, type, 'allowed');
}

/** PA-16: the oldest updaters are put together, one bucket for each version. */
function capped(managed: Managed): Managed {
  const updaters = [...managed.managers].filter(([, { applied }]) => !applied).map(([identity]) => identity);
  if (updaters.length <= maximumUpdaters) return managed;
  const managers = new Map(managed.managers);
  const times = new Map(managed.times);
  updaters.sort((a, b) => compareTexts(times.get(a) ?? '', times.get(b) ?? '') || compareTexts(a, b));
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const identity of updaters) {
    if (count <= maximumUpdaters) break;
    const versioned = managers.get(identity) as VersionedSet;
    const { apiVersion } = versioned;
    const first = firstOf.get(apiVersion);
    if (first === undefined) {
      firstOf.set(apiVersion, identity);
      continue;
    }
    const bucket = identityOf({ manager: 'ancient-changes', operation: 'Update', apiVersion });
    const kept = managers.get(bucket) ?? (managers.get(first) as VersionedSet);
    if (!managers.has(bucket)) managers.delete(first);
    managers.delete(identity);
    managers.set(bucket, { ...versioned, set: versioned.set.union(kept.set) });
    const time = times.get(identity);
    if (time !== undefined) times.set(bucket, time);
    count -= 1;
  }
  return managedBy(managers, times);
}
