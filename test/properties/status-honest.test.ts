import { expect, test } from 'vitest';
import { statusHonest } from '../../src/properties/status-honest.js';
import { findingOf, HandMade, operator, user, web } from './hand-made.js';

const status = { subresource: 'status' };

test('a status sent to the main endpoint and not stored is lost', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.pass('default/a', () => run.idle(operator, 'update', web('a', { status: { phase: 'Ready' } })));
  expect(findingOf(statusHonest, run.rest())?.culprit).toBe('Web status written to the main endpoint');
});

test('an old status that comes along with an update of the spec means nothing', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.put(operator, web('a', { status: { phase: 'Pending' } }), status);
  run.put(operator, web('a', { status: { phase: 'Ready' } }), status);
  run.pass('default/a', () => run.idle(operator, 'update', web('a', { status: { phase: 'Pending' } })));
  expect(findingOf(statusHonest, run.rest())).toBeUndefined();
});

test('an observedGeneration above the generation is a claim about the future', () => {
  const run = new HandMade();
  run.put(user, web('a', {}, { generation: 1 }));
  run.put(operator, web('a', { status: { observedGeneration: 2 } }, { generation: 1 }), status);
  expect(findingOf(statusHonest, run.rest())?.culprit).toBe('Web observedGeneration ahead');
});

test('an observedGeneration that falls is a step back in time', () => {
  const run = new HandMade();
  run.put(user, web('a', {}, { generation: 2 }));
  run.put(operator, web('a', { status: { observedGeneration: 2 } }, { generation: 2 }), status);
  run.put(operator, web('a', { status: { observedGeneration: 1 } }, { generation: 2 }), status);
  expect(findingOf(statusHonest, run.rest())?.culprit).toBe('Web observedGeneration goes back');
});

test('a generation that the pass has not read must not be claimed', () => {
  const run = new HandMade();
  const first = run.put(user, web('a', {}, { generation: 1 }));
  run.put(user, web('a', {}, { generation: 2 }));
  run.pass('default/a', () => {
    run.read(first);
    run.put(operator, web('a', { status: { observedGeneration: 2 } }, { generation: 2 }), status);
  });
  expect(findingOf(statusHonest, run.rest())?.culprit).toBe('Web observedGeneration not read');
});

test('an observedGeneration that lags behind and catches up is honest', () => {
  const run = new HandMade();
  const first = run.put(user, web('a', {}, { generation: 1 }));
  run.put(user, web('a', {}, { generation: 2 }));
  run.pass('default/a', () => {
    run.read(first);
    run.put(operator, web('a', { status: { observedGeneration: 1 } }, { generation: 2 }), status);
  });
  run.put(operator, web('a', { status: { observedGeneration: 2 } }, { generation: 2 }), status);
  expect(findingOf(statusHonest, run.rest())).toBeUndefined();
});

test('a status that is wrong in the end, when all else is right, is dishonest', () => {
  const ending = (phase: string) => {
    const run = new HandMade();
    run.put(user, web('a'));
    run.put(operator, web('a', { status: { phase } }), status);
    return run.rest();
  };
  expect(findingOf(statusHonest, ending('Pending'), ending('Ready'))?.culprit).toBe('Web status.phase');
  expect(findingOf(statusHonest, ending('Ready'), ending('Ready'))).toBeUndefined();
});
