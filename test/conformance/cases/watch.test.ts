import { expect, test } from 'vitest';
import { Cluster, configMaps, core, names, pod, pods, rv, told } from './cluster.js';

const a = `${configMaps}/a`;
const post = (cluster: Cluster, name: string, labels: object = {}) => cluster.post(configMaps, { metadata: { name, labels } });
const versions = (stream: { events: readonly { object: { metadata: { resourceVersion: string } } }[] }) =>
  stream.events.map(({ object }) => Number(object.metadata.resourceVersion));

test('WAT-01: create, update and delete are ADDED, MODIFIED and DELETED, each with the version written', () => {
  const cluster = new Cluster();
  const stream = cluster.watch(`${configMaps}?resourceVersion=${rv(cluster.get(configMaps))}`);
  const written = [post(cluster, 'a'), cluster.patch(a, { data: { k: '1' } }), cluster.delete(a)]
    .slice(0, 2)
    .map((reply) => Number(rv(reply)));
  expect([told(stream), versions(stream)]).toEqual([
    ['ADDED a', 'MODIFIED a', 'DELETED a'],
    [...written, Number(cluster.revision)],
  ]);
});

test('WAT-03: an object that leaves a field selector is DELETED with its last matching state and the new version', () => {
  const cluster = new Cluster();
  cluster.post(pods, pod('a'));
  const stream = cluster.watch(`${pods}?fieldSelector=spec.nodeName!=bar&resourceVersion=${cluster.revision}`);
  cluster.post(`${pods}/a/binding`, { metadata: { name: 'a' }, target: { kind: 'Node', name: 'bar' } });
  expect(told(stream)).toEqual(['DELETED a']);
  expect(stream.events[0]?.object).toMatchObject({ metadata: { resourceVersion: cluster.revision } });
  expect(stream.events[0]?.object.spec.nodeName).toBeUndefined();
});

test('WAT-04: unlabelled, relabelled, changed and deleted is DELETED, ADDED, MODIFIED, DELETED', () => {
  const cluster = new Cluster();
  post(cluster, 'a', { select: 'true' });
  const stream = cluster.watch(`${configMaps}?labelSelector=select=true&resourceVersion=${cluster.revision}`);
  for (const patch of [{ metadata: { labels: null } }, { metadata: { labels: { select: 'true' } } }, { data: { k: '1' } }])
    cluster.patch(a, patch);
  cluster.delete(a);
  expect(told(stream)).toEqual(['DELETED a', 'ADDED a', 'MODIFIED a', 'DELETED a']);
});

test('WAT-06: from "0" the present state is ADDED first, then come the changes', () => {
  const cluster = new Cluster();
  post(cluster, 'a');
  const stream = cluster.watch(`${configMaps}?resourceVersion=0`);
  cluster.patch(a, { data: { k: '1' } });
  expect(told(stream)).toEqual(['ADDED a', 'MODIFIED a']);
  expect(cluster.watch(`${configMaps}?resourceVersion=0`).events[0]).toMatchObject({ type: 'ADDED', object: { data: { k: '1' } } });
});

test('WAT-07: from before the kept history a watch is an ERROR with 410; from "0" it works', () => {
  const cluster = new Cluster();
  const start = cluster.revision;
  const event = (name: string) =>
    cluster.post(`${core}/events`, { metadata: { name, namespace: 'ns' }, involvedObject: { namespace: 'ns' } });
  for (const name of ['e1', 'e2', 'e3']) event(name);
  // Compaction is seen by Events alone, which have no watch cache.
  cluster.etcd.compact(cluster.etcd.revision);
  const expired = cluster.watch(`${core}/events?resourceVersion=${start}`);
  expect([told(expired), expired.events[0]?.object.reason, expired.ended]).toEqual([['ERROR 410'], 'Expired', true]);
  expect(told(cluster.watch(`${core}/events?resourceVersion=0`))).toEqual(['ADDED e1', 'ADDED e2', 'ADDED e3']);
});

test('WAT-09: the object of a DELETED event has the version of the delete, as the answer has', () => {
  const cluster = new Cluster();
  cluster.post(pods, pod('a'));
  const before = Number(cluster.revision);
  const stream = cluster.watch(`${pods}?resourceVersion=${cluster.revision}`);
  const answer = Number(rv(cluster.delete(`${pods}/a`)));
  expect([versions(stream).at(-1), answer > before]).toEqual([answer, true]);
});

test('WAT-12: what was delivered before a watch was closed stands in order; nothing comes after', () => {
  const cluster = new Cluster();
  const stream = cluster.watch(`${configMaps}?resourceVersion=${cluster.revision}`);
  for (const name of ['a', 'b']) post(cluster, name);
  stream.close();
  post(cluster, 'c');
  expect([told(stream), stream.ended]).toEqual([['ADDED a', 'ADDED b'], true]);
});

test('WAT-13: a watch that is given up at once brings nothing', () => {
  const cluster = new Cluster();
  const stream = cluster.watch(`${configMaps}?resourceVersion=${cluster.revision}`);
  stream.close();
  post(cluster, 'a');
  expect([told(stream), stream.ended]).toEqual([[], true]);
});

