import { expect, test } from 'vitest';
import { Cluster, configMap, configMaps, core, deployment, deployments, names, pod, pods, rv, withConfigMaps } from './cluster.js';

test('STO-01: a created object has its name and a resourceVersion', () => {
  const { code, body } = new Cluster().post(configMaps, configMap('a'));
  expect([code, body.metadata.name, body.metadata.resourceVersion]).toEqual([201, 'a', expect.stringMatching(/^\d+$/)]);
});

test('STO-03: an explicit name that exists is AlreadyExists at once', () => {
  const cluster = withConfigMaps('a');
  expect(cluster.post(configMaps, configMap('a'))).toMatchObject({ code: 409, body: { reason: 'AlreadyExists' } });
  expect(names(cluster.get(configMaps).body)).toEqual(['a']);
});

test('STO-04: a create that fails leaves the body that was sent as it was', () => {
  const cluster = withConfigMaps('a');
  const body = configMap('a', { k: 'v' });
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
  const cluster = withConfigMaps('a');
  const before = rv(cluster.get(`${configMaps}/a`));
  const { code, body } = cluster.put(`${configMaps}/a`, configMap('a', { k: '1' }));
  expect([code, body.metadata.resourceVersion === before]).toEqual([200, false]);
});

test('STO-13: PUT with another resourceVersion is a Conflict and changes nothing', () => {
  const cluster = withConfigMaps('a');
  const before = cluster.get(`${configMaps}/a`).text;
  const stale = { metadata: { name: 'a', resourceVersion: '999999' }, data: { k: '1' } };
  expect(cluster.put(`${configMaps}/a`, stale)).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
  expect(cluster.get(`${configMaps}/a`).text).toBe(before);
});

test('STO-15: PUT to a missing name is NotFound, also where admission denies every write', () => {
  const cluster = new Cluster();
  const admission = '/apis/admissionregistration.k8s.io/v1';
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];
  const spec = { matchConstraints: { resourceRules }, validations: [{ expression: 'false' }] };
  cluster.post(`${admission}/validatingadmissionpolicies`, { metadata: { name: 'no' }, spec });
  const binding = { metadata: { name: 'no' }, spec: { policyName: 'no', validationActions: ['Deny'] } };
  cluster.post(`${admission}/validatingadmissionpolicybindings`, binding);
  expect(cluster.post(configMaps, configMap('a')).body.reason).toBe('Invalid');
  expect(cluster.put(`${configMaps}/a`, configMap('a'))).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
});

test('STO-16: PUT to a missing name with a former uid and version is NotFound', () => {
  const cluster = withConfigMaps('a');
  const { body } = cluster.get(`${configMaps}/a`);
  cluster.delete(`${configMaps}/a`);
  expect(cluster.put(`${configMaps}/a`, body).body.reason).toBe('NotFound');
});

test('STO-18: PUT of the same content writes nothing and answers the whole object', () => {
  const cluster = new Cluster();
  const { body } = cluster.post(configMaps, configMap('a', { k: 'v' }));
  expect(cluster.put(`${configMaps}/a`, body).body).toEqual(body);
});

test('STO-19: an update to equal data writes nothing, another annotation does', () => {
  const cluster = withConfigMaps('a');
  const before = cluster.revision;
  cluster.put(`${configMaps}/a`, configMap('a'));
  expect(cluster.revision).toBe(before);
  expect(rv(cluster.patch(`${configMaps}/a`, { metadata: { annotations: { a: '1' } } }))).not.toBe(before);
});

test('STO-66: dry runs of update, delete and deletecollection leave object and version as they were', () => {
  const cluster = withConfigMaps('a');
  const before = cluster.get(configMaps).text;
  cluster.put(`${configMaps}/a?dryRun=All`, configMap('a', { k: '1' }));
  cluster.delete(`${configMaps}/a?dryRun=All`);
  cluster.delete(`${configMaps}?dryRun=All`);
  expect(cluster.get(configMaps).text).toBe(before);
});

test('STO-67: fifty merge patches without version all succeed and move the version fifty times', () => {
  const cluster = withConfigMaps('a');
  const before = Number(cluster.revision);
  const codes = Array.from({ length: 50 }, (_, index) => cluster.patch(`${configMaps}/a`, { data: { [`k${index}`]: '1' } }).code);
  expect([new Set(codes), Number(rv(cluster.get(`${configMaps}/a`))) - before]).toEqual([new Set([200]), 50]);
});

test('STO-69: beside single deletes deletecollection succeeds, and a single one ends in success or NotFound', () => {
  const cluster = withConfigMaps('a', 'b');
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

test('STO-79: a token of a service account comes with its end in the status; without the account it is NotFound', () => {
  const cluster = new Cluster();
  cluster.post(`${core}/serviceaccounts`, { metadata: { name: 'a' } });
  const ask = (name: string) =>
    cluster.post(`${core}/serviceaccounts/${name}/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
  expect(ask('a')).toMatchObject({
    code: 201,
    body: { status: { token: expect.any(String), expirationTimestamp: '2026-01-01T01:00:00Z' } },
  });
  expect(ask('missing')).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
});
