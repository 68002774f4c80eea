import { expect, test } from 'vitest';
import { startDeploymentController } from '../../../src/sim/controllers/deployment/deployment.js';
import { startReplicaSetController } from '../../../src/sim/controllers/replicaset/replicaset.js';
import type { OwnerReference } from '../../../src/sim/etcd/object.js';
import { Cluster, configMaps, core, deployment, deployments, type Json, names, pod, pods, ref } from './cluster.js';
import { crd, definitions, thing, things } from './things.js';

const controllers = `${core}/replicationcontrollers`;
const replicaSets = '/apis/apps/v1/namespaces/ns/replicasets';
const background = { propagationPolicy: 'Background' };
const foreground = { propagationPolicy: 'Foreground' };
const orphan = { propagationPolicy: 'Orphan' };

function collecting(): Cluster {
  return new Cluster({ controllers: true });
}

function controller(cluster: Cluster, name: string, metadata: object = {}): Json {
  const template = { metadata: { labels: { a: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const body = {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name, ...metadata },
    spec: { selector: { a: name }, template },
  };
  return cluster.post(controllers, body).body;
}

function dependent(cluster: Cluster, name: string, owners: readonly OwnerReference[], metadata: object = {}): Json {
  return cluster.post(pods, pod(name, { metadata: { ownerReferences: owners, ...metadata } })).body;
}

function map(cluster: Cluster, name: string, owners: readonly OwnerReference[] = [], metadata: object = {}): Json {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences: owners, ...metadata } };
  return cluster.post(configMaps, body).body;
}

/** What is left of a collection after a while. */
function left(cluster: Cluster, path: string, afterMs = 2000): string[] {
  cluster.run(afterMs);
  return names(cluster.get(path).body);
}

const blocking = { blockOwnerDeletion: true };

test('GC-01: only the pod that A alone owns goes with A', () => {
  const cluster = collecting();
  const [a, b] = [controller(cluster, 'a'), controller(cluster, 'b')];
  dependent(cluster, 'of-a', [ref(a)]);
  dependent(cluster, 'of-both', [ref(a), ref(b)]);
  dependent(cluster, 'of-none', []);
  cluster.run(100);
  cluster.delete(`${controllers}/a`, background);
  expect(left(cluster, pods)).toEqual(['of-both', 'of-none']);
});

test('GC-03: of forty owners deleted in four ways all go, and only the pods of those that orphan nothing', () => {
  const cluster = collecting();
  const ways = [undefined, undefined, { orphanDependents: false }, { orphanDependents: true }];
  const made = Array.from({ length: 40 }, (_, index) => {
    const way = index % 4;
    const owner = controller(cluster, `c${index}`, way === 1 || way === 2 ? { finalizers: ['orphan'] } : {});
    for (const each of [0, 1, 2]) dependent(cluster, `w${way}-${index}-${each}`, [ref(owner)]);
    return { name: owner.metadata.name, options: ways[way] };
  });
  cluster.run(1000);
  for (const { name, options } of made) cluster.delete(`${controllers}/${name}`, options);
  expect(left(cluster, controllers, 60_000)).toEqual([]);
  const ofWay = new Map<string, number>();
  for (const name of left(cluster, pods)) ofWay.set(name.slice(0, 2), (ofWay.get(name.slice(0, 2)) ?? 0) + 1);
  expect([...ofWay]).toEqual(
    [
      ['w0', 30],
      ['w3', 30],
      ['w1', 30],
    ].sort(),
  );
});

test('GC-04: with Orphan the owner goes and its dependents stay without a reference', () => {
  const cluster = collecting();
  const owner = controller(cluster, 'a');
  for (const name of ['p', 'q']) dependent(cluster, name, [ref(owner)]);
  cluster.run(100);
  cluster.delete(`${controllers}/a`, orphan);
  expect([left(cluster, controllers), left(cluster, pods)]).toEqual([[], ['p', 'q']]);
  for (const name of ['p', 'q']) expect(cluster.get(`${pods}/${name}`).body.metadata.ownerReferences).toBeUndefined();
});

