import { describe, expect, it } from 'vitest';
import { durationText, sinceText } from '../../../../src/sim/apiserver/table/ages.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

describe('a span of time', () => {
  it('has two or three figures, as kubectl shows it', () => {
    const texts = new Map([
      [-1_999, '0s'],
      [-2_000, '<invalid>'],
      [999, '0s'],
      [119 * SECOND, '119s'],
      [2 * MINUTE, '2m'],
      [2 * MINUTE + SECOND, '2m1s'],
      [10 * MINUTE + 59 * SECOND, '10m'],
      [179 * MINUTE, '179m'],
      [3 * HOUR, '3h'],
      [7 * HOUR + 59 * MINUTE, '7h59m'],
      [8 * HOUR + 59 * MINUTE, '8h'],
      [47 * HOUR, '47h'],
      [2 * DAY, '2d'],
      [7 * DAY + 23 * HOUR, '7d23h'],
      [8 * DAY + 23 * HOUR, '8d'],
      [2 * YEAR - DAY, '729d'],
      [2 * YEAR, '2y'],
      [7 * YEAR + 3 * DAY, '7y3d'],
      [8 * YEAR + 3 * DAY, '8y'],
    ]);
    expect(new Map([...texts.keys()].map((span) => [span, durationText(span)]))).toEqual(texts);
  });

  it('since a time that there is none of is unknown', () => {
    expect([sinceText(undefined, 0), sinceText(null, 0)]).toEqual(['<unknown>', '<unknown>']);
    expect(sinceText('2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1, 0, 3))).toBe('3m');
  });
});
