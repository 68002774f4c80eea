import { celCompare, celEquals } from './equality.js';
import type { Declaration, Run } from './functions.js';
import { duration, int, uint } from './operators.js';
import { CelDuration, CelError, CelList, CelUint, type CelValue } from './values.js';

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function isSorted({ items }: CelList): boolean {
  return items.every((item, index) => index === 0 || (celCompare(items[index - 1] as CelValue, item) as number) <= 0);
}

function extreme(name: string, sign: number) {
  return ({ items }: CelList): CelValue => {
    if (items.length === 0) throw new CelError(`${name} called on empty list`);
    return items.reduce((best, item) => ((celCompare(item, best) as number) * sign > 0 ? item : best));
  };
}

const sums: Readonly<Record<string, (list: CelList) => CelValue>> = {
  int: ({ items }) => (items as bigint[]).reduce((sum, item) => int(sum + item), 0n),
  uint: ({ items }) => (items as CelUint[]).reduce((sum, item) => uint(sum.value + item.value), new CelUint(0n)),
  double: ({ items }) => (items as number[]).reduce((sum, item) => sum + item, 0),
  duration: ({ items }) => (items as CelDuration[]).reduce((sum, item) => duration(sum.nanos + item.nanos), new CelDuration(0n)),
};

/** Of a list whose type was not known beforehand the first item tells which sum it is. */
function summed(sum: (list: CelList) => CelValue): (list: CelList) => CelValue {
  return (list) => {
    const [first] = list.items;
    if (first === undefined) return sum(list);
    const type =
      typeof first === 'number' ? 'double' : first instanceof CelUint ? 'uint' : first instanceof CelDuration ? 'duration' : 'int';
    return (sums[type] as (list: CelList) => CelValue)(list);
  };
}

const has = (list: CelList, item: CelValue) => list.items.some((other) => celEquals(item, other));

function slice({ items }: CelList, start: bigint, end: bigint): CelList {
  if (start < 0n || end < 0n) throw new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end) throw new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > items.length) throw new CelError(`cannot slice(${start}, ${end}), list is length ${items.length}`);
  return new CelList(items.slice(Number(start), Number(end)));
}

function flattened(list: CelList, depth = 1n): CelList {
  if (depth < 0n) throw new CelError('level must be non-negative');
  const flat = (items: readonly CelValue[], left: bigint): readonly CelValue[] =>
    items.flatMap((item) => (item instanceof CelList && left > 0n ? flat(item.items, left - 1n) : [item]));
  return new CelList(flat(list.items, depth));
}

function sortedBy(list: CelList, keys: CelList): CelList {
  if (list.items.length !== keys.items.length) {
    const sizes = `${list.items.length} and ${keys.items.length}`;
    throw new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${sizes} elements respectively`,
    );
  }
  const order = list.items.map((item, index) => ({ item, key: keys.items[index] as CelValue }));
  order.sort((a, b) => {
    const compared = celCompare(a.key, b.key);
    if (compared === undefined) throw new CelError('list elements must have the same type');
    return compared;
  });
  return new CelList(order.map(({ item }) => item));
}

function distinct({ items }: CelList): CelList {
  return new CelList(items.filter((item, index) => !items.slice(0, index).some((other) => celEquals(item, other))));
}

const indexIn = (list: CelList, item: CelValue) => BigInt(list.items.findIndex((other) => celEquals(item, other)));
const lastIndexIn = (list: CelList, item: CelValue) => BigInt(list.items.findLastIndex((other) => celEquals(item, other)));

export const listsLibrary: readonly Declaration[] = [
  ...comparable.flatMap((type): readonly Declaration[] => [
    [`list(${type}).isSorted(): bool`, `list_${type}_is_sorted_bool`, isSorted as Run],
    [`list(${type}).max(): ${type}`, `list_${type}_max_${type}`, extreme('max', 1) as Run],
    [`list(${type}).min(): ${type}`, `list_${type}_min_${type}`, extreme('min', -1) as Run],
    [`list(${type}).sort(): list(${type})`, `list_${type}_sort`, ((list: CelList) => sortedBy(list, list)) as Run],
    [`list(A).@sortByAssociatedKeys(list(${type})): list(A)`, `list_${type}_sortByAssociatedKeys`, sortedBy as Run],
  ]),
  ...Object.entries(sums).map(
    ([type, sum]): Declaration => [`list(${type}).sum(): ${type}`, `list_${type}_sum_${type}`, summed(sum) as Run],
  ),
  ['list(A).indexOf(A): int', 'list_a_index_of_int', indexIn as Run],
  ['list(A).lastIndexOf(A): int', 'list_a_last_index_of_int', lastIndexIn as Run],
  ['list(A).slice(int, int): list(A)', 'list_slice', slice as Run],
  ['list(list(A)).flatten(): list(A)', 'list_flatten', flattened as Run],
  ['list(dyn).flatten(int): list(dyn)', 'list_flatten_int', flattened as Run],
  ['list(A).distinct(): list(A)', 'list_distinct', distinct as Run],
  ['list(A).reverse(): list(A)', 'list_reverse', (({ items }: CelList) => new CelList([...items].reverse())) as Run],
  [
    'lists.range(int): list(int)',
    'lists_range',
    ((count: bigint) => new CelList(Array.from({ length: Number(count) }, (_, index) => BigInt(index)))) as Run,
  ],
  [
    'sets.contains(list(A), list(A)): bool',
    'list_sets_contains_list',
    ((a: CelList, b: CelList) => b.items.every((item) => has(a, item))) as Run,
  ],
  [
    'sets.equivalent(list(A), list(A)): bool',
    'list_sets_equivalent_list',
    ((a: CelList, b: CelList) => b.items.every((item) => has(a, item)) && a.items.every((item) => has(b, item))) as Run,
  ],
  [
    'sets.intersects(list(A), list(A)): bool',
    'list_sets_intersects_list',
    ((a: CelList, b: CelList) => b.items.some((item) => has(a, item))) as Run,
  ],
];
