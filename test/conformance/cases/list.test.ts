import { expect, test } from 'vitest';
import { Cluster, configMap, configMaps, core, names, withConfigMaps } from './cluster.js';

/** The pages of a list, each with its body. */
function pagesOf(cluster: Cluster, path: string, limit: number) {
  const pages = [];
  for (let token: string | undefined = ''; token !== undefined; ) {
    const { body } = cluster.get(`${path}?limit=${limit}${token === '' ? '' : `&continue=${token}`}`);
    pages.push(body);
    token = body.metadata.continue;
  }
  return pages;
}

test('STO-24: GET without resourceVersion is the latest state', () => {
  const cluster = withConfigMaps('a');
  cluster.put(`${configMaps}/a`, configMap('a', { k: '1' }));
  expect(cluster.get(`${configMaps}/a`).body).toMatchObject({ data: { k: '1' }, metadata: { resourceVersion: cluster.revision } });
});

test('STO-25: GET at "0" may be any state that the object has had, none included', () => {
  const cluster = new Cluster();
  const revisions = [Number(cluster.revision)];
  cluster.post(configMaps, configMap('a', { k: '1' }));
  revisions.push(Number(cluster.revision));
  cluster.put(`${configMaps}/a`, configMap('a', { k: '2' }));
  revisions.push(Number(cluster.revision));
  const request = {
    verb: 'get',
    group: '',
    version: 'v1',
    resource: 'configmaps',
    namespace: 'ns',
    name: 'a',
    query: { resourceVersion: '0' },
  } as const;
  const seen = revisions.map((cacheRevision) => cluster.server.handle(request, { cacheRevision }).response);
  expect(seen).toMatchObject([{ code: 404 }, { body: { data: { k: '1' } } }, { body: { data: { k: '2' } } }]);
});

test.each([`${configMaps}/a`, configMaps])('STO-27: a resourceVersion far ahead is "too large", not an empty answer (%s)', (path) => {
  const { code, body } = withConfigMaps('a').get(`${path}?resourceVersion=999999`);
  expect([code, body.reason, body.details.causes[0].reason]).toEqual([504, 'Timeout', 'ResourceVersionTooLarge']);
});

test('STO-28: LIST at a resourceVersion that is no number is refused', () => {
  const { code, body } = new Cluster().get(`${configMaps}?resourceVersion=abc`);
  expect([code, body.message]).toEqual([400, expect.stringContaining('invalid resource version')]);
});

test.each([
  ['resourceVersion=0&resourceVersionMatch=Exact', 'resourceVersionMatch'],
  ['resourceVersion=5&resourceVersionMatch=Newest', 'resourceVersionMatch'],
  ['sendInitialEvents=true', 'sendInitialEvents'],
])('STO-30: LIST with %s is Invalid', (query, option) => {
  const { code, body } = new Cluster().get(`${configMaps}?${query}`);
  expect([code, body.reason, body.details.causes[0].field]).toEqual([422, 'Invalid', option]);
});

test('STO-31: LIST with match Exact shows the items as of that revision, under it', () => {
  const cluster = withConfigMaps('a');
  const then = cluster.revision;
  cluster.post(configMaps, configMap('b'));
  const { body } = cluster.get(`${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact`);
  expect([names(body), body.metadata.resourceVersion]).toEqual([['a'], then]);
});

test('STO-33: LIST with match Exact in the future is "too large"', () => {
  const { body } = withConfigMaps('a').get(`${configMaps}?resourceVersion=999999&resourceVersionMatch=Exact`);
  expect(body.details.causes[0].reason).toBe('ResourceVersionTooLarge');
});

test('STO-34: LIST with an old resourceVersion and NotOlderThan shows the present', () => {
  const cluster = withConfigMaps('a');
  const then = cluster.revision;
  cluster.post(configMaps, configMap('b'));
  const { body } = cluster.get(`${configMaps}?resourceVersion=${then}&resourceVersionMatch=NotOlderThan`);
  expect([names(body), body.metadata.resourceVersion]).toEqual([['a', 'b'], cluster.revision]);
});

test('STO-36: a token without limit brings the rest, at the revision of the first page', () => {
  const cluster = withConfigMaps('a', 'b', 'c');
  const first = cluster.get(`${configMaps}?limit=1`).body.metadata;
  cluster.post(configMaps, configMap('d'));
  const { body } = cluster.get(`${configMaps}?continue=${first.continue}`);
  expect([names(body), body.metadata]).toEqual([['b', 'c'], { resourceVersion: first.resourceVersion }]);
});

