import { deepFreeze, type JsonValue } from '../../etcd/object.js';
import { isObject, setMember } from '../json.js';
import type { SchemaNode } from './compile.js';

/**
 * A value without the nulls that its schema does not allow, and with the defaults that it lacks (CD-5). The same value when there
 * is nothing to do.
 * @param node absent: nothing is known of the value, and it stays.
 */
export function withDefaults(value: JsonValue, node: SchemaNode | undefined): JsonValue {
  return defaulted(withoutForbiddenNulls(value, node), node);
}

/** Takes away members that are null, may not be, and have no default. Items of lists stay: null or not, they count. */
export function withoutForbiddenNulls(value: JsonValue, node: SchemaNode | undefined): JsonValue {
  if (Array.isArray(value)) return mapItems(value, (item) => withoutForbiddenNulls(item, node?.items));
  if (!isObject(value)) return value;
  let changed = false;
  const kept: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = value[key] as JsonValue;
    const schema = node?.properties.get(key) ?? node?.values;
    if (member === null && schema !== undefined && !schema.nullable && schema.defaultValue === undefined) {
      changed = true;
      continue;
    }
    const next = withoutForbiddenNulls(member, schema);
    if (next !== member) changed = true;
    setMember(kept, key, next);
  }
  return changed ? kept : value;
}

/** Fills in defaults, in what is there after its parent has been filled in. */
export function defaulted(value: JsonValue, node: SchemaNode | undefined): JsonValue {
  if (node === undefined || !node.contains.defaults) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    return mapItems(value, (item) => (isForbiddenNull(item, items) ? fillOf(items) : defaulted(item, items)));
  }
  if (!isObject(value)) return value;
  const changes = new Map<string, JsonValue>();
  for (const [name, property] of node.properties) {
    if (property.defaultValue === undefined) continue;
    if (!Object.hasOwn(value, name) || isForbiddenNull(value[name], property)) changes.set(name, fillOf(property));
  }
  for (const key of Object.keys(value)) {
    if (changes.has(key)) continue;
    const member = value[key] as JsonValue;
    const property = node.properties.get(key);
    const next =
      property === undefined && isForbiddenNull(member, node.values) ? fillOf(node.values) : defaulted(member, property ?? node.values);
    if (next !== member) changes.set(key, next);
  }
  if (changes.size === 0) return value;
  const filled: Record<string, JsonValue> = {};
  for (const key of Object.keys(value))
    setMember(filled, key, changes.has(key) ? (changes.get(key) as JsonValue) : (value[key] as JsonValue));
  for (const [key, change] of changes) if (!Object.hasOwn(filled, key)) setMember(filled, key, change);
  return filled;
}

const fills = new WeakMap<SchemaNode, JsonValue>();

/** A node's default with the defaults of what is in it. */
function fillOf(node: SchemaNode | undefined): JsonValue {
  if (node?.defaultValue === undefined) return null;
  let fill = fills.get(node);
  if (fill === undefined) {
    fill = deepFreeze(defaulted(node.defaultValue, node));
    fills.set(node, fill);
  }
  return fill;
}

function isForbiddenNull(value: JsonValue | undefined, node: SchemaNode | undefined): boolean {
  return value === null && node !== undefined && !node.nullable;
}

function mapItems(list: readonly JsonValue[], change: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  let changed = false;
  const result = list.map((item) => {
    const next = change(item);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? result : list;
}
