import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The beginnings of rule ids; a letter and a number is a rule of the client libraries. */
const rule = /\b(?:(?:HT|FE|ST|CR|UP|PA|DE|LW|CD|AD|GC|NS|RQ|EV|LE|TK|OV|WL|XO)-\d{1,3}|[A-H]\d{1,2})\b/g;

it('explains every rule that a comment names, in docs/rules.md', () => {
  const explained = new Set(
    [...readFileSync(join(root, 'docs/rules.md'), 'utf8').matchAll(/^- \*\*([A-Z]{1,2}-?\d+)\*\*/gm)].map(([, id]) => id),
  );
  const named = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('/data/'))
    .flatMap((file) =>
      readFileSync(join(root, 'src', file), 'utf8')
        .split('\n')
        .flatMap((line) => /(?:\/\/|^\s*\/?\*)(.*)/.exec(line)?.[1]?.match(rule) ?? [])
        .map((id) => ({ id, file })),
    );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ id }) => !explained.has(id))).toEqual([]);
});
