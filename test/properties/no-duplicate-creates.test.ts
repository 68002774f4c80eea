import { expect, test } from 'vitest';
import { noDuplicateCreates } from '../../src/properties/no-duplicate-creates.js';
import { child, collector, findingOf, HandMade, operator, user, web } from './hand-made.js';

const generated = (suffix: string) => ({ name: `a-${suffix}`, generateName: 'a-' });

function one(): HandMade {
  const run = new HandMade();
  const owner = run.put(user, web('a'));
  run.put(operator, child('Pod', owner, generated('x7k2q')));
  return run;
}

test('two equal pods for one owner are one too many when the calm run has one', () => {
  const run = one();
  run.put(operator, child('Pod', web('a', {}, { uid: 'uid-0' }), generated('b9d4z')));
  const found = findingOf(noDuplicateCreates, run.rest(), one().rest());
  expect(found?.culprit).toBe('Pod under a generated name');
  expect(found?.message).toContain('a-b9d4z');
});

test('as many equal pods as on the calm day are no finding', () => {
  const two = () => {
    const run = one();
    run.put(operator, child('Pod', web('a', {}, { uid: 'uid-0' }), generated('b9d4z')));
    return run.rest();
  };
  expect(findingOf(noDuplicateCreates, two(), two())).toBeUndefined();
});

test('a pod made after the first has gone is a replacement', () => {
  const run = one();
  run.remove(collector, child('Pod', undefined, generated('x7k2q')));
  run.put(operator, child('Pod', web('a', {}, { uid: 'uid-0' }), generated('b9d4z')));
  expect(findingOf(noDuplicateCreates, run.rest(), one().rest())).toBeUndefined();
});

test('the child of an owner that was made anew does not count beside that of the old one', () => {
  const run = one();
  run.remove(user, web('a'));
  const anew = run.put(user, web('a'));
  run.put(operator, child('Pod', anew, generated('b9d4z')));
  expect(findingOf(noDuplicateCreates, run.rest(), one().rest())).toBeUndefined();
});

test('two different objects for one owner are two wishes', () => {
  const run = one();
  run.put(operator, child('Pod', web('a', {}, { uid: 'uid-0' }), generated('b9d4z'), { spec: { nodeName: 'other' } }));
  expect(findingOf(noDuplicateCreates, run.rest(), one().rest())).toBeUndefined();
});
