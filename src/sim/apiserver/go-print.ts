import type { JsonValue } from '../etcd/object.js';
import { isObject } from './json.js';

/** A JSON value as Go's `%v` prints it: `map[a:1 b:[x y]]`, keys sorted. */
export function goPrint(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goPrint(value[key])}`).join(' ')}]`;
}

/** The type of a JSON value after Go has decoded it. */
export function goDynamicType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
