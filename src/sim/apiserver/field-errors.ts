import type { StatusCause } from './request.js';
import { goQuote } from './status.js';

/** FE-2: strings are Go-quoted, everything else is JSON as Go writes it. */
function printed(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : value === undefined ? 'null' : goJson(value);
}

/** Go's encoder escapes what could be markup. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// FE-1: one function per type of field error.

export function invalidValue(field: string, value: unknown, detail: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${printed(value)}: ${detail}`, field };
}

export function requiredValue(field: string, detail = ''): StatusCause {
  return { reason: 'FieldValueRequired', message: detail === '' ? 'Required value' : `Required value: ${detail}`, field };
}

export function forbiddenValue(field: string, detail: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field };
}

export function unsupportedValue(field: string, value: unknown, supported: readonly string[]): StatusCause {
  const list = supported.length === 0 ? '' : `: supported values: ${supported.map((text) => goQuote(text)).join(', ')}`;
  return { reason: 'FieldValueNotSupported', message: `Unsupported value: ${value === undefined ? 'null' : goJson(value)}${list}`, field };
}

export function tooLong(field: string, maximumBytes: number): StatusCause {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${maximumBytes} bytes`, field };
}

export function typeInvalidValue(field: string, value: unknown, detail: string): StatusCause {
  return { reason: 'FieldValueTypeInvalid', message: `Invalid value: ${printed(value)}: ${detail}`, field };
}

/** The value is not shown: it is an object or a list that could be long. */
export function invalidPlace(field: string, detail: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${detail}`, field };
}

export function duplicateValue(field: string, value: unknown): StatusCause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${printed(value)}`, field };
}

export function tooMany(field: string, actual: number, maximum: number): StatusCause {
  const message = `Too many: ${actual}: must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`;
  return { reason: 'FieldValueTooMany', message, field };
}

/** A value as Go prints a map: with its keys in order. */
export function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(record)
      .sort()
      .map((key) => [key, inKeyOrder(record[key])]),
  );
}

/** What Go prints for a place that has no name, such as the root of an object. */
export const nowhere = '<nil>';
