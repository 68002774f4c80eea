import { expect, test } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { isNotFound } from '../../../src/sim/runtime/api-errors.js';
import { ConfigMap, Secret } from '../../../src/sim/runtime/built-in-kinds.js';
import { Cache } from '../../../src/sim/runtime/cache.js';
import { CacheReader } from '../../../src/sim/runtime/cache-reader.js';
import { type InformerOptions, SharedInformer } from '../../../src/sim/runtime/informer.js';
import type { ResourceEventHandler } from '../../../src/sim/runtime/resource-event-handler.js';
import { Scheme } from '../../../src/sim/runtime/scheme.js';
import { DeletedFinalStateUnknown } from '../../../src/sim/runtime/tombstone.js';
import { pod, pods, ScriptedHost } from '../../sim/runtime/scripted-host.js';
import { ServedHost } from '../../sim/runtime/served-host.js';

/** A handler that writes down what it hears: `add a@5 initial`, `update a@5 a@6`, `lost a@5`. */
function listener(heard: string[], more: () => void = () => {}): ResourceEventHandler {
  const text = ({ metadata }: KubeObject) => `${metadata.name}@${metadata.resourceVersion}`;
  const hear = (what: string) => {
    heard.push(what);
    more();
  };
  return {
    onAdd: (object, initial) => hear(`add ${text(object)}${initial ? ' initial' : ''}`),
    onUpdate: (old, now) => hear(`update ${text(old)} ${text(now)}`),
    onDelete: (object) =>
      hear(
        object instanceof DeletedFinalStateUnknown ? `lost ${object.object ? text(object.object) : object.key}` : `delete ${text(object)}`,
      ),
  };
}

function informer(options: Partial<InformerOptions> = {}) {
  const host = new ScriptedHost();
  return { host, informer: new SharedInformer(host, { kind: pods, profile: 'list', ...options }) };
}

/** One that runs, with a handler, and has these contents at version 10. */
function synced(objects: readonly KubeObject[], options: Partial<InformerOptions> = {}) {
  const all = { ...informer(options), heard: [] as string[] };
  all.informer.addEventHandler(listener(all.heard));
  all.informer.start();
  all.host.answerList('10', ...objects);
  return all;
}

/** The watch is lost, and the list after it has these. */
function relist(host: ScriptedHost, version: number, ...objects: readonly KubeObject[]): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410, reason: 'Expired' };
  host.event('ERROR', status as unknown as KubeObject);
  host.advance(5000);
  host.answerList(String(version), ...objects);
}

test('INF-01: all handlers get the initial adds; at each second those whose period is over get resync updates', () => {
  const { host, informer: made } = informer({ resyncMs: 1000 });
  const heard: string[][] = [[], [], []];
  for (const [index, resyncMs] of [0, 2000, 3000].entries()) made.addEventHandler(listener(heard[index] as string[]), { resyncMs });
  made.start();
  host.answerList('10', pod('a', 5));
  const updates = () => heard.map((each) => each.splice(0).length);
  const seen = [updates()];
  for (let second = 1; second <= 3; second++) {
    host.advance(1000);
    seen.push(updates());
  }
  expect(seen).toEqual([
    [1, 1, 1],
    [0, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]);
});

test('INF-03: a handler that comes while the informer starts loses nothing', () => {
  const { host, informer: made } = informer();
  const heard: string[][] = [[], [], []];
  made.addEventHandler(listener(heard[0] as string[]));
  made.start();
  made.addEventHandler(listener(heard[1] as string[]));
  host.answerList('10', pod('a', 5));
  made.addEventHandler(listener(heard[2] as string[]));
  host.event('ADDED', pod('b', 11));
  expect(heard).toEqual(Array(3).fill(['add a@5 initial', 'add b@11']));
});

test('INF-04: after a gap a handler without resync gets what is new and changed, one that was due all', () => {
  const { host, informer: made } = informer({ resyncMs: 1000 });
  const [plain, resyncing]: [string[], string[]] = [[], []];
  made.addEventHandler(listener(plain), { resyncMs: 0 });
  made.addEventHandler(listener(resyncing), { resyncMs: 1000 });
  made.start();
  host.answerList('10', pod('same', 5), pod('changed', 6));
  host.advance(1000);
  for (const heard of [plain, resyncing]) heard.length = 0;
  relist(host, 20, pod('same', 5), pod('changed', 15), pod('new', 16));
  expect(plain).toEqual(['update changed@6 changed@15', 'add new@16']);
  expect(resyncing.slice(-3)).toEqual(['update same@5 same@5', 'update changed@6 changed@15', 'add new@16']);
});

test('INF-06: handlers and store see transformed objects only, transformed once', () => {
  let times = 0;
  const transform = (object: KubeObject): KubeObject => {
    times += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: '99' } };
  };
  const { host, informer: made, heard } = synced([pod('a', 5)], { transform });
  host.event('ADDED', pod('b', 11));
  expect([heard, made.store.get('ns', 'a')?.metadata.resourceVersion, times]).toEqual([['add a@99 initial', 'add b@99'], '99', 2]);
});

