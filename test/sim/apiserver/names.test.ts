import { describe, expect, it } from 'vitest';
import { generatedName, generateNameFaults, nameFaults } from '../../../src/sim/apiserver/names.js';
import { uuid } from '../../../src/sim/apiserver/uid.js';

describe('names (CR-7)', () => {
  it.each([
    ['subdomain', 'a.b-c.d', true],
    ['subdomain', 'a..b', false],
    ['subdomain', 'a'.repeat(253), true],
    ['subdomain', 'a'.repeat(254), false],
    ['subdomain52', 'a'.repeat(52), true],
    ['subdomain52', 'a'.repeat(53), false],
    ['label', '1a', true],
    ['label', 'a.b', false],
    ['label', 'a'.repeat(64), false],
    ['path segment', 'A:b', true],
    ['path segment', '..', false],
    ['path segment', 'a%b', false],
  ] as const)('by the rule of %s: %s is good? %s', (rule, name, good) => expect(nameFaults(rule, name).length === 0).toBe(good));

  it('are told what is wrong in the fewest words', () => expect(nameFaults('label', 'a.b')).toEqual(['must not contain dots']));
  it('may end in a dash when they are only a beginning (CR-5)', () => {
    expect(generateNameFaults('subdomain', 'web-')).toEqual([]);
    expect(generateNameFaults('subdomain', 'web.')).not.toEqual([]);
  });
});

describe('names made by the server', () => {
  it('are cut so that the whole is a label (CR-5)', () => {
    expect(generatedName('b'.repeat(70), 0.3)).toHaveLength(63);
    for (const random of [0, 0.25, 0.999_999_999]) expect(generatedName('web-', random)).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });
  it('differ when chance does', () => {
    const names = new Set(Array.from({ length: 1000 }, (_, index) => generatedName('web-', index / 1000)));
    expect(names.size).toBe(1000);
  });
  it('make uids of the fourth version', () => {
    for (const random of [0, 0.5, 0.999_999_999]) {
      expect(uuid(() => random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });
});
