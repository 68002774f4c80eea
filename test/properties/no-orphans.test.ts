import { expect, test } from 'vitest';
import { noOrphans } from '../../src/properties/no-orphans.js';
import { child, collector, findingOf, HandMade, operator, user, web } from './hand-made.js';

/** A run up to the last probe, in which people delete what they have made. */
function upToDeletion(owned: boolean) {
  const run = new HandMade();
  const owner = run.put(user, web('a'));
  const made = run.put(operator, child('ConfigMap', owned ? owner : undefined, { name: 'a' }));
  run.end('quiescent', 'settle').end('quiescent', 'probe-restart').end('quiescent', 'probe-redelivery').end('quiescent', 'probe-deletion');
  run.remove(user, owner);
  return { run, made };
}

test('what an operator made without an owner outlives everything', () => {
  const { run } = upToDeletion(false);
  expect(findingOf(noOrphans, run.end('quiescent').trace())?.culprit).toBe('ConfigMap without an owner');
});

test('what the collector takes is no orphan', () => {
  const { run, made } = upToDeletion(true);
  run.remove(collector, made);
  expect(findingOf(noOrphans, run.end('quiescent').trace())).toBeUndefined();
});

test('what a finalizer still holds is for another property', () => {
  const { run, made } = upToDeletion(true);
  run.put(collector, { ...made, metadata: { ...made.metadata, finalizers: ['x/y'], deletionTimestamp: '2026-01-01T00:01:00Z' } });
  expect(findingOf(noOrphans, run.end('quiescent').trace())).toBeUndefined();
});

test('what a person has made is for people to delete', () => {
  const run = new HandMade();
  run.put(user, child('ConfigMap', undefined, { name: 'mine' }));
  expect(findingOf(noOrphans, run.rest())).toBeUndefined();
});
