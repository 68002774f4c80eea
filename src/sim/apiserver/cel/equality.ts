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
  isObjectValue,
  isOpaque,
} from './values.js';

/** `==`: never fails; numbers of different types are equal when they are the same number. */
export function celEquals(a: CelValue, b: CelValue): boolean {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0;
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelType) return b instanceof CelType && a.name === b.name;
  if (a instanceof CelOptional) return b instanceof CelOptional && optionalsEqual(a, b);
  if (a instanceof CelList) return b instanceof CelList && listsEqual(a, b);
  if (isMap(a)) return isMap(b) && mapsEqual(a, b);
  if (isObjectValue(a)) return isObjectValue(b) && a.equals(b);
  return isOpaque(a) && isOpaque(b) && a.typeName === b.typeName && a.equals(b);
}

function optionalsEqual(a: CelOptional, b: CelOptional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return celEquals(a.value, b.value);
}

function listsEqual(a: CelList, b: CelList): boolean {
  if (a.items.length !== b.items.length) return false;
  const { nature } = a;
  // What the left side is decides: a set is equal to a list of the same in any order.
  if (nature === undefined) {
    return a.items.every((item, index) => celEquals(item, b.items[index] as CelValue));
  }
  if (nature.type === 'set') return a.items.every((item) => b.items.some((other) => celEquals(item, other)));
  return a.items.every((item) => {
    const other = b.items.find((candidate) => sameKeys(item, candidate, nature.keys));
    return other !== undefined && celEquals(item, other);
  });
}

/** Whether two items of a list-type map have the same keys. */
export function sameKeys(a: CelValue, b: CelValue, keys: readonly string[]): boolean {
  return keys.every((key) => {
    const [left, right] = [memberOf(a, key), memberOf(b, key)];
    return left !== undefined && right !== undefined && celEquals(left, right);
  });
}

function memberOf(value: CelValue, key: string): CelValue | undefined {
  return isObjectValue(value) || isMap(value) ? value.get(key) : undefined;
}

function mapsEqual(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  return a.keys().every((key) => {
    const other = b.get(key);
    return other !== undefined && celEquals(a.get(key) as CelValue, other);
  });
}

function isNumeric(value: CelValue): value is bigint | number | CelUint {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint;
}

/** @returns NaN when one of them is not a number that can be ordered. */
function compareNumbers(a: bigint | number | CelUint, b: bigint | number | CelUint): number {
  const left = a instanceof CelUint ? a.value : a;
  const right = b instanceof CelUint ? b.value : b;
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  // An integer that is compared with a double becomes one, and loses what a double cannot hold.
  if (typeof left !== typeof right) return Number(left) < Number(right) ? -1 : Number(left) > Number(right) ? 1 : 0;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The order of two values. @throws CelError when they have none. @returns undefined when their types do not go together. */
export function celCompare(a: CelValue, b: CelValue): number | undefined {
  if (isNumeric(a) && isNumeric(b)) {
    const order = compareNumbers(a, b);
    if (Number.isNaN(order)) throw new CelError('NaN values cannot be ordered');
    return order;
  }
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if ((a instanceof CelDuration && b instanceof CelDuration) || (a instanceof CelTimestamp && b instanceof CelTimestamp)) {
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  }
  return undefined;
}
