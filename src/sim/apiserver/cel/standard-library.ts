import { GoRegExpError, goRegExp } from '../schema/go-regexp.js';
import { goNumber } from '../schema/validate-number.js';
import type { Declaration, Run } from './functions.js';
import { int, uint } from './operators.js';
import { durationText, timestampText } from './time-library.js';
import {
  CelDuration,
  CelError,
  CelList,
  type CelMap,
  CelOptional,
  CelTimestamp,
  CelType,
  CelUint,
  type CelValue,
  isMap,
  sizeOf,
  typeNameOf,
} from './values.js';

function notConvertible(value: CelValue, type: string): CelError {
  return new CelError(`type conversion error from '${typeNameOf(value)}' to '${type}'`);
}

const size: Run = (value) => BigInt(sizeOf(value as CelValue) as number);

function stringOf(value: CelValue): string {
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof Uint8Array) {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
    } catch {
      throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
    }
  }
  return String(value);
}

/** Go's `%g`. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return Object.is(value, -0) ? '-0' : goNumber(value);
}

function intOf(value: CelValue): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof CelUint) return int(value.value);
  if (value instanceof CelDuration) return value.nanos;
  if (value instanceof CelTimestamp) {
    const seconds = value.nanos / 1_000_000_000n;
    return value.nanos % 1_000_000_000n < 0n ? seconds - 1n : seconds;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new CelError('integer overflow');
    return BigInt(Math.trunc(value));
  }
  if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value)) throw notConvertible(value, 'int');
  const parsed = BigInt(value.replace(/^\+/, ''));
  if (parsed < -(2n ** 63n) || parsed >= 2n ** 63n) throw notConvertible(value, 'int');
  return parsed;
}

function uintOf(value: CelValue): CelUint {
  if (value instanceof CelUint) return value;
  if (typeof value === 'bigint') return uint(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new CelError('unsigned integer overflow');
    return uint(BigInt(Math.trunc(value)));
  }
  if (typeof value !== 'string' || !/^\d+$/.test(value) || BigInt(value) >= 2n ** 64n) throw notConvertible(value, 'uint');
  return uint(BigInt(value));
}

function doubleOf(value: CelValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  const text = value as string;
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw notConvertible(value, 'double');
  return Number(text);
}

function boolOf(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value as string)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value as string)) return false;
  throw notConvertible(value, 'bool');
}

function matches(text: string, pattern: string): boolean {
  try {
    return goRegExp(pattern).test(text);
  } catch (error) {
    throw error instanceof GoRegExpError ? new CelError(error.message) : error;
  }
}

/** Where Go's times begin. */
const yearOne = -62_135_596_800_000_000_000n;

