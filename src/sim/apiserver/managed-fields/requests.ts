import type { KubeObject, ManagedFieldsEntry } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { tooLong } from '../field-errors.js';
import type { KindInfo } from '../kinds.js';
import { rfc3339 } from '../metadata.js';
import { isNamespace, withNameLabel } from '../namespace.js';
import type { WriteOptions } from '../options.js';
import { withTemplateGeneration } from '../prepare-create.js';
import type { ApiRequest, StatusCause } from '../request.js';
import { sameButForTimes } from './entries.js';
import { managedFieldsOf, type Owners, ownersChanged, ownersOfObject, recordOwners } from './owners.js';
import { managedAfterUpdate } from './update.js';

const longestManager = 128;
const longestSubresource = 256;

/** A decoded object, and apart from it the managedFields that it came with. */
export function withoutEntries(given: KubeObject): {
  readonly object: KubeObject;
  readonly entries: readonly ManagedFieldsEntry[] | undefined;
} {
  if (given.metadata.managedFields === undefined) return { object: given, entries: undefined };
  const { managedFields, ...metadata } = given.metadata;
  return { object: { ...given, metadata }, entries: managedFields as readonly ManagedFieldsEntry[] };
}

/** PA-18: the only faults that make a write fail. */
export function entryFaults(entries: readonly ManagedFieldsEntry[] | undefined): readonly StatusCause[] {
  return (entries ?? []).flatMap(({ manager = '', subresource = '' }, index) => [
    ...(Buffer.byteLength(manager) > longestManager ? [tooLong(`metadata.managedFields[${index}].manager`, longestManager)] : []),
    ...(Buffer.byteLength(subresource) > longestSubresource
      ? [tooLong(`metadata.managedFields[${index}].subresource`, longestSubresource)]
      : []),
  ]);
}

/** PA-50 */
export function managerOf(request: ApiRequest, options: WriteOptions): string {
  if (options.fieldManager !== '') return options.fieldManager;
  let manager = '';
  for (const character of (request.userAgent ?? '').split('/')[0] as string) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) continue;
    if (Buffer.byteLength(manager + character) > longestManager) break;
    manager += character;
  }
  return manager;
}

/** A write, as far as owners go. `existing` and `live` are absent for a create. */
export interface Written {
  readonly existing?: KubeObject;
  /** What is stored, in the request's version. */
  readonly live?: KubeObject;
  /** What was sent, decoded (PA-25). */
  readonly next: KubeObject;
  readonly entries: readonly ManagedFieldsEntry[] | undefined;
}

/** The owners of an object after a request wrote it. What is written down here is looked at only when somebody asks. */
export function ownersAfterRequest({ kind, request, server }: Call, options: WriteOptions, written: Written): Owners {
  const nowMs = server.environment.nowMs();
  const { existing, live, next, entries } = written;
  const owners = ownersChanged(
    (before) =>
      managedAfterUpdate(before, {
        endpoint: { kind, subresource: request.subresource ?? '' },
        live,
        next: asConverted(kind, next, request.namespace),
        manager: managerOf(request, options),
        time: rfc3339(nowMs),
        ...(entries !== undefined && { sent: entries }),
      }),
    ownersOfObject(existing),
  );
  // A webhook has to be asked now, not when somebody looks.
  if (kind.conversion !== undefined) owners.managed();
  return owners;
}

/** ST-6 */
export function areSameOwners(existing: KubeObject, after: Owners): boolean {
  return sameButForTimes(managedFieldsOf(existing), after.entries());
}

/** An object that is answered with and not stored, with the owners that it would have. */
export function shownWithOwners(object: KubeObject, owners: Owners): KubeObject {
  const shown = { ...object, metadata: { ...object.metadata } };
  recordOwners(shown, owners);
  return shown;
}

/** What conversion and defaults of a kind add whenever an object is decoded, and what decoding here leaves to later. */
function asConverted(kind: KindInfo, object: KubeObject, namespace: string | undefined): KubeObject {
  if (kind.conversion !== undefined && kind.namespaced && object.metadata.namespace === undefined) {
    return { ...object, metadata: { ...object.metadata, ...(namespace !== undefined && { namespace }) } };
  }
  if (isNamespace(kind)) return object.metadata.name === undefined ? object : withNameLabel(object);
  if (kind.resource !== 'daemonsets.apps') return object;
  const generation = object.metadata.annotations?.['deprecated.daemonset.template.generation'];
  return generation === undefined ? withTemplateGeneration(object, 0) : object;
}
