import { expect, test } from 'vitest';
import { finalizersServed } from '../../src/properties/finalizers-served.js';
import { findingOf, HandMade, operator, user, web } from './hand-made.js';

const finalizer = 'example.com/cleanup';
const dying = { deletionTimestamp: '2026-01-01T00:00:10Z' };

test('an object that waits for ever for the finalizer of an operator is found', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.put(operator, web('a', {}, { finalizers: [finalizer] }));
  run.put(user, web('a', {}, { finalizers: [finalizer], ...dying }));
  expect(findingOf(finalizersServed, run.rest())?.culprit).toBe('finalizer of Web');
});

test('a finalizer that a person has put there is not for the operator to serve', () => {
  const run = new HandMade();
  run.put(user, web('a', {}, { finalizers: ['somebody.example.com/hold'] }));
  run.put(user, web('a', {}, { finalizers: ['somebody.example.com/hold'], ...dying }));
  expect(findingOf(finalizersServed, run.rest())).toBeUndefined();
});

test('an object that lives may have its finalizer', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.put(operator, web('a', {}, { finalizers: [finalizer] }));
  expect(findingOf(finalizersServed, run.rest())).toBeUndefined();
});
