import { expect, test } from 'vitest';
import { ignoreNotFound } from '../../../src/sim/runtime/api-errors.js';
import { type ControllerBuilder, newControllerManagedBy } from '../../../src/sim/runtime/builder.js';
import { ConfigMap, Secret } from '../../../src/sim/runtime/built-in-kinds.js';
import type { Client } from '../../../src/sim/runtime/client.js';
import { createOrUpdate, setControllerReference } from '../../../src/sim/runtime/controllerutil.js';
import { enqueueRequestsFromMapFunc } from '../../../src/sim/runtime/event-handlers.js';
import { type Manager, type RunningManager, startManager } from '../../../src/sim/runtime/manager.js';
import { generationChanged } from '../../../src/sim/runtime/predicates.js';
import type { ReconcileFunction } from '../../../src/sim/runtime/reconciler.js';
import { Memcached, memcached, prepare } from './memcached.js';
import { ServedHost } from './served-host.js';

/** Starts an operator whose controller `cache` reconciles Memcacheds, and waits until its first reconciles are over. */
async function run(
  host: ServedHost,
  reconcilerOf: (manager: Manager) => ReconcileFunction,
  more: (builder: ControllerBuilder) => ControllerBuilder = (builder) => builder,
): Promise<RunningManager> {
  const running = startManager(
    host,
    {
      name: 'memcached-operator',
      setup: (manager) => more(newControllerManagedBy(manager).named('cache').for(Memcached)).complete(reconcilerOf(manager)),
    },
    { profile: 'default' },
  );
  await host.advance(1000);
  return running;
}

/** Keeps a ConfigMap with the size of its Memcached. */
function configMapReconciler({ client }: { client: Client }): ReconcileFunction {
  return async (request) => {
    const owner = await client.get(Memcached, request).catch(ignoreNotFound);
    if (owner === undefined) return;
    const child: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: request };
    await createOrUpdate(client, child, () => {
      child.data = { size: String(owner.spec.size) };
      setControllerReference(owner, child);
    });
  };
}

test('a reconcile runs for every object that is there at the start and for every later change', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('old', 1));
  const running = await run(host, configMapReconciler, (builder) => builder.owns(ConfigMap));
  expect(running.ready()).toBe(true);
  expect(host.stored('configmaps').map(({ metadata, data }) => [metadata.name, data.size])).toEqual([['old', '1']]);
  const created = host.create(memcached('new', 2));
  await host.advance(100);
  host.patch(created, { spec: { size: 3 } });
  await host.advance(100);
  expect(host.stored('configmaps').map(({ metadata, data }) => [metadata.name, data.size])).toEqual([
    ['new', '3'],
    ['old', '1'],
  ]);
  expect(running.idle()).toBe(true);
});

test('a change of an owned object runs the reconcile of its owner, which repairs it', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  await run(host, configMapReconciler, (builder) => builder.owns(ConfigMap));
  host.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ns', name: 'a' } });
  await host.advance(100);
  expect(host.stored('configmaps')).toHaveLength(1);
});

test('a map function turns events of any kind into requests', async () => {
  const host = new ServedHost();
  await prepare(host);
  await run(
    host,
    () => async () => {},
    (builder) =>
      builder.watches(
        Secret,
        enqueueRequestsFromMapFunc((secret: Secret) => [{ namespace: 'ns', name: secret.metadata.labels?.cache ?? 'none' }]),
      ),
  );
  host.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'ns', name: 's', labels: { cache: 'a' } } });
  await host.advance(100);
  expect(host.reconciles()).toEqual(['start ns/a', 'end ns/a: done']);
});

test('the cache does not show a write of its own before the watch brings it', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  const seen: (number | undefined)[] = [];
  await run(host, ({ client }) => async (request) => {
    const object = await client.get(Memcached, request);
    if (object.spec.size !== 1) return;
    object.spec.size = 2;
    await client.update(object);
    seen.push((await client.get(Memcached, request)).spec.size);
  });
  expect(seen).toEqual([1]);
});

test('what a cached read gives may be changed without changing the cache', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  let again: unknown;
  await run(host, ({ client }) => async (request) => {
    const object = await client.get(Memcached, request);
    object.spec.size = 99;
    again = (await client.get(Memcached, request)).spec.size;
  });
  expect(again).toBe(1);
});

test('a kind that is only read gets its informer at the first read, which waits for it', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'ns', name: 's', labels: { app: 'x' } } });
  host.create(memcached('a', 1));
  let names: unknown;
  await run(host, ({ client }) => async () => {
    names = (await client.list(Secret, { namespace: 'ns', labels: { app: 'x' } })).items.map(({ metadata }) => metadata.name);
  });
  expect(names).toEqual(['s']);
});

