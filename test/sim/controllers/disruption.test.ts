import { describe, expect, it } from 'vitest';
import type { ApiResponse, Status } from '../../../src/sim/apiserver/request.js';
import { startDisruptionController } from '../../../src/sim/controllers/disruption/disruption.js';
import { startReplicaSetController } from '../../../src/sim/controllers/replicaset/replicaset.js';
import { type Start, WorkloadCluster, workload } from './workload-cluster.js';

const selector = { matchLabels: { app: 'web' } };

function withDisruption(...controllers: readonly Start[]): WorkloadCluster {
  const cluster = new WorkloadCluster(...controllers);
  cluster.start((host, feed) => startDisruptionController(host, feed, cluster.kinds));
  return cluster;
}

/** Three ready pods of a ReplicaSet, and a budget for them. */
function withBudget(spec: object): WorkloadCluster {
  const cluster = withDisruption(startReplicaSetController);
  cluster.create('replicasets.apps', 'web', { spec: { replicas: 3, ...workload() } });
  cluster.run();
  for (const pod of cluster.names('pods')) cluster.becomes(pod, 'Running');
  cluster.create('poddisruptionbudgets.policy', 'budget', { spec: { selector, ...spec } });
  cluster.run();
  return cluster;
}

function evict(cluster: WorkloadCluster, pod = cluster.names('pods')[0] ?? '', more: object = {}): ApiResponse {
  const where = { group: '', version: 'v1', resource: 'pods', subresource: 'eviction', namespace: 'ns', name: pod } as const;
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod }, ...more };
  const { response } = cluster.clockwork.serve({ verb: 'create', ...where, body });
  cluster.run();
  return response;
}

function statusOf(cluster: WorkloadCluster, budget = 'budget') {
  return cluster.get('poddisruptionbudgets.policy', budget).status;
}

/** A custom resource that has a scale, or none. */
function crd(scale: boolean): object {
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
      status: { type: 'object', properties: { replicas: { type: 'integer' } } },
    },
  };
  const subresources = {
    status: {},
    ...(scale && { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } }),
  };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources };
  const names = { kind: 'Cache', plural: 'caches', singular: 'cache', listKind: 'CacheList' };
  return { spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] } };
}

/** A ready pod that a custom resource controls, and a budget for it. */
function ofCustomResource(scale: boolean): WorkloadCluster {
  const cluster = withDisruption();
  cluster.create('customresourcedefinitions.apiextensions.k8s.io', 'caches.example.com', crd(scale));
  cluster.run();
  const { metadata } = cluster.create('caches.example.com', 'c', { apiVersion: 'example.com/v1', kind: 'Cache', spec: { replicas: 5 } });
  const owner = { apiVersion: 'example.com/v1', kind: 'Cache', name: 'c', uid: metadata.uid, controller: true };
  cluster.create('pods', 'c-0', { labels: { app: 'web' }, spec: { containers: [{ name: 'c', image: 'img' }] } });
  cluster.patch('pods', 'c-0', { metadata: { ownerReferences: [owner] } });
  cluster.create('poddisruptionbudgets.policy', 'budget', { spec: { selector, maxUnavailable: '20%' } });
  cluster.becomes('c-0', 'Running');
  cluster.run();
  return cluster;
}

describe('the disruption controller', () => {
  it('tells how many pods may go, counted from what their controller wants', () => {
    expect(statusOf(withBudget({ maxUnavailable: 1 }))).toMatchObject({
      disruptionsAllowed: 1,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
      conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }],
    });
  });

  it('rounds a share of the pods up', () => {
    expect(statusOf(withBudget({ minAvailable: '50%' }))).toMatchObject({ desiredHealthy: 2, disruptionsAllowed: 1 });
    expect(statusOf(withBudget({ maxUnavailable: '50%' }))).toMatchObject({ desiredHealthy: 1, disruptionsAllowed: 2 });
  });

  it('lets a pod be evicted once, and refuses the next until there is another', () => {
    const cluster = withBudget({ maxUnavailable: 1 });
    const [first = '', second = ''] = cluster.names('pods');
    expect(evict(cluster, first).code).toBe(201);
    const refused = evict(cluster, second);
    expect(refused.code).toBe(429);
    expect((refused.body as Status).details?.causes?.[0]?.message).toBe(
      'The disruption budget budget needs 2 healthy pods and has 2 currently',
    );
    for (const pod of cluster.names('pods')) cluster.becomes(pod, 'Running');
    cluster.run();
    expect(evict(cluster, second).code).toBe(201);
  });

  it('counts a pod as gone from its eviction on, and forgets the eviction when the pod goes', () => {
    const cluster = withBudget({ maxUnavailable: 2 });
    evict(cluster);
    expect(statusOf(cluster)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 });
    expect(statusOf(cluster).disruptedPods).toBeUndefined();
  });

  it('takes nothing from the budget in a dry run', () => {
    const cluster = withBudget({ maxUnavailable: 1 });
    expect(evict(cluster, undefined, { deleteOptions: { dryRun: ['All'] } }).code).toBe(201);
    expect(statusOf(cluster)).toMatchObject({ disruptionsAllowed: 1 });
    expect(cluster.list('pods')).toHaveLength(3);
  });

  it('says why it cannot count bare pods by a share', () => {
    const cluster = withDisruption();
    cluster.create('pods', 'bare', { labels: { app: 'web' }, spec: { containers: [{ name: 'c', image: 'img' }] } });
    cluster.create('poddisruptionbudgets.policy', 'budget', { spec: { selector, minAvailable: '50%' } });
    cluster.run();
    expect(statusOf(cluster)).toMatchObject({ expectedPods: 0, disruptionsAllowed: 0 });
    expect(cluster.events('PodDisruptionBudget')[0]).toContain('MatchLabels:map[string]string{app: web,}');
  });

  it('asks any kind of controller for its scale', () => {
    expect(statusOf(ofCustomResource(true))).toMatchObject({ expectedPods: 5, desiredHealthy: 4 });
  });

  it('allows nothing while a controller has no scale', () => {
    const { conditions } = statusOf(ofCustomResource(false));
    expect(conditions).toMatchObject([{ reason: 'SyncFailed', message: 'caches.example.com does not implement the scale subresource' }]);
  });

  it('tells a pod that was to be disrupted and has stayed for two minutes', () => {
    const cluster = withDisruption();
    cluster.create('pods', 'bare', { spec: { containers: [{ name: 'c', image: 'img' }] } });
    const condition = { type: 'DisruptionTarget', status: 'True', reason: 'Test', lastTransitionTime: '2026-01-01T00:00:00Z' };
    cluster.patch('pods', 'bare', { status: { phase: 'Running', conditions: [condition] } }, 'status');
    cluster.run(119);
    expect(cluster.get('pods', 'bare').status.conditions).toMatchObject([{ status: 'True' }]);
    cluster.run(2);
    expect(cluster.get('pods', 'bare').status.conditions).toMatchObject([{ status: 'False' }]);
  });
});
