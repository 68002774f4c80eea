import type { Query } from './request.js';
import { badRequest, goQuote } from './status.js';

/** A parameter's value; of a repeated one only the first counts (HT-10). */
export function parameter(query: Query | undefined, name: string): string | undefined {
  const value = query?.[name];
  return typeof value === 'object' ? value[0] : value;
}

/** Every value of a parameter, in order: only `dryRun` may have several. */
export function parameters(query: Query | undefined, name: string): readonly string[] {
  const value = query?.[name];
  return value === undefined ? [] : typeof value === 'object' ? value : [value];
}

/** HT-10: `false` in any case and `0` are false, everything else, the empty text included, is true. Undefined when absent. */
export function optionalFlag(query: Query | undefined, name: string): boolean | undefined {
  const value = parameter(query, name);
  return value === undefined ? undefined : value !== '0' && value.toLowerCase() !== 'false';
}

export function flag(query: Query | undefined, name: string): boolean {
  return optionalFlag(query, name) ?? false;
}

/** Undefined when absent or empty. @throws ApiStatusError 400 for what is no integer (HT-10) */
export function integer(query: Query | undefined, name: string): number | undefined {
  const value = parameter(query, name);
  if (value === undefined || value === '') return undefined;
  if (!/^[+-]?\d+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing ${goQuote(value)}: invalid syntax`);
  return Number(value);
}
