import type { JsonValue, KubeObject } from '../etcd/object.js';
import { setMember } from './json.js';

const METADATA = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/**
 * An object, or a list of them, with the keys of its metadata in the order in which the server writes them. It is for the text alone; nobody may rely on it.
 */
export function inWrittenOrder<T>(body: T): T {
  if (body === null || typeof body !== 'object' || !('metadata' in body)) return body;
  const { metadata, items } = body as unknown as KubeObject & { readonly items?: readonly KubeObject[] };
  if (metadata === null || typeof metadata !== 'object') return body;
  const inOrder = { ...body, metadata: orderedMetadata(metadata as unknown as Record<string, JsonValue>) };
  return Array.isArray(items) ? { ...inOrder, items: items.map(inWrittenOrder) } : inOrder;
}

function orderedMetadata(metadata: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  const ordered: Record<string, JsonValue> = {};
  for (const key of METADATA) if (Object.hasOwn(metadata, key)) ordered[key] = metadata[key] as JsonValue;
  for (const key of Object.keys(metadata)) if (!METADATA.includes(key)) setMember(ordered, key, metadata[key] as JsonValue);
  return ordered;
}
