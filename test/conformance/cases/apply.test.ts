import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Cluster, configMaps, core, deployment, deployments, type Json, rv } from './cluster.js';
import { crd, definitions, object, thing, things, withThings } from './things.js';

const a = `${configMaps}/a`;
const map = (data: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});
/** `manager operation`, of every entry. */
const managers = ({ body }: { body: Json }) =>
  (body.metadata.managedFields ?? []).map((entry: Json) => `${entry.manager} ${entry.operation}`).sort();
const entryOf = ({ body }: { body: Json }, manager: string) =>
  body.metadata.managedFields?.find((entry: Json) => entry.manager === manager);

test('SSA-01: an apply creates, with an entry for its manager; equal values of another manager are no conflict', () => {
  const cluster = new Cluster();
  const created = cluster.apply(a, map({ k: 'v' }), 'one');
  expect([created.code, entryOf(created, 'one')]).toMatchObject([201, { operation: 'Apply', fieldsV1: { 'f:data': { 'f:k': {} } } }]);
  const shared = cluster.apply(a, map({ k: 'v' }), 'two');
  expect([shared.code, managers(shared)]).toEqual([200, ['one Apply', 'two Apply']]);
});

test('SSA-03: force resolves a conflict and moves the field to the applier', () => {
  const cluster = new Cluster();
  cluster.apply(a, map({ k: '1' }), 'one');
  expect(cluster.apply(a, map({ k: '2' }), 'two').code).toBe(409);
  const forced = cluster.apply(a, map({ k: '2' }), 'two', 'force=true');
  expect([forced.code, forced.body.data, managers(forced)]).toEqual([200, { k: '2' }, ['two Apply']]);
});

test('SSA-04: an apply without a field manager, or with control characters in its name, is Invalid', () => {
  const reasons = [undefined, 'a\nb'].map((manager) => new Cluster().apply(a, map(), manager).body.reason);
  expect(reasons).toEqual(['Invalid', 'Invalid']);
});

test('SSA-06: an apply of another apiVersion than the URL has is 400', () => {
  const cluster = new Cluster();
  expect(cluster.apply(`${deployments}/a`, { ...deployment('a'), apiVersion: 'apps/v1beta1' }, 'one').code).toBe(400);
});

test('SSA-07: an apply without apiVersion and kind is 400', () => {
  expect(new Cluster().apply(a, { metadata: { name: 'a' } }, 'one').code).toBe(400);
});

test('SSA-09: an applied label is tracked', () => {
  const applied = new Cluster().apply(a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { l: '1' } } }, 'one');
  expect(applied.body.metadata.managedFields).toMatchObject([
    { manager: 'one', fieldsV1: { 'f:metadata': { 'f:labels': { 'f:l': {} } } } },
  ]);
});

test('SSA-10: the same apply a second later changes nothing, its time included', () => {
  const cluster = new Cluster();
  const { body } = cluster.apply(a, map({ k: 'v' }), 'one');
  cluster.run(1000);
  expect(cluster.apply(a, map({ k: 'v' }), 'one').body).toEqual(body);
});

test('SSA-12: an update by a new manager that changes nothing leaves everything', () => {
  const cluster = new Cluster();
  const { body } = cluster.apply(a, map({ k: 'v' }), 'one');
  expect(cluster.put(`${a}?fieldManager=two`, body).body).toEqual(body);
});

test.each(['put', 'merge', 'strategic-merge', 'json'])('SSA-13: empty managedFields sent by %s clear them, other fields stay', (how) => {
  for (const managedFields of [[], [{}]]) {
    const cluster = new Cluster();
    const { body } = cluster.apply(a, map({ k: 'v' }), 'one');
    if (how === 'put') cluster.put(a, { ...body, metadata: { ...body.metadata, managedFields } });
    else if (how === 'json') cluster.patch(a, [{ op: 'replace', path: '/metadata/managedFields', value: managedFields }], 'json');
    else cluster.patch(a, { metadata: { managedFields } }, how);
    const after = cluster.get(a).body;
    expect([after.metadata.managedFields, after.data]).toEqual([undefined, { k: 'v' }]);
  }
});

/** A ConfigMap without managedFields. */
function untracked(): Cluster {
  const cluster = new Cluster();
  cluster.post(configMaps, map({ k: 'old' }));
  cluster.patch(a, { metadata: { managedFields: [] } });
  return cluster;
}

test('SSA-15: an untracked object stays so through updates; the first apply conflicts with before-first-apply', () => {
  const cluster = untracked();
  expect(managers(cluster.patch(a, { data: { other: '1' } }))).toEqual([]);
  const { code, body } = cluster.apply(a, map({ k: 'new' }), 'one');
  expect([code, body.message]).toEqual([409, expect.stringContaining('conflict with "before-first-apply" using v1: .data.k')]);
});

