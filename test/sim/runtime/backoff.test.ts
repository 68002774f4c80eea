import { expect, test } from 'vitest';
import { ReflectorBackoff } from '../../../src/sim/runtime/backoff.js';

test('waits double from 0.8 s to 30 s, and up to so much again is added at random', () => {
  const backoff = new ReflectorBackoff(0);
  const waits = Array.from({ length: 8 }, () => backoff.next(0, 0));
  expect(waits).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  expect(new ReflectorBackoff(0).next(0, 0.5)).toBe(1200);
});

test('a reflector that fails for ever starts its series again about every two minutes', () => {
  const backoff = new ReflectorBackoff(0);
  let now = 0;
  const startsAgainAt: number[] = [];
  for (let i = 0; i < 40; i++) {
    const wait = backoff.next(now, 0);
    if (wait === 800) startsAgainAt.push(now);
    now += wait;
  }
  expect(startsAgainAt.slice(0, 3)).toEqual([0, 140_400, 280_800]);
});
