import { describe, expect, it } from 'vitest';
import { startReplicaSetController } from '../../../src/sim/controllers/replicaset/replicaset.js';
import { WorkloadCluster, workload } from './workload-cluster.js';

function withReplicaSet(replicas: number): WorkloadCluster {
  const cluster = new WorkloadCluster(startReplicaSetController);
  cluster.create('replicasets.apps', 'web', { spec: { replicas, ...workload() } });
  cluster.run();
  return cluster;
}

describe('the ReplicaSet controller', () => {
  it('makes as many pods as wanted and no more, although its cache is behind', () => {
    const cluster = withReplicaSet(5);
    expect(cluster.list('pods')).toHaveLength(5);
    expect(cluster.get('replicasets.apps', 'web').status).toMatchObject({ replicas: 5, terminatingReplicas: 0, observedGeneration: 1 });
    expect(cluster.events('ReplicaSet')).toHaveLength(5);
  });

  it('deletes pods that are not ready before those that are', () => {
    const cluster = withReplicaSet(3);
    const [first = '', second = '', third = ''] = cluster.names('pods');
    cluster.becomes(first, 'Running');
    cluster.becomes(third, 'Running');
    cluster.run();
    cluster.patch('replicasets.apps', 'web', { spec: { replicas: 2 } });
    cluster.run();
    expect(cluster.names('pods')).toEqual([first, third]);
    expect(cluster.names('pods')).not.toContain(second);
  });

  it('adopts a pod that it selects, and lets it go when its labels change', () => {
    const cluster = new WorkloadCluster(startReplicaSetController);
    const { labels } = workload().template.metadata;
    cluster.create('pods', 'stray', { labels, spec: { containers: [{ name: 'c', image: 'img:1' }] } });
    cluster.create('replicasets.apps', 'web', { spec: { replicas: 1, ...workload() } });
    cluster.run();
    expect(cluster.names('pods')).toEqual(['stray']);
    expect(cluster.get('pods', 'stray').metadata.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', name: 'web', controller: true }]);
    cluster.patch('pods', 'stray', { metadata: { labels: { app: 'other' } } });
    cluster.run();
    expect(cluster.get('pods', 'stray').metadata.ownerReferences).toBeUndefined();
    expect(cluster.list('pods')).toHaveLength(2);
  });

  it('writes nothing once it has what it wants', () => {
    const cluster = withReplicaSet(2);
    const { revision } = cluster.etcd;
    cluster.run(600);
    expect(cluster.etcd.revision).toBe(revision);
  });
});