test('SSA-16: that apply with force leaves two entries', () => {
  expect(managers(untracked().apply(a, map({ k: 'new' }), 'one', 'force=true'))).toEqual(['before-first-apply Update', 'one Apply']);
});

test('SSA-18: patches by an updater take what they change, in one entry with the later time', () => {
  const cluster = new Cluster();
  cluster.apply(a, map({ mine: '1', taken: '1' }), 'one');
  cluster.patch(`${a}?fieldManager=updater`, { data: { new: '1' } });
  cluster.run(5000);
  const after = cluster.patch(`${a}?fieldManager=updater`, { data: { taken: '2' } });
  expect(managers(after)).toEqual(['one Apply', 'updater Update']);
  expect(entryOf(after, 'one').fieldsV1).toEqual({ 'f:data': { 'f:mine': {} } });
  expect(entryOf(after, 'updater')).toMatchObject({ time: '2026-01-01T00:00:05Z', fieldsV1: { 'f:data': { 'f:new': {}, 'f:taken': {} } } });
});

test('SSA-19: an apply that owns no field has no entry', () => {
  const { body } = new Cluster().apply(a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'one');
  expect(body.metadata).not.toHaveProperty('managedFields');
});

test('SSA-21: a field of two managers stays when one leaves it out, who then owns it no more', () => {
  const cluster = new Cluster();
  for (const manager of ['one', 'two']) cluster.apply(a, map({ k: 'v' }), manager);
  const after = cluster.apply(a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'one');
  expect([after.body.data, managers(after)]).toEqual([{ k: 'v' }, ['two Apply']]);
});

const withContainer = (more: Json, template: Json = {}) =>
  deployment('a', {
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i', ...more }], ...template } },
  });

test('SSA-22: a port that is left out of the applied list is gone', () => {
  const cluster = new Cluster();
  const ports = (...numbers: number[]) => withContainer({ ports: numbers.map((containerPort) => ({ containerPort })) });
  cluster.apply(`${deployments}/a`, ports(80, 443), 'one');
  const { body } = cluster.apply(`${deployments}/a`, ports(80), 'one');
  expect(body.spec.template.spec.containers[0].ports).toEqual([{ containerPort: 80, protocol: 'TCP' }]);
});

test('SSA-24: an empty map applied twice is a write once', () => {
  const cluster = new Cluster();
  const apply = () => rv(cluster.apply(a, map({}, { annotations: {} }), 'one'));
  expect(apply()).toBe(apply());
});

test('SSA-25: leaving out an empty emptyDir is a change', () => {
  const cluster = new Cluster();
  const apply = (volume: Json) => rv(cluster.apply(`${deployments}/a`, withContainer({}, { volumes: [{ name: 'v', ...volume }] }), 'one'));
  expect(apply({ emptyDir: {} })).not.toBe(apply({}));
});

test('SSA-27: an apply with a uid that would create is a Conflict', () => {
  const { code, body } = new Cluster().apply(a, map({}, { uid: 'u' }), 'one');
  expect([code, body.reason]).toEqual([409, 'Conflict']);
});

test('SSA-28: entries with an empty fieldsType fail no write', () => {
  const cluster = new Cluster();
  const managedFields = [{ manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: '', fieldsV1: { 'f:data': {} } }];
  const codes = [
    cluster.post(configMaps, map({}, { managedFields })),
    cluster.put(a, map({ k: '1' }, { managedFields })),
    cluster.patch(a, { metadata: { managedFields }, data: { k: '2' } }),
  ].map(({ code }) => code);
  expect(codes).toEqual([201, 200, 200]);
});

/** Things in v1 and v1beta1, of the same schema. */
function inTwoVersions(): Cluster {
  const cluster = new Cluster();
  const schema = { openAPIV3Schema: object({ spec: object({ n: { type: 'integer' }, m: { type: 'integer' } }) }) };
  const versions = [
    { name: 'v1', served: true, storage: true, schema },
    { name: 'v1beta1', served: true, storage: false, schema },
  ];
  cluster.post(definitions, crd('things', 'Thing', undefined, {}, { versions }));
  return cluster;
}

test('SSA-30: the entry of an applier is moved to the version that it applies next', () => {
  const cluster = inTwoVersions();
  const beta = { ...thing('a', { spec: { n: 1, m: 1 } }), apiVersion: 'example.com/v1beta1' };
  cluster.apply(`${things.replace('v1', 'v1beta1')}/a`, beta, 'one');
  const { body } = cluster.apply(`${things}/a`, thing('a', { spec: { n: 1 } }), 'one');
  expect([body.spec, body.metadata.managedFields]).toMatchObject([{ n: 1 }, [{ manager: 'one', apiVersion: 'example.com/v1' }]]);
  expect(body.spec).not.toHaveProperty('m');
});

