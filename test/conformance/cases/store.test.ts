import { expect, test } from 'vitest';
import { Cluster, configMaps, core, deployment, deployments, names, pod, pods, rv, thing, things, withThings } from './cluster.js';

const map = (name: string, data: object = {}) => ({ metadata: { name }, data });

function withMaps(...wanted: readonly string[]): Cluster {
  const cluster = new Cluster();
  for (const name of wanted) cluster.post(configMaps, map(name));
  return cluster;
}

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

test('STO-01: a created object has its name and a resourceVersion', () => {
  const { code, body } = new Cluster().post(configMaps, map('a'));
  expect([code, body.metadata.name, body.metadata.resourceVersion]).toEqual([201, 'a', expect.stringMatching(/^\d+$/)]);
});

test('STO-03: an explicit name that exists is AlreadyExists at once', () => {
  const cluster = withMaps('a');
  expect(cluster.post(configMaps, map('a'))).toMatchObject({ code: 409, body: { reason: 'AlreadyExists' } });
  expect(names(cluster.get(configMaps).body)).toEqual(['a']);
});

test('STO-04: a create that fails leaves the body that was sent as it was', () => {
  const cluster = withMaps('a');
  const body = map('a', { k: 'v' });
  const before = structuredClone(body);
  const request = { verb: 'create', group: '', version: 'v1', resource: 'configmaps', namespace: 'ns', body } as const;
  expect(cluster.server.handle(request).response.code).toBe(409);
  expect(body).toEqual(before);
});

test('STO-06: a generated name begins with its prefix, and the object is found by its labels', () => {
  const cluster = new Cluster();
  const { body } = cluster.post(configMaps, { metadata: { generateName: 'new-test-cm', labels: { app: 'x' } } });
  expect(body.metadata.name).toMatch(/^new-test-cm.{5}$/);
  expect(names(cluster.get(`${configMaps}?labelSelector=app=x`).body)).toEqual([body.metadata.name]);
});

test('STO-07: names from a prefix that is too long all have the greatest length, and differ', () => {
  const cluster = new Cluster();
  const made = Array.from(
    { length: 500 },
    () => cluster.post(configMaps, { metadata: { generateName: 'x'.repeat(100) } }).body.metadata.name,
  );
  expect(new Set(made).size).toBe(500);
  expect(new Set(made.map((name) => name.length))).toEqual(new Set([63]));
});

test('STO-09: eight taken candidates are AlreadyExists', () => {
  const cluster = new Cluster();
  cluster.clockwork.random = () => 0.5;
  const first = cluster.post(configMaps, { metadata: { generateName: 'g-' } });
  expect(first.code).toBe(201);
  const { code, body } = cluster.post(configMaps, { metadata: { generateName: 'g-' } });
  expect([code, body.reason, body.message]).toEqual([
    409,
    'AlreadyExists',
    expect.stringContaining('was not able to generate a unique name'),
  ]);
});

test('STO-10: the name of an object in its grace is taken, and the message says why', () => {
  const cluster = new Cluster();
  cluster.post(pods, pod('a', { spec: { nodeName: 'n' } }));
  cluster.delete(`${pods}/a`, { gracePeriodSeconds: 50 });
  expect(cluster.post(pods, pod('a')).body).toMatchObject({
    reason: 'AlreadyExists',
    message: expect.stringContaining('object is being deleted:'),
  });
});

test('STO-12: PUT without resourceVersion succeeds where the kind allows it', () => {
  const cluster = withMaps('a');
  const before = rv(cluster.get(`${configMaps}/a`));
  const { code, body } = cluster.put(`${configMaps}/a`, map('a', { k: '1' }));
  expect([code, body.metadata.resourceVersion === before]).toEqual([200, false]);
});

test('STO-13: PUT with another resourceVersion is a Conflict and changes nothing', () => {
  const cluster = withMaps('a');
  const before = cluster.get(`${configMaps}/a`).text;
  const stale = { metadata: { name: 'a', resourceVersion: '999999' }, data: { k: '1' } };
  expect(cluster.put(`${configMaps}/a`, stale)).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
  expect(cluster.get(`${configMaps}/a`).text).toBe(before);
});

test('STO-15: PUT to a missing name is NotFound', () => {
  expect(new Cluster().put(`${configMaps}/a`, map('a'))).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
});

