import { celCompare, celEquals, sameKeys } from './equality.js';
import type { Declaration, Run } from './functions.js';
import {
  CelDuration,
  CelError,
  CelList,
  type CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  isMap,
  isObjectValue,
  LiteralMap,
} from './values.js';

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;
const second = 1_000_000_000n;
/** Year 1 and year 9999. */
const minTime = -62_135_596_800n * second;
const maxTime = 253_402_300_800n * second - 1n;

/** @throws CelError when the number does not fit into 64 bits. */
export function int(value: bigint): bigint {
  if (value < minInt || value > maxInt) throw new CelError('integer overflow');
  return value;
}

/** @throws CelError */
export function uint(value: bigint): CelUint {
  if (value < 0n || value > maxUint) throw new CelError('unsigned integer overflow');
  return new CelUint(value);
}

/** @throws CelError */
export function duration(nanos: bigint): CelDuration {
  if (nanos < minInt || nanos > maxInt) throw new CelError('duration overflow');
  return new CelDuration(nanos);
}

/** @throws CelError */
export function timestamp(nanos: bigint): CelTimestamp {
  if (nanos < minTime || nanos > maxTime) throw new CelError('timestamp overflow');
  return new CelTimestamp(nanos);
}

type Arithmetic = (a: bigint, b: bigint) => bigint;

const ints = (op: Arithmetic): Run => {
  return ((a: bigint, b: bigint) => int(op(a, b))) as Run;
};
const uints = (op: Arithmetic): Run => {
  return ((a: CelUint, b: CelUint) => uint(op(a.value, b.value))) as Run;
};
const divides = (what: string, op: Arithmetic): Arithmetic => {
  return (a, b) => {
    if (b === 0n) throw new CelError(`${what} by zero`);
    return op(a, b);
  };
};
const spans = (op: Arithmetic): Run => {
  return ((a: CelDuration, b: CelDuration) => duration(op(a.nanos, b.nanos))) as Run;
};
const moments = (op: Arithmetic): Run => {
  return ((a: CelTimestamp, b: CelDuration) => timestamp(op(a.nanos, b.nanos))) as Run;
};

const plus: Arithmetic = (a, b) => a + b;
const minus: Arithmetic = (a, b) => a - b;
const times: Arithmetic = (a, b) => a * b;

const arithmetic: readonly Declaration[] = [
  ['_+_(bytes, bytes): bytes', 'add_bytes', ((a: Uint8Array, b: Uint8Array) => new Uint8Array([...a, ...b])) as Run],
  ['_+_(double, double): double', 'add_double', ((a: number, b: number) => a + b) as Run],
  ['_+_(duration, duration): duration', 'add_duration_duration', spans(plus)],
  [
    '_+_(duration, timestamp): timestamp',
    'add_duration_timestamp',
    ((a: CelDuration, b: CelTimestamp) => timestamp(a.nanos + b.nanos)) as Run,
  ],
  ['_+_(timestamp, duration): timestamp', 'add_timestamp_duration', moments(plus)],
  ['_+_(int, int): int', 'add_int64', ints(plus)],
  ['_+_(list(A), list(A)): list(A)', 'add_list', addLists as Run],
  ['_+_(string, string): string', 'add_string', ((a: string, b: string) => a + b) as Run],
  ['_+_(uint, uint): uint', 'add_uint64', uints(plus)],
  ['_-_(double, double): double', 'subtract_double', ((a: number, b: number) => a - b) as Run],
  ['_-_(duration, duration): duration', 'subtract_duration_duration', spans(minus)],
  ['_-_(int, int): int', 'subtract_int64', ints(minus)],
  ['_-_(timestamp, duration): timestamp', 'subtract_timestamp_duration', moments(minus)],
  [
    '_-_(timestamp, timestamp): duration',
    'subtract_timestamp_timestamp',
    ((a: CelTimestamp, b: CelTimestamp) => duration(a.nanos - b.nanos)) as Run,
  ],
  ['_-_(uint, uint): uint', 'subtract_uint64', uints(minus)],
  ['_*_(double, double): double', 'multiply_double', ((a: number, b: number) => a * b) as Run],
  ['_*_(int, int): int', 'multiply_int64', ints(times)],
  ['_*_(uint, uint): uint', 'multiply_uint64', uints(times)],
  ['_/_(double, double): double', 'divide_double', ((a: number, b: number) => a / b) as Run],
  ['_/_(int, int): int', 'divide_int64', ints(divides('division', (a, b) => a / b))],
  ['_/_(uint, uint): uint', 'divide_uint64', uints(divides('division', (a, b) => a / b))],
  ['_%_(int, int): int', 'modulo_int64', ints(divides('modulus', (a, b) => a % b))],
  ['_%_(uint, uint): uint', 'modulo_uint64', uints(divides('modulus', (a, b) => a % b))],
  ['-_(double): double', 'negate_double', ((a: number) => -a) as Run],
  ['-_(int): int', 'negate_int64', ((a: bigint) => int(-a)) as Run],
];