test('GC-06: dependents that do not block do not keep an owner in foreground deletion', () => {
  const cluster = collecting();
  const owner = map(cluster, 'owner');
  map(cluster, 'unset', [ref(owner)], { finalizers: ['x/f'] });
  map(cluster, 'false', [ref(owner, { blockOwnerDeletion: false })], { finalizers: ['x/f'] });
  cluster.run(100);
  cluster.delete(`${configMaps}/owner`, foreground);
  expect(left(cluster, configMaps)).toEqual(['false', 'unset']);
});

test('GC-07: a blocking dependent with a finalizer keeps the owner, and with the finalizer both go', () => {
  const cluster = collecting();
  const owner = map(cluster, 'owner');
  map(cluster, 'held', [ref(owner, blocking)], { finalizers: ['x/f'] });
  cluster.run(100);
  cluster.delete(`${configMaps}/owner`, foreground);
  expect(left(cluster, configMaps)).toEqual(['held', 'owner']);
  expect(cluster.get(`${configMaps}/owner`).body.metadata.finalizers).toEqual(['foregroundDeletion']);
  cluster.patch(`${configMaps}/held`, { metadata: { finalizers: null } });
  expect(left(cluster, configMaps)).toEqual([]);
});

/** The order in which objects were removed after `name` was deleted in foreground. */
function removals(cluster: Cluster, path: string): string[] {
  cluster.run(100);
  const from = cluster.etcd.revision;
  cluster.delete(path, foreground);
  cluster.run(5000);
  return cluster.etcd.since(from).flatMap(({ key, object }) => (object === undefined && key.resource !== 'events' ? [key.name] : []));
}

function withThingsCollected(): Cluster {
  const cluster = collecting();
  cluster.post(definitions, crd('things', 'Thing'));
  return cluster;
}

test('GC-09: a custom resource that another owns has gone when its owner goes', () => {
  const cluster = withThingsCollected();
  const owner = cluster.post(things, thing('owner')).body;
  cluster.post(things, thing('owned', { metadata: { ownerReferences: [ref(owner, blocking)] } }));
  expect(removals(cluster, `${things}/owner`)).toEqual(['owned', 'owner']);
});

test('GC-10: a ConfigMap of a custom resource, and the other way round, go before their owners', () => {
  const one = withThingsCollected();
  map(one, 'owned', [ref(one.post(things, thing('owner')).body, blocking)]);
  expect(removals(one, `${things}/owner`)).toEqual(['owned', 'owner']);
  const other = withThingsCollected();
  other.post(things, thing('owned', { metadata: { ownerReferences: [ref(map(other, 'owner'), blocking)] } }));
  expect(removals(other, `${configMaps}/owner`)).toEqual(['owned', 'owner']);
});

test('GC-12: namespaced dependents of a cluster-scoped owner are collected', () => {
  const cluster = collecting();
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'owner' }, rules: [] };
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  map(cluster, 'owned', [ref(cluster.post(path, role).body)]);
  cluster.run(100);
  cluster.delete(`${path}/owner`, background);
  expect(left(cluster, configMaps)).toEqual([]);
});

test('GC-13: all pods go with an owner that is deleted in background with its uid', () => {
  const cluster = collecting();
  const owner = controller(cluster, 'a');
  for (const name of ['p', 'q']) dependent(cluster, name, [ref(owner)]);
  cluster.run(100);
  cluster.delete(`${controllers}/a`, { ...background, preconditions: { uid: owner.metadata.uid } });
  expect(left(cluster, pods)).toEqual([]);
});

test('GC-15: a ReplicaSet and its pods go with their Deployment; orphaned they stay, without a controller', () => {
  for (const options of [background, orphan]) {
    const cluster = collecting();
    startDeploymentController(cluster.clockwork.host('deployment-controller'), cluster.clockwork.feed());
    startReplicaSetController(cluster.clockwork.host('replicaset-controller'), cluster.clockwork.feed());
    cluster.post(deployments, deployment('web'));
    expect([left(cluster, replicaSets).length, left(cluster, pods).length]).toEqual([1, 1]);
    cluster.delete(`${deployments}/web`, options);
    const rest = options === orphan ? 1 : 0;
    expect([left(cluster, deployments), left(cluster, replicaSets).length, left(cluster, pods).length]).toEqual([[], rest, rest]);
    for (const { metadata } of cluster.get(replicaSets).body.items) expect(metadata.ownerReferences).toBeUndefined();
  }
});

