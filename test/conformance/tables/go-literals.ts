import { FieldSet } from '../../../src/sim/apiserver/structured-merge/field-set.js';
import {
  fieldElement,
  indexElement,
  keyElement,
  type Path,
  type PathElement,
  valueElement,
} from '../../../src/sim/apiserver/structured-merge/path-element.js';
import type { Managers, VersionedSet } from '../../../src/sim/apiserver/structured-merge/updating.js';
import type { JsonValue } from '../../../src/sim/etcd/object.js';
import type { Go } from './data.js';

/** Values of the Go names that a table uses. */
export type Names = Readonly<Record<string, unknown>>;

function call(literal: unknown): { readonly name: string; readonly args: readonly unknown[] } | undefined {
  if (literal === null || typeof literal !== 'object' || !('$call' in literal)) return undefined;
  const { $call, args } = literal as { readonly $call: string; readonly args: readonly unknown[] };
  return { name: String($call).replace(/^.*\./, ''), args };
}

/** A literal whose value a table knows by name, or itself. */
export function plain(literal: unknown, names: Names): unknown {
  if (literal !== null && typeof literal === 'object' && '$ref' in literal) {
    const name = String((literal as Go).$ref);
    if (!Object.hasOwn(names, name)) throw new Error(`the table's ${name} is not known here`);
    return names[name];
  }
  const called = call(literal);
  if (called?.name === 'Sprintf') {
    let at = 0;
    const values = called.args.slice(1);
    return String(called.args[0]).replace(/%[sv]/g, () => String(plain(values[at++], names)));
  }
  return literal;
}

export function element(part: unknown, names: Names = {}): PathElement {
  const literal = plain(part, names);
  if (typeof literal === 'string') return fieldElement(literal);
  if (typeof literal === 'number') return indexElement(literal);
  const called = call(literal);
  switch (called?.name) {
    case '_KBF':
    case 'KeyByFields':
      return keyElement(pairs(called.args.map((arg) => plain(arg, names))));
    case 'KeyElement':
      return keyElement(called.args.map((field) => ({ name: String((field as Go).Name), value: goValue((field as Go).Value) })));
    case '_V':
    case 'ValueElement':
    case 'NewValueInterface':
      return valueElement(goValue(called.args[0]));
    case 'FieldNameElement':
      return fieldElement(String(called.args[0]));
    case 'IndexElement':
      return indexElement(Number(called.args[0]));
    default:
      throw new Error(`no path element: ${JSON.stringify(part)}`);
  }
}

function pairs(args: readonly unknown[]) {
  return Array.from({ length: args.length / 2 }, (_, index) => ({
    name: String(args[2 * index]),
    value: args[2 * index + 1] as JsonValue,
  }));
}

export function goValue(literal: unknown): JsonValue {
  const called = call(literal);
  return called === undefined ? (literal as JsonValue) : goValue(called.args[0]);
}

export function path(literal: unknown, names: Names = {}): Path {
  return (call(literal)?.args ?? []).map((part) => element(part, names));
}

export function set(literal: unknown, names: Names = {}): FieldSet {
  const value = plain(literal, names);
  if (value instanceof FieldSet) return value;
  return FieldSet.of((call(value)?.args ?? []).map((each) => path(each, names)));
}

export function versionedSet(literal: unknown, names: Names = {}): VersionedSet {
  const [fields, apiVersion, applied] = call(literal)?.args ?? [];
  return { set: set(fields, names), apiVersion: String(plain(apiVersion, names)), applied: applied === true };
}

export function managers(literal: unknown, names: Names = {}): Managers {
  const entries = Object.entries((literal ?? {}) as Go).filter(([key]) => key !== '$type');
  return new Map(entries.map(([key, value]) => [key, versionedSet(value, names)]));
}
