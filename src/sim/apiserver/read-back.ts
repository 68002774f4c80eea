import type { JsonValue, KubeObject, ObjectMeta } from '../etcd/object.js';
import { withClaimPhase, withJobLabels } from './defaults.js';
import { within } from './fill.js';
import { isObject } from './json.js';
import { writtenLists } from './kind-facts.js';
import type { KindInfo } from './kinds.js';

type Fields = Readonly<Record<string, unknown>>;

/** What an object looks like when it is read back: TK-3, a list that Go always writes is null also when it is empty; TK-5. */
export function asReadBack(kind: KindInfo, object: KubeObject): KubeObject {
  switch (kind.resource) {
    case 'csinodes.storage.k8s.io':
      return within(object, 'spec', (spec: Fields) => withNull(spec, ['drivers']));
    case 'limitranges':
      return within(object, 'spec', (spec: Fields) => withNull(spec, ['limits']));
    case 'jobs.batch':
      return withJobLabels(object);
    case 'persistentvolumeclaims':
      return hasClaimPhase(object) ? object : withClaimPhase(object);
    default:
      return withNull(object, writtenLists(kind));
  }
}

/** A custom resource as it is read back: maps and lists of its metadata that an apply has left empty are gone. */
export function withoutEmptyMetadata(object: KubeObject): KubeObject {
  const empty = emptyMetadata(object.metadata);
  if (empty.length === 0) return object;
  const metadata: ObjectMeta = { ...object.metadata };
  for (const field of empty) delete metadata[field];
  return { ...object, metadata };
}

/**
 * ST-5: whether etcd keeps an object in other words than those in which it would be written once more after it was read:
 * without what reading fills in, or with what reading drops.
 */
export function isKeptOtherwise(kind: KindInfo, object: KubeObject): boolean {
  // What is made into another version on the way is made anew.
  if (kind.custom) return kind.apiVersion === kind.storedVersion && emptyMetadata(object.metadata).length > 0;
  switch (kind.resource) {
    case 'jobs.batch':
      return withJobLabels(object) !== object;
    case 'persistentvolumeclaims':
      return !hasClaimPhase(object);
    default:
      return false;
  }
}

function hasClaimPhase(claim: KubeObject): boolean {
  return typeof claim.status?.phase === 'string' && claim.status.phase !== '';
}

/** What of the metadata an apply may leave empty. */
export const metadataCollections = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

function emptyMetadata(metadata: ObjectMeta): readonly (typeof metadataCollections)[number][] {
  return metadataCollections.filter((field) => metadata[field] !== undefined && Object.keys(metadata[field]).length === 0);
}

/** What raw metadata has of that and leaves empty, or null. */
export function emptyIn(metadata: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  if (!isObject(metadata)) return {};
  const empty = metadataCollections.filter((field) => metadata[field] !== undefined && Object.keys(metadata[field] ?? {}).length === 0);
  return Object.fromEntries(empty.map((field) => [field, field === 'labels' || field === 'annotations' ? {} : []]));
}

function withNull<T extends Fields>(object: T, lists: readonly string[]): T {
  const empty = lists.filter((field) => Array.isArray(object[field]) && object[field].length === 0);
  return empty.length === 0 ? object : { ...object, ...Object.fromEntries(empty.map((field) => [field, null])) };
}
