import { expect, test } from 'vitest';
import {
  ApiError,
  ConnectionLost,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNoMatchError,
  isNotFound,
} from '../../../src/sim/runtime/api-errors.js';
import { ConfigMap, Deployment, Pod } from '../../../src/sim/runtime/built-in-kinds.js';
import { LiveClient } from '../../../src/sim/runtime/client.js';
import { rateLimited } from '../../../src/sim/runtime/client-rate-limit.js';
import { defineKind } from '../../../src/sim/runtime/kind.js';
import { type Manager, startManager } from '../../../src/sim/runtime/manager.js';
import { mergeFrom, rawPatch } from '../../../src/sim/runtime/patch-builder.js';
import { RunawayGuard } from '../../../src/sim/runtime/runaway.js';
import { Scheme } from '../../../src/sim/runtime/scheme.js';
import { Memcached, memcached, prepare } from './memcached.js';
import { ServedHost } from './served-host.js';

async function liveClient() {
  const host = new ServedHost();
  await prepare(host);
  return { host, client: new LiveClient(host, new Scheme([Memcached]), new RunawayGuard(() => host.nowMs()), 'test') };
}

/** Lets time pass until the call is over. */
async function over<T>(host: ServedHost, call: Promise<T>): Promise<T> {
  call.catch(() => undefined);
  await host.advance(1000);
  return call;
}

function configMap(name: string, data: Record<string, string>): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ns', name }, data };
}

test('a write puts the answer into the object that was passed, and returns it', async () => {
  const { host, client } = await liveClient();
  const object = configMap('c', { a: '1' });
  const returned = await over(host, client.create(object));
  expect(returned).toBe(object);
  expect(object.metadata.uid).toBeTruthy();
  const before = object.metadata.resourceVersion;
  object.data = { a: '2' };
  await over(host, client.update(object));
  expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(before));
});

test('a write that fails leaves the object as it was', async () => {
  const { host, client } = await liveClient();
  await over(host, client.create(configMap('c', {})));
  const again = configMap('c', { a: '1' });
  const error = await over(host, client.create(again)).catch((failure) => failure);
  expect(isAlreadyExists(error)).toBe(true);
  expect(again).toEqual(configMap('c', { a: '1' }));
});

test('a frozen object is left alone: the answer is returned', async () => {
  const { host, client } = await liveClient();
  const object = Object.freeze(configMap('c', {}));
  const returned = await over(host, client.create(object));
  expect(returned.metadata.uid).toBeTruthy();
  expect(object.metadata.uid).toBeUndefined();
});

test('what the program changes after the call does not reach the server', async () => {
  const { host, client } = await liveClient();
  const object = configMap('c', { a: '1' });
  const call = client.create(object);
  object.data = { a: 'changed too late' };
  await over(host, call);
  expect(host.stored('configmaps')[0]?.data).toEqual({ a: '1' });
});

test('an answer belongs to the program: changing it does not change the stored object', async () => {
  const { host, client } = await liveClient();
  const object = configMap('c', { a: '1' });
  await over(host, client.create(object));
  (object.data as Record<string, string>).a = '2';
  object.metadata.labels = { x: 'y' };
  expect(host.stored('configmaps')[0]).toMatchObject({ data: { a: '1' } });
});

test('an update with an old resourceVersion is a conflict, without one it is unconditional', async () => {
  const { host, client } = await liveClient();
  const object = configMap('c', {});
  await over(host, client.create(object));
  const stale = { ...object, metadata: { ...object.metadata } };
  object.data = { a: '1' };
  await over(host, client.update(object));
  expect(isConflict(await over(host, client.update(stale)).catch((error) => error))).toBe(true);
  const blind = configMap('c', { b: '2' });
  await over(host, client.update(blind));
  expect(host.stored('configmaps')[0]?.data).toEqual({ b: '2' });
});

test('a merge patch holds the difference alone; the lock adds the resourceVersion', async () => {
  const base = configMap('c', { a: '1', b: '2' });
  base.metadata = { ...base.metadata, resourceVersion: '5', finalizers: ['x/one'], labels: { app: 'x' } };
  const changed = { ...base, metadata: { ...base.metadata, finalizers: [] }, data: { a: '9' } };
  expect(mergeFrom(base).data(changed)).toEqual({ metadata: { finalizers: null }, data: { a: '9', b: null } });
  expect(mergeFrom(base).data(base)).toEqual({});
  expect(mergeFrom(base, { optimisticLock: true }).data(base)).toEqual({ metadata: { resourceVersion: '5' } });
  const without = configMap('c', {});
  expect(() => mergeFrom(without, { optimisticLock: true }).data(without)).toThrow(
    'cannot use OptimisticLock, object ns/c does not have any resource version',
  );
});

test('the base of a patch is copied when the patch is made', () => {
  const object = configMap('c', { a: '1' });
  const patch = mergeFrom(object);
  object.data = { a: '2' };
  expect(patch.data(object)).toEqual({ data: { a: '2' } });
});

