/**
 * A failing sublist from which no single item can be taken. Needed items are found one after the other by halving, which asks
 * k·log₂(n) questions for k of n items when failing is monotone (Junker's QuickXplain; Zeller's ddmin asks five times as many
 * in the same case); what halving is wrong about is put right item by item. Asks always in the same order.
 * @param items a list that fails.
 * @param fails whether a sublist still fails.
 */
export async function minimalList<T>(items: readonly T[], fails: (items: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  return withoutNeedless(await byHalving(items, fails), fails);
}

async function byHalving<T>(items: readonly T[], fails: (items: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let needed: readonly T[] = [];
  let rest = items;
  while (!(await fails(needed))) {
    // With the first `enough` items of the rest it fails, with the first `few` it does not.
    let few = 0;
    let enough = rest.length;
    while (enough - few > 1) {
      const middle = Math.floor((few + enough) / 2);
      if (await fails([...rest.slice(0, middle), ...needed])) enough = middle;
      else few = middle;
    }
    if (enough === 0) return needed;
    needed = [rest[enough - 1] as T, ...needed];
    rest = rest.slice(0, enough - 1);
  }
  return needed;
}

async function withoutNeedless<T>(items: readonly T[], fails: (items: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let current = items;
  for (let index = 0; index < current.length; ) {
    const rest = current.toSpliced(index, 1);
    if (await fails(rest)) {
      current = rest;
      index = 0;
    } else index += 1;
  }
  return current;
}
