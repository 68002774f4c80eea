import { deepEqual, type JsonValue } from '../../etcd/object.js';
import { isObject } from '../json.js';
import type { SchemaNode } from './compile.js';

/** A value beside the one that stood in its place before (CD-11). Where nothing can be correlated there is no such pair. */
export interface Correlation {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly node: SchemaNode;
}

export function correlatedMember(pair: Correlation | undefined, key: string): Correlation | undefined {
  if (pair === undefined || !isObject(pair.value) || !isObject(pair.old)) return undefined;
  if (!Object.hasOwn(pair.value, key) || !Object.hasOwn(pair.old, key)) return undefined;
  const node = pair.node.properties.get(key) ?? pair.node.values;
  return node && { value: pair.value[key] as JsonValue, old: pair.old[key] as JsonValue, node };
}

export function correlatedItem(pair: Correlation | undefined, index: number): Correlation | undefined {
  if (pair === undefined || !Array.isArray(pair.value) || !Array.isArray(pair.old) || pair.node.items === undefined) return undefined;
  const value = pair.value[index] as JsonValue;
  const old = sameKeyed(pair.old, value, pair.node);
  return old === undefined ? undefined : { value, old, node: pair.node.items };
}

/**
 * The first item of a list-type map with the keys of another. Other lists have no items that could be told apart.
 * @returns undefined also when the item lacks one of the keys, or has one that is no scalar.
 */
export function sameKeyed(list: readonly JsonValue[], item: JsonValue, listNode: SchemaNode): JsonValue | undefined {
  if (listNode.listType !== 'map' || listNode.mapKeys.length === 0) return undefined;
  const keys = keysOf(item, listNode.mapKeys);
  return keys && list.find((candidate) => keysOf(candidate, listNode.mapKeys)?.every((key, index) => key === keys[index]));
}

function keysOf(item: JsonValue, names: readonly string[]): readonly JsonValue[] | undefined {
  if (!isObject(item)) return undefined;
  const keys = names.map((name) => (Object.hasOwn(item, name) ? (item[name] as JsonValue) : null));
  return keys.some((key) => typeof key === 'object') ? undefined : keys;
}

/** Whether a value is as it was; one without a counterpart is not. In a list-type map the order does not count. */
export function isUnchanged(pair: Correlation | undefined): boolean {
  if (pair === undefined) return false;
  const { value, old, node } = pair;
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    if (node.listType !== 'map') return deepEqual(value, old);
    return value.every((_, index) => isUnchanged(correlatedItem(pair, index)));
  }
  if (!isObject(value) || !isObject(old)) return value === old;
  // A member that the schema does not know cannot be correlated, so that its parent never counts as unchanged.
  const keys = Object.keys(value);
  return keys.length === Object.keys(old).length && keys.every((key) => isUnchanged(correlatedMember(pair, key)));
}
