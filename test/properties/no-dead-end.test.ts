import { expect, test } from 'vitest';
import { noDeadEnd } from '../../src/properties/no-dead-end.js';
import { check, child, findingOf, HandMade, operator, user, web } from './hand-made.js';

const status = { subresource: 'status' };

function calm() {
  const run = new HandMade();
  run.put(user, web('a'));
  run.pass('default/a', () => run.put(operator, web('a', { status: { phase: 'Ready' } }), status));
  return run.rest();
}

test('a pass that met an error and said that all was well leaves a dead end', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.pass('default/a', () => run.idle(operator, 'update', web('a'), 409));
  expect(findingOf(noDeadEnd, run.rest(), calm())?.culprit).toBe('Web error swallowed');
});

test('an error that the same call made good later in the pass was not swallowed', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.pass('default/a', () => {
    run.idle(operator, 'update', web('a'), 429);
    run.idle(operator, 'update', web('a'), 200);
  });
  expect(findingOf(noDeadEnd, run.rest(), calm())).toBeUndefined();
});

test('a change that nobody was woken by leaves a dead end', () => {
  const run = new HandMade();
  const owner = run.put(user, web('a'));
  const pod = run.put(operator, child('Pod', owner, { name: 'a' }));
  run.deliver(pod, 'ADDED');
  run.pass('default/a', () => run.read(owner));
  run.put('kubelet', { ...pod, status: { phase: 'Running' } });
  const other = new HandMade();
  const there = other.put(user, web('a'));
  other.put(operator, child('Pod', there, { name: 'a' }));
  other.put(operator, web('a', { status: { phase: 'Ready' } }), status);
  expect(findingOf(noDeadEnd, run.rest(), other.rest())?.culprit).toBe('Web does not notice Pod');
});

test('a last pass that ended in an error will be tried again', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.pass('default/a', () => run.idle(operator, 'update', web('a'), 409), 'error', 'conflict');
  expect(findingOf(noDeadEnd, run.rest(), calm())).toBeUndefined();
});

test('a cluster that came to its calm end has no dead end, whatever was swallowed', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.put(operator, web('a', { status: { phase: 'Ready' } }), status);
  run.pass('default/a', () => run.idle(operator, 'update', web('a'), 409));
  expect(check(noDeadEnd, run.rest(), calm())).toBe('proved');
});
