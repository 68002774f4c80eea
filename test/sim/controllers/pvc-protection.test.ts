import { describe, expect, it } from 'vitest';
import { startClaimProtection } from '../../../src/sim/controllers/pvc-protection.js';
import { WorkloadCluster } from './workload-cluster.js';

/** A claim that is deleted while a pod names it. */
function deletedUnder(pod: object): WorkloadCluster {
  const cluster = new WorkloadCluster(startClaimProtection);
  cluster.create('persistentvolumeclaims', 'data', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  cluster.create('pods', 'a', { spec: { containers: [{ name: 'c', image: 'img' }], volumes, ...pod } });
  cluster.run();
  cluster.delete('persistentvolumeclaims', 'data');
  cluster.run();
  return cluster;
}

describe('the protection of claims', () => {
  it('keeps a claim while a pod on a node names it, even one that has ended', () => {
    const cluster = deletedUnder({ nodeName: 'n1' });
    cluster.becomes('a', 'Succeeded');
    cluster.run();
    expect(cluster.names('persistentvolumeclaims')).toEqual(['data']);
    cluster.deleteByForce('pods', 'a');
    cluster.run();
    expect(cluster.names('persistentvolumeclaims')).toEqual([]);
  });

  it('lets a claim go that only pods without a node name', () => {
    expect(deletedUnder({}).names('persistentvolumeclaims')).toEqual([]);
  });
});
