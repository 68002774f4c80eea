import type { JsonValue, KubeObject, ManagedFieldsEntry } from '../../etcd/object.js';
import { badRequest, internalWithoutReason } from '../status.js';
import { type TypedValue, TypeFaults } from '../structured-merge/typed-value.js';
import { applied, Conflicts } from '../structured-merge/updating.js';
import { asTyped } from '../structured-merge/validation.js';
import { conflictError } from './conflict.js';
import { type Endpoint, neverOwned, versionsOf } from './endpoint.js';
import { encodeEntries, identityOf, type Managed, managedBy } from './entries.js';
import { ConversionFault } from './faults.js';
import { allowedByLastApplied, withLastApplied } from './last-applied.js';
import { type ObjectValue, typingOf } from './typing.js';
import { tracked } from './update.js';

/** An apply, as far as it can be known before anything is decoded by its kind. */
export interface Apply {
  readonly endpoint: Endpoint;
  /** What is stored, in the endpoint's version; undefined when the apply creates. */
  readonly live: KubeObject | undefined;
  readonly managed: Managed;
  readonly config: ObjectValue;
  readonly manager: string;
  readonly force: boolean;
  /** RFC 3339 */
  readonly time: string;
}

export interface AppliedObject {
  /** Undecoded: the kind's defaults are still to come. */
  readonly value: ObjectValue;
  readonly managed: Managed;
}

/** The object and its owners after an apply (PA-19 to PA-24). @throws ApiStatusError 400, 409, 500 */
export function applyConfiguration(apply: Apply): AppliedObject {
  const { endpoint, config, live } = apply;
  const { kind } = endpoint;
  const given = groupVersionKind(config);
  if (given !== groupVersionKind(kind)) throw badRequest(`invalid object type: ${given}`);
  const managed = apply.managed.managers.size === 0 && live !== undefined ? ownersBeforeFirstApply(apply) : apply.managed;
  const metadata = config.metadata as ObjectValue | null | undefined;
  if (Array.isArray(metadata?.managedFields)) throw badRequest('metadata.managedFields must be nil');
  try {
    return outcome({ ...apply, managed, known: encodeEntries(apply.managed) }, typedLive(apply), typedConfig(apply));
  } catch (error) {
    if (error instanceof Conflicts) throw conflictError(error);
    if (error instanceof ConversionFault) throw internalWithoutReason(error.message);
    if (error instanceof TypeFaults) throw internalWithoutReason(error.message);
    throw error;
  }
}

/** @throws Conflicts, TypeFaults, ConversionFault */
function outcome(apply: Apply & { readonly known: readonly ManagedFieldsEntry[] }, live: TypedValue, config: TypedValue): AppliedObject {
  const { endpoint, manager, managed, time } = apply;
  const { kind, subresource } = endpoint;
  const identity = identityOf({ manager, operation: 'Apply', apiVersion: kind.apiVersion, subresource });
  const versions = versionsOf(endpoint, () => apply.known);
  const attempt = (force: boolean) => applied(versions, live, config, kind.apiVersion, managed.managers, identity, force);
  let result: ReturnType<typeof attempt>;
  try {
    result = attempt(apply.force);
  } catch (error) {
    if (!(error instanceof Conflicts) || manager !== 'kubectl') throw error;
    const left = allowedByLastApplied(error, live, kind.apiVersion);
    if (left.conflicts.length > 0) throw left;
    result = attempt(true);
  }
  const managers = new Map(result.managers);
  const own = managers.get(identity);
  const set = own?.set.difference(neverOwned);
  if (own === undefined || set === undefined || set.isEmpty) managers.delete(identity);
  else managers.set(identity, { ...own, set });
  const times = new Map(managed.times);
  // PA-23: an apply that changes nothing moves no time.
  if (result.next !== undefined) times.set(identity, time);
  const value = (result.next ?? live).value as ObjectValue;
  return { value: manager === 'kubectl' ? withLastApplied(value, apply.config) : value, managed: managedBy(managers, times) };
}

/** PA-17: what is there before the first apply belongs to a manager of its own. @throws ApiStatusError 500 */
function ownersBeforeFirstApply({ endpoint, live, managed, time }: Apply): Managed {
  try {
    return tracked(managed, { endpoint, live: undefined, next: live as KubeObject, manager: 'before-first-apply', time });
  } catch (error) {
    if (error instanceof TypeFaults || error instanceof ConversionFault) {
      throw internalWithoutReason(`failed to create manager for existing fields: ${error.message}`);
    }
    throw error;
  }
}

/** @throws ApiStatusError 500 */
function typedConfig({ endpoint, config }: Apply): TypedValue {
  try {
    return typed(endpoint, config, 'refused');
  } catch (error) {
    if (!(error instanceof TypeFaults)) throw error;
    throw internalWithoutReason(`failed to create typed patch object (${nameAndKind(config)}): ${error.message}`);
  }
}

/** @throws ApiStatusError 500 */
function typedLive({ endpoint, live }: Apply): TypedValue {
  const { kind } = endpoint;
  const value = (live ?? { apiVersion: kind.apiVersion, kind: kind.kind }) as unknown as ObjectValue;
  try {
    return typed(endpoint, value, 'allowed');
  } catch (error) {
    if (!(error instanceof TypeFaults)) throw error;
    throw internalWithoutReason(`failed to create typed live object (${nameAndKind(value)}): ${error.message}`);
  }
}

/** @throws TypeFaults */
function typed({ kind }: Endpoint, value: JsonValue, duplicates: 'allowed' | 'refused'): TypedValue {
  const typing = typingOf(kind);
  const type = typing.typeIn(kind.apiVersion);
  if (type === undefined) throw new TypeFaults([{ path: '', text: `no corresponding type for ${groupVersionKind(kind)}` }]);
  return asTyped(value, typing.schema, type, duplicates);
}

/** `ns/name; apps/v1, Kind=Deployment`: how faults of an apply name their object (PA-24). */
export function nameAndKind(object: ObjectValue): string {
  const metadata = (object.metadata ?? {}) as ObjectValue;
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
  return `${text(metadata.namespace)}/${text(metadata.name)}; ${groupVersionKind(object)}`;
}

/** `/v1, Kind=Secret` */
export function groupVersionKind(object: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  const parts = apiVersion.split('/');
  if (parts.length > 2) return '/, Kind=';
  const groupVersion = parts.length === 2 ? apiVersion : `/${apiVersion}`;
  return `${groupVersion}, Kind=${typeof object.kind === 'string' ? object.kind : ''}`;
}
