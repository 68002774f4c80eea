import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/sim/apiserver/request.js';
import { ApiServer } from '../../../src/sim/apiserver/server.js';
import { startGarbageCollector } from '../../../src/sim/controllers/garbage-collector.js';
import { Etcd } from '../../../src/sim/etcd/etcd.js';
import type { KubeObject, OwnerReference } from '../../../src/sim/etcd/object.js';
import { Clockwork } from './clockwork.js';

/** A cluster with nothing but the collector, and ConfigMaps in `ns` that own each other. */
class Cluster {
  readonly etcd = new Etcd();
  readonly clockwork: Clockwork;
  readonly server: ApiServer;

  constructor() {
    this.clockwork = new Clockwork(Date.UTC(2026, 0, 1), () => this.server);
    const environment = { nowMs: () => this.clockwork.nowMs, random: (name: string) => this.clockwork.random(name) };
    this.server = new ApiServer({ etcd: this.etcd, environment });
    startGarbageCollector(this.clockwork.host('garbage-collector'), this.clockwork.feed(), this.server.kinds);
    for (const name of ['ns', 'other']) this.#serve({ verb: 'create', resource: 'namespaces', body: { metadata: { name } } });
  }

  create(name: string, owners: readonly OwnerReference[] = [], fields: Partial<KubeObject['metadata']> = {}, namespace = 'ns'): KubeObject {
    const body = { metadata: { name, ownerReferences: owners, ...fields } };
    return this.#serve({ verb: 'create', resource: 'configmaps', namespace, body }).body as KubeObject;
  }

  delete(name: string, propagationPolicy?: string): void {
    const body = propagationPolicy === undefined ? undefined : { propagationPolicy };
    this.#serve({ verb: 'delete', resource: 'configmaps', namespace: 'ns', name, ...(body && { body }) });
  }

  patch(name: string, body: unknown): void {
    const contentType = 'application/merge-patch+json';
    this.#serve({ verb: 'patch', resource: 'configmaps', namespace: 'ns', name, body, contentType });
  }

  get(name: string, namespace = 'ns'): KubeObject | undefined {
    return this.etcd.get({ resource: 'configmaps', namespace, name });
  }

  /** What is left of these names after a while. */
  left(names: readonly string[], afterMs = 1_000): readonly string[] {
    this.clockwork.run(afterMs);
    return names.filter((name) => this.get(name) !== undefined);
  }

  #serve(request: Partial<ApiRequest> & Pick<ApiRequest, 'verb' | 'resource'>) {
    return this.clockwork.serve({ group: '', version: 'v1', ...request }).response;
  }
}

function ref(owner: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...more };
}

describe('background deletion (GC-9)', () => {
  it('takes dependents and their dependents after their owner, each with the uid and revision just seen (GC-6)', () => {
    const cluster = new Cluster();
    const owner = cluster.create('owner');
    const child = cluster.create('child', [ref(owner)]);
    cluster.create('grandchild', [ref(child)]);
    cluster.delete('owner');
    expect(cluster.left(['owner', 'child', 'grandchild'])).toEqual([]);
    const deletes = cluster.clockwork.requests.filter(({ request }) => request.verb === 'delete').map(({ request }) => request.body);
    expect(deletes[0]).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid: child.metadata.uid, resourceVersion: child.metadata.resourceVersion },
      propagationPolicy: 'Background',
    });
  });

  it('only takes the reference of a dependent that has another owner (GC-5)', () => {
    const cluster = new Cluster();
    const [a, b] = [cluster.create('a'), cluster.create('b')];
    cluster.create('child', [ref(a), ref(b)]);
    cluster.delete('a');
    expect(cluster.left(['child'])).toEqual(['child']);
    expect(cluster.get('child')?.metadata.ownerReferences).toEqual([ref(b)]);
  });

  it('leaves dependents alone while their owner terminates on a finalizer of its own (GC-4)', () => {
    const cluster = new Cluster();
    const owner = cluster.create('owner', [], { finalizers: ['example.com/hold'] });
    cluster.create('child', [ref(owner)]);
    cluster.delete('owner');
    expect(cluster.left(['child'])).toEqual(['child']);
    cluster.patch('owner', { metadata: { finalizers: null } });
    expect(cluster.left(['owner', 'child'])).toEqual([]);
  });
});

