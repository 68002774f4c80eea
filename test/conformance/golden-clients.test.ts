import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compareAll } from './clients/compare.js';
import { equalOnes, readRatchet } from './clients/ratchet.js';
import { loadConversations } from './clients/script.js';

test('what once behaved as client-go and controller-runtime do still does', async () => {
  const conversations = loadConversations(fileURLToPath(new URL('clientgo', import.meta.url)));
  const equal = new Set(equalOnes(await compareAll(conversations)));
  expect(readRatchet().filter((name) => !equal.has(name))).toEqual([]);
  expect(equal.size).toBeGreaterThan(0);
});
