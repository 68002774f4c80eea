import { expect, test } from 'vitest';
import { builtInProperties } from '../../src/properties/built-in.js';
import { judge } from '../../src/properties/judge.js';
import type { Property } from '../../src/properties/property.js';
import { HandMade, user, web, world } from './hand-made.js';

const trace = (() => {
  const run = new HandMade();
  run.put(user, web('a'));
  return run.rest();
})();

function property(check: Property['check']): Property {
  return { name: 'mine', kind: 'always', about: 'mine', check };
}

test('gives one verdict for each property, in their order', () => {
  const verdicts = judge({ world, trace, calm: trace }, builtInProperties);
  expect(verdicts.map((verdict) => verdict.property)).toEqual(builtInProperties.map(({ name }) => name));
  expect(verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'inconclusive')).toEqual([]);
});

test('has no two properties of one name', () => {
  expect(new Set(builtInProperties.map(({ name }) => name)).size).toBe(builtInProperties.length);
});

test('a check that fails itself is inconclusive and does not keep the others from being asked', () => {
  const broken = property(() => {
    throw new TypeError('cannot read properties of undefined');
  });
  const verdicts = judge({ world, trace, calm: trace }, [broken, ...builtInProperties]);
  expect(verdicts[0]).toEqual({
    property: 'mine',
    outcome: 'inconclusive',
    why: 'the check itself failed: cannot read properties of undefined',
  });
  expect(verdicts).toHaveLength(1 + builtInProperties.length);
});

test('a finding is a violation', () => {
  const finding = { message: 'no', culprit: 'no', entries: [1] };
  expect(judge({ world, trace, calm: trace }, [property(() => finding)])).toEqual([{ property: 'mine', outcome: 'violated', finding }]);
});

test.each([undefined, null, true, 'bad', Promise.resolve('proved'), { message: false, culprit: 'no', entries: [] }, { message: 'no' }])(
  'a check that answers %o has decided nothing',
  (answer) => {
    const [verdict] = judge({ world, trace, calm: trace }, [property(() => answer as never)]);
    expect(verdict).toMatchObject({ property: 'mine', outcome: 'inconclusive', why: expect.stringContaining('neither true, nor a text') });
  },
);
