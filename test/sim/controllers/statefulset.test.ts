import { describe, expect, it } from 'vitest';
import { startStatefulSetController } from '../../../src/sim/controllers/statefulset/statefulset.js';
import { podRunners, type Start, WorkloadCluster, workload } from './workload-cluster.js';

const claims = [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }];

function withSet(spec: object, ...controllers: readonly Start[]): WorkloadCluster {
  const cluster = new WorkloadCluster(startStatefulSetController, ...controllers);
  cluster.create('statefulsets.apps', 'db', { spec: { replicas: 3, serviceName: 'db', ...workload(), ...spec } });
  cluster.run();
  return cluster;
}

describe('the StatefulSet controller', () => {
  it('makes one pod after the other, each when the one before is ready', () => {
    const cluster = withSet({});
    expect(cluster.names('pods')).toEqual(['db-0']);
    cluster.becomes('db-0', 'Running');
    cluster.run();
    expect(cluster.names('pods')).toEqual(['db-0', 'db-1']);
  });

  it('makes all pods at once when it may', () => {
    expect(withSet({ podManagementPolicy: 'Parallel' }).names('pods')).toEqual(['db-0', 'db-1', 'db-2']);
  });

  it('gives every pod its claim, and leaves the claims when it is made smaller', () => {
    const cluster = withSet({ volumeClaimTemplates: claims }, ...podRunners);
    cluster.run(20);
    expect(cluster.names('persistentvolumeclaims')).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
    cluster.patch('statefulsets.apps', 'db', { spec: { replicas: 1 } });
    cluster.run(20);
    expect(cluster.names('pods')).toEqual(['db-0']);
    expect(cluster.list('persistentvolumeclaims')).toHaveLength(3);
  });

  it('updates from the last pod down to the partition', () => {
    const cluster = withSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }, ...podRunners);
    cluster.run(20);
    cluster.patch('statefulsets.apps', 'db', { spec: { template: workload('img:2').template } });
    cluster.run(30);
    const images = ['db-0', 'db-1', 'db-2'].map((name) => cluster.get('pods', name).spec.containers[0].image);
    expect(images).toEqual(['img:1', 'img:2', 'img:2']);
    expect(cluster.get('statefulsets.apps', 'db').status).toMatchObject({ currentReplicas: 1, updatedReplicas: 2, readyReplicas: 3 });
  });

  it('numbers a revision anew when its template comes back', () => {
    const cluster = withSet({ replicas: 0 });
    for (const image of ['img:2', 'img:1']) {
      cluster.patch('statefulsets.apps', 'db', { spec: { template: workload(image).template } });
      cluster.run();
    }
    const revisions = cluster.list('controllerrevisions.apps').map(({ revision }) => revision);
    expect([...revisions].sort()).toEqual([2, 3]);
  });

  it('hands the claim of a pod that is scaled away to the pod, when it shall go with it', () => {
    const policy = { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' } };
    const cluster = withSet({ volumeClaimTemplates: claims, replicas: 2, ...policy }, ...podRunners);
    cluster.run(20);
    expect(cluster.get('persistentvolumeclaims', 'data-db-1').metadata.ownerReferences).toMatchObject([{ kind: 'StatefulSet' }]);
    cluster.patch('statefulsets.apps', 'db', { spec: { replicas: 1 } });
    cluster.run(20);
    expect(cluster.get('persistentvolumeclaims', 'data-db-1').metadata.ownerReferences).toMatchObject([{ kind: 'Pod', name: 'db-1' }]);
  });
});