/** Lists of type set and map are merged. */
function addLists(a: CelList, b: CelList): CelList {
  const { nature } = a;
  if (nature === undefined) return new CelList([...a.items, ...b.items]);
  if (nature.type === 'set') {
    return new CelList([...a.items, ...b.items.filter((item) => !a.items.some((other) => celEquals(item, other)))], nature);
  }
  const replaced = a.items.map((item) => b.items.find((other) => sameKeys(item, other, nature.keys)) ?? item);
  const added = b.items.filter((item) => !a.items.some((other) => sameKeys(item, other, nature.keys)));
  return new CelList([...replaced, ...added], nature);
}

const comparable = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const numeric = ['int', 'uint', 'double'];
/** How overload ids name types. */
const names: Readonly<Record<string, string>> = { int: 'int64', uint: 'uint64' };
const relations: readonly (readonly [string, string, (order: number) => boolean])[] = [
  ['_<_', 'less', (order) => order < 0],
  ['_<=_', 'less_equals', (order) => order <= 0],
  ['_>_', 'greater', (order) => order > 0],
  ['_>=_', 'greater_equals', (order) => order >= 0],
];

const comparisons: readonly Declaration[] = relations.flatMap(([fn, name, holds]) => {
  const run: Run = (a, b) => holds(celCompare(a as CelValue, b as CelValue) as number);
  const idOf = (type: string) => names[type] ?? type;
  const same = comparable.map((type): Declaration => [`${fn}(${type}, ${type}): bool`, `${name}_${idOf(type)}`, run]);
  const crossed = numeric.flatMap((a) =>
    numeric.filter((b) => a !== b).map((b): Declaration => [`${fn}(${a}, ${b}): bool`, `${name}_${idOf(a)}_${idOf(b)}`, run]),
  );
  return [...same, ...crossed];
});

/** @throws CelError when there is no such element. */
export function elementAt(list: CelList, index: CelValue): CelValue {
  const at = indexOf(index);
  const item = at < 0 ? undefined : list.items[at];
  if (item === undefined) throw new CelError(`index '${at}' out of range in list size '${list.items.length}'`);
  return item;
}

function indexOf(index: CelValue): number {
  if (typeof index === 'bigint') return Number(index);
  if (index instanceof CelUint) return Number(index.value);
  if (typeof index === 'number' && Number.isInteger(index)) return index;
  if (typeof index === 'number') throw new CelError(`unsupported index value of type double in list`);
  throw new CelError('no such overload');
}

/** @throws CelError when the key is missing. */
export function valueAt(map: CelMap, key: CelValue): CelValue {
  const value = map.get(key);
  if (value === undefined) throw new CelError(`no such key: ${keyAsText(key)}`);
  return value;
}

