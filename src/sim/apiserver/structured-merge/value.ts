import type { JsonValue } from '../../etcd/object.js';
import { goQuote } from '../status.js';

/** A JSON value, or none: what one of two compared objects does not have. */
export type Value = JsonValue | undefined;
export type JsonMap = { readonly [key: string]: JsonValue };

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isScalar(value: Value): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Numbers first, then strings, booleans, lists, maps, null, and at last what is no value at all. */
function rank(value: Value): number {
  switch (typeof value) {
    case 'number':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      if (Array.isArray(value)) return 3;
      return value === undefined ? 6 : value === null ? 5 : 4;
  }
}

/** A total order over values of all types: negative, zero or positive. Maps are compared by their sorted members. */
export function compareValues(a: Value, b: Value): number {
  const byRank = rank(a) - rank(b);
  if (byRank !== 0) return byRank;
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isMap(a) && isMap(b)) return compareMaps(a, b);
  return a === b ? 0 : typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b);
}

/** Texts in the order of their code points, as their UTF-8 bytes have it. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  for (let index = 0; ; index++) {
    const left = a.codePointAt(index);
    const right = b.codePointAt(index);
    if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1;
    if (left !== right) return left - right;
    if (left > 0xffff) index += 1;
  }
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareMaps(a: JsonMap, b: JsonMap): number {
  const keysOfA = Object.keys(a).sort(compareTexts);
  const keysOfB = Object.keys(b).sort(compareTexts);
  for (let index = 0; index < keysOfA.length && index < keysOfB.length; index++) {
    const keyOfA = keysOfA[index] as string;
    const keyOfB = keysOfB[index] as string;
    const order = compareTexts(keyOfA, keyOfB) || compareValues(a[keyOfA], b[keyOfB]);
    if (order !== 0) return order;
  }
  return keysOfA.length - keysOfB.length;
}

/** A value as it stands in a path: strings quoted, everything else bare. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (isMap(value)) {
    const keys = Object.keys(value).sort(compareTexts);
    return keys.map((key) => `${key}=${valueText(value[key])}`).join('');
  }
  return String(value);
}