test('STO-16: PUT to a missing name with a former uid and version is NotFound', () => {
  const cluster = withMaps('a');
  const { body } = cluster.get(`${configMaps}/a`);
  cluster.delete(`${configMaps}/a`);
  expect(cluster.put(`${configMaps}/a`, body).body.reason).toBe('NotFound');
});

test('STO-18: PUT of the same content writes nothing and answers the whole object', () => {
  const cluster = new Cluster();
  const { body } = cluster.post(configMaps, map('a', { k: 'v' }));
  expect(cluster.put(`${configMaps}/a`, body).body).toEqual(body);
});

test('STO-19: an update to equal data writes nothing, another annotation does', () => {
  const cluster = withMaps('a');
  const before = cluster.revision;
  cluster.put(`${configMaps}/a`, map('a'));
  expect(cluster.revision).toBe(before);
  expect(rv(cluster.patch(`${configMaps}/a`, { metadata: { annotations: { a: '1' } } }))).not.toBe(before);
});

test('STO-24: GET without resourceVersion is the latest state', () => {
  const cluster = withMaps('a');
  cluster.put(`${configMaps}/a`, map('a', { k: '1' }));
  expect(cluster.get(`${configMaps}/a`).body).toMatchObject({ data: { k: '1' }, metadata: { resourceVersion: cluster.revision } });
});

test('STO-25: GET at "0" may be any state that the object has had, none included', () => {
  const cluster = new Cluster();
  const revisions = [Number(cluster.revision)];
  cluster.post(configMaps, map('a', { k: '1' }));
  revisions.push(Number(cluster.revision));
  cluster.put(`${configMaps}/a`, map('a', { k: '2' }));
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
  const { code, body } = withMaps('a').get(`${path}?resourceVersion=999999`);
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
  const cluster = withMaps('a');
  const then = cluster.revision;
  cluster.post(configMaps, map('b'));
  const { body } = cluster.get(`${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact`);
  expect([names(body), body.metadata.resourceVersion]).toEqual([['a'], then]);
});

test('STO-33: LIST with match Exact in the future is "too large"', () => {
  const { body } = withMaps('a').get(`${configMaps}?resourceVersion=999999&resourceVersionMatch=Exact`);
  expect(body.details.causes[0].reason).toBe('ResourceVersionTooLarge');
});

test('STO-34: LIST with an old resourceVersion and NotOlderThan shows the present', () => {
  const cluster = withMaps('a');
  const then = cluster.revision;
  cluster.post(configMaps, map('b'));
  const { body } = cluster.get(`${configMaps}?resourceVersion=${then}&resourceVersionMatch=NotOlderThan`);
  expect([names(body), body.metadata.resourceVersion]).toEqual([['a', 'b'], cluster.revision]);
});

test('STO-36: a token without limit brings the rest, at the revision of the first page', () => {
  const cluster = withMaps('a', 'b', 'c');
  const first = cluster.get(`${configMaps}?limit=1`).body.metadata;
  cluster.post(configMaps, map('d'));
  const { body } = cluster.get(`${configMaps}?continue=${first.continue}`);
  expect([names(body), body.metadata]).toEqual([['b', 'c'], { resourceVersion: first.resourceVersion }]);
});

test('STO-37: the watch cache ignores the limit of a LIST at "0"; etcd, which Events are read from, honours it', () => {
  const cluster = withMaps('a', 'b');
  const { body } = cluster.get(`${configMaps}?limit=1&resourceVersion=0`);
  expect([names(body), body.metadata.continue]).toEqual([['a', 'b'], undefined]);
  for (const name of ['a', 'b']) {
    cluster.post(`${core}/events`, { metadata: { name, namespace: 'ns' }, involvedObject: { namespace: 'ns' } });
  }
  const events = cluster.get(`${core}/events?limit=1&resourceVersion=0`).body;
  expect([names(events), typeof events.metadata.continue]).toEqual([['a'], 'string']);
});

test('STO-39: one item at the end of a thousand comes on the first page, without a token', () => {
  const cluster = withMaps(...Array.from({ length: 1000 }, (_, index) => `m${String(index).padStart(4, '0')}`));
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
  const cluster = withMaps('a');
  expect(names(cluster.get(`${configMaps}?fieldSelector=metadata.namespace=other`).body)).toEqual([]);
});

