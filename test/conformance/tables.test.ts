import { describe, expect, it } from 'vitest';
import { players } from './tables/players.js';

describe('the data tables of other projects', () => {
  it.each(players.map((player) => [player.name, player] as const))('%s: at least 99.5 % of the rows are as written', (_name, player) => {
    const rows = player.play();
    const wrong = rows.filter(({ fault }) => fault !== undefined);
    expect(wrong.length / rows.length, wrong.map(({ id, fault }) => `${id}: ${fault}`).join('\n')).toBeLessThanOrEqual(0.005);
    expect(rows.length).toBeGreaterThan(4);
  });
});