describe('foreground deletion (GC-7)', () => {
  it('takes blocking dependents before the owner', () => {
    const cluster = new Cluster();
    const owner = cluster.create('owner');
    cluster.create('child', [ref(owner, { blockOwnerDeletion: true })], { finalizers: ['example.com/hold'] });
    cluster.delete('owner', 'Foreground');
    expect(cluster.left(['owner', 'child'])).toEqual(['owner', 'child']);
    expect(cluster.get('child')?.metadata.deletionTimestamp).toBeDefined();
    cluster.patch('child', { metadata: { finalizers: null } });
    expect(cluster.left(['owner', 'child'])).toEqual([]);
  });

  it('does not wait for dependents that do not block', () => {
    const cluster = new Cluster();
    const owner = cluster.create('owner');
    cluster.create('child', [ref(owner)], { finalizers: ['example.com/hold'] });
    cluster.delete('owner', 'Foreground');
    expect(cluster.left(['owner', 'child'])).toEqual(['child']);
  });

  it('gets through a ring of blocking references (GC-18)', () => {
    const cluster = new Cluster();
    const a = cluster.create('a');
    const b = cluster.create('b', [ref(a, { blockOwnerDeletion: true })]);
    cluster.patch('a', { metadata: { ownerReferences: [ref(b, { blockOwnerDeletion: true })] } });
    cluster.clockwork.run(100);
    cluster.delete('a', 'Foreground');
    expect(cluster.left(['a', 'b'], 10_000)).toEqual([]);
  });
});

describe('orphaning (GC-8)', () => {
  it('takes the references out of the dependents, then lets the owner go', () => {
    const cluster = new Cluster();
    const owner = cluster.create('owner');
    cluster.create('child', [ref(owner)]);
    cluster.clockwork.run(100);
    cluster.delete('owner', 'Orphan');
    expect(cluster.left(['owner', 'child'])).toEqual(['child']);
    expect(cluster.get('child')?.metadata.ownerReferences).toBeUndefined();
  });
});

describe('references that lead nowhere', () => {
  const stranger: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: '00000000-0000-4000-8000-000000000000' };

  it('to a uid that never was have the dependent collected (GC-2)', () => {
    const cluster = new Cluster();
    cluster.create('child', [stranger]);
    expect(cluster.left(['child'])).toEqual([]);
  });

  it('to an owner that was made anew under its name have it collected too (GC-13)', () => {
    const cluster = new Cluster();
    const old = cluster.create('owner');
    cluster.delete('owner');
    cluster.create('owner');
    cluster.create('child', [ref(old)]);
    expect(cluster.left(['owner', 'child'])).toEqual(['owner']);
  });

  it('into another namespace are looked up in the dependent’s own, and reported (GC-10, GC-22)', () => {
    const cluster = new Cluster();
    const owner = cluster.create('owner', [], {}, 'other');
    cluster.clockwork.run(100);
    cluster.create('child', [ref(owner)]);
    expect(cluster.left(['child'])).toEqual([]);
    expect(cluster.get('owner', 'other')).toBeDefined();
    expect(cluster.etcd.list('events').map(({ reason }) => reason)).toEqual(['OwnerRefInvalidNamespace']);
  });

  it('to a kind that nobody serves keep the object, however long it is tried (GC-11)', () => {
    const cluster = new Cluster();
    cluster.create('child', [{ ...stranger, apiVersion: 'nobody.example.com/v1', kind: 'Thing' }, stranger]);
    expect(cluster.left(['child'], 60_000)).toEqual(['child']);
  });
});

describe('a write in the way (GC-6)', () => {
  it('costs a conflict and a second DELETE with the uid alone, when the owners are the same', () => {
    const cluster = new Cluster();
    const owner = cluster.create('owner');
    cluster.create('child', [ref(owner)]);
    cluster.clockwork.run(100);
    cluster.delete('owner');
    // The collector has read the child and is on its way to delete it.
    while (!cluster.clockwork.requests.some(({ request }) => request.verb === 'get' && request.name === 'child')) cluster.clockwork.run(1);
    cluster.patch('child', { data: { k: 'late' } });
    expect(cluster.left(['child'])).toEqual([]);
    const deletes = cluster.clockwork.requests.filter(({ request }) => request.verb === 'delete');
    expect(deletes.map(({ code }) => code)).toEqual([409, 200]);
    expect(deletes[1]?.request.body).not.toHaveProperty('preconditions.resourceVersion');
  });
});
