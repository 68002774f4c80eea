import seedrandom from 'seedrandom';

/**
 * Chance that depends on names alone. Nothing in the simulator draws from a stream: each question has a name, and its
 * answer is a hash of the run's seed and that name. Taking one entry out of a plan therefore moves no other answer.
 */
export interface NamedRandom {
  /** A number in [0, 1). The same name always gives the same number. */
  unit(name: string): number;
}

/**
 * seedrandom repeats a key to fill its state, so "1" and "11" are one seed. The prefix and the closing colon keep
 * different numbers apart.
 */
function seeded(seed: number): seedrandom.PRNG {
  return seedrandom(`sim:${seed}:`);
}

/** @param seed any safe integer. */
export function namedRandom(seed: number): NamedRandom {
  const salts = seeded(seed);
  const high = salts.int32();
  const low = salts.int32();
  return { unit: (name) => (hash(name, high) * 0x200000 + (hash(name, low) >>> 11)) / 0x20000000000000 };
}

/** MurmurHash3's 32-bit mixing over UTF-16 units: fast, and any change of the name changes half of the bits. */
function hash(text: string, salt: number): number {
  let h = salt | 0;
  for (let index = 0; index < text.length; index++) {
    let k = Math.imul(text.charCodeAt(index), 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    h ^= Math.imul(k, 0x1b873593);
    h = (h << 13) | (h >>> 19);
    h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  }
  h ^= text.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