test('STO-45: LIST without resourceVersion is as new as the newest write of any key', () => {
  const cluster = withMaps('a');
  cluster.post(`${core}/secrets`, { metadata: { name: 's' } });
  expect(cluster.get(configMaps).body.metadata.resourceVersion).toBe(cluster.revision);
});

test('STO-46: foo-bar does not come along with foo', () => {
  const cluster = withMaps('foo', 'foo-bar');
  expect(cluster.get(`${configMaps}/foo`).body.metadata.name).toBe('foo');
  expect(names(cluster.get(`${configMaps}?fieldSelector=metadata.name=foo`).body)).toEqual(['foo']);
  cluster.delete(`${configMaps}/foo`);
  expect(names(cluster.get(configMaps).body)).toEqual(['foo-bar']);
});

test('STO-48: pages share one revision, ascend without gaps, and count what remains', () => {
  const cluster = new Cluster();
  for (let index = 0; index < 400; index++) cluster.post(configMaps, map(`m${String(index).padStart(4, '0')}`));
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
  cluster.post(configMaps, map('c'));
  cluster.etcd.compact(cluster.etcd.revision);
  const expired = cluster.get(`${core}/events?limit=1&continue=${first.continue}`);
  expect([expired.code, expired.body.reason]).toEqual([410, 'Expired']);
  const { body } = cluster.get(`${core}/events?continue=${expired.body.metadata.continue}`);
  expect([names(body), Number(body.metadata.resourceVersion) > Number(first.resourceVersion)]).toEqual([['e2'], true]);
});

test('STO-51: what is not there is 404; a method that is not there is 405 with a Status', () => {
  const cluster = new Cluster();
  const codes = ['/apis/none.example.com/v1/x', '/apis/apps/v9/deployments', '/api/v1/nothing'].map((path) => cluster.get(path).code);
  expect(codes).toEqual([404, 404, 404]);
  expect(cluster.post(`${configMaps}/a`, map('a'))).toMatchObject({ code: 405, body: { kind: 'Status', reason: 'MethodNotAllowed' } });
});

test('STO-52: PUT of a body with another name is 400', () => {
  expect(withMaps('a').put(`${configMaps}/a`, map('b')).code).toBe(400);
});

test('STO-54: POST of another apiVersion is 400', () => {
  const { code, body } = new Cluster().post(deployments, { ...deployment('a'), apiVersion: 'apps/v1beta1' });
  expect([code, body.message]).toEqual([400, expect.stringContaining('does not match the expected API version')]);
});

test('STO-55: POST to a built-in kind needs neither apiVersion nor kind', () => {
  expect(new Cluster().post(configMaps, map('a'))).toMatchObject({ code: 201, body: { apiVersion: 'v1', kind: 'ConfigMap' } });
});

test.each(['limit=x', 'labelSelector=a,,b', 'fieldSelector=nonsense', 'timeoutSeconds=x'])('STO-57: LIST with %s is 400', (query) => {
  expect(new Cluster().get(`${configMaps}?${query}`).code).toBe(400);
});

