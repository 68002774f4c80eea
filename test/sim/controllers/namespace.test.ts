import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/sim/apiserver/request.js';
import { ApiServer } from '../../../src/sim/apiserver/server.js';
import { controllers } from '../../../src/sim/controllers/controllers.js';
import { calmFates } from '../../../src/sim/controllers/fates.js';
import { Etcd } from '../../../src/sim/etcd/etcd.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { Clockwork } from './clockwork.js';

class Cluster {
  readonly etcd = new Etcd();
  readonly clockwork: Clockwork;
  readonly server: ApiServer;

  constructor() {
    this.clockwork = new Clockwork(Date.UTC(2026, 0, 1), () => this.server);
    this.server = new ApiServer({ etcd: this.etcd, environment: { nowMs: () => this.clockwork.nowMs, random: () => 0.5 } });
    const cluster = { server: this.server, fates: calmFates };
    controllers['namespace-controller'](this.clockwork.host('namespace-controller'), this.clockwork.feed(), cluster);
    this.serve({ verb: 'create', resource: 'namespaces', body: { metadata: { name: 'ns' } } });
  }

  serve(request: Partial<ApiRequest> & Pick<ApiRequest, 'verb' | 'resource'>) {
    return this.clockwork.serve({ group: '', version: 'v1', ...request }).response;
  }

  create(name: string, finalizers: readonly string[] = []): void {
    this.serve({ verb: 'create', resource: 'configmaps', namespace: 'ns', body: { metadata: { name, finalizers } } });
  }

  release(name: string): void {
    const body = { metadata: { finalizers: null } };
    this.serve({ verb: 'patch', resource: 'configmaps', namespace: 'ns', name, body, contentType: 'application/merge-patch+json' });
  }

  delete(): void {
    this.serve({ verb: 'delete', resource: 'namespaces', name: 'ns' });
  }

  get namespace(): KubeObject | undefined {
    return this.etcd.get({ resource: 'namespaces', namespace: '', name: 'ns' });
  }
}

describe('a terminating namespace', () => {
  it('is emptied five seconds after its deletion, and then goes (NS-2, NS-4)', () => {
    const cluster = new Cluster();
    cluster.create('a');
    cluster.delete();
    cluster.clockwork.run(4_900);
    expect(cluster.etcd.list('configmaps')).toHaveLength(1);
    cluster.clockwork.run(300);
    expect(cluster.etcd.list('configmaps')).toHaveLength(0);
    expect(cluster.namespace).toBeUndefined();
  });

  it('says what is left and what holds it, and waits for that (NS-8)', () => {
    const cluster = new Cluster();
    cluster.create('held', ['example.com/hold']);
    cluster.delete();
    cluster.clockwork.run(6_000);
    const conditions: { type: string; status: string; message: string }[] = cluster.namespace?.status.conditions;
    expect(conditions.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'NamespaceDeletionDiscoveryFailure False',
      'NamespaceDeletionGroupVersionParsingFailure False',
      'NamespaceDeletionContentFailure False',
      'NamespaceContentRemaining True',
      'NamespaceFinalizersRemaining True',
    ]);
    expect(conditions.slice(3).map(({ message }) => message)).toEqual([
      'Some resources are remaining: configmaps. has 1 resource instances',
      'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    ]);
    cluster.release('held');
    cluster.clockwork.run(8_200);
    expect(cluster.namespace).toBeUndefined();
  });

  it('that is not terminating is left alone', () => {
    const cluster = new Cluster();
    cluster.create('a');
    cluster.clockwork.run(60_000);
    expect(cluster.clockwork.requests).toEqual([]);
  });
});
