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
  const list = supported.map((text) => goQuote(text)).join(', ');
  return { reason: 'FieldValueNotSupported', message: `Unsupported value: ${printed(value)}: supported values: ${list}`, field };
}

export function tooLong(field: string, maximumBytes: number): StatusCause {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${maximumBytes} bytes`, field };
}
