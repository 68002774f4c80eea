import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimalList } from '../../src/campaign/minimal-list.js';

const numbers = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

describe('the minimal list', () => {
  it('finds the few items that a failure needs, wherever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(39), { maxLength: 4 }), async (needed) => {
        const fails = async (items: readonly number[]) => needed.every((each) => items.includes(each));
        expect(await minimalList(numbers(40), fails)).toEqual([...needed].sort((a, b) => a - b));
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  it('asks few times: of 64 items 3 are found in under 30 questions', async () => {
    let questions = 0;
    const fails = async (items: readonly number[]) => {
      questions += 1;
      return [3, 30, 60].every((each) => items.includes(each));
    };
    expect(await minimalList(numbers(64), fails)).toEqual([3, 30, 60]);
    expect(questions).toBeLessThan(30);
  });

  it('leaves nothing that can be taken out alone when failures are not monotone', async () => {
    const fails = async (items: readonly number[]) => items.includes(5) && (items.includes(9) || !items.includes(2));
    const found = await minimalList(numbers(12), fails);
    expect(await fails(found)).toBe(true);
    for (const each of found) expect(await fails(found.filter((other) => other !== each))).toBe(false);
  });

  it('finds that nothing is needed', async () => {
    expect(await minimalList(numbers(8), async () => true)).toEqual([]);
  });
});