test('STO-37: the watch cache ignores the limit of a LIST at "0"; etcd, which Events are read from, honours it', () => {
  const cluster = withConfigMaps('a', 'b');
  const { body } = cluster.get(`${configMaps}?limit=1&resourceVersion=0`);
  expect([names(body), body.metadata.continue]).toEqual([['a', 'b'], undefined]);
  for (const name of ['a', 'b']) {
    cluster.post(`${core}/events`, { metadata: { name, namespace: 'ns' }, involvedObject: { namespace: 'ns' } });
  }
  const events = cluster.get(`${core}/events?limit=1&resourceVersion=0`).body;
  expect([names(events), typeof events.metadata.continue]).toEqual([['a'], 'string']);
});

test('STO-39: one item at the end of a thousand comes on the first page, without a token', () => {
  const cluster = withConfigMaps(...Array.from({ length: 1000 }, (_, index) => `m${String(index).padStart(4, '0')}`));
  const { body } = cluster.get(`${configMaps}?limit=1&fieldSelector=metadata.name=m0999`);
  expect([names(body), body.metadata.continue]).toEqual([['m0999'], undefined]);
});

test('STO-40: a negative version and tokens without key or version are refused', () => {
  const token = (fields: object) => Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', ...fields })).toString('base64url');
  const queries = ['resourceVersion=-1', `continue=${token({ rv: 5, start: '' })}`, `continue=${token({ rv: 0, start: '/a' })}`];
  expect(queries.map((query) => new Cluster().get(`${configMaps}?${query}`).code)).toEqual([400, 400, 400]);
});

test('STO-42: a LIST over namespaces goes by namespace, then name, page by page (the rule is bytewise by "namespace/name")', () => {
  const cluster = new Cluster();
  for (const [namespace, name] of [
    ['other', 'a'],
    ['ns', 'b'],
    ['ns', 'a'],
    ['other', 'b'],
  ]) {
    cluster.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name } });
  }
  const seen = pagesOf(cluster, '/api/v1/configmaps', 1).flatMap(({ items }) => items);
  expect(seen.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(['ns/a', 'ns/b', 'other/a', 'other/b']);
});

test('STO-43: LIST in one namespace with a selector for another is empty', () => {
  const cluster = withConfigMaps('a');
  expect(names(cluster.get(`${configMaps}?fieldSelector=metadata.namespace=other`).body)).toEqual([]);
});

test('STO-45: LIST without resourceVersion is as new as the newest write of any key', () => {
  const cluster = withConfigMaps('a');
  cluster.post(`${core}/secrets`, { metadata: { name: 's' } });
  expect(cluster.get(configMaps).body.metadata.resourceVersion).toBe(cluster.revision);
});

test('STO-46: foo-bar does not come along with foo', () => {
  const cluster = withConfigMaps('foo', 'foo-bar');
  expect(cluster.get(`${configMaps}/foo`).body.metadata.name).toBe('foo');
  expect(names(cluster.get(`${configMaps}?fieldSelector=metadata.name=foo`).body)).toEqual(['foo']);
  cluster.delete(`${configMaps}/foo`);
  expect(names(cluster.get(configMaps).body)).toEqual(['foo-bar']);
});

test('STO-48: pages share one revision, ascend without gaps, and count what remains', () => {
  const cluster = new Cluster();
  for (let index = 0; index < 400; index++) cluster.post(configMaps, configMap(`m${String(index).padStart(4, '0')}`));
  const pages = pagesOf(cluster, configMaps, 17);
  expect(new Set(pages.map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
  const seen = pages.flatMap(names);
  expect([seen.length, seen]).toEqual([400, [...seen].sort()]);
  const remaining = pages.map((_page, index) => (index === pages.length - 1 ? undefined : 400 - 17 * (index + 1)));
  expect(pages.map(({ metadata }) => metadata.remainingItemCount)).toEqual(remaining);
});

test('STO-49: an expired token is 410 with a fresh one, which goes on from the next key under a newer revision', () => {
  // Of other kinds the watch cache still has the pages that etcd has compacted.
  const cluster = new Cluster();
  for (const name of ['e1', 'e2'])
    cluster.post(`${core}/events`, { metadata: { name, namespace: 'ns' }, involvedObject: { namespace: 'ns' } });
  const first = cluster.get(`${core}/events?limit=1`).body.metadata;
  cluster.post(configMaps, configMap('c'));
  cluster.etcd.compact(cluster.etcd.revision);
  const expired = cluster.get(`${core}/events?limit=1&continue=${first.continue}`);
  expect([expired.code, expired.body.reason]).toEqual([410, 'Expired']);
  const { body } = cluster.get(`${core}/events?continue=${expired.body.metadata.continue}`);
  expect([names(body), Number(body.metadata.resourceVersion) > Number(first.resourceVersion)]).toEqual([['e2'], true]);
});