test('WAT-15: bookmarks come only to who asked for them, and though nothing matched', () => {
  const cluster = new Cluster();
  const watch = (query: string) => cluster.watch(`${configMaps}?labelSelector=no=match&resourceVersion=${cluster.revision}${query}`);
  const [without, with_] = [watch(''), watch('&allowWatchBookmarks=true')];
  post(cluster, 'a');
  cluster.run(61_000);
  expect([told(without), told(with_)]).toEqual([[], ['BOOKMARK']]);
});

test('WAT-16: a BOOKMARK has the watched kind and only a version, with the annotation at the end of the initial events', () => {
  const cluster = new Cluster();
  const stream = cluster.watch(`${configMaps}?allowWatchBookmarks=true`);
  post(cluster, 'a');
  cluster.run(61_000);
  const marks = stream.events.filter(({ type }) => type === 'BOOKMARK').map(({ object }) => object);
  const bookmark = (metadata: object) => ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { resourceVersion: expect.any(String), ...metadata },
  });
  expect(marks).toEqual([bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } }), bookmark({})]);
});

const streaming = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

test('WAT-18: without bookmarks a streaming list has its ADDED events and no mark of their end', () => {
  const cluster = new Cluster();
  post(cluster, 'a');
  const stream = cluster.watch(`${configMaps}?${streaming}`);
  post(cluster, 'b');
  expect(told(stream)).toEqual(['ADDED a', 'ADDED b']);
});

test('WAT-19: with sendInitialEvents=false there are live events only', () => {
  for (const version of ['', '&resourceVersion=0', '&resourceVersion=now']) {
    const cluster = new Cluster();
    post(cluster, 'a');
    const stream = cluster.watch(
      `${configMaps}?sendInitialEvents=false&resourceVersionMatch=NotOlderThan${version.replace('now', cluster.revision)}`,
    );
    post(cluster, 'b');
    expect(told(stream)).toEqual(['ADDED b']);
  }
});

test('WAT-21: the version of the end bookmark is the global one, writes elsewhere included', () => {
  const cluster = new Cluster();
  post(cluster, 'a');
  cluster.post('/api/v1/namespaces/other/configmaps', { metadata: { name: 'later' } });
  const stream = cluster.watch(`${configMaps}?${streaming}&allowWatchBookmarks=true`);
  expect([told(stream), versions(stream).at(-1)]).toEqual([['ADDED a', 'BOOKMARK'], Number(cluster.revision)]);
});

test('WAT-22: a streaming list of one name has one ADDED, then the end bookmark', () => {
  const cluster = new Cluster();
  for (const name of ['pod-1', 'pod-2']) cluster.post(pods, pod(name));
  expect(told(cluster.watch(`${pods}?${streaming}&allowWatchBookmarks=true&fieldSelector=metadata.name=pod-1`))).toEqual([
    'ADDED pod-1',
    'BOOKMARK',
  ]);
});

test('WAT-24: a watch in one namespace with a selector for another brings nothing', () => {
  const cluster = new Cluster();
  post(cluster, 'a');
  const stream = cluster.watch(`${configMaps}?fieldSelector=metadata.namespace=other`);
  post(cluster, 'b');
  expect([told(stream), stream.ended]).toEqual([[], false]);
});

test('WAT-25: options of a watch that do not fit each other are Forbidden, on the option', () => {
  const ask = (query: string) => {
    const { code, events } = new Cluster().watch(`${configMaps}?resourceVersion=1&${query}`);
    return [code, ...(events[0]?.object?.details?.causes ?? []).map(({ field }: { field: string }) => field)];
  };
  expect(ask('sendInitialEvents=true')).toEqual([422, 'resourceVersionMatch']);
  expect(ask('sendInitialEvents=true&resourceVersionMatch=Exact').slice(0, 2)).toEqual([422, 'resourceVersionMatch']);
  expect(ask('resourceVersionMatch=NotOlderThan')).toEqual([422, 'resourceVersionMatch']);
  for (const bookmarks of ['true', 'false']) expect(ask(`${streaming}&allowWatchBookmarks=${bookmarks}`)[0]).toBe(200);
});

test('WAT-27: the first event of a watch is above its version', () => {
  const cluster = new Cluster();
  for (const name of ['a', 'b', 'c']) post(cluster, name);
  const start = Number(rv(cluster.get(a)));
  const stream = cluster.watch(`${configMaps}?resourceVersion=${start}`);
  post(cluster, 'd');
  expect([told(stream), versions(stream).every((version) => version > start)]).toEqual([['ADDED b', 'ADDED c', 'ADDED d'], true]);
});

test('WAT-28: the same events come with all mixtures of options; the end bookmark only where both ask for it', () => {
  const cluster = new Cluster();
  for (const name of ['a', 'b', 'c']) post(cluster, name);
  const seen = ['true', 'false'].flatMap((bookmarks) =>
    ['', `&${streaming}`].map((initial) =>
      told(cluster.watch(`${configMaps}?resourceVersion=1&allowWatchBookmarks=${bookmarks}${initial}`)),
    ),
  );
  const added = ['ADDED a', 'ADDED b', 'ADDED c'];
  expect(seen).toEqual([added, [...added, 'BOOKMARK'], added, added]);
});