test('an error runs the reconcile again after 5, 10, 20 ms; success forgets the failures', async () => {
  const host = new ServedHost();
  await prepare(host);
  const startedAt: number[] = [];
  await run(host, () => async (_request, { nowMs }) => {
    startedAt.push(nowMs());
    if (startedAt.length < 4) throw new Error('not yet');
  });
  host.create(memcached('a', 1));
  await host.advance(1000);
  expect(startedAt.map((at) => at - startedAt[0]!)).toEqual([0, 5, 15, 35]);
  expect(host.reconciles().at(-1)).toBe('end ns/a: done');
});

test('RequeueAfter is rest, not work: the manager is idle and says what waits until when', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  const running = await run(host, () => async () => ({ requeueAfterMs: 60_000 }));
  expect(running.idle()).toBe(true);
  expect(running.pending().delayed).toEqual([{ key: 'cache ns/a', atMs: expect.any(Number), periodic: true }]);
  host.notes.length = 0;
  await host.advance(60_000);
  expect(host.reconciles()).toEqual(['start ns/a', 'end ns/a: requeue after 60000 ms']);
});

test('a retry after an error is work: the manager is not idle', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  const running = await run(host, () => async () => {
    throw new Error('always');
  });
  expect(running.idle()).toBe(false);
  expect(running.pending().delayed[0]).toMatchObject({ key: 'cache ns/a', periodic: false });
});

test.each([
  [
    'throws at once',
    () => {
      throw new TypeError('x is undefined');
    },
    'panic: x is undefined [recovered]',
  ],
  ['throws no Error', () => Promise.reject('text'), 'reconcile threw string text, which is not an Error'],
  ['returns a number', () => Promise.resolve(5), 'reconcile must return a Result or nothing: it returned number 5'],
  [
    'misspells a field',
    () => Promise.resolve({ requeueAfter: 5 }),
    'reconcile must return a Result or nothing: it has no field "requeueAfter"',
  ],
  [
    'gives no number',
    () => Promise.resolve({ requeueAfterMs: Number.NaN }),
    'reconcile must return a Result or nothing: requeueAfterMs must be a number, not number NaN',
  ],
])('a reconcile that %s has failed, with a clear text', async (_what, reconcile, text) => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  await run(host, () => reconcile as unknown as ReconcileFunction);
  expect(host.reconciles()[1]).toBe(`end ns/a: error: ${text}`);
});

test('an endless loop of cached reads ends with an error', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  let runs = 0;
  await run(host, ({ client }) => async (request) => {
    runs += 1;
    while (runs === 1) await client.get(Memcached, request);
  });
  expect(host.reconciles()[1]).toContain('100001 client calls within one step');
  expect(host.reconciles().at(-1)).toBe('end ns/a: done');
});

test('an endless loop that catches even that error is left alone, and the process goes on', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  const running = await run(host, ({ client }) => async (request) => {
    for (;;) await client.get(Memcached, request).catch(() => undefined);
  });
  expect(running.pending().running).toEqual(['cache ns/a']);
});

test('redelivery hands every object to its handlers again, and predicates may refuse it', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  const plain = await run(host, () => async () => {});
  host.notes.length = 0;
  plain.redeliver();
  await host.advance(100);
  expect(host.reconciles()).toEqual(['start ns/a', 'end ns/a: done']);

  const refusing = new ServedHost();
  await prepare(refusing);
  refusing.create(memcached('a', 1));
  const running = await run(
    refusing,
    () => async () => {},
    (builder) => builder.withEventFilter(generationChanged()),
  );
  refusing.notes.length = 0;
  running.redeliver();
  await refusing.advance(100);
  expect(refusing.reconciles()).toEqual([]);
  running.enqueueAll();
  await refusing.advance(100);
  expect(refusing.reconciles()).toEqual(['start ns/a', 'end ns/a: done']);
});

test('several workers run different keys at once, never one key twice', async () => {
  const host = new ServedHost();
  await prepare(host);
  const a = host.create(memcached('a', 1));
  host.create(memcached('b', 1));
  const running = await run(
    host,
    () =>
      async (_request, { sleep }) =>
        sleep(10_000),
    (builder) => builder.withOptions({ maxConcurrentReconciles: 3 }),
  );
  host.patch(a, { spec: { size: 2 } });
  await host.advance(100);
  expect(running.pending()).toMatchObject({ running: ['cache ns/a', 'cache ns/b'], queued: ['cache ns/a'] });
});

