import { expect, test } from 'vitest';
import { isAlreadyExists, isConflict } from '../../../src/sim/runtime/api-errors.js';
import { delegatingClient, LiveClient } from '../../../src/sim/runtime/client.js';
import { clockOf } from '../../../src/sim/runtime/context.js';
import {
  AlreadyOwnedError,
  addFinalizer,
  containsFinalizer,
  createOrPatch,
  createOrUpdate,
  removeFinalizer,
  setControllerReference,
} from '../../../src/sim/runtime/controllerutil.js';
import { defaultBackoff, retryOnConflict } from '../../../src/sim/runtime/retry.js';
import { RunawayGuard } from '../../../src/sim/runtime/runaway.js';
import { Scheme } from '../../../src/sim/runtime/scheme.js';
import { Memcached, memcached, prepare } from './memcached.js';
import { ServedHost } from './served-host.js';

const guardOf = (host: ServedHost) => new RunawayGuard(() => host.nowMs());

async function live() {
  const host = new ServedHost();
  await prepare(host);
  host.requests.length = 0;
  return { host, client: new LiveClient(host, new Scheme([Memcached]), guardOf(host), 'test') };
}

async function over<T>(host: ServedHost, call: Promise<T>): Promise<T> {
  call.catch(() => undefined);
  await host.advance(1000);
  return call;
}

function writes(host: ServedHost): string[] {
  return host.requests
    .splice(0)
    .flatMap(({ verb, subresource }) => (verb === 'get' ? [] : [subresource ? `${verb} ${subresource}` : verb]));
}

const stored = (host: ServedHost) => host.stored('memcacheds.cache.example.com')[0] as unknown as Memcached;

test('createOrUpdate creates, leaves alone what is as wanted, and updates what is not', async () => {
  const { host, client } = await live();
  const ensure = (size: number) => {
    const object = memcached('a', 0);
    return over(
      host,
      createOrUpdate(client, object, () => {
        object.spec = { size };
      }),
    );
  };
  expect([await ensure(1), writes(host)]).toEqual(['created', ['create']]);
  expect([await ensure(1), writes(host)]).toEqual(['unchanged', []]);
  expect([await ensure(2), writes(host)]).toEqual(['updated', ['update']]);
  expect(stored(host).spec.size).toBe(2);
});

test('createOrUpdate takes empty lists and undefined fields for what they are on the wire: nothing', async () => {
  const { host, client } = await live();
  const object = memcached('a', 1);
  await over(
    host,
    createOrUpdate(client, object, () => {}),
  );
  const result = await over(
    host,
    createOrUpdate(client, object, () => {
      object.metadata.finalizers = [];
      object.metadata.labels = {};
      delete object.status;
      Object.assign(object.spec, { color: undefined });
    }),
  );
  expect(result).toBe('unchanged');
});

test('createOrUpdate with a read that misses what is there gives AlreadyExists', async () => {
  const { host, client } = await live();
  await over(host, client.create(memcached('a', 1)));
  const elsewhere = { namespace: 'ns', name: 'other' };
  const blind = delegatingClient({ get: (kind) => client.get(kind, elsewhere), list: (kind) => client.list(kind) }, client, guardOf(host));
  const error = await over(
    host,
    createOrUpdate(blind, memcached('a', 2), () => {}),
  ).catch((failure) => failure);
  expect(isAlreadyExists(error)).toBe(true);
});

test('createOrUpdate lets mutate change everything but the name', async () => {
  const { host, client } = await live();
  const object = memcached('a', 1);
  const call = createOrUpdate(client, object, () => {
    object.metadata.name = 'b';
  });
  await expect(over(host, call)).rejects.toThrow('MutateFn cannot mutate object name and/or object namespace');
});

test('createOrPatch patches the object, its status, or both', async () => {
  const { host, client } = await live();
  const ensure = (size: number, nodes: string[]) => {
    const object = memcached('a', 0);
    return over(
      host,
      createOrPatch(client, object, () => {
        object.spec = { size };
        object.status = { nodes };
      }),
    );
  };
  expect([await ensure(1, ['x']), writes(host)]).toEqual(['created', ['create']]);
  expect(stored(host).status).toBeUndefined();
  expect([await ensure(1, ['x']), writes(host)]).toEqual(['updatedStatusOnly', ['patch status']]);
  expect([await ensure(2, ['x']), writes(host)]).toEqual(['updated', ['patch']]);
  expect([await ensure(3, ['y']), writes(host)]).toEqual(['updatedStatus', ['patch', 'patch status']]);
  expect(stored(host)).toMatchObject({ spec: { size: 3 }, status: { nodes: ['y'] } });
  expect([await ensure(3, ['y']), writes(host)]).toEqual(['unchanged', []]);
});

test('finalizers are added once and removed wherever they are', () => {
  const object = memcached('a', 1);
  expect([addFinalizer(object, 'x/one'), addFinalizer(object, 'x/one')]).toEqual([true, false]);
  expect(containsFinalizer(object, 'x/one')).toBe(true);
  object.metadata.finalizers = ['x/one', 'x/two', 'x/one'];
  expect([removeFinalizer(object, 'x/one'), removeFinalizer(object, 'x/one')]).toEqual([true, false]);
  expect(object.metadata.finalizers).toEqual(['x/two']);
});

test('an object has one controller; a namesake of another uid takes its place', () => {
  const child = memcached('child', 1);
  const owner = memcached('a', 1);
  owner.metadata.uid = 'A';
  setControllerReference(owner, child);
  expect(() => setControllerReference(memcached('b', 1), child)).toThrow(AlreadyOwnedError);
  const again = memcached('a', 1);
  again.metadata.uid = 'A2';
  setControllerReference(again, child);
  expect(child.metadata.ownerReferences).toEqual([
    { apiVersion: 'cache.example.com/v1alpha1', kind: 'Memcached', name: 'a', uid: 'A2', controller: true, blockOwnerDeletion: true },
  ]);
});

test('retryOnConflict tries again after about 10 ms, five times in all, and only for conflicts', async () => {
  const { host, client } = await live();
  const object = memcached('a', 1);
  await over(host, client.create(object));
  const stale = structuredClone(object);
  object.spec.size = 2;
  await over(host, client.update(object));
  writes(host);
  const clock = clockOf(host, 'test');
  const failure = await over(
    host,
    retryOnConflict(clock, () => client.update(structuredClone(stale))),
  ).catch((error) => error);
  expect([isConflict(failure), writes(host)]).toEqual([true, Array(5).fill('update')]);
  let tries = 0;
  const other = retryOnConflict(
    clock,
    () => {
      tries += 1;
      return Promise.reject(new Error('other'));
    },
    defaultBackoff,
  );
  await expect(over(host, other)).rejects.toThrow('other');
  expect(tries).toBe(1);
});