/** Whether a value is what its type begins with: such a one makes no optional. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (value instanceof CelTimestamp) return value.nanos === yearOne;
  if (value instanceof Uint8Array) return value.length === 0;
  return sizeOf(value) === 0;
}

function held(optional: CelOptional): CelValue {
  if (optional.value === undefined) throw new CelError('optional.none() dereference');
  return optional.value;
}

function unwrapped({ items }: CelList): CelList {
  return new CelList((items as CelOptional[]).flatMap(({ value }) => (value === undefined ? [] : [value])));
}

const firstOf = (value: CelValue | undefined) => (value === undefined ? CelOptional.none : new CelOptional(value));

const conversions = (name: string, run: (value: CelValue) => CelValue, sources: readonly (readonly [string, string])[]) =>
  sources.map(([type, id]): Declaration => [`${name}(${type}): ${name}`, id, run as Run]);

export const standardLibrary: readonly Declaration[] = [
  ...['string', 'bytes', 'list(A)', 'map(A, B)'].flatMap((type): readonly Declaration[] => {
    const name = type.split('(')[0];
    return [
      [`size(${type}): int`, `size_${name}`, size],
      [`${type}.size(): int`, `${name}_size`, size],
    ];
  }),
  ['type(A): type(A)', 'type', ((value: CelValue) => new CelType(typeNameOf(value))) as Run],
  ['dyn(A): dyn', 'to_dyn', ((value: CelValue) => value) as Run],
  ...conversions('bool', boolOf, [
    ['bool', 'bool_to_bool'],
    ['string', 'string_to_bool'],
  ]),
  ['bytes(bytes): bytes', 'bytes_to_bytes', ((value: Uint8Array) => value) as Run],
  ['bytes(string): bytes', 'string_to_bytes', ((text: string) => new Uint8Array(Buffer.from(text))) as Run],
  ...conversions('double', doubleOf, [
    ['double', 'double_to_double'],
    ['int', 'int64_to_double'],
    ['string', 'string_to_double'],
    ['uint', 'uint64_to_double'],
  ]),
  ...conversions('int', intOf, [
    ['int', 'int64_to_int64'],
    ['double', 'double_to_int64'],
    ['duration', 'duration_to_int64'],
    ['string', 'string_to_int64'],
    ['timestamp', 'timestamp_to_int64'],
    ['uint', 'uint64_to_int64'],
  ]),
  ...conversions('uint', uintOf, [
    ['uint', 'uint64_to_uint64'],
    ['double', 'double_to_uint64'],
    ['int', 'int64_to_uint64'],
    ['string', 'string_to_uint64'],
  ]),
  ...conversions('string', stringOf, [
    ['string', 'string_to_string'],
    ['bool', 'bool_to_string'],
    ['bytes', 'bytes_to_string'],
    ['double', 'double_to_string'],
    ['duration', 'duration_to_string'],
    ['int', 'int64_to_string'],
    ['timestamp', 'timestamp_to_string'],
    ['uint', 'uint64_to_string'],
  ]),
  ['matches(string, string): bool', 'matches', matches as Run],
  ['string.matches(string): bool', 'matches_string', matches as Run],
  ['string.contains(string): bool', 'contains_string', ((text: string, part: string) => text.includes(part)) as Run],
  ['string.endsWith(string): bool', 'ends_with_string', ((text: string, part: string) => text.endsWith(part)) as Run],
  ['string.startsWith(string): bool', 'starts_with_string', ((text: string, part: string) => text.startsWith(part)) as Run],
  ['optional.of(A): optional(A)', 'optional_of', ((value: CelValue) => new CelOptional(value)) as Run],
  [
    'optional.ofNonZeroValue(A): optional(A)',
    'optional_ofNonZeroValue',
    ((value: CelValue) => (isZero(value) ? CelOptional.none : new CelOptional(value))) as Run,
  ],
  ['optional.none(): optional(A)', 'optional_none', () => CelOptional.none],
  ['optional(A).value(): A', 'optional_value', held as Run],
  ['optional(A).hasValue(): bool', 'optional_hasValue', ((optional: CelOptional) => optional.value !== undefined) as Run],
  [
    'optional(A).or(optional(A)): optional(A)',
    'optional_or_optional',
    ((a: CelOptional, b: CelOptional) => (a.value === undefined ? b : a)) as Run,
  ],
  ['optional(A).orValue(A): A', 'optional_orValue_value', ((a: CelOptional, b: CelValue) => a.value ?? b) as Run],
  ['list(optional(A)).unwrapOpt(): list(A)', 'optional_unwrapOpt', unwrapped as Run],
  ['optional.unwrap(list(optional(A))): list(A)', 'optional_unwrap', unwrapped as Run],
  ['list(A).first(): optional(A)', 'list_first', ((list: CelList) => firstOf(list.items[0])) as Run],
  ['list(A).last(): optional(A)', 'list_last', ((list: CelList) => firstOf(list.items.at(-1))) as Run],
];

/** A map's keys, a list's items: what a macro goes through. @throws CelError */
export function elementsOf(range: CelValue): readonly CelValue[] {
  if (isMap(range)) return (range as CelMap).keys();
  if (typeof range === 'object' && range !== null && 'items' in range) return (range as CelList).items;
  throw new CelError('no such overload');
}
