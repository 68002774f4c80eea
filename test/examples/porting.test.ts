import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import porting from '../../examples/porting/scenario.js';
import { fuzz } from '../../src/campaign/campaign.js';
import * as surface from '../../src/index.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/porting.md');

test('every block of TypeScript on the page about porting stands in its example as it is', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const source = read('examples/porting/website-controller.ts');
  expect(blocks.length).toBeGreaterThan(7);
  expect(blocks.filter((block) => !source.includes(block))).toEqual([]);
});

test('every name that the page gives for one of Go is there', () => {
  const names = [...page.matchAll(/^\| [^|]* \| ([^|]*) \|$/gm)]
    .flatMap(([, here = '']) => [...here.matchAll(/`([A-Za-z]+)`/g)])
    .map(([, name = '']) => name);
  const declared = new Set([...Object.keys(surface), ...read('src/index.ts').split(/\W+/)]);
  // Members, and words of Kubernetes itself.
  for (const member of ['apiReader', 'client', 'indexField', 'onlyMetadata', 'priority', 'requeueAfterMs', 'scheme', 'watchesChannel'])
    declared.add(member);
  for (const member of ['add', 'eventRecorderFor', 'event', 'options', 'Predicate']) declared.add(member);
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !declared.has(name))).toEqual([]);
});

test('the example of the page about porting is sound', async () => {
  const result = await fuzz(porting, { runs: 4 });
  expect(result.outcome).toBe('held');
});
