import type { JsonValue } from '../../etcd/object.js';
import { setMember } from '../json.js';
import type { FieldSet } from './field-set.js';
import { fieldElement } from './path-element.js';
import { deduceAtom, handleAtom, type ListType, type MapType, memberType, type Schema, type TypeRef } from './schema.js';
import { itemElement, type TypedValue } from './typed-value.js';
import { isMap, type Value } from './value.js';

/** The value without the fields and items of a set. What loses all it has becomes null. */
export function removeItems(typed: TypedValue, items: FieldSet): TypedValue {
  return { ...typed, value: picked(typed.schema, typed.value ?? null, typed.type, items, 'remove') };
}

/** Only the fields and items of a set. */
export function extractItems(typed: TypedValue, items: FieldSet): TypedValue {
  return { ...typed, value: picked(typed.schema, typed.value ?? null, typed.type, items, 'extract') };
}

function picked(schema: Schema, value: JsonValue, type: TypeRef, items: FieldSet, what: 'remove' | 'extract'): JsonValue {
  const atom = schema.resolve(type);
  if (atom === undefined) return null;
  const extract = what === 'extract';
  return handleAtom<JsonValue>(deduceAtom(atom, value), {
    scalar: () => value,
    list: (list) => {
      if (!Array.isArray(value)) return null;
      if (value.length === 0 || list.relationship === 'atomic') return extract ? value : null;
      return pickedItems(schema, value, list, items, what);
    },
    map: (map) => {
      if (!isMap(value)) return null;
      if (Object.keys(value).length === 0 || map.relationship === 'atomic') return extract ? value : null;
      return pickedMembers(schema, value, map, items, what);
    },
  });
}

function pickedItems(schema: Schema, list: readonly JsonValue[], type: ListType, items: FieldSet, what: 'remove' | 'extract'): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of list) {
    const element = itemElement(schema, type, item);
    if ('fault' in element) continue;
    const inner = items.child(element);
    const below = inner === undefined || inner.isEmpty ? undefined : inner;
    if (what === 'extract' && !items.hasMember(element) && below === undefined) continue;
    if (what === 'remove' && items.hasMember(element)) continue;
    kept.push(below === undefined ? item : picked(schema, item, type.elementType, below, what));
  }
  return kept.length === 0 ? null : kept;
}

function pickedMembers(
  schema: Schema,
  map: { readonly [key: string]: JsonValue },
  type: MapType,
  items: FieldSet,
  what: 'remove' | 'extract',
): JsonValue {
  const kept: Record<string, JsonValue> = {};
  let count = 0;
  for (const name of Object.keys(map)) {
    const element = fieldElement(name);
    const inner = items.child(element);
    const value = map[name] as JsonValue;
    let left: Value = value;
    if (items.hasMember(element)) left = what === 'extract' ? picked(schema, value, memberType(type, name) ?? {}, items, what) : undefined;
    else if (inner !== undefined && !inner.isEmpty) left = picked(schema, value, memberType(type, name) ?? {}, inner, what);
    else if (what === 'extract') left = undefined;
    if (left === undefined) continue;
    setMember(kept, name, left);
    count += 1;
  }
  return count === 0 ? null : kept;
}
