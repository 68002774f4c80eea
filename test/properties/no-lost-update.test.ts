import { expect, test } from 'vitest';
import { noLostUpdate } from '../../src/properties/no-lost-update.js';
import type { KubeObject } from '../../src/sim/etcd/object.js';
import type { Trace } from '../../src/sim/trace.js';
import { child, findingOf, HandMade, operator, user } from './hand-made.js';

const deployment = (spec: object, metadata: object = {}): KubeObject =>
  child('Deployment', undefined, { name: 'a', ...metadata }, { spec });

/** A person scales, then the operator writes the image, from the version that it has read. */
function run(options: { readonly reads: 'old' | 'new'; readonly locked?: boolean; readonly replicas: number }): Trace {
  const made = new HandMade();
  const first = made.put(operator, deployment({ replicas: 1, image: 'a:1' }));
  const scaled = made.put(user, deployment({ replicas: 3, image: 'a:1' }));
  made.pass('default/a', () => {
    made.read(options.reads === 'old' ? first : scaled);
    const version = options.locked ? { resourceVersion: scaled.metadata.resourceVersion } : {};
    made.put(operator, deployment({ replicas: options.replicas, image: 'a:2' }, { uid: scaled.metadata.uid, ...version }));
  });
  return made.rest();
}

const calm = run({ reads: 'new', replicas: 3 });

test('a write from an old version that takes back what a person has set is a lost update', () => {
  const found = findingOf(noLostUpdate, run({ reads: 'old', replicas: 1 }), calm);
  expect(found?.culprit).toBe('Deployment spec.replicas');
  expect(found?.message).toContain('a user');
});

test('a write from an old version that leaves the field alone loses nothing', () => {
  expect(findingOf(noLostUpdate, run({ reads: 'old', replicas: 3 }), calm)).toBeUndefined();
});

test('who has read the change and takes it back means it', () => {
  expect(findingOf(noLostUpdate, run({ reads: 'new', replicas: 1 }), calm)).toBeUndefined();
});

test('a write that the server has compared by version cannot lose anything', () => {
  expect(findingOf(noLostUpdate, run({ reads: 'old', replicas: 1, locked: true }), calm)).toBeUndefined();
});

test('an operator that takes the field back on a calm day too enforces its own wish', () => {
  expect(findingOf(noLostUpdate, run({ reads: 'old', replicas: 1 }), run({ reads: 'new', replicas: 1 }))).toBeUndefined();
});
