import { expect, test } from 'vitest';
import { Cluster, configMaps, core, deployment, deployments, names, pod, pods, rv, told } from './cluster.js';

const a = `${configMaps}/a`;

function withMap(metadata: object = {}): Cluster {
  const cluster = new Cluster();
  cluster.post(configMaps, { metadata: { name: 'a', ...metadata } });
  return cluster;
}

/** The finalizers of `a` after a delete with this body, or `gone`. */
function after(finalizers: readonly string[], options?: object): string[] | 'gone' {
  const cluster = withMap({ finalizers });
  cluster.delete(a, options);
  const { code, body } = cluster.get(a);
  return code === 404 ? 'gone' : body.metadata.finalizers;
}

test('DEL-01: the object that a delete answers has a newer version than the stored one; a missing one is NotFound', () => {
  const cluster = new Cluster();
  const stored = Number(rv(cluster.post(pods, pod('a'))));
  expect(Number(rv(cluster.delete(`${pods}/a`)))).toBeGreaterThan(stored);
  expect(cluster.delete(`${pods}/a`)).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
});

test('DEL-04: a delete takes and answers the live object, however old the cache is', () => {
  const cluster = new Cluster();
  const cacheRevision = Number(rv(cluster.post(pods, pod('a'))));
  cluster.patch(`${pods}/a`, { metadata: { labels: { l: 'new' } } });
  const request = { verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'ns', name: 'a' } as const;
  expect(cluster.server.handle(request, { cacheRevision }).response.body).toMatchObject({ metadata: { labels: { l: 'new' } } });
  expect(cluster.server.handle(request, { cacheRevision }).response.code).toBe(404);
});

test('DEL-06: a wrong version as precondition is a Conflict and deletes nothing; the right one deletes', () => {
  const cluster = withMap();
  const attempt = (resourceVersion: string) => cluster.delete(a, { preconditions: { resourceVersion } }).code;
  expect([attempt('1'), cluster.get(a).code, attempt(cluster.revision), cluster.get(a).code]).toEqual([409, 200, 200, 404]);
});

test('DEL-07: a delete without a body has no precondition', () => {
  const cluster = withMap();
  cluster.patch(a, { data: { k: '1' } });
  expect([cluster.delete(a).code, cluster.get(a).code]).toEqual([200, 404]);
});

test('DEL-09: an update of a terminating object removes it when no finalizer is left', () => {
  const cluster = withMap({ finalizers: ['x/a', 'x/b'] });
  cluster.delete(a);
  const left = (finalizers: readonly string[]) => {
    cluster.put(a, { metadata: { name: 'a', finalizers } });
    return cluster.get(a).code;
  };
  expect([left(['x/a']), left([])]).toEqual([200, 404]);
});

test('DEL-10: it is removed by an update that changes more as well, with one DELETED event', () => {
  const cluster = withMap({ finalizers: ['x/a'] });
  cluster.delete(a);
  const stream = cluster.watch(`${configMaps}?resourceVersion=${cluster.revision}`);
  expect(cluster.put(a, { metadata: { name: 'a' }, data: { k: 'v' } }).code).toBe(200);
  expect([cluster.get(a).code, told(stream)]).toEqual([404, ['DELETED a']]);
});

test('DEL-12: no update sets, changes or clears a deletionTimestamp', () => {
  const cluster = withMap({ finalizers: ['x/f'] });
  const put = (deletionTimestamp?: string) => {
    cluster.put(a, { metadata: { name: 'a', finalizers: ['x/f'], ...(deletionTimestamp && { deletionTimestamp }) } });
    return cluster.get(a).body.metadata.deletionTimestamp;
  };
  expect(put('2030-01-01T00:00:00Z')).toBeUndefined();
  const { deletionTimestamp } = cluster.delete(a).body.metadata;
  expect([put('2030-01-01T00:00:00Z'), put()]).toEqual([deletionTimestamp, deletionTimestamp]);
});

test('DEL-13: a create drops a deletionTimestamp', () => {
  expect(withMap({ deletionTimestamp: '2026-01-01T00:00:00Z' }).get(a).body.metadata.deletionTimestamp).toBeUndefined();
});

test('DEL-15: deletecollection empties its namespace alone', () => {
  const cluster = withMap();
  cluster.post('/api/v1/namespaces/other/configmaps', { metadata: { name: 'b' } });
  cluster.delete(configMaps);
  expect(names(cluster.get('/api/v1/configmaps').body)).toEqual(['b']);
});

