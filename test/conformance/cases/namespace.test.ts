import { expect, test } from 'vitest';
import { Cluster, configMaps, core, names, pod, pods } from './cluster.js';

const namespaces = '/api/v1/namespaces';

test('NS-01: a deleted namespace is Terminating, its pod goes, then it goes; made anew it is empty', () => {
  const cluster = new Cluster({ controllers: true });
  cluster.post(pods, pod('a'));
  cluster.run(100);
  expect(cluster.delete(core).body.status.phase).toBe('Terminating');
  cluster.run(30_000);
  expect(cluster.get(core).code).toBe(404);
  cluster.post(namespaces, { metadata: { name: 'ns' } });
  expect(names(cluster.get(pods).body)).toEqual([]);
});

test('NS-03: patched and updated labels of a namespace are there on GET', () => {
  const cluster = new Cluster();
  cluster.patch(core, { metadata: { labels: { a: '1' } } }, 'strategic-merge');
  const { body } = cluster.get(core);
  cluster.put(core, { ...body, metadata: { ...body.metadata, labels: { ...body.metadata.labels, b: '2' } } });
  expect(cluster.get(core).body.metadata.labels).toMatchObject({ a: '1', b: '2' });
});

test('NS-04: a condition that is patched or updated into the status comes back', () => {
  const cluster = new Cluster();
  const condition = (type: string) => ({ type, status: 'True', reason: 'Test', message: 'm' });
  const patched = cluster.patch(`${core}/status`, { status: { conditions: [condition('One')] } }).body;
  expect(patched.status.conditions).toMatchObject([condition('One')]);
  const status = { ...patched.status, conditions: [...patched.status.conditions, condition('Two')] };
  expect(cluster.put(`${core}/status`, { ...patched, status }).body.status.conditions).toMatchObject([condition('One'), condition('Two')]);
});

test('NS-06: pods go first: the ConfigMap stays while a pod is stuck (as recorded no condition says so); then all goes', () => {
  const cluster = new Cluster({ controllers: true });
  cluster.post(pods, pod('stuck', { metadata: { finalizers: ['x/f'] } }));
  cluster.post(configMaps, { metadata: { name: 'a' } });
  cluster.run(100);
  cluster.delete(core);
  cluster.run(10_000);
  const { conditions } = cluster.get(core).body.status;
  // NS-3: of a pod that a finalizer holds all five conditions are silent.
  const failed = conditions.filter(({ status }: { status: string }) => status !== 'False');
  expect([conditions.length, failed, names(cluster.get(configMaps).body)]).toEqual([5, [], ['a']]);
  cluster.patch(`${pods}/stuck`, { metadata: { finalizers: null } });
  cluster.run(120_000);
  expect(cluster.get(core).code).toBe(404);
});

test('NS-07: of a hundred namespaces deleted at once at least ninety are gone within 150 s', () => {
  const cluster = new Cluster({ controllers: true });
  const made = Array.from({ length: 100 }, (_, index) => `n${index}`);
  for (const name of made) {
    cluster.post(namespaces, { metadata: { name } });
    cluster.post(`${namespaces}/${name}/configmaps`, { metadata: { name: 'a' } });
  }
  for (const name of made) cluster.delete(`${namespaces}/${name}`);
  cluster.run(150_000);
  expect(made.filter((name) => cluster.get(`${namespaces}/${name}`).code === 404).length).toBeGreaterThanOrEqual(90);
});

test('NS-09: a new namespace is Active, with the finalizer "kubernetes" in its spec and a label with its name', () => {
  expect(new Cluster().post(namespaces, { metadata: { name: 'new' } }).body).toMatchObject({
    metadata: { labels: { 'kubernetes.io/metadata.name': 'new' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
});
