import { describe, expect, it } from 'vitest';
import { startReplicaSetController } from '../../../src/sim/controllers/replicaset/replicaset.js';
import { startStatefulSetController } from '../../../src/sim/controllers/statefulset/statefulset.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { TroubledCluster } from './troubled-cluster.js';
import { type Start, workload } from './workload-cluster.js';

function withPods(...controllers: readonly Start[]): TroubledCluster {
  const cluster = new TroubledCluster([], ...controllers);
  const resource = controllers.includes(startStatefulSetController) ? 'statefulsets.apps' : 'replicasets.apps';
  cluster.create(resource, 'web', { spec: { replicas: 1, ...workload() } });
  cluster.run(10);
  return cluster;
}

function node(cluster: TroubledCluster): KubeObject {
  return cluster.etcd.get({ resource: 'nodes', namespace: '', name: 'node-1' }) as KubeObject;
}

function ready(object: KubeObject | undefined): string {
  const conditions: readonly { readonly type: string; readonly status: string }[] = object?.status?.conditions ?? [];
  return conditions.find(({ type }) => type === 'Ready')?.status ?? 'nothing';
}

function taints(cluster: TroubledCluster): readonly string[] {
  return (node(cluster).spec?.taints ?? []).map(({ key, effect }: { readonly key: string; readonly effect: string }) => `${key}:${effect}`);
}

describe('a node that falls silent', () => {
  it('is unknown after 50 s, and its pods are not ready any more', () => {
    const cluster = withPods(startReplicaSetController);
    cluster.fates.silence('node-1', cluster.clockwork.nowMs);
    cluster.run(49);
    expect(ready(node(cluster))).toBe('True');
    cluster.run(2);
    expect(ready(node(cluster))).toBe('Unknown');
    expect(taints(cluster)).toEqual(['node.kubernetes.io/unreachable:NoSchedule', 'node.kubernetes.io/unreachable:NoExecute']);
    expect(ready(cluster.list('pods')[0])).toBe('False');
    expect(cluster.get('replicasets.apps', 'web').status.readyReplicas).toBeUndefined();
    expect(cluster.events('Pod')).toContain('Node is not ready');
  });

  it('is as before when it is heard again in time', () => {
    const cluster = withPods(startReplicaSetController);
    const [before] = cluster.list('pods');
    cluster.fates.silence('node-1', cluster.clockwork.nowMs);
    cluster.run(100);
    cluster.fates.hear('node-1');
    cluster.run(5);
    expect(ready(node(cluster))).toBe('True');
    expect(taints(cluster)).toEqual([]);
    const [after] = cluster.list('pods');
    expect(ready(after)).toBe('True');
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    const quiet = cluster.etcd.revision;
    cluster.run(3_000);
    expect(cluster.etcd.revision).toBe(quiet);
  });

  it('loses its pods after 300 s more, which stay until it is heard again', () => {
    const cluster = withPods(startReplicaSetController);
    const [pod] = cluster.list('pods');
    cluster.fates.silence('node-1', cluster.clockwork.nowMs);
    cluster.run(345);
    expect(cluster.list('pods')).toHaveLength(1);
    cluster.run(600);
    const lost = cluster.list('pods').find(({ metadata }) => metadata.uid === pod?.metadata.uid);
    expect(lost?.metadata.deletionTimestamp).toBeDefined();
    expect(lost?.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' }),
    );
    const next = cluster.list('pods').find(({ metadata }) => metadata.uid !== pod?.metadata.uid);
    expect(next?.status.conditions[0]).toMatchObject({
      reason: 'Unschedulable',
      message:
        '0/1 nodes are available: 1 node(s) had untolerated taint(s). preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    });
    cluster.fates.hear('node-1');
    cluster.run(10);
    expect(cluster.list('pods').map(ready)).toEqual(['True']);
  });

  it('keeps the name of a pod of a StatefulSet in use until the pod is deleted by force', () => {
    const cluster = withPods(startStatefulSetController);
    cluster.addNode({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-2' } });
    cluster.fates.silence('node-1', cluster.clockwork.nowMs);
    cluster.run(1_000);
    expect(cluster.list('pods').map(({ spec }) => spec?.nodeName)).toEqual(['node-1']);
    cluster.deleteByForce('pods', 'web-0');
    cluster.run(10);
    expect(cluster.list('pods').map((pod) => [pod.spec?.nodeName, ready(pod)])).toEqual([['node-2', 'True']]);
  });
});

describe('a new node', () => {
  it('says that it is well, and is freed from the taint that keeps pods away', () => {
    const cluster = new TroubledCluster();
    cluster.addNode({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-2' } }, 'new');
    cluster.run(1);
    const added = cluster.etcd.get({ resource: 'nodes', namespace: '', name: 'node-2' }) as KubeObject;
    expect(ready(added)).toBe('True');
    expect(added.spec?.taints).toBeUndefined();
  });
});
