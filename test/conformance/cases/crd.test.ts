import { expect, test } from 'vitest';
import { Cluster, type Json, names, rv } from './cluster.js';
import {
  anything,
  beta,
  causes,
  change,
  crd,
  definition,
  definitions,
  integer,
  object,
  thing,
  things,
  version,
  withThings,
  withVersions,
} from './things.js';

const a = `${things}/a`;
const condition = (cluster: Cluster, type: string, plural = 'things') =>
  cluster.get(`${definitions}/${plural}.example.com`).body.status.conditions.find((each: Json) => each.type === type)?.status;

test('CRD-01: a version that is not served is NotFound for everything, while the other works', () => {
  const cluster = withVersions(version('v1', true), version('v1beta1', false, anything, { served: false }));
  cluster.post(things, thing('a'));
  const body = { ...thing('a'), apiVersion: 'example.com/v1beta1' };
  const codes = [
    cluster.get(`${beta}/a`),
    cluster.get(beta),
    cluster.get(`${beta}?watch=1`),
    cluster.post(beta, body),
    cluster.put(`${beta}/a`, body),
  ];
  expect([codes.map(({ code }) => code), cluster.get(a).code]).toEqual([[404, 404, 404, 404, 404], 200]);
});

test('CRD-03: with its definition a kind is gone; made anew it is empty and the old name is free', () => {
  const cluster = withThings();
  cluster.post(things, thing('a'));
  cluster.delete(definition);
  expect([definition, things, a].map((path) => cluster.get(path).code)).toEqual([404, 404, 404]);
  cluster.post(definitions, crd('things', 'Thing'));
  expect([names(cluster.get(things).body), cluster.post(things, thing('a')).code]).toEqual([[], 201]);
});

test('CRD-04: instances of one name in two kinds do not meet', () => {
  const cluster = withThings();
  cluster.post(definitions, crd('globes', 'Globe'));
  const globes = things.replace('things', 'globes');
  cluster.post(things, thing('a'));
  cluster.post(globes, { ...thing('a'), kind: 'Globe' });
  cluster.delete(a);
  expect([cluster.get(a).code, cluster.get(`${globes}/a`).body.kind]).toEqual([404, 'Globe']);
});

test('CRD-06: who claims names in use has them when the other is gone', () => {
  const cluster = withThings();
  cluster.post(definitions, crd('others', 'Thing'));
  expect(condition(cluster, 'NamesAccepted', 'others')).toBe('False');
  cluster.delete(definition);
  expect(condition(cluster, 'NamesAccepted', 'others')).toBe('True');
});

test('CRD-07: the status of a definition can be read and patched', () => {
  const cluster = withThings();
  expect([cluster.get(`${definition}/status`).code, cluster.patch(`${definition}/status`, {}).code]).toEqual([200, 200]);
});

test('CRD-09: instances are created and read while the definition changes', () => {
  const cluster = withThings();
  const codes = Array.from({ length: 10 }, (_, index) => {
    cluster.patch(definition, { spec: { versions: [version('v1', true, { ...anything, description: String(index) })] } });
    return [cluster.post(things, thing(`t${index}`)).code, cluster.get(`${things}/t${index}`).code];
  });
  expect(new Set(codes.flat())).toEqual(new Set([201, 200]));
});

test('CRD-10: storedVersions gains the new storage version at once', () => {
  const cluster = withVersions(version('v1beta1', true));
  const stored = () => cluster.get(definition).body.status.storedVersions;
  expect(stored()).toEqual(['v1beta1']);
  change(cluster, version('v1beta1', false), version('v1beta2', true));
  expect(stored()).toEqual(['v1beta1', 'v1beta2']);
});

