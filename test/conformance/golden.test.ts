import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { equalParts, play, sequencesIn } from './golden-report.js';

const directory = fileURLToPath(new URL('./golden', import.meta.url));
const ratchet: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(fileURLToPath(new URL('./golden-ratchet.json', import.meta.url)), 'utf8'),
);

describe('the recorded conversations with a real API server', () => {
  const played = new Set<string>();

  for (const file of sequencesIn(directory)) {
    it(`goes on answering as recorded in ${file}`, async () => {
      const sequence = await play(directory, file);
      const { name } = sequence.sequence;
      played.add(name);
      const equal = new Set(equalParts(sequence));
      expect((ratchet[name] ?? []).filter((part) => !equal.has(part))).toEqual([]);
    });
  }

  it('has played every sequence that the ratchet names', () => {
    expect(Object.keys(ratchet).filter((name) => !played.has(name))).toEqual([]);
  });
});
