import type { JsonValue } from '../../etcd/object.js';
import { FieldSet } from './field-set.js';
import { fieldElement, type Path } from './path-element.js';
import { deduceAtom, handleAtom, type ListType, type MapType, memberType, type Schema, type TypeRef } from './schema.js';
import { fault, itemElement, type TypedValue, TypeFaults } from './typed-value.js';
import { isMap, type Value } from './value.js';

/** Every leaf and every list item of a value: what it owns who applies it. @throws TypeFaults */
export function fieldsOf({ value, type, schema }: TypedValue): FieldSet {
  const set = new FieldSet();
  collect(set, schema, value ?? null, type, []);
  return set;
}

function collect(set: FieldSet, schema: Schema, value: Value, type: TypeRef, path: Path): void {
  const atom = schema.resolve(type);
  if (atom === undefined) throw new TypeFaults(fault(`schema error: no type found matching: ${type.name ?? 'inlined type'}`));
  handleAtom<void>(deduceAtom(atom, value), {
    scalar: () => set.insert(path),
    list: (list) => {
      if (list.relationship === 'atomic') set.insert(path);
      else if (Array.isArray(value)) collectItems(set, schema, value, list, path);
    },
    map: (map) => {
      if (map.relationship === 'atomic') set.insert(path);
      else if (isMap(value)) collectMembers(set, schema, value, map, path);
    },
  });
}

function collectItems(set: FieldSet, schema: Schema, list: readonly JsonValue[], type: ListType, path: Path): void {
  const items = list.map((item) => ({ item, element: itemElement(schema, type, item) }));
  const times = new Map<string, number>();
  for (const { element } of items) if (!('fault' in element)) times.set(element.text, (times.get(element.text) ?? 0) + 1);
  for (const { item, element } of items) {
    if ('fault' in element) continue;
    const here = [...path, element];
    set.insert(here);
    // PA-56
    if (times.get(element.text) === 1) collect(set, schema, item, type.elementType, here);
  }
}

function collectMembers(set: FieldSet, schema: Schema, map: { readonly [key: string]: JsonValue }, type: MapType, path: Path): void {
  for (const name of Object.keys(map)) {
    const value = map[name] as JsonValue;
    const here = [...path, fieldElement(name)];
    collect(set, schema, value, memberType(type, name) ?? {}, here);
    const empty = value === null || (isMap(value) && Object.keys(value).length === 0);
    if (empty || !type.fields.has(name)) set.insert(here);
  }
}
