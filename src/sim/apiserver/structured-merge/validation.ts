import { goPrint } from '../go-print.js';
import { elementText, fieldElement, indexElement, type PathElement } from './path-element.js';
import { deduceAtom, handleAtom, type ListType, type MapType, memberType, type Scalar, type Schema, type TypeRef } from './schema.js';
import { below, fault, itemElement, type TypedValue, type TypeFault, TypeFaults } from './typed-value.js';
import { isMap, isScalar, type Value } from './value.js';

/**
 * A value that its schema allows.
 * @param duplicates whether an associative list may have an item twice, as stored objects do (PA-56).
 * @throws TypeFaults
 */
export function asTyped(value: Value, schema: Schema, type: TypeRef, duplicates: 'allowed' | 'refused'): TypedValue {
  const faults = new Validation(schema, duplicates === 'allowed').faults(value, type);
  if (faults.length > 0) throw new TypeFaults(faults);
  return { value, schema, type };
}

class Validation {
  constructor(
    readonly schema: Schema,
    readonly allowDuplicates: boolean,
  ) {}

  faults(value: Value, type: TypeRef): readonly TypeFault[] {
    const atom = this.schema.resolve(type);
    if (atom === undefined) return fault(`schema error: no type found matching: ${type.name ?? 'inlined type'}`);
    return handleAtom(deduceAtom(atom, value), {
      scalar: (scalar) => scalarFaults(scalar, value, ''),
      list: (list) => this.#list(list, value),
      map: (map) => this.#map(map, value),
    });
  }

  #list(type: ListType, value: Value): readonly TypeFault[] {
    if (value === null) return [];
    if (!Array.isArray(value)) return fault(notA('list', value));
    const seen = new Set<string>();
    const faults: TypeFault[] = [];
    for (const [index, item] of value.entries()) {
      let element: PathElement = indexElement(index);
      if (type.relationship === 'associative') {
        const found = itemElement(this.schema, type, item);
        if ('fault' in found) return [...faults, ...fault(`element ${index}: ${found.fault}`)];
        element = found;
        if (seen.has(element.text) && !this.allowDuplicates) faults.push(...fault(`duplicate entries for key ${elementText(element)}`));
        seen.add(element.text);
      }
      faults.push(...below(element, this.faults(item, type.elementType)));
    }
    return faults;
  }

  #map(type: MapType, value: Value): readonly TypeFault[] {
    if (value === undefined) return fault('expected map, got nil');
    if (value === null) return [];
    if (!isMap(value)) return fault(notA('map', value));
    const faults: TypeFault[] = [];
    for (const name of Object.keys(value)) {
      const element = fieldElement(name);
      const inner = memberType(type, name);
      if (inner === undefined) return [...faults, ...below(element, fault('field not declared in schema'))];
      faults.push(...below(element, this.faults(value[name], inner)));
    }
    return faults;
  }
}

export function scalarFaults(type: Scalar, value: Value, prefix: string): readonly TypeFault[] {
  if (value === undefined || value === null) return [];
  switch (type) {
    case 'numeric':
      return typeof value === 'number' ? [] : fault(`${prefix}expected numeric (int or float), got ${goType(value)}`);
    case 'string':
      return typeof value === 'string' ? [] : fault(`${prefix}expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case 'boolean':
      return typeof value === 'boolean' ? [] : fault(`${prefix}${notA('boolean', value)}`);
    case 'untyped':
      return isScalar(value) ? [] : fault(`${prefix}${notA('any scalar', value)}`);
  }
}

function notA(what: string, value: Value): string {
  return `expected ${what}, got &{${goPrint(value)}}`;
}

function goType(value: Value): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** A value as Go's `%#v` prints it. */
function goSyntax(value: Value): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isMap(value)) return typeof value === 'string' ? JSON.stringify(value) : goPrint(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${goSyntax(value[key])}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
