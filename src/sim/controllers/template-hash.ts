const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** WL-30: a short text that depends on a value and on how often its hash has collided alone, safe in names. */
export function hashText(value: unknown, collisions?: number): string {
  let hash = 0x811c9dc5;
  const write = (text: string) => {
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  };
  write(canonical(value));
  if (collisions !== undefined) write(String(collisions));
  return [...String(hash >>> 0)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}

/** JSON with the keys of every object in order, so that equal values have one text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join()}}`;
}
