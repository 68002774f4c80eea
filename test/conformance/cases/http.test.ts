import { expect, test } from 'vitest';
import { Cluster, configMap, configMaps, deployment, deployments, withConfigMaps } from './cluster.js';
import { thing, things, withThings } from './things.js';

test('STO-51: what is not there is 404; a method that is not there is 405 with a Status', () => {
  const cluster = new Cluster();
  const codes = ['/apis/none.example.com/v1/x', '/apis/apps/v9/deployments', '/api/v1/nothing'].map((path) => cluster.get(path).code);
  expect(codes).toEqual([404, 404, 404]);
  expect(cluster.post(`${configMaps}/a`, configMap('a'))).toMatchObject({
    code: 405,
    body: { kind: 'Status', reason: 'MethodNotAllowed' },
  });
});

test('STO-52: PUT of a body with another name is 400', () => {
  expect(withConfigMaps('a').put(`${configMaps}/a`, configMap('b')).code).toBe(400);
});

test('STO-54: POST of another apiVersion is 400', () => {
  const { code, body } = new Cluster().post(deployments, { ...deployment('a'), apiVersion: 'apps/v1beta1' });
  expect([code, body.message]).toEqual([400, expect.stringContaining('does not match the expected API version')]);
});

test('STO-55: POST to a built-in kind needs neither apiVersion nor kind', () => {
  expect(new Cluster().post(configMaps, configMap('a'))).toMatchObject({ code: 201, body: { apiVersion: 'v1', kind: 'ConfigMap' } });
});

test.each(['limit=x', 'labelSelector=a,,b', 'fieldSelector=nonsense', 'timeoutSeconds=x'])('STO-57: LIST with %s is 400', (query) => {
  expect(new Cluster().get(`${configMaps}?${query}`).code).toBe(400);
});

test('STO-58: metadata alone, or a Table, comes for the Accept header that asks for it', () => {
  const cluster = new Cluster();
  cluster.post(configMaps, configMap('a', { k: 'v' }));
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