test('INF-07: a handler that is added twice hears twice, and once when one registration is removed', () => {
  const { host, informer: made } = synced([]);
  const heard: string[] = [];
  const handler = listener(heard);
  const [first] = [made.addEventHandler(handler), made.addEventHandler(handler)];
  host.event('ADDED', pod('a', 11));
  first.remove();
  host.event('ADDED', pod('b', 12));
  expect(heard).toEqual(['add a@11', 'add a@11', 'add b@12']);
});

test('INF-09: a removed handler hears nothing more, others do', () => {
  const { host, informer: made, heard } = synced([]);
  const gone: string[] = [];
  made.addEventHandler(listener(gone)).remove();
  host.event('ADDED', pod('a', 11));
  expect([gone, heard]).toEqual([[], ['add a@11']]);
});

test('INF-10: a late handler first gets all stored objects as initial, and has synced when it has handled them', () => {
  const { host, informer: made } = synced([pod('a', 5), pod('b', 6)]);
  const heard: string[] = [];
  const pending: (() => void)[] = [];
  const registration = made.addEventHandler(listener(heard), {
    dispatch: (deliveries) =>
      void pending.push(() => {
        do deliveries.call();
        while (deliveries.returned());
      }),
  });
  expect(registration.hasSynced()).toBe(false);
  for (const deliver of pending.splice(0)) deliver();
  expect([heard, registration.hasSynced()]).toEqual([['add a@5 initial', 'add b@6 initial'], true]);
  host.event('MODIFIED', pod('a', 11));
  for (const deliver of pending.splice(0)) deliver();
  expect(heard.at(-1)).toBe('update a@5 a@11');
});

test('INF-12: not started, started, stopped', () => {
  const { host, informer: made } = informer();
  expect([host.asked.length, made.hasSynced()]).toEqual([0, false]);
  made.start();
  expect(host.asked.length).toBe(1);
  made.stop();
  expect(() => made.addEventHandler(listener([]))).toThrow('has stopped already');
});

test('INF-13: a second start does nothing, and the first is unharmed', () => {
  const { host, informer: made, heard } = synced([pod('a', 5)]);
  const before = host.asked.length;
  made.start();
  host.event('ADDED', pod('b', 11));
  expect([host.asked.length, heard]).toEqual([before, ['add a@5 initial', 'add b@11']]);
});

test('INF-15: an index follows later adds, and one that comes late answers at once for what is stored', () => {
  const byLabel =
    (key: string) =>
    ({ metadata }: KubeObject) =>
      metadata.labels?.[key] === undefined ? [] : [metadata.labels[key]];
  const { host, informer: made } = synced([pod('a', 5, { labels: { x: '1', y: '2' } })]);
  made.addIndexers({ x: byLabel('x') });
  host.event('ADDED', pod('b', 11, { labels: { x: '1' } }));
  made.addIndexers({ y: byLabel('y') });
  const found = (index: string, value: string) => made.store.byIndex(index, value).map(({ metadata }) => metadata.name);
  expect([found('x', '1'), found('y', '2'), found('y', '1')]).toEqual([['a', 'b'], ['a'], []]);
});

test('INF-16: a hundred handlers that come and go while ten thousand objects are written all hear consistent news', () => {
  const { host, informer: made, heard } = synced([]);
  const open: { remove(): void; readonly own: string[] }[] = [];
  for (let index = 0; index < 10_000; index++) {
    if (index % 100 === 0) {
      const own: string[] = [];
      const registration = made.addEventHandler(listener(own));
      open.push({ own, remove: () => registration.remove() });
    }
    if (index % 150 === 0) open.shift()?.remove();
    host.event(index < 50 ? 'ADDED' : 'MODIFIED', pod(`p${index % 50}`, index + 11));
  }
  expect([heard.length, made.idle()]).toEqual([10_000, true]);
  for (const { own } of open) expect(own.at(-1)).toBe(heard.at(-1));
});

