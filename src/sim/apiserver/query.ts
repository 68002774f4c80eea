import type { Query } from './request.js';

/** A parameter's value; of a repeated one the first (HT-10). */
export function firstOf(query: Query | undefined, name: string): string | undefined {
  const value = query?.[name];
  return typeof value === 'object' ? value[0] : value;
}

/** Every value of a parameter, in order. */
export function allOf(query: Query | undefined, name: string): readonly string[] {
  const value = query?.[name];
  return value === undefined ? [] : typeof value === 'object' ? value : [value];
}

/** HT-10: absent, `false` in any case and `0` are false, everything else is true. */
export function flag(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}
