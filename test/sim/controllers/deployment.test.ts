import { describe, expect, it } from 'vitest';
import { startDeploymentController } from '../../../src/sim/controllers/deployment/deployment.js';
import { startReplicaSetController } from '../../../src/sim/controllers/replicaset/replicaset.js';
import { podRunners, WorkloadCluster, workload } from './workload-cluster.js';

function deployed(spec: object = {}): WorkloadCluster {
  const cluster = new WorkloadCluster(startDeploymentController, startReplicaSetController, ...podRunners);
  cluster.create('deployments.apps', 'web', { spec: { replicas: 3, ...workload(), ...spec } });
  cluster.run(10);
  return cluster;
}

function sizes(cluster: WorkloadCluster): readonly number[] {
  return cluster
    .list('replicasets.apps')
    .map(({ spec }) => spec.replicas as number)
    .sort();
}

describe('the Deployment controller', () => {
  it('brings a Deployment to completion', () => {
    const { status, metadata } = deployed().get('deployments.apps', 'web');
    expect(status).toMatchObject({ replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 1 });
    expect(status.conditions).toMatchObject([
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
    ]);
    expect(metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
  });

  it('never has fewer pods ready than the strategy allows while it rolls', () => {
    const cluster = deployed({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    cluster.patch('deployments.apps', 'web', { spec: { template: workload('img:2').template } });
    for (let step = 0; step < 200; step++) {
      cluster.clockwork.run(100);
      const ready = cluster
        .list('pods')
        .filter(({ status }) =>
          status.conditions?.some(({ type, status }: { type: string; status: string }) => type === 'Ready' && status === 'True'),
        );
      expect(ready.length).toBeGreaterThanOrEqual(3);
      expect(cluster.list('replicasets.apps').reduce((sum, { spec }) => sum + spec.replicas, 0)).toBeLessThanOrEqual(4);
    }
    expect(sizes(cluster)).toEqual([0, 3]);
  });

  it('takes the old ReplicaSet again when its template comes back', () => {
    const cluster = deployed();
    const [first] = cluster.names('replicasets.apps');
    for (const image of ['img:2', 'img:1']) {
      cluster.patch('deployments.apps', 'web', { spec: { template: workload(image).template } });
      cluster.run(20);
    }
    expect(cluster.list('replicasets.apps')).toHaveLength(2);
    const { spec, metadata } = cluster.get('replicasets.apps', first as string);
    expect(spec.replicas).toBe(3);
    expect(metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
  });

  it('keeps only as many old ReplicaSets as it is told to', () => {
    const cluster = deployed({ revisionHistoryLimit: 1 });
    for (const image of ['img:2', 'img:3', 'img:4']) {
      cluster.patch('deployments.apps', 'web', { spec: { template: workload(image).template } });
      cluster.run(30);
    }
    expect(sizes(cluster)).toEqual([0, 3]);
  });

  it('takes another name when somebody has the one that it wants', () => {
    const plain = deployed();
    const [taken = ''] = plain.names('replicasets.apps');
    const cluster = new WorkloadCluster(startDeploymentController, startReplicaSetController);
    cluster.create('replicasets.apps', taken, {
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'x' } },
        template: { ...workload().template, metadata: { labels: { app: 'x' } } },
      },
    });
    cluster.create('deployments.apps', 'web', { spec: { replicas: 1, ...workload() } });
    cluster.run(10);
    expect(cluster.get('deployments.apps', 'web').status.collisionCount).toBe(1);
    expect(cluster.list('replicasets.apps')).toHaveLength(2);
  });

  it('says so when nothing has progressed for too long', () => {
    const cluster = new WorkloadCluster(startDeploymentController, startReplicaSetController);
    cluster.create('deployments.apps', 'web', { spec: { replicas: 1, progressDeadlineSeconds: 20, ...workload() } });
    cluster.run(60);
    const { conditions } = cluster.get('deployments.apps', 'web').status;
    expect(conditions.at(-1)).toMatchObject({ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' });
  });

  it('does not roll while it is paused', () => {
    const cluster = deployed({ paused: true });
    expect(cluster.list('replicasets.apps')).toEqual([]);
    cluster.patch('deployments.apps', 'web', { spec: { paused: false } });
    cluster.run(10);
    expect(sizes(cluster)).toEqual([3]);
  });

  it('waits with Recreate until no old pod is left', () => {
    const cluster = deployed({ strategy: { type: 'Recreate' } });
    const old = new Set(cluster.names('pods'));
    cluster.patch('deployments.apps', 'web', { spec: { template: workload('img:2').template } });
    for (let step = 0; step < 100; step++) {
      cluster.clockwork.run(100);
      const names = cluster.names('pods');
      expect(names.every((name) => old.has(name)) || names.every((name) => !old.has(name))).toBe(true);
    }
    expect(sizes(cluster)).toEqual([0, 3]);
  });
});
