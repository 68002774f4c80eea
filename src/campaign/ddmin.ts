/**
 * Delta debugging (Zeller and Hildebrandt, 2002): a subset of the items that still fails and from which no part of the last
 * partition can be taken. Asks only for subsets in the order of the items, and always in the same order.
 * @param fails whether the items still fail; it is not asked about all of them.
 */
export async function ddmin<T>(items: readonly T[], fails: (items: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let current = items;
  if (current.length > 0 && (await fails([]))) return [];
  let parts = 2;
  while (current.length >= 2) {
    const smaller = await smallerFailing(current, parts, fails);
    if (smaller !== undefined) {
      parts = smaller.length < current.length / 2 ? 2 : Math.max(parts - 1, 2);
      current = smaller;
    } else if (parts >= current.length) break;
    else parts = Math.min(parts * 2, current.length);
  }
  return current;
}

/** A part of the items that fails by itself, else the items without one of the parts. */
async function smallerFailing<T>(
  items: readonly T[],
  parts: number,
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  const bounds = Array.from({ length: parts + 1 }, (_, index) => Math.round((index * items.length) / parts));
  const slices = Array.from({ length: parts }, (_, index) => [bounds[index] as number, bounds[index + 1] as number] as const);
  for (const [from, to] of slices) {
    const part = items.slice(from, to);
    if (await fails(part)) return part;
  }
  // Of two parts, one without the other has just been tried.
  if (parts === 2) return undefined;
  for (const [from, to] of slices) {
    const rest = [...items.slice(0, from), ...items.slice(to)];
    if (await fails(rest)) return rest;
  }
  return undefined;
}