test('SSA-31: a time is renewed by a change of what is owned alone; losing a field renews none', () => {
  const cluster = new Cluster();
  cluster.post(`${configMaps}?fieldManager=one`, map({ k: '1' }));
  const time = (manager: string) => entryOf(cluster.get(a), manager)?.time;
  const born = time('one');
  cluster.run(1000);
  cluster.put(`${a}?fieldManager=one`, map({ k: '1' }));
  expect(time('one')).toBe(born);
  cluster.patch(`${a}?fieldManager=one`, { data: { l: '1' } });
  const changed = time('one');
  cluster.run(1000);
  cluster.patch(`${a}?fieldManager=two`, { data: { l: '2' } });
  expect([changed === born, time('one'), time('two') > changed]).toEqual([false, changed, true]);
});

const nested = (nullable: boolean, more: Json = {}) =>
  withThings(object({ spec: object({ field: object({ sub: { type: 'string' } }, { nullable, ...more }) }) }));

test('SSA-33: an applied null is stored where the field is nullable, subfields required or not', () => {
  for (const more of [{}, { required: ['sub'] }]) {
    const { code, body } = nested(true, more).apply(`${things}/a`, thing('a', { spec: { field: null } }), 'one');
    expect([code, body.spec]).toEqual([201, { field: null }]);
  }
});

test('SSA-34: an applied null is refused where the field is not nullable', () => {
  const { code, body } = nested(false).apply(`${things}/a`, thing('a', { spec: { field: null } }), 'one');
  expect([code, body.message]).toEqual([422, expect.stringContaining('must be of type object')]);
});

test('SSA-36: a main apply stores no status, a status apply nothing else', () => {
  const cluster = withThings(undefined, { subresources: { status: {} } });
  const wanted = (n: number) => thing('a', { spec: { n }, status: { n } });
  expect(cluster.apply(`${things}/a`, wanted(1), 'one').body.status).toBeUndefined();
  expect(cluster.apply(`${things}/a/status`, wanted(2), 'two').body).toMatchObject({ spec: { n: 1 }, status: { n: 2 } });
});

test('SSA-37: an apply with a wrong version is a Conflict; without one it succeeds', () => {
  const cluster = new Cluster();
  cluster.apply(a, map({ k: '1' }), 'one');
  expect(cluster.apply(a, map({ k: '2' }, { resourceVersion: '1' }), 'one')).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
  expect(cluster.get(a).body.data).toEqual({ k: '1' });
  expect(cluster.apply(a, map({ k: '2' }), 'one').code).toBe(200);
});

test('SSA-39: an applied deletionTimestamp does not change that of a terminating object', () => {
  const cluster = new Cluster();
  cluster.apply(a, map({}, { finalizers: ['x/f'] }), 'one');
  const { deletionTimestamp } = cluster.delete(a).body.metadata;
  cluster.apply(a, map({}, { finalizers: ['x/f'], deletionTimestamp: '2030-01-01T00:00:00Z' }), 'one', 'force=true');
  expect(cluster.get(a).body.metadata.deletionTimestamp).toBe(deletionTimestamp);
});

test('SSA-40: writes with a field owner all go to its entries', () => {
  const cluster = new Cluster();
  const seen = [
    cluster.post(`${configMaps}?fieldManager=owner`, map({ k: '1' })),
    cluster.patch(`${a}?fieldManager=owner`, { data: { k: '2' } }),
    cluster.put(`${a}?fieldManager=owner`, map({ k: '3' })),
  ];
  expect(seen.map(managers)).toEqual([['owner Update'], ['owner Update'], ['owner Update']]);
});

test.each([
  ['pod', 'pods'],
  ['node', 'nodes'],
  ['endpoints', 'endpoints'],
])('SSA-42: a whole real %s can be applied', (file, plural) => {
  const fixture = parse(readFileSync(new URL(`../data/managed-fields/${file}.yaml`, import.meta.url), 'utf8'));
  const { uid: _, resourceVersion: __, creationTimestamp: ___, selfLink: ____, managedFields: _____, ...metadata } = fixture.metadata;
  const namespaced = plural === 'nodes' ? {} : { namespace: 'ns' };
  const body = { ...fixture, metadata: { ...metadata, ...namespaced } };
  const path = `${plural === 'nodes' ? '/api/v1' : core}/${plural}/${metadata.name}`;
  const { code, text } = new Cluster().apply(path, body, 'one');
  expect(code, text).toBe(201);
});
