import { describe, expect, it } from 'vitest';
import { namedRandom } from '../../../src/sim/kernel/random.js';

describe('chance by name', () => {
  it('is the same for the same seed and name, whatever was asked before', () => {
    const one = namedRandom(5);
    one.unit('something else');
    expect(one.unit('uid pods a #1')).toBe(namedRandom(5).unit('uid pods a #1'));
  });

  it('tells seeds apart that repeat one another as texts', () => {
    const hashes = [1, 11, 111, 1111].map((seed) => namedRandom(seed).unit('x'));
    expect(new Set(hashes).size).toBe(4);
  });

  it('spreads evenly over [0, 1)', () => {
    const random = namedRandom(0);
    const buckets = new Array(10).fill(0);
    for (let index = 0; index < 20_000; index++) buckets[Math.floor(random.unit(`decision #${index}`) * 10)] += 1;
    for (const count of buckets) expect(Math.abs(count - 2_000)).toBeLessThan(200);
  });

  it('keeps its meaning from release to release: stored plans depend on it', () => {
    expect(namedRandom(1).unit('uid pods default/a #1')).toBe(0.6520837946568794);
  });
});
