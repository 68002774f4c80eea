/**
 * apimachinery's equality.Semantic.DeepEqual for objects as JSON has them: a field that is missing or null, an empty list and an
 * empty map are alike. Quantities and times are compared as texts, which is right for what a server has answered; a zero, an empty
 * text and false are values, since JSON does not show whether Go's field is a pointer.
 */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b || (isNothing(a) && isNothing(b))) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => semanticDeepEqual(item, b[index]));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const fieldOf = (map: Record<string, unknown>, key: string) => (Object.hasOwn(map, key) ? map[key] : undefined);
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    semanticDeepEqual(fieldOf(left, key), fieldOf(right, key)),
  );
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  return Object.keys(value).length === 0;
}
