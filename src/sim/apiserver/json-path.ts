/** One step of a JSONPath as printer columns use it. */
type Step =
  | { readonly field: string }
  | { readonly index: number }
  | { readonly every: true }
  | { readonly where: string; readonly equals: string };

/** Reads `.spec.size`, `.a['b']`, `.list[0]`, `.list[*]`, `.conditions[?(@.type=="Ready")].status`; undefined for anything else. */
export function parseJsonPath(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  const pattern = /\.([^.[\]]+)|\['([^']*)'\]|\[(-?\d+)\]|\[(\*)\]|\[\?\(@\.([^=!<>\s]+)\s*==\s*["']([^"']*)["']\)\]/y;
  while (pattern.lastIndex < path.length) {
    const match = pattern.exec(path);
    if (match === null) return undefined;
    const [, field, quoted, index, every, where, equals] = match;
    if (field !== undefined || quoted !== undefined) steps.push({ field: (field ?? quoted) as string });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else if (every !== undefined) steps.push({ every: true });
    else steps.push({ where: where as string, equals: equals as string });
  }
  return steps;
}

/** The first value at the path; undefined when there is none. */
export function firstAt(value: unknown, steps: readonly Step[]): unknown {
  let found: unknown[] = [value];
  for (const step of steps) found = found.flatMap((each) => take(each, step));
  return found[0];
}

function take(value: unknown, step: Step): unknown[] {
  if ('field' in step) return fieldOf(value, step.field);
  if (!Array.isArray(value)) return [];
  if ('index' in step) {
    const element: unknown = value.at(step.index);
    return element === undefined ? [] : [element];
  }
  if ('every' in step) return value;
  const path = step.where.split('.');
  return value.filter((element) => String(path.reduce<unknown>((inner, key) => fieldOf(inner, key)[0], element)) === step.equals);
}

function fieldOf(value: unknown, field: string): unknown[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, field)) return [];
  return [(value as Record<string, unknown>)[field]];
}
