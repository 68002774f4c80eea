import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caseIds } from './case-ids.js';
import { notYet } from './not-yet.js';

const folder = new URL('.', import.meta.url);

/** The ids that the names of tests in this folder begin with. */
function testedIds(): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
  return files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/['"`]([A-Z]+-\d\d): /g)].map(([, id]) => id as string),
  );
}

test('every case has one test, or a reason why it has none', () => {
  const without = Object.entries(notYet);
  console.log(
    `${without.length} of ${caseIds.length} cases have no test:\n${without.map(([id, reason]) => `  ${id}  ${reason}`).join('\n')}`,
  );
  expect(new Set(caseIds).size).toBe(318);
  expect([...testedIds(), ...Object.keys(notYet)].sort()).toEqual([...caseIds].sort());
});
