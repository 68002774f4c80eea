import { expect, test } from 'vitest';
import { Cluster, configMaps, deployment, deployments, ref, rv } from './cluster.js';
import { thing, things, withThings } from './things.js';

const a = `${configMaps}/a`;

function withMap(fields: object = {}, metadata: object = {}): Cluster {
  const cluster = new Cluster();
  cluster.post(configMaps, { metadata: { name: 'a', ...metadata }, ...fields });
  return cluster;
}

test('PAT-01: a JSON Patch that tests the name is accepted; a body that is no JSON is BadRequest', () => {
  const cluster = withMap();
  expect(cluster.patch(a, [{ op: 'test', path: '/metadata/name', value: 'a' }], 'json').code).toBe(200);
  expect(cluster.patch(a, 'no json', 'json')).toMatchObject({ code: 400, body: { reason: 'BadRequest' } });
});

test('PAT-03: a negative index counts from the end', () => {
  const cluster = withMap({}, { finalizers: ['x/a', 'x/b'] });
  const ask = (value: string) => cluster.patch(a, [{ op: 'test', path: '/metadata/finalizers/-1', value }], 'json').code;
  expect([ask('x/b'), ask('x/a')]).toEqual([200, 422]);
});

test('PAT-04: replace of a missing member adds it', () => {
  const { code, body } = withMap({ data: { x: '1' } }).patch(a, [{ op: 'replace', path: '/data/k', value: 'v' }], 'json');
  expect([code, body.data]).toEqual([200, { x: '1', k: 'v' }]);
});

test('PAT-06: a patch without version comes on top of a change of another field', () => {
  const cluster = withMap();
  for (const patch of [{ data: { k: '1' } }, { metadata: { labels: { l: '1' } } }]) cluster.patch(a, patch);
  expect(cluster.get(a).body).toMatchObject({ data: { k: '1' }, metadata: { labels: { l: '1' } } });
});

test('PAT-07: a patch without version wins over a change of the same field', () => {
  const cluster = withMap();
  expect(['1', '2'].map((k) => cluster.patch(a, { data: { k } }).code)).toEqual([200, 200]);
  expect(cluster.get(a).body.data).toEqual({ k: '2' });
});

test('PAT-09: a patch with the version that has just been overtaken is a Conflict', () => {
  const cluster = withMap();
  const resourceVersion = rv(cluster.get(a));
  cluster.patch(a, { data: { k: '1' } });
  expect(cluster.patch(a, { metadata: { resourceVersion }, data: { k: '2' } })).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
});

test('PAT-10: every patch with a wrong version is a Conflict', () => {
  const cluster = withMap();
  const codes = [1, 2, 3].map((k) => cluster.patch(a, { metadata: { resourceVersion: '1' }, data: { k: String(k) } }).code);
  expect([codes, cluster.get(a).body.data]).toEqual([[409, 409, 409], undefined]);
});

test('PAT-12: a strategic patch adds an annotation and moves the version', () => {
  const cluster = withMap();
  const before = cluster.revision;
  const { body } = cluster.patch(a, { metadata: { annotations: { k: 'v' } } }, 'strategic-merge');
  expect([body.metadata.annotations, body.metadata.resourceVersion === before]).toEqual([{ k: 'v' }, false]);
});

test('PAT-13: $deleteFromPrimitiveList takes one finalizer, in the answer and on GET', () => {
  const cluster = withMap({}, { finalizers: ['x/a', 'x/b'] });
  const { body } = cluster.patch(a, { metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a'] } }, 'strategic-merge');
  expect([body.metadata.finalizers, cluster.get(a).body.metadata.finalizers]).toEqual([['x/b'], ['x/b']]);
});

test('PAT-15: no patch sets, changes or clears a deletionTimestamp (the fake client refuses; a server ignores what it owns)', () => {
  const cluster = withMap({}, { finalizers: ['x/f'] });
  const set = (deletionTimestamp: string | null) => cluster.patch(a, { metadata: { deletionTimestamp } });
  expect(set('2030-01-01T00:00:00Z').body.metadata?.deletionTimestamp).toBeUndefined();
  expect(cluster.get(a).body.metadata.deletionTimestamp).toBeUndefined();
  const marked = cluster.delete(a).body.metadata.deletionTimestamp;
  for (const value of ['2030-01-01T00:00:00Z', null]) set(value);
  expect(cluster.get(a).body.metadata.deletionTimestamp).toBe(marked);
});

test('PAT-16: a merge patch that changes nothing answers 200 with the same version', () => {
  const cluster = withMap({ data: { k: 'v' } });
  const before = cluster.revision;
  expect([{}, { data: { k: 'v' } }].map((patch) => rv(cluster.patch(a, patch)))).toEqual([before, before]);
});

test('PAT-18: a patch of a scale changes spec.replicas and leaves the status', () => {
  const cluster = new Cluster();
  cluster.post(deployments, deployment('a'));
  const { body } = cluster.patch(`${deployments}/a/scale`, { spec: { replicas: 7 }, status: { replicas: 7 } });
  expect(body).toMatchObject({ spec: { replicas: 7 }, status: { replicas: 0 } });
});

const owner = (uid: string) => ref({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `owner-${uid}`, uid } });

test('PAT-19: a strategic patch deletes owner references by uid', () => {
  const cluster = withMap({}, { ownerReferences: ['1', '2', '3'].map(owner) });
  const { uid } = cluster.get(a).body.metadata;
  const ownerReferences = ['2', '3'].map((each) => ({ $patch: 'delete', uid: each }));
  expect(cluster.patch(a, { metadata: { uid, ownerReferences } }, 'strategic-merge').body.metadata.ownerReferences).toEqual([owner('1')]);
});

test('PAT-21: another uid in a strategic patch is refused (as recorded not as a Conflict, but as Invalid)', () => {
  // PA-5
  const { code, body } = withMap().patch(a, { metadata: { uid: 'another' } }, 'strategic-merge');
  expect([code, body.reason, body.message]).toEqual([422, 'Invalid', expect.stringContaining('field is immutable')]);
});

test('PAT-22: a strategic patch with another owner reference adds it', () => {
  const cluster = withMap({}, { ownerReferences: [owner('1')] });
  const { body } = cluster.patch(a, { metadata: { ownerReferences: [owner('2')] } }, 'strategic-merge');
  expect(body.metadata.ownerReferences.map(({ uid }: { uid: string }) => uid).sort()).toEqual(['1', '2']);
});

test('PAT-24: a label of a custom resource that is no string is BadRequest', () => {
  const { code, body } = withThings().post(things, thing('a', { metadata: { labels: { l: 1 } } }));
  expect([code, body.message]).toEqual([400, expect.stringContaining('cannot be handled')]);
});

test('PAT-25: a JSON Patch of more than ten thousand operations is RequestEntityTooLarge', () => {
  const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/metadata/name', value: 'a' }));
  expect(withMap().patch(a, operations, 'json')).toMatchObject({ code: 413, body: { reason: 'RequestEntityTooLarge' } });
});
