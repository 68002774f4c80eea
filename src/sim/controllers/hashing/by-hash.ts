import { bytesOf, fnv1a128 } from './fnv.js';
import { goDump } from './go-dump.js';

/** Values of one Go type by their hashes, as the real controllers of endpoints have them. */
export function byHash<T>(type: string, values: readonly T[]): readonly T[] {
  if (values.length < 2) return values;
  const hashes = new Map(values.map((value) => [value, fnv1a128(bytesOf(goDump(type, value)))]));
  return [...values].sort((a, b) => ((hashes.get(a) as bigint) < (hashes.get(b) as bigint) ? -1 : 1));
}