test('events that come before a worker goes on melt into one run', async () => {
  const host = new ServedHost();
  await prepare(host);
  await run(host, () => async () => {});
  const a = host.create(memcached('a', 1));
  host.patch(a, { spec: { size: 2 } });
  host.patch(a, { spec: { size: 3 } });
  await host.advance(100);
  expect(host.reconciles()).toEqual(['start ns/a', 'end ns/a: done']);
});

test('a setup that fails ends the process with its error', async () => {
  const host = new ServedHost();
  const exits: string[] = [];
  const operator = { name: 'broken', setup: () => Promise.reject(new Error('no flag')) };
  const running = startManager(host, operator, { profile: 'default', exited: (error) => exits.push(error.message) });
  await host.advance(1000);
  expect(exits).toEqual(['setup of operator broken failed: no flag']);
  expect(running.ready()).toBe(false);
});

test('caches that do not come within two minutes end the process', async () => {
  const host = new ServedHost();
  await prepare(host);
  const exits: string[] = [];
  const operator = {
    name: 'early',
    setup: (manager: Manager) =>
      newControllerManagedBy(manager)
        .for(Memcached)
        .owns(ConfigMap)
        .complete(async () => {}),
  };
  host.holdWatches = true;
  startManager(host, operator, { profile: 'default', exited: (error) => exits.push(error.message) });
  await host.advance(119_000);
  expect(exits).toEqual([]);
  await host.advance(2_000);
  expect(exits).toEqual([
    'failed to wait for memcached caches to sync kind source: Memcached: timed out waiting for cache to be synced for kind source: Memcached',
  ]);
});

test('a stop ends contexts, waits for running reconciles and drops what comes later', async () => {
  const host = new ServedHost();
  await prepare(host);
  const a = host.create(memcached('a', 1));
  const seen: string[] = [];
  const running = await run(host, () => async (_request, context) => {
    await context.done;
    seen.push(String(context.cause));
    await context.sleep(5000);
    seen.push('returned');
  });
  running.stop(() => seen.push('stopped'));
  host.patch(a, { spec: { size: 2 } });
  await host.advance(60_000);
  expect(seen).toEqual(['context canceled', 'returned', 'stopped']);
});

test('a builder without watches or with two kinds to reconcile says so', () => {
  const host = new ServedHost();
  const operator = {
    name: 'x',
    setup(manager: Manager) {
      expect(() =>
        newControllerManagedBy(manager)
          .named('none')
          .complete(async () => {}),
      ).toThrow('there are no watches configured');
      expect(() => newControllerManagedBy(manager).for(Memcached).for(Secret)).toThrow('For(...) should only be called once');
      expect(() =>
        newControllerManagedBy(manager)
          .named('x')
          .owns(Secret)
          .complete(async () => {}),
      ).toThrow('Owns() can only be used together with For()');
      newControllerManagedBy(manager)
        .for(Memcached)
        .complete(async () => {});
      expect(() =>
        newControllerManagedBy(manager)
          .for(Memcached)
          .complete(async () => {}),
      ).toThrow('controller with name memcached already exists');
    },
  };
  startManager(host, operator, {
    profile: 'default',
    exited: (error) => {
      throw error;
    },
  });
});

test('a stop gives up when the grace period is over, and leaves no timer behind otherwise', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  const ends: (string | undefined)[] = [];
  const stuck = await run(host, () => () => new Promise(() => {}));
  stuck.stop((error) => ends.push(error?.message));
  await host.advance(31_000);
  expect(ends).toEqual(['failed waiting for all runnables to end within grace period of 30s: context deadline exceeded']);

  const calm = new ServedHost();
  await prepare(calm);
  const running = await run(calm, () => async () => {});
  running.stop((error) => ends.push(error?.message));
  await calm.advance(31_000);
  expect(ends.slice(1)).toEqual([undefined]);
});

test('a map function may look into the caches for whom an event concerns', async () => {
  const host = new ServedHost();
  await prepare(host);
  host.create(memcached('a', 1));
  host.create(memcached('b', 1));
  const seen: string[] = [];
  const running = startManager(
    host,
    {
      name: 'password-operator',
      setup: (manager) =>
        newControllerManagedBy(manager)
          .for(Memcached)
          .watches(
            Secret,
            enqueueRequestsFromMapFunc(async () => {
              const { items } = await manager.client.list(Memcached, { namespace: 'ns' });
              return items.map(({ metadata }) => ({ namespace: 'ns', name: metadata.name ?? '' }));
            }),
          )
          .complete(async ({ name }) => {
            seen.push(`password-operator ${name}`);
          }),
    },
    { profile: 'default' },
  );
  await host.advance(1000);
  seen.length = 0;
  host.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password', namespace: 'ns' } });
  await host.advance(100);
  expect(running.ready()).toBe(true);
  expect(seen.sort()).toEqual(['password-operator a', 'password-operator b']);
});
