import { expect, test } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { LiveClient } from '../../../src/sim/runtime/client.js';
import {
  addFinalizer,
  createOrPatch,
  hasControllerReference,
  removeFinalizer,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from '../../../src/sim/runtime/controllerutil.js';
import { RunawayGuard } from '../../../src/sim/runtime/runaway.js';
import { Scheme } from '../../../src/sim/runtime/scheme.js';
import { Memcached, memcached, prepare } from '../../sim/runtime/memcached.js';
import { ServedHost } from '../../sim/runtime/served-host.js';

const owner = (apiVersion = 'example.com/v1'): KubeObject => ({
  apiVersion,
  kind: 'Thing',
  metadata: { namespace: 'ns', name: 'owner', uid: 'u' },
});
const child = (metadata: KubeObject['metadata'] = { namespace: 'ns', name: 'child' }): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
});

test('CR-01: SetControllerReference sets one blocking controller, once, and replaces another version of the owner', () => {
  const object = child();
  const reference = (apiVersion: string) => ({
    apiVersion,
    kind: 'Thing',
    name: 'owner',
    uid: 'u',
    controller: true,
    blockOwnerDeletion: true,
  });
  for (let times = 0; times < 2; times++) setControllerReference(owner(), object);
  expect(object.metadata.ownerReferences).toEqual([reference('example.com/v1')]);
  setControllerReference(owner('example.com/v2'), object);
  expect(object.metadata.ownerReferences).toEqual([reference('example.com/v2')]);
});

test('CR-03: a namespaced owner of a cluster-scoped object, or of one in another namespace, is refused', () => {
  expect(() => setControllerReference(owner(), child({ name: 'cluster-scoped' }))).toThrow(
    'cluster-scoped resource must not have a namespace-scoped owner',
  );
  expect(() => setControllerReference(owner(), child({ namespace: 'other', name: 'child' }))).toThrow(
    'cross-namespace owner references are disallowed',
  );
});

test('CR-04: to remove a reference that is not there is an error; only controller=true makes a controller', () => {
  const object = child();
  expect(() => removeOwnerReference(owner(), object)).toThrow('does not have any owner references');
  setOwnerReference(owner(), object);
  expect(hasControllerReference(object)).toBe(false);
  setControllerReference(owner(), object);
  expect(hasControllerReference(object)).toBe(true);
});

test('CR-06: CreateOrPatch says what it has done, and sends only the patches that are needed', async () => {
  const host = new ServedHost();
  await prepare(host);
  const client = new LiveClient(host, new Scheme([Memcached]), new RunawayGuard(() => host.nowMs()), 'test');
  const attempt = async (change: (object: Memcached) => void) => {
    const object = memcached('a', 0) as Memcached;
    host.requests.length = 0;
    const call = createOrPatch(client, object, () => change(object));
    await host.advance(1000);
    return [await call, ...host.requests.map(({ verb, subresource }) => (subresource ? `${verb} ${subresource}` : verb)).slice(1)];
  };
  const wanted = (size: number, nodes?: string[]) => (object: Memcached) => {
    object.spec.size = size;
    if (nodes) object.status = { nodes };
  };
  expect([
    await attempt(wanted(1)),
    await attempt(wanted(1)),
    await attempt(wanted(2)),
    await attempt(wanted(2, ['x'])),
    await attempt(wanted(3, ['y'])),
  ]).toEqual([
    ['created', 'create'],
    ['unchanged'],
    ['updated', 'patch'],
    ['updatedStatusOnly', 'patch status'],
    ['updatedStatus', 'patch', 'patch status'],
  ]);
});

test('CR-07: AddFinalizer and RemoveFinalizer say whether the list changed; all equal ones are removed', () => {
  const object = child();
  expect([addFinalizer(object, 'x/f'), addFinalizer(object, 'x/f')]).toEqual([true, false]);
  object.metadata.finalizers = ['x/f', 'x/g', 'x/f'];
  expect([removeFinalizer(object, 'x/f'), removeFinalizer(object, 'x/f'), object.metadata.finalizers]).toEqual([true, false, ['x/g']]);
});