test('CRD-12: without conversion an object is the same in both versions but for apiVersion', () => {
  const cluster = withVersions(version('v1', true), version('v1beta1', false));
  const { body } = cluster.post(things, thing('a', { spec: { n: 1 } }));
  const [one, other] = [body, cluster.get(`${beta}/a`).body].map(({ metadata: { managedFields: _, ...metadata }, ...rest }) => ({
    ...rest,
    metadata,
  }));
  expect(other).toEqual({ ...one, apiVersion: 'example.com/v1beta1' });
});

test('CRD-13: a finalizer keeps an instance through a delete with a uid and a second one, and its release removes it', () => {
  const cluster = withThings();
  const { body } = cluster.post(things, thing('a', { metadata: { finalizers: ['x/f'] } }));
  expect(cluster.delete(a, { preconditions: { uid: body.metadata.uid } }).body.metadata.deletionTimestamp).toBeDefined();
  expect([cluster.delete(a).code, cluster.get(a).code]).toEqual([200, 200]);
  cluster.patch(a, { metadata: { finalizers: null } });
  expect(cluster.get(a).code).toBe(404);
});

test('CRD-15: a terminating definition lets nothing be applied anew', () => {
  const cluster = withThings();
  cluster.post(things, thing('a', { metadata: { finalizers: ['x/f'] } }));
  cluster.delete(definition);
  const { code, body } = cluster.apply(`${things}/b`, thing('b'), 'one');
  expect([code, body.message]).toEqual([
    403,
    expect.stringContaining('create not allowed while custom resource definition is terminating'),
  ]);
});

const withStatus = (schema: Json = anything) => withThings(schema, { subresources: { status: {} } });

test('CRD-16: where the status is a subresource a create drops it', () => {
  expect(withStatus().post(things, thing('a', { status: { n: 1 } })).body).not.toHaveProperty('status');
});

test('CRD-18: a status PUT does not mind an invalid spec, but an invalid status', () => {
  const cluster = withStatus(
    object({ spec: object({ num: { ...integer, maximum: 10 } }), status: object({ num: { ...integer, maximum: 10 } }) }),
  );
  const { body } = cluster.post(things, thing('a', { spec: { num: 5 } }));
  const put = (spec: number, status: number) => cluster.put(`${a}/status`, { ...body, spec: { num: spec }, status: { num: status } });
  const bad = put(5, 20);
  expect([bad.code, causes(bad)[0]]).toEqual([422, expect.stringContaining('status.num')]);
  expect(put(20, 5)).toMatchObject({ code: 200, body: { spec: { num: 5 }, status: { num: 5 } } });
});

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

test('CRD-19: a path of replicas outside of .spec is refused', () => {
  const subresources = { scale: { ...scale, specReplicasPath: '.status.replicas' } };
  const refused = new Cluster().post(definitions, crd('things', 'Thing', anything, { subresources }));
  expect([refused.code, causes(refused)[0]]).toEqual([422, expect.stringContaining('specReplicasPath')]);
});

test('CRD-21: replicas beyond 32 bits are refused where there is a scale', () => {
  const cluster = withThings(anything, { subresources: { status: {}, scale } });
  cluster.post(things, thing('a', { spec: { replicas: 1 } }));
  expect(cluster.patch(a, { spec: { replicas: 2_147_483_648 } }).code).toBe(422);
});

test('CRD-22: discovery lists status and scale beside the resource', () => {
  const { body } = withThings(anything, { subresources: { status: {}, scale } }).get('/apis/example.com/v1');
  const verbs = ['get', 'patch', 'update'];
  expect(body.resources).toMatchObject([
    { name: 'things', kind: 'Thing' },
    { name: 'things/status', kind: 'Thing', verbs },
    { name: 'things/scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs },
  ]);
});

test('CRD-24: patches of the status that change nothing leave the version, a second later too', () => {
  const cluster = withStatus();
  cluster.post(things, thing('a'));
  const before = rv(cluster.patch(`${a}/status`, { status: { n: 1 } }));
  cluster.run(1000);
  expect([{}, { status: { n: 1 } }].map((patch) => rv(cluster.patch(`${a}/status`, patch)))).toEqual([before, before]);
});