test('WAT-30: a new cache is Expired below its first version and silent from there on', () => {
  const cluster = new Cluster();
  post(cluster, 'a');
  cluster.server.watches.restart();
  const start = Number(cluster.revision);
  expect(told(cluster.watch(`${configMaps}?resourceVersion=${start - 1}`))).toEqual(['ERROR 410']);
  for (const version of [start, start + 1]) {
    const stream = cluster.watch(`${configMaps}?resourceVersion=${version}`);
    expect([told(stream), stream.ended]).toEqual([[], false]);
  }
});

test('WAT-31: a cache that begins anew ends its watches; one from the last version sees nothing twice', () => {
  const cluster = new Cluster();
  const stream = cluster.watch(`${configMaps}?resourceVersion=${cluster.revision}`);
  post(cluster, 'a');
  const { resourceVersion } = cluster.get(configMaps).body.metadata;
  for (const { watch, ended } of cluster.server.watches.restart()) expect([watch, ended]).toEqual([expect.any(Number), true]);
  post(cluster, 'b');
  const again = cluster.watch(`${configMaps}?resourceVersion=${resourceVersion}`);
  expect([told(stream)[0], told(again)]).toEqual(['ADDED a', ['ADDED b']]);
});

test('WAT-33: from the version of one update only what came later is told', () => {
  const cluster = new Cluster();
  post(cluster, 'a');
  const first = rv(cluster.patch(a, { data: { k: '1' } }));
  cluster.patch(a, { data: { k: '2' } });
  cluster.delete(a);
  const stream = cluster.watch(`${configMaps}?resourceVersion=${first}`);
  expect([told(stream), stream.events[0]?.object.data]).toEqual([['MODIFIED a', 'DELETED a'], { k: '2' }]);
});

test('WAT-34: a watch that is opened again from the last version goes on without loss or repetition', () => {
  const cluster = new Cluster();
  const first = cluster.watch(`${configMaps}?resourceVersion=${cluster.revision}`);
  for (const name of ['a', 'b']) post(cluster, name);
  first.close();
  cluster.patch(a, { data: { k: '1' } });
  const second = cluster.watch(`${configMaps}?resourceVersion=${versions(first).at(-1)}`);
  cluster.delete(a);
  expect([told(first), told(second)]).toEqual([
    ['ADDED a', 'ADDED b'],
    ['MODIFIED a', 'DELETED a'],
  ]);
});

test('WAT-10: what has a time to live is DELETED when it lapses, in its last state', () => {
  const cluster = new Cluster();
  const events = `${core}/events`;
  cluster.post(events, { metadata: { name: 'e', namespace: 'ns' }, involvedObject: { namespace: 'ns' }, message: 'first' });
  cluster.clockwork.run(1_800_000);
  cluster.patch(`${events}/e`, { message: 'second' });
  const stream = cluster.watch(`${events}?resourceVersion=${cluster.revision}&timeoutSeconds=7200`);
  cluster.clockwork.run(3_590_000);
  expect([told(stream), cluster.get(`${events}/e`).code]).toEqual([[], 200]);
  cluster.clockwork.run(70_000);
  expect([told(stream), cluster.get(`${events}/e`).code]).toEqual([['DELETED e'], 404]);
  expect(stream.events[0]?.object).toMatchObject({ message: 'second', metadata: { resourceVersion: cluster.revision } });
});

test('WAT-36: watches from every version see one sequence of versions', () => {
  const cluster = new Cluster();
  const start = Number(cluster.revision);
  const all = cluster.watch(`${configMaps}?resourceVersion=${start}`);
  const others = Array.from({ length: 20 }, (_, index) => {
    post(cluster, `m${index}`);
    if (index % 3 === 0) cluster.delete(`${configMaps}/m${index}`);
    const from = Number(cluster.revision);
    return { from, stream: cluster.watch(`${configMaps}?resourceVersion=${from}`) };
  });
  cluster.patch(`${configMaps}/m1`, { data: { k: '1' } });
  for (const { from, stream } of others) expect(versions(stream)).toEqual(versions(all).filter((version) => version > from));
});

test('WAT-37: a watch on Services tells of a new one', () => {
  const cluster = new Cluster();
  const stream = cluster.watch(`${core}/services`);
  cluster.post(`${core}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
  expect(told(stream)).toEqual(['ADDED s']);
});

test('WAT-39: a watch by name tells of that object alone, in one namespace and in all', () => {
  const cluster = new Cluster();
  const streams = [configMaps, '/api/v1/configmaps'].map((path) => cluster.watch(`${path}?fieldSelector=metadata.name=b`));
  for (const name of ['a', 'b']) post(cluster, name);
  expect(streams.map(told)).toEqual([['ADDED b'], ['ADDED b']]);
  expect(names(cluster.get(configMaps).body)).toEqual(['a', 'b']);
});
