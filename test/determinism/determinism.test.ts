import { describe, expect, it } from 'vitest';
import { digestsOf, trials } from './plans.js';

describe('runs', () => {
  it('are the same forwards, backwards and once more', async () => {
    const all = await trials(40);
    expect(new Set(all.map(({ scenario }) => scenario.name)).size).toBeGreaterThan(3);
    const forwards = await digestsOf(all, 'forwards');
    expect(await digestsOf(all, 'backwards')).toEqual(forwards);
    expect(new Set(forwards).size).toBeGreaterThan(30);
  });
});
