import { expect, test } from 'vitest';
import { noPrematureDelete } from '../../src/properties/no-premature-delete.js';
import { child, collector, findingOf, HandMade, operator, user, web } from './hand-made.js';

function settled(kind = 'ConfigMap'): { run: HandMade; made: ReturnType<HandMade['put']>; owner: ReturnType<HandMade['put']> } {
  const run = new HandMade();
  const owner = run.put(user, web('a'));
  const made = run.put(operator, child(kind, owner, { name: 'a' }));
  return { run, made, owner };
}

const calm = settled().run.rest();

test('an operator that deletes the child of a live owner, which the calm run keeps, is too early', () => {
  const { run, made } = settled();
  run.remove(operator, made);
  expect(findingOf(noPrematureDelete, run.rest(), calm)?.culprit).toBe('ConfigMap deleted by the operator');
});

test('the collector that takes the child of an earlier owner of that name does it because of the operator', () => {
  const { run, made, owner } = settled();
  run.remove(user, owner);
  run.put(user, web('a'));
  run.remove(collector, made);
  expect(findingOf(noPrematureDelete, run.rest(), calm)?.culprit).toBe('ConfigMap deleted by the collector');
});

test('a child that is made again is no loss', () => {
  const { run, made, owner } = settled();
  run.remove(operator, made);
  run.put(operator, child('ConfigMap', owner, { name: 'a' }));
  expect(findingOf(noPrematureDelete, run.rest(), calm)).toBeUndefined();
});

test('a claim that is made again has lost its data', () => {
  const { run, made, owner } = settled('persistentvolumeclaims');
  run.remove(operator, made);
  run.put(operator, child('persistentvolumeclaims', owner, { name: 'a' }));
  expect(findingOf(noPrematureDelete, run.rest(), settled('persistentvolumeclaims').run.rest())).toBeDefined();
});

test('what the calm run deletes as well may be deleted', () => {
  const gone = () => {
    const { run, made } = settled();
    run.remove(operator, made);
    return run.rest();
  };
  expect(findingOf(noPrematureDelete, gone(), gone())).toBeUndefined();
});

test('a person who deletes a child is no finding', () => {
  const { run, made } = settled();
  run.remove(user, made);
  expect(findingOf(noPrematureDelete, run.rest(), calm)).toBeUndefined();
});
