type Fields = Readonly<Record<string, unknown>>;

/** The object with what it lacks of the values; the same object when it lacks nothing. */
export function fill<T extends Fields>(object: T | undefined, values: Fields): T {
  if (object === undefined) return values as T;
  for (const key of Object.keys(values)) if (object[key] === undefined) return { ...object, ...missing(object, values) };
  return object;
}

function missing(object: Fields, values: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([key]) => object[key] === undefined));
}

/** The object with another value in a field, where it has that field and that is not null; the same object when nothing changes. */
export function within<T extends Fields, V>(object: T, field: keyof T & string, change: (value: V) => unknown): T {
  const before = object[field];
  if (before === undefined || before === null) return object;
  const after = change(before as V);
  return after === before ? object : { ...object, [field]: after };
}

/** The list with each element changed; the same list when nothing changes. */
export function each<T>(list: readonly T[], change: (element: T) => T): readonly T[] {
  let changed = false;
  const result = list.map((element) => {
    const after = change(element);
    if (after !== element) changed = true;
    return after;
  });
  return changed ? result : list;
}
