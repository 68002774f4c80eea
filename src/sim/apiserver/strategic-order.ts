import { deepEqual, type JsonValue } from '../etcd/object.js';
import { isObject } from './json.js';

export type Item = JsonValue;

/** The items of a merged list: those that the patch names, and those that only the server has. */
export interface Parts {
  readonly named: readonly Item[];
  readonly serverOnly: readonly Item[];
}

/** @param mergeKey absent for lists of scalars. */
export function partition(merged: readonly Item[], by: readonly Item[], mergeKey?: string): Parts {
  const named: Item[] = [];
  const serverOnly: Item[] = [];
  for (const item of merged) (indexIn(by, item, mergeKey) >= 0 ? named : serverOnly).push(item);
  return { named, serverOnly };
}

/**
 * PA-36: the named items in the patch's order and the others in the server's, interleaved: the next server-only item is
 * taken while it stood before the next named one.
 */
export function inServerOrder(
  { named, serverOnly }: Parts,
  patchOrder: readonly Item[],
  serverOrder: readonly Item[],
  mergeKey?: string,
): readonly Item[] {
  const right = sorted(named, patchOrder, mergeKey);
  const left = sorted(serverOnly, serverOrder, mergeKey);
  const all: Item[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    if (l >= left.length) all.push(right[r++] as Item);
    else if (r >= right.length) all.push(left[l++] as Item);
    else {
      const leftIndex = indexIn(serverOrder, left[l] as Item, mergeKey);
      const rightIndex = indexIn(serverOrder, right[r] as Item, mergeKey);
      const before = leftIndex >= 0 && rightIndex >= 0 && leftIndex < rightIndex;
      all.push((before ? left[l++] : right[r++]) as Item);
    }
  }
  return all;
}

function sorted(items: readonly Item[], order: readonly Item[], mergeKey: string | undefined): readonly Item[] {
  return items
    .map((item) => ({ item, at: indexIn(order, item, mergeKey) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function indexIn(list: readonly Item[], item: Item, mergeKey: string | undefined): number {
  if (mergeKey === undefined) return list.findIndex((other) => deepEqual(other, item));
  const key = isObject(item) ? item[mergeKey] : undefined;
  return list.findIndex((other) => isObject(other) && other[mergeKey] === key);
}

/**
 * The order of the stored list as the server remembers it after it has merged the patch list in place: what is deleted
 * makes room, and what is new is written there, so that it counts as having stood at the end.
 */
export function orderAfterMerge(original: readonly Item[], changes: readonly Item[], mergeKey: string | undefined): readonly Item[] {
  if (mergeKey === undefined || !changes.some(isDelete)) return original;
  const memory = [...original];
  let length = memory.length;
  for (const { [mergeKey]: key } of changes.filter(isDelete)) {
    for (let index = 0; index < length; index++) {
      const item = memory[index] as Item;
      if (!isObject(item) || item[mergeKey] !== key) continue;
      memory.copyWithin(index, index + 1, length);
      length -= 1;
      index -= 1;
    }
  }
  for (const change of changes) {
    if (isDelete(change) || indexIn(memory.slice(0, length), change, mergeKey) >= 0) continue;
    if (length === memory.length) break;
    memory[length] = change;
    length += 1;
  }
  return memory;
}

function isDelete(change: Item): change is Readonly<Record<string, Item>> {
  return isObject(change) && change.$patch === 'delete';
}