test('INF-18: new contents are told deletions first, then updates and additions, each when the store has it', () => {
  const { host, informer: made, heard } = synced([pod('1', 1), pod('2', 2), pod('3', 3)]);
  const store: string[] = [];
  made.addEventHandler(
    listener([], () =>
      store.push(
        made.store
          .list()
          .map(({ metadata }) => metadata.name)
          .sort()
          .join(''),
      ),
    ),
  );
  heard.length = 0;
  store.length = 0;
  relist(host, 20, pod('1', 11), pod('2', 12), pod('4', 14));
  expect(heard).toEqual(['lost 3@3', 'update 1@1 1@11', 'update 2@2 2@12', 'add 4@14']);
  expect([store[0]?.includes('3'), store.at(-1)]).toEqual([false, '124']);
});

test('INF-19: empty new contents are a deletion of each, with its last known state', () => {
  const { host, informer: made, heard } = synced([pod('a', 5), pod('b', 6)]);
  heard.length = 0;
  relist(host, 20);
  expect([heard.sort(), made.store.list()]).toEqual([['lost a@5', 'lost b@6'], []]);
});

test('INF-22: a deletion that the watch has missed is a tombstone with key and last state', () => {
  const { host, informer: made } = synced([pod('a', 5)]);
  const lost: unknown[] = [];
  made.addEventHandler({ onAdd() {}, onUpdate() {}, onDelete: (object) => lost.push(object) });
  relist(host, 20);
  expect(lost).toEqual([new DeletedFinalStateUnknown('ns/a', pod('a', 5))]);
});

test('INF-24: an object is found under each value of an index, and no longer under those it lost', () => {
  const { host, informer: made } = synced([pod('a', 5, { labels: { v: '1,2' } })]);
  made.addIndexers({ v: ({ metadata }) => metadata.labels?.v?.split(',') ?? [] });
  const found = () => ['1', '2', '3'].map((value) => made.store.byIndex('v', value).length);
  expect(found()).toEqual([1, 1, 0]);
  host.event('MODIFIED', pod('a', 11, { labels: { v: '2,3' } }));
  expect(found()).toEqual([0, 1, 1]);
});

/** A cache of a cluster with a ConfigMap `a` and a ConfigMap `b` in another namespace. */
function cached({ started = true } = {}) {
  const host = new ServedHost();
  for (const name of ['ns', 'other']) host.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const map = (namespace: string, name: string) =>
    host.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, labels: { app: 'x' } }, data: { k: 'v' } });
  map('ns', 'a');
  map('other', 'b');
  const cache = new Cache(host, 'default', new Scheme());
  if (started) cache.start();
  const over = async <T>(call: Promise<T>): Promise<T> => {
    call.catch(() => undefined);
    await host.advance(1000);
    return call;
  };
  return { host, cache, reader: new CacheReader(host, cache), over };
}

test('INF-27: an informer is there at once and has not synced (a cache is started by its manager alone, once)', async () => {
  const { host, cache } = cached({ started: false });
  const made = cache.informer(ConfigMap);
  expect(made.hasSynced()).toBe(false);
  cache.start();
  expect(made.hasSynced()).toBe(false);
  await host.advance(1000);
  expect(made.hasSynced()).toBe(true);
});

test('INF-28: a read of a kind that nobody watches starts its informer and waits for it', async () => {
  const { host, cache, reader, over } = cached();
  expect(host.requests).toEqual([]);
  const found = await over(reader.list(ConfigMap));
  expect([found.items.map(({ metadata }) => metadata.name), cache.informer(ConfigMap).hasSynced()]).toEqual([['a', 'b'], true]);
});

test('INF-30: what is missing is NotFound, with the group resource of its kind', async () => {
  const { reader, over } = cached();
  const error = await over(reader.get(ConfigMap, { namespace: 'ns', name: 'missing' })).catch((thrown) => thrown);
  expect([isNotFound(error), error.message]).toEqual([true, expect.stringContaining('ConfigMap')]);
});

test('INF-31: reads give copies: to change one does not change the cache', async () => {
  const { reader, over } = cached();
  const key = { namespace: 'ns', name: 'a' };
  (await over(reader.get(ConfigMap, key))).data = { k: 'changed' };
  for (const item of (await over(reader.list(ConfigMap))).items) item.data = { k: 'changed' };
  expect((await over(reader.get(ConfigMap, key))).data).toEqual({ k: 'v' });
});

test('INF-33: an indexed field selects, in one namespace too; without an index it is an error', async () => {
  const { cache, reader, over } = cached();
  cache.indexField(ConfigMap, 'app', ({ metadata }) => [metadata.labels?.app ?? '']);
  const list = async (options: object) => (await over(reader.list(ConfigMap, options))).items.map(({ metadata }) => metadata.name);
  expect(await list({ fields: { app: 'x' } })).toEqual(['a', 'b']);
  expect(await list({ fields: { app: 'x' }, namespace: 'other' })).toEqual(['b']);
  await expect(over(reader.list(Secret, { fields: { type: 'Opaque' } }))).rejects.toThrow('does not exist');
});