test('keys such as __proto__ are ordinary keys of a patch', () => {
  const base = configMap('c', {});
  const changed = configMap('c', JSON.parse('{"__proto__": "x"}'));
  expect(JSON.stringify(mergeFrom(base).data(changed))).toBe('{"data":{"__proto__":"x"}}');
});

test('status is written on its own endpoint, and only there', async () => {
  const { host, client } = await liveClient();
  const object = memcached('a', 1);
  await over(host, client.create(object));
  const base = structuredClone(object);
  object.status = { nodes: ['one'] };
  object.spec.size = 7;
  await over(host, client.status().patch(object, mergeFrom(base)));
  expect(host.stored('memcacheds.cache.example.com')[0]).toMatchObject({ spec: { size: 1 }, status: { nodes: ['one'] } });
  object.status = { nodes: ['two'] };
  await over(host, client.update(object));
  expect(host.stored('memcacheds.cache.example.com')[0]).toMatchObject({ status: { nodes: ['one'] } });
  await over(host, client.status().update({ ...object, status: { nodes: ['three'] } }));
  expect(host.stored('memcacheds.cache.example.com')[0]).toMatchObject({ status: { nodes: ['three'] } });
});

test('patches of other types go as they stand', async () => {
  const { host, client } = await liveClient();
  const object = configMap('c', { a: '1' });
  await over(host, client.create(object));
  await over(host, client.patch(object, rawPatch('json', [{ op: 'add', path: '/data/b', value: '2' }])));
  expect(object.data).toEqual({ a: '1', b: '2' });
  await over(host, client.patch(object, rawPatch('merge', { data: { a: null } })));
  expect(object.data).toEqual({ b: '2' });
});

test('a delete with the wrong uid is refused, and the object is not touched by a good one', async () => {
  const { host, client } = await liveClient();
  const object = configMap('c', {});
  await over(host, client.create(object));
  const before = structuredClone(object);
  expect(isConflict(await over(host, client.delete(object, { preconditions: { uid: 'other' } })).catch((error) => error))).toBe(true);
  await over(host, client.delete(object, { preconditions: { uid: object.metadata.uid } }));
  expect(object).toEqual(before);
  expect(isNotFound(await over(host, client.delete(object)).catch((error) => error))).toBe(true);
});

test('deleteAllOf deletes what the selector names', async () => {
  const { host, client } = await liveClient();
  for (const app of ['x', 'y'])
    await over(host, client.create({ ...configMap(app, {}), metadata: { namespace: 'ns', name: app, labels: { app } } }));
  await over(host, client.deleteAllOf(ConfigMap, { namespace: 'ns', labels: { app: 'x' } }));
  expect(host.stored('configmaps').map(({ metadata }) => metadata.name)).toEqual(['y']);
});

test('a live list gives objects with kind and apiVersion, page by page', async () => {
  const { host, client } = await liveClient();
  for (const name of ['a', 'b', 'c']) await over(host, client.create(configMap(name, {})));
  const first = await over(host, client.list(ConfigMap, { namespace: 'ns', limit: 2 }));
  expect(first.items.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name])).toEqual([
    ['v1', 'ConfigMap', 'a'],
    ['v1', 'ConfigMap', 'b'],
  ]);
  const rest = await over(host, client.list(ConfigMap, { namespace: 'ns', limit: 2, continue: first.metadata.continue as string }));
  expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(['c']);
});

test('a lost connection is no ApiError, and says that the outcome is unknown', async () => {
  const { host, client } = await liveClient();
  host.fates.push(() => ({ lost: 'eof' }));
  const error = await over(host, client.create(configMap('c', {}))).catch((failure) => failure);
  expect(error).toBeInstanceOf(ConnectionLost);
  expect(error.message).toBe('Post "/api/v1/namespaces/ns/configmaps": EOF');
  expect(error).not.toBeInstanceOf(ApiError);
});

test('errors are looked for through the chain of causes', async () => {
  const { host, client } = await liveClient();
  const error = await over(host, client.create({ ...configMap('Not A Name', {}) })).catch((failure) => failure);
  expect(isInvalid(error)).toBe(true);
  expect(isInvalid(new Error('wrapped', { cause: error }))).toBe(true);
  expect(isNotFound(error)).toBe(false);
});

test('an object of a kind that nobody defined is refused with advice', async () => {
  const { client } = await liveClient();
  const stranger = { apiVersion: 'x.example.com/v1', kind: 'Stranger', metadata: { name: 'a' } };
  await expect(client.create(stranger)).rejects.toThrow("define it with defineKind('x.example.com/v1', 'Stranger')");
  await expect(client.create({ metadata: { name: 'a' } })).rejects.toThrow('says no apiVersion or no kind');
});

test('plurals of defined kinds are those that code generators make', () => {
  expect(['Ingress', 'Policy', 'Widget'].map((kind) => defineKind('x/v1', kind).plural)).toEqual(['ingresses', 'policies', 'widgets']);
  expect(defineKind('x/v1', 'Sheep', { plural: 'sheep', namespaced: false })).toMatchObject({ plural: 'sheep', namespaced: false });
});

