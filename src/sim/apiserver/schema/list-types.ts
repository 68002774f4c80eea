import type { JsonValue } from '../../etcd/object.js';
import { duplicateValue, inKeyOrder, invalidValue } from '../field-errors.js';
import { isObject } from '../json.js';
import type { StatusCause } from '../request.js';
import type { SchemaNode } from './compile.js';

/** What is double in lists of type set and map (CD-8). */
export function listTypeFaults(value: JsonValue, node: SchemaNode, path = ''): StatusCause[] {
  if (!node.contains.listTypes) return [];
  if (Array.isArray(value)) {
    const { items } = node;
    return [
      ...duplicates(value, node, path),
      ...(items === undefined ? [] : value.flatMap((item, index) => listTypeFaults(item, items, `${path}[${index}]`))),
    ];
  }
  if (!isObject(value)) return [];
  const causes: StatusCause[] = [];
  for (const key of Object.keys(value)) {
    const member = value[key] as JsonValue;
    if (node.values !== undefined) causes.push(...listTypeFaults(member, node.values, `${path}[${key}]`));
    const property = node.properties.get(key);
    if (property !== undefined) causes.push(...listTypeFaults(member, property, path === '' ? key : `${path}.${key}`));
  }
  return causes;
}

function duplicates(list: readonly JsonValue[], { listType, mapKeys }: SchemaNode, path: string): StatusCause[] {
  if (listType === 'set') return repeated(list).map((index) => duplicateValue(`${path}[${index}]`, inKeyOrder(list[index])));
  if (listType !== 'map') return [];
  const stranger = list.findIndex((item) => item !== null && !isObject(item));
  if (stranger >= 0) {
    return [invalidValue(`${path}[${stranger}]`, inKeyOrder(list[stranger]), 'must be an object for an array of list-type map')];
  }
  const keys = list.map((item) => keyObject(item, mapKeys));
  return repeated(keys).map((index) => duplicateValue(`${path}[${index}]`, keys[index]));
}

function keyObject(item: JsonValue, names: readonly string[]): JsonValue {
  if (!isObject(item)) return {};
  return Object.fromEntries(
    [...names]
      .sort()
      .filter((name) => Object.hasOwn(item, name))
      .map((name) => [name, item[name] as JsonValue]),
  );
}

/** The indices of the second occurrences. */
function repeated(list: readonly JsonValue[]): readonly number[] {
  const times = new Map<string, number>();
  return list.flatMap((item, index) => {
    const text = JSON.stringify(inKeyOrder(item));
    const seen = (times.get(text) ?? 0) + 1;
    times.set(text, seen);
    return seen === 2 ? [index] : [];
  });
}
