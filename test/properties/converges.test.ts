import { expect, test } from 'vitest';
import { converges } from '../../src/properties/converges.js';
import type { KubeObject } from '../../src/sim/etcd/object.js';
import { touchedAnnotation } from '../../src/sim/network.js';
import { check, child, findingOf, HandMade, operator, user, web } from './hand-made.js';

function ending(...objects: readonly KubeObject[]) {
  const run = new HandMade();
  run.put(user, web('a'));
  for (const object of objects) run.put(operator, object);
  return run.rest();
}

const map = (data: object, metadata: object = {}) => child('ConfigMap', undefined, { name: 'a', ...metadata }, { data });

test('an object that is missing, left over or different is found', () => {
  expect(findingOf(converges, ending(), ending(map({ k: '1' })))?.culprit).toBe('ConfigMap missing');
  expect(findingOf(converges, ending(map({ k: '1' })), ending())?.culprit).toBe('ConfigMap left over');
  expect(findingOf(converges, ending(map({ k: '2' })), ending(map({ k: '1' })))?.culprit).toBe('ConfigMap data.k');
});

test('equal ends are proved at rest', () => {
  expect(check(converges, ending(map({ k: '1' })), ending(map({ k: '1' })))).toBe('proved');
});

test('uids, times, addresses, generated names and the marks of bystanders may differ', () => {
  const one = ending(
    map({ at: '2026-01-01T00:00:10Z', host: '10.0.0.7', pod: 'a-x7k2q' }, { uid: 'one', annotations: { [touchedAnnotation]: 'somebody' } }),
    child('Pod', undefined, { name: 'a-x7k2q', generateName: 'a-' }),
  );
  const other = ending(
    map({ at: '2026-01-01T00:09:59Z', host: '10.0.0.9', pod: 'a-b9d4z' }, { uid: 'other' }),
    child('Pod', undefined, { name: 'a-b9d4z', generateName: 'a-' }),
  );
  expect(check(converges, one, other)).toBe('proved');
});

test('a label that notes the version of another object may differ, any other number may not', () => {
  const labelled = (label: string, value: string) => ending(map({ k: '1' }, { labels: { [label]: value } }));
  for (const label of ['owner-rv', 'example.com/resourceVersion', 'config-resource-version'])
    expect(check(converges, labelled(label, '1165'), labelled(label, '1166'))).toBe('proved');
  expect(findingOf(converges, labelled('size', '3'), labelled('size', '4'))).toBeDefined();
  expect(findingOf(converges, labelled('owner-rv', 'none'), labelled('owner-rv', '1166'))).toBeDefined();
});

test('a name that an operator has made up may differ, a name with a meaning may not', () => {
  const named = (name: string) => ending(child('ConfigMap', undefined, { name }, { data: { k: '1' } }));
  expect(check(converges, named('a-x7k2q'), named('a-b9d4z'))).toBe('proved');
  expect(findingOf(converges, named('a-blue'), named('a-green'))).toBeDefined();
});

test('how many generations there were may differ, a generation that was not observed may not', () => {
  const generations = (generation: number, observedGeneration: number) => {
    const run = new HandMade();
    run.put(user, web('a', {}, { generation }));
    run.put(operator, web('a', { status: { observedGeneration } }, { generation }), { subresource: 'status' });
    return run.rest();
  };
  expect(check(converges, generations(5, 5), generations(3, 3))).toBe('proved');
  expect(findingOf(converges, generations(5, 4), generations(3, 3))?.culprit).toBe('Web status.observedGeneration');
});

test('conditions are compared by what holds, not by the way there', () => {
  const saying = (...conditions: readonly object[]) => {
    const run = new HandMade();
    run.put(user, web('a'));
    run.put(operator, web('a', { status: { conditions } }), { subresource: 'status' });
    return run.rest();
  };
  const ready = { type: 'Ready', status: 'True', reason: 'Done', message: 'all 3 run' };
  const wasDegraded = { type: 'Degraded', status: 'False', reason: 'Recovered', message: 'it works again' };
  expect(check(converges, saying(wasDegraded, { ...ready, reason: 'Recovered' }), saying(ready))).toBe('proved');
  expect(check(converges, saying(wasDegraded), saying())).toBe('proved');
  expect(findingOf(converges, saying({ ...ready, status: 'False' }), saying(ready))).toBeDefined();
  expect(findingOf(converges, saying(ready, { ...wasDegraded, status: 'True' }), saying(ready))).toBeDefined();
});

test('passwords that an operator has made up may differ, a missing one may not', () => {
  const secret = (data: object) => ending(child('Secret', undefined, { name: 'a' }, { data }));
  expect(check(converges, secret({ password: 'eDdr' }), secret({ password: 'YjlkNA==' }))).toBe('proved');
  expect(findingOf(converges, secret({}), secret({ password: 'YjlkNA==' }))).toBeDefined();
});

test('what only the controllers of the cluster have made is not compared', () => {
  const run = new HandMade();
  run.put(user, web('a'));
  run.put('garbage-collector', map({ k: 'whatever' }));
  expect(check(converges, run.rest(), ending())).toBe('proved');
});

test('runs in which an act of a person came out otherwise are not compared', () => {
  const refused = new HandMade();
  refused.act(false);
  const done = new HandMade();
  done.act(true);
  done.put(operator, map({ k: '1' }));
  expect(check(converges, refused.rest(), done.rest())).toHaveProperty('evidence');
});

test('a cluster that was still busy has not been judged', () => {
  const run = new HandMade();
  expect(check(converges, run.end('quiescent', 'settle').end('budget').trace(), ending())).toHaveProperty('inconclusive');
});
