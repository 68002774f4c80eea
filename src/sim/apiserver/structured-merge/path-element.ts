import type { JsonValue } from '../../etcd/object.js';
import { goJson } from '../field-errors.js';
import { compareTexts, compareValues, isMap, valueText } from './value.js';

/** One step down into an object: a member by name, a list's item by key fields, by value (of a set) or by index. */
export type PathElement = {
  /** How the step is written in managedFields (PA-13); equal steps have equal texts. */ readonly text: string;
} & (
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'key'; readonly fields: readonly KeyField[] }
  | { readonly type: 'value'; readonly value: JsonValue }
  | { readonly type: 'index'; readonly index: number }
);

export interface KeyField {
  readonly name: string;
  readonly value: JsonValue;
}

/** From the root of an object down to a place in it. */
export type Path = readonly PathElement[];

export function fieldElement(name: string): PathElement {
  return { type: 'field', name, text: `f:${name}` };
}

/** @param fields in any order. */
export function keyElement(fields: readonly KeyField[]): PathElement {
  const sorted = [...fields].sort((a, b) => compareTexts(a.name, b.name));
  const members = sorted.map(({ name, value }) => `${goJson(name)}:${goJson(value)}`);
  return { type: 'key', fields: sorted, text: `k:{${members.join(',')}}` };
}

export function valueElement(value: JsonValue): PathElement {
  return { type: 'value', value, text: `v:${goJson(value)}` };
}

export function indexElement(index: number): PathElement {
  return { type: 'index', index, text: `i:${index}` };
}

const order = { field: 0, key: 1, value: 2, index: 3 } as const;

export function compareElements(a: PathElement, b: PathElement): number {
  if (a.text === b.text) return 0;
  if (a.type === 'field' && b.type === 'field') return compareTexts(a.name, b.name);
  if (a.type === 'key' && b.type === 'key') return compareKeys(a.fields, b.fields);
  if (a.type === 'value' && b.type === 'value') return compareValues(a.value, b.value);
  if (a.type === 'index' && b.type === 'index') return a.index - b.index;
  return order[a.type] - order[b.type];
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const left = a[index] as KeyField;
    const right = b[index] as KeyField;
    const byField = compareTexts(left.name, right.name) || compareValues(left.value, right.value);
    if (byField !== 0) return byField;
  }
  return a.length - b.length;
}

/** A step as conflicts and faults print it (PA-20). */
export function elementText(element: PathElement): string {
  switch (element.type) {
    case 'field':
      return `.${element.name}`;
    case 'key':
      return `[${element.fields.map(({ name, value }) => `${name}=${valueText(value)}`).join(',')}]`;
    case 'value':
      return `[=${valueText(element.value)}]`;
    case 'index':
      return `[${element.index}]`;
  }
}

export function pathText(path: Path): string {
  return path.map(elementText).join('');
}

/** A key of managedFields that cannot be read. */
export class PathElementFault extends Error {}

/**
 * Reads a step as managedFields write it; undefined for a type of step that a later version may know.
 * @throws PathElementFault
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new PathElementFault('key must be 2 characters long:');
  if (text[1] !== ':') throw new PathElementFault(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return fieldElement(rest);
    case 'v':
      return valueElement(parseJson(rest));
    case 'k': {
      const key = parseJson(rest);
      if (!isMap(key)) throw new PathElementFault(`key is no object: ${text}`);
      return keyElement(Object.keys(key).map((name) => ({ name, value: key[name] as JsonValue })));
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new PathElementFault(`strconv.Atoi: parsing ${goJson(rest)}: invalid syntax`);
      return indexElement(Number(rest));
    default:
      return undefined;
  }
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    throw new PathElementFault(`no JSON: ${text}`);
  }
}
