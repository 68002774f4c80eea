import type { JsonValue, KubeObject } from '../etcd/object.js';
import { fieldOrderText } from './data/field-order.js';
import { setMember } from './json.js';
import { builtInDefinition, definitionName } from './openapi/built-in.js';
import { type OpenApiSchema, referredName } from './openapi/schema.js';

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

/** A built-in object with the keys of its maps in order and the fields of its types in Go's, as Go writes them. */
export function withSortedMaps(kind: NamedVersion, object: JsonValue): JsonValue {
  const name = definitionName(kind.group, kind.version, kind.kind);
  return name === undefined ? object : sortedIn(object, { $ref: `/${name}` });
}

interface NamedVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

function sortedIn(value: JsonValue, schema: OpenApiSchema | undefined): JsonValue {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  const name = referredName(schema);
  const { properties, additionalProperties, items } = name === undefined ? schema : (builtInDefinition(name) ?? {});
  if (Array.isArray(value)) return value.map((element: JsonValue) => sortedIn(element, items));
  const of = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const keys = Object.keys(value).sort();
  if (name !== undefined) sortByOrder(keys, fieldOrder(name));
  const sorted: Record<string, JsonValue> = {};
  for (const key of keys) {
    const inner = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : of;
    setMember(sorted, key, sortedIn((value as Readonly<Record<string, JsonValue>>)[key] as JsonValue, inner));
  }
  return sorted;
}

function sortByOrder(keys: string[], order: readonly string[]): void {
  const at = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  if (order.length > 0) keys.sort((a, b) => at(a) - at(b));
}

let orders: Readonly<Record<string, string>> | undefined;

/** The fields of a definition as Go has them; empty where that is the order of the alphabet. */
function fieldOrder(definition: string): readonly string[] {
  orders ??= JSON.parse(fieldOrderText) as Readonly<Record<string, string>>;
  const name = definition.replace('io.k8s.api.', '');
  return Object.hasOwn(orders, name) ? (orders[name] as string).split(' ') : [];
}
