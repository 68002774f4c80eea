import { expect, test } from 'vitest';
import { noHotLoop } from '../../src/properties/no-hot-loop.js';
import { check, findingOf, HandMade, operator, user, web } from './hand-made.js';

function settling(): HandMade {
  const run = new HandMade();
  run.put(user, web('a'));
  return run.end('quiescent', 'settle');
}

test('a settling that is used up by writes of one object is a hot loop', () => {
  const run = settling();
  for (let time = 0; time < 60; time++) run.put(operator, web('a', { status: { time } }), { subresource: 'status' });
  expect(findingOf(noHotLoop, run.end('budget').trace())?.culprit).toBe('update webs');
});

test('a settling that is used up by reconciles of one key is a hot loop', () => {
  const run = settling();
  for (let time = 0; time < 60; time++) run.pass('default/a', () => {});
  expect(findingOf(noHotLoop, run.end('budget').trace())?.culprit).toBe('reconcile of web');
});

test('a settling that is used up by the calls of one reconcile is a hot loop', () => {
  const run = settling();
  run.startPass('default/a');
  for (let time = 0; time < 60; time++) run.idle(operator, 'get', web('a'), 200);
  expect(findingOf(noHotLoop, run.end('budget').trace())?.culprit).toBe('reconcile of web never ends');
});

test('a settling that is used up by work on many objects has not been judged', () => {
  const run = settling();
  for (let time = 0; time < 60; time++) run.put(operator, web(`a-${time}`));
  expect(check(noHotLoop, run.end('budget').trace())).toHaveProperty('inconclusive');
});

test('as many writes in a settling that ends are no loop', () => {
  const run = settling();
  for (let time = 0; time < 60; time++) run.put(operator, web('a', { status: { time } }));
  expect(findingOf(noHotLoop, run.end('quiescent', 'probe-restart').end('quiescent').trace())).toBeUndefined();
});

test('a key that fails in every pass fails for ever', () => {
  const run = settling();
  for (let time = 0; time < 6; time++) run.pass('default/a', () => {}, 'error', 'no');
  expect(findingOf(noHotLoop, run.end('polling').trace(), settling().end('quiescent').trace())?.culprit).toBe('web fails for ever');
});

test('a key that fails and then succeeds is well', () => {
  const run = settling();
  for (let time = 0; time < 6; time++) run.pass('default/a', () => {}, 'error', 'no');
  run.pass('default/a', () => {});
  expect(findingOf(noHotLoop, run.end('quiescent').trace(), settling().end('quiescent').trace())).toBeUndefined();
});

test('a key that fails on a calm day as well may fail', () => {
  const failing = () => {
    const run = settling();
    for (let time = 0; time < 6; time++) run.pass('default/a', () => {}, 'error', 'the spec is invalid');
    return run.end('polling').trace();
  };
  expect(findingOf(noHotLoop, failing(), failing())).toBeUndefined();
});

test('a pass that sends the same refused write again and again never ends', () => {
  const run = settling();
  run.startPass('default/a');
  for (let time = 0; time < 3; time++) run.idle(operator, 'update', web('a'), 409);
  expect(findingOf(noHotLoop, run.end('polling').trace())?.culprit).toBe('reconcile of web never ends');
});