function keyAsText(key: CelValue): string {
  return key instanceof CelUint ? String(key.value) : String(key);
}

/** `x[k]`, in optional manner: what is missing is no fault. */
export function optionalElement(container: CelValue, key: CelValue): CelOptional {
  const inner = container instanceof CelOptional ? container.value : container;
  if (inner === undefined) return CelOptional.none;
  if (inner instanceof CelList) {
    const at = indexOf(key);
    const item = at < 0 ? undefined : inner.items[at];
    return item === undefined ? CelOptional.none : new CelOptional(item);
  }
  if (!isMap(inner) && !isObjectValue(inner)) throw new CelError('no such overload');
  const value = isMap(inner) ? inner.get(key) : inner.get(key as string);
  return value === undefined ? CelOptional.none : new CelOptional(value);
}

const containers: readonly Declaration[] = [
  ['_[_](list(A), int): A', 'index_list', elementAt as Run],
  ['_[_](map(A, B), A): B', 'index_map', valueAt as Run],
  ['_[_](optional(list(A)), int): optional(A)', 'optional_list_index_int', optionalElement as Run],
  ['_[_](optional(map(A, B)), A): optional(B)', 'optional_map_index_value', optionalElement as Run],
  ['_[?_](list(A), int): optional(A)', 'list_optindex_optional_int', optionalElement as Run],
  ['_[?_](optional(list(A)), int): optional(A)', 'optional_list_optindex_optional_int', optionalElement as Run],
  ['_[?_](map(A, B), A): optional(B)', 'map_optindex_optional_value', optionalElement as Run],
  ['_[?_](optional(map(A, B)), A): optional(B)', 'optional_map_optindex_optional_value', optionalElement as Run],
  ['@in(A, list(A)): bool', 'in_list', ((item: CelValue, list: CelList) => list.items.some((other) => celEquals(item, other))) as Run],
  ['@in(A, map(A, B)): bool', 'in_map', ((key: CelValue, map: CelMap) => map.get(key) !== undefined) as Run],
  [
    'cel.@mapInsert(map(A, B), A, B): map(A, B)',
    '@mapInsert_map_key_value',
    ((map: CelMap, key: CelValue, value: CelValue) => inserted(map, [[key, value]])) as Run,
  ],
  [
    'cel.@mapInsert(map(A, B), map(A, B)): map(A, B)',
    '@mapInsert_map_map',
    ((map: CelMap, more: CelMap) =>
      inserted(
        map,
        more.keys().map((key) => [key, more.get(key) as CelValue]),
      )) as Run,
  ],
];

function inserted(map: CelMap, entries: readonly (readonly [CelValue, CelValue])[]): CelMap {
  const result = new LiteralMap();
  for (const key of map.keys()) result.add(key, map.get(key) as CelValue);
  for (const [key, value] of entries) {
    if (result.get(key) !== undefined) throw new CelError(`insert failed: key ${keyAsText(key)} already exists`);
    result.add(key, value);
  }
  return result;
}

const unplanned: Run = () => {
  throw new CelError('no such overload');
};

/** Those that do not evaluate all their arguments: the planner knows what to do with them. */
const lazy: readonly Declaration[] = [
  ['_&&_(bool, bool): bool', 'logical_and', unplanned],
  ['_||_(bool, bool): bool', 'logical_or', unplanned],
  ['_?_:_(bool, A, A): A', 'conditional', unplanned],
  ['@not_strictly_false(bool): bool', 'not_strictly_false', unplanned],
  ['!_(bool): bool', 'logical_not', ((a: boolean) => !a) as Run],
  ['_==_(A, A): bool', 'equals', celEquals as Run],
  ['_!=_(A, A): bool', 'not_equals', ((a: CelValue, b: CelValue) => !celEquals(a, b)) as Run],
];

export const operators: readonly Declaration[] = [...lazy, ...arithmetic, ...comparisons, ...containers];