test('GC-16: an owner in foreground deletion is there until its last pod has gone', () => {
  const cluster = collecting();
  const owner = controller(cluster, 'a');
  for (const name of ['p', 'q', 'r']) dependent(cluster, name, [ref(owner, blocking)]);
  expect(removals(cluster, `${controllers}/a`)).toEqual([expect.any(String), expect.any(String), expect.any(String), 'a']);
});

test('GC-18: a ring of three goes when one of it is deleted in foreground', () => {
  const cluster = collecting();
  const made = Object.fromEntries(['1', '2', '3'].map((name) => [name, dependent(cluster, `pod${name}`, [])]));
  for (const [child, owner] of [
    ['1', '3'],
    ['2', '1'],
    ['3', '2'],
  ] as const) {
    cluster.patch(`${pods}/pod${child}`, { metadata: { ownerReferences: [ref(made[owner], blocking)] } });
  }
  cluster.run(100);
  cluster.delete(`${pods}/pod1`, foreground);
  expect(left(cluster, pods, 30_000)).toEqual([]);
});

test('GC-19: dependents go even if the owner went before the collector knew its kind', () => {
  const cluster = withThingsCollected();
  const owner = cluster.post(things, thing('owner')).body;
  map(cluster, 'owned', [ref(owner)]);
  cluster.delete(`${things}/owner`, background);
  expect(left(cluster, configMaps, 60_000)).toEqual([]);
});

const reasons = (cluster: Cluster) => cluster.etcd.list('events').map(({ reason }) => reason);

test('GC-24: a child that names an owner of another namespace is deleted, and an event says so, in either order', () => {
  for (const ownerFirst of [true, false]) {
    const cluster = collecting();
    const owner = cluster.post('/api/v1/namespaces/other/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'owner' },
    }).body;
    if (ownerFirst) cluster.run(100);
    map(cluster, 'child', [ref(owner)]);
    expect(left(cluster, configMaps)).toEqual([]);
    expect(reasons(cluster)).toContain('OwnerRefInvalidNamespace');
  }
});

test('GC-25: a cluster-scoped child of a namespaced owner is never deleted, and an event says so', () => {
  const cluster = collecting();
  cluster.post('/api/v1/namespaces', { metadata: { name: 'default' } });
  const owner = map(cluster, 'owner');
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const metadata = { name: 'child', ownerReferences: [ref(owner)] };
  cluster.post(path, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules: [] });
  cluster.run(100);
  cluster.delete(`${configMaps}/owner`);
  expect([left(cluster, path, 60_000), reasons(cluster)]).toEqual([['child'], ['OwnerRefInvalidNamespace']]);
});

test('GC-27: a child that names a version that is not served stays; one with a good reference is collected', () => {
  const cluster = collecting();
  const owner = map(cluster, 'owner');
  map(cluster, 'bad', [{ ...ref(owner), apiVersion: 'gone.example.com/v1' }]);
  map(cluster, 'good', [ref(owner)]);
  cluster.run(100);
  cluster.delete(`${configMaps}/owner`);
  expect(left(cluster, configMaps, 60_000)).toEqual(['bad']);
});

test('GC-28: a child with the right uid and the wrong kind is deleted, those with the right reference are not', () => {
  const cluster = collecting();
  const owner = map(cluster, 'owner');
  map(cluster, 'right', [ref(owner)]);
  map(cluster, 'wrong', [ref(owner, { kind: 'Secret' })]);
  expect(left(cluster, configMaps, 5000)).toEqual(['owner', 'right']);
});

test('GC-30: an object that was made anew under its name is not deleted for what its predecessor named', () => {
  const cluster = collecting();
  const owner = map(cluster, 'owner');
  map(cluster, 'child', [ref(owner)]);
  cluster.run(100);
  for (const name of ['owner', 'child']) cluster.delete(`${configMaps}/${name}`);
  map(cluster, 'child');
  expect(left(cluster, configMaps)).toEqual(['child']);
});