test('DEL-16: deletecollection deletes all, or a page at a time, and answers the list of what it deleted', () => {
  const cluster = new Cluster();
  for (let index = 0; index < 10; index++) cluster.post(configMaps, { metadata: { name: `m${index}` } });
  const deleted = [names(cluster.delete(`${configMaps}?limit=2`).body), names(cluster.delete(configMaps).body)];
  expect(deleted).toEqual([
    ['m0', 'm1'],
    ['m2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9'],
  ]);
  expect(names(cluster.get(configMaps).body)).toEqual([]);
});

test('DEL-18: deletecollection leaves the options that it was given as they were', () => {
  const cluster = withMap();
  const body = { propagationPolicy: 'Background', preconditions: {} };
  const before = structuredClone(body);
  cluster.server.handle({ verb: 'deletecollection', group: '', version: 'v1', resource: 'configmaps', namespace: 'ns', body });
  expect([body, cluster.get(a).code]).toEqual([before, 404]);
});

test('DEL-19: a watch gets a DELETED for every item of a collection', () => {
  const cluster = withMap();
  cluster.post(configMaps, { metadata: { name: 'b' } });
  const stream = cluster.watch(`${configMaps}?resourceVersion=${cluster.revision}`);
  cluster.delete(configMaps);
  expect(told(stream)).toEqual(['DELETED a', 'DELETED b']);
});

test('DEL-21: orphanDependents=false takes an orphan finalizer off', () => {
  expect([after(['orphan'], { orphanDependents: false }), after(['orphan', 'x/f'], { orphanDependents: false })]).toEqual([
    'gone',
    ['x/f'],
  ]);
});

test('DEL-22: without an option an orphan finalizer stays, whatever the default of the kind', () => {
  expect(after(['orphan'])).toEqual(['orphan']);
  const cluster = new Cluster();
  const body = deployment('a');
  cluster.post(deployments, { ...body, metadata: { name: 'a', finalizers: ['orphan'] } });
  expect(cluster.delete(`${deployments}/a`).body.metadata.finalizers).toEqual(['orphan']);
});

test('DEL-24: Foreground puts foregroundDeletion in the place of orphan', () => {
  const foreground = { propagationPolicy: 'Foreground' };
  expect([after([], foreground), after(['orphan'], foreground)]).toEqual([['foregroundDeletion'], ['foregroundDeletion']]);
});

test('DEL-25: Background takes orphan and foregroundDeletion off, and the object goes', () => {
  const background = { propagationPolicy: 'Background' };
  expect([after(['orphan'], background), after(['foregroundDeletion'], background)]).toEqual(['gone', 'gone']);
});

test('DEL-27: without an option foregroundDeletion is kept', () => {
  expect(after(['foregroundDeletion'])).toEqual(['foregroundDeletion']);
});

test('DEL-28: kinds of apps/v1 default to Background; Jobs and ReplicationControllers orphan (the old groups are not served)', () => {
  const cluster = new Cluster();
  cluster.post(deployments, deployment('a'));
  expect([cluster.delete(`${deployments}/a`).code, cluster.get(`${deployments}/a`).code]).toEqual([200, 404]);
  cluster.post(`${core}/replicationcontrollers`, { metadata: { name: 'r' }, spec: { selector: { a: 'b' }, template: podTemplate } });
  expect(cluster.delete(`${core}/replicationcontrollers/r`).body.metadata.finalizers).toEqual(['orphan']);
  expect(cluster.get('/apis/extensions/v1beta1/namespaces/ns/deployments').code).toBe(404);
});

const podTemplate = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** A pod on a node, whose deletes are graceful. */
function withPod(): Cluster {
  const cluster = new Cluster();
  cluster.post(pods, pod('a', { spec: { nodeName: 'n' } }));
  return cluster;
}

test('DEL-30: grace 0 with the right version deletes at once', () => {
  const cluster = withPod();
  cluster.delete(`${pods}/a`, { gracePeriodSeconds: 0, preconditions: { resourceVersion: cluster.revision } });
  expect(cluster.get(`${pods}/a`).code).toBe(404);
});

test('DEL-31: a second delete with grace 0 of an object whose grace is 0 completes', () => {
  const cluster = withPod();
  cluster.patch(`${pods}/a`, { metadata: { finalizers: ['x/f'] } });
  cluster.delete(`${pods}/a`, { gracePeriodSeconds: 0 });
  expect(cluster.get(`${pods}/a`).body.metadata.deletionGracePeriodSeconds).toBe(0);
  expect(cluster.delete(`${pods}/a`, { gracePeriodSeconds: 0 }).code).toBe(200);
  cluster.patch(`${pods}/a`, { metadata: { finalizers: null } });
  expect(cluster.get(`${pods}/a`).code).toBe(404);
});