test('the types of built-in kinds are those of JSON', () => {
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { selector: { matchLabels: { app: 'x' } }, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
    status: { conditions: [{ type: 'Available', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  };
  expect([deployment.kind, Deployment.plural, Pod.group]).toEqual(['Deployment', 'deployments', '']);
});

/** A manager that has started, with nothing but its client. */
async function cachedClient(prepareManager: (manager: Manager) => void = () => {}) {
  const host = new ServedHost();
  await prepare(host);
  let manager!: Manager;
  const setup = (made: Manager) => {
    manager = made;
    prepareManager(made);
  };
  startManager(host, { name: 'x', setup }, { profile: 'default' });
  return { host, manager };
}

test('a read before the start is refused, live reads are not', async () => {
  let early: Promise<unknown> | undefined;
  const { host, manager } = await cachedClient(({ client }) => {
    early = client.get(ConfigMap, { namespace: 'ns', name: 'c' });
    early.catch(() => undefined);
  });
  await expect(early).rejects.toThrow('the cache is not started, can not read objects');
  const live = await over(host, manager.apiReader.get(ConfigMap, { namespace: 'ns', name: 'c' })).catch((error) => error);
  expect(live.message).toBe('configmaps "c" not found');
});

test('a cached miss names the kind, where the server names the resource', async () => {
  const { host, manager } = await cachedClient();
  const error = await over(host, manager.client.get(Memcached, { namespace: 'ns', name: 'x' })).catch((failure) => failure);
  expect(error.message).toBe('Memcached.cache.example.com "x" not found');
  expect(isNotFound(error)).toBe(true);
});

test('a cached list selects by namespace, labels and indexed fields, and refuses the rest', async () => {
  const { host, manager } = await cachedClient((made) => made.indexField(ConfigMap, 'data.app', (object) => [object.data?.app ?? '']));
  for (const name of ['a', 'b']) {
    const labels = { tier: name };
    host.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ns', name, labels }, data: { app: name } });
  }
  const names = async (options: object) =>
    (await over(host, manager.client.list(ConfigMap, options))).items.map(({ metadata }) => metadata.name);
  expect(await names({ labels: 'tier in (a, c)' })).toEqual(['a']);
  expect(await names({ fields: { 'data.app': 'b' } })).toEqual(['b']);
  expect(await names({ fields: 'data.app=b', namespace: 'ns' })).toEqual(['b']);
  expect(await names({ fields: 'data.app=b', namespace: 'other' })).toEqual([]);
  expect(await names({ limit: 1 })).toHaveLength(1);
  const { client } = manager;
  await expect(client.list(ConfigMap, { fields: 'spec.size=1' })).rejects.toThrow('Index with name field:spec.size does not exist');
  await expect(client.list(ConfigMap, { fields: 'data.app!=b' })).rejects.toThrow('non-exact field matches are not supported by the cache');
  await expect(client.list(ConfigMap, { continue: 'x' })).rejects.toThrow('continue list option is not supported by the cache');
  await expect(client.list(ConfigMap, { labels: '==' })).rejects.toThrow();
});

test('kinds that are not to be cached are read live', async () => {
  const host = new ServedHost();
  await prepare(host);
  let manager!: Manager;
  const setup = (made: Manager) => {
    manager = made;
  };
  startManager(host, { name: 'x', options: { disableCacheFor: [ConfigMap] }, setup }, { profile: 'default' });
  await over(host, manager.client.get(ConfigMap, { namespace: 'ns', name: 'c' })).catch(() => undefined);
  expect(host.requests.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['get configmaps']);
});

test('a kind that the cluster does not have is no match and no NotFound, until it has been served once', async () => {
  const { host, client } = await liveClient();
  const Gadget = defineKind('gadgets.example.com/v1', 'Gadget');
  const error = await over(host, client.get(Gadget, { namespace: 'ns', name: 'a' })).catch((thrown: unknown) => thrown);
  expect([isNoMatchError(error), isNotFound(error)]).toEqual([true, false]);
  expect((error as Error).message).toBe('no matches for kind "Gadget" in version "gadgets.example.com/v1"');
  const missing = await over(host, client.get(Memcached, { namespace: 'ns', name: 'nobody' })).catch((thrown: unknown) => thrown);
  expect([isNoMatchError(missing), isNotFound(missing)]).toEqual([false, true]);
});

test('a client with a rate lets through as many requests at once as it may, and the others one after the other', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.requests.length = 0;
  const limited = rateLimited(host, host, { qps: 5, burst: 2 });
  const client = new LiveClient(limited, new Scheme([Memcached]), new RunawayGuard(() => host.nowMs()), 'test');
  for (const name of ['a', 'b', 'c', 'd']) client.create(configMap(name, {})).catch(() => undefined);
  client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'ns', name: 's' } }).catch(() => undefined);
  const sent = () => host.requests.map(({ resource }) => resource);
  await host.advance(100);
  expect(sent()).toEqual(['configmaps', 'configmaps', 'secrets']);
  await host.advance(150);
  expect(sent().length).toBe(4);
  await host.advance(200);
  expect(sent().length).toBe(5);
});