test('STO-58: metadata alone, or a Table, comes for the Accept header that asks for it', () => {
  const cluster = new Cluster();
  cluster.post(configMaps, map('a', { k: 'v' }));
  const as = (kind: string) => cluster.get(`${configMaps}/a`, { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` }).body;
  expect(as('PartialObjectMetadata')).toEqual({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: expect.objectContaining({ name: 'a' }),
  });
  expect(as('Table')).toMatchObject({ kind: 'Table', rows: [{ cells: ['a', 1, expect.anything()] }] });
});

test('STO-60: a custom resource of another kind is Invalid, and the right kind is named', () => {
  const { body } = withThings().post(things, { ...thing('a'), kind: 'Globe' });
  expect([body.reason, body.message]).toEqual(['Invalid', expect.stringContaining('must be Thing')]);
});

test('STO-61: a namespaced custom resource is not created without a namespace', () => {
  expect(withThings().post('/apis/example.com/v1/things', thing('a')).code).toBeGreaterThanOrEqual(400);
});

test('STO-64: discovery shows a new definition with all verbs', () => {
  const { body } = withThings().get('/apis/example.com/v1');
  expect(body.resources).toMatchObject([
    { name: 'things', verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] },
  ]);
});

test('STO-66: dry runs of update, delete and deletecollection leave object and version as they were', () => {
  const cluster = withMaps('a');
  const before = cluster.get(configMaps).text;
  cluster.put(`${configMaps}/a?dryRun=All`, map('a', { k: '1' }));
  cluster.delete(`${configMaps}/a?dryRun=All`);
  cluster.delete(`${configMaps}?dryRun=All`);
  expect(cluster.get(configMaps).text).toBe(before);
});

test('STO-67: fifty merge patches without version all succeed and move the version fifty times', () => {
  const cluster = withMaps('a');
  const before = Number(cluster.revision);
  const codes = Array.from({ length: 50 }, (_, index) => cluster.patch(`${configMaps}/a`, { data: { [`k${index}`]: '1' } }).code);
  expect([new Set(codes), Number(rv(cluster.get(`${configMaps}/a`))) - before]).toEqual([new Set([200]), 50]);
});

test('STO-69: beside single deletes deletecollection succeeds, and a single one ends in success or NotFound', () => {
  const cluster = withMaps('a', 'b');
  expect([cluster.delete(`${configMaps}/a`).code, cluster.delete(configMaps).code, cluster.delete(`${configMaps}/b`).code]).toEqual([
    200, 200, 404,
  ]);
});

test('STO-70: of a PUT and a scale update from one version one succeeds, the other is a Conflict', () => {
  for (const first of ['put', 'scale']) {
    const cluster = new Cluster();
    const { body } = cluster.post(deployments, deployment('a'));
    const scale = cluster.get(`${deployments}/a/scale`).body;
    const put = () => cluster.put(`${deployments}/a`, { ...body, spec: { ...body.spec, replicas: 3 } }).code;
    const rescale = () => cluster.put(`${deployments}/a/scale`, { ...scale, spec: { replicas: 4 } }).code;
    expect(first === 'put' ? [put(), rescale()] : [rescale(), put()]).toEqual([200, 409]);
  }
});

test('STO-72: a Pod has no scale', () => {
  const cluster = new Cluster();
  cluster.post(pods, pod('a'));
  expect(cluster.get(`${pods}/a/scale`).code).toBe(404);
});

test('STO-73: PUT on the main resource keeps the status that is stored', () => {
  const cluster = new Cluster();
  const { body } = cluster.post(pods, pod('a'));
  cluster.patch(`${pods}/a/status`, { status: { message: 'stored' } });
  const { resourceVersion: _, ...metadata } = body.metadata;
  const put = cluster.put(`${pods}/a`, { ...body, metadata: { ...metadata, labels: { l: '1' } }, status: { message: 'sent' } });
  expect(put.body).toMatchObject({ status: { message: 'stored' }, metadata: { labels: { l: '1' } } });
});

test('STO-75: PUT of a status with another version is a Conflict', () => {
  const cluster = new Cluster();
  const { body } = cluster.post(pods, pod('a'));
  expect(cluster.put(`${pods}/a/status`, { ...body, metadata: { ...body.metadata, resourceVersion: '1' } }).code).toBe(409);
});

test('STO-76: a status PUT and a main PUT with the version that the first answers both land, in either order', () => {
  for (const [first, second] of [
    ['', '/status'],
    ['/status', ''],
  ]) {
    const cluster = new Cluster();
    const { body } = cluster.post(pods, pod('a'));
    const both = { ...body, metadata: { ...body.metadata, labels: { l: '1' } }, status: { ...body.status, message: 'm' } };
    const next = cluster.put(`${pods}/a${first}`, both).body.metadata.resourceVersion;
    const last = cluster.put(`${pods}/a${second}`, { ...both, metadata: { ...both.metadata, resourceVersion: next } });
    expect(last.body).toMatchObject({ status: { message: 'm' }, metadata: { labels: { l: '1' } } });
  }
});

test('STO-78: an eviction takes the pod away; without a pod it is NotFound, with another body BadRequest', () => {
  const cluster = new Cluster();
  cluster.post(pods, pod('a'));
  const eviction = (name: string) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
  const evict = (name: string, body: object) => cluster.post(`${pods}/${name}/eviction`, body).code;
  expect([evict('a', pod('a')), evict('a', eviction('a')), evict('a', eviction('a'))]).toEqual([400, 201, 404]);
  expect(cluster.post(`${configMaps}/a/eviction`, eviction('a')).code).toBe(404);
  expect(cluster.get(`${pods}/a`).code).toBe(404);
});
