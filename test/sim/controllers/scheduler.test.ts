import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { TroubledCluster } from './troubled-cluster.js';

const containers = [{ name: 'c', image: 'img:1' }];
const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
const withClaim = { containers, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };

function scheduled(pod: KubeObject): string {
  const conditions: readonly { readonly type: string; readonly message?: string }[] = pod.status.conditions ?? [];
  const { message } = conditions.find(({ type }) => type === 'PodScheduled') ?? {};
  return pod.spec?.nodeName ?? message ?? 'nothing';
}

describe('the scheduler', () => {
  it('spreads pods over the nodes that fit', () => {
    const cluster = new TroubledCluster();
    cluster.addNode({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-2', labels: { disk: 'ssd' } } });
    for (const name of ['a', 'b', 'c', 'd']) cluster.create('pods', name, { spec: { containers } });
    cluster.create('pods', 'e', { spec: { containers, nodeSelector: { disk: 'ssd' } } });
    cluster.run(5);
    expect(cluster.list('pods').map(scheduled)).toEqual(['node-1', 'node-2', 'node-1', 'node-2', 'node-2']);
  });

  it('says why a pod fits nowhere, and binds it when a node comes that fits', () => {
    const cluster = new TroubledCluster();
    cluster.create('pods', 'a', { spec: { containers, nodeSelector: { disk: 'ssd' } } });
    cluster.run(5);
    expect(scheduled(cluster.get('pods', 'a'))).toBe(
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    );
    expect(cluster.events('Pod')).toHaveLength(1);
    cluster.addNode({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-2', labels: { disk: 'ssd' } } });
    cluster.run(5);
    expect(cluster.get('pods', 'a')).toMatchObject({ spec: { nodeName: 'node-2' }, status: { phase: 'Running' } });
  });

  it('leaves a pod unbound for as long as the plan says', () => {
    const cluster = new TroubledCluster([{ kind: 'pod', pod: 'ns/a', nth: 1, life: 'unschedulable', forMs: 60_000 }]);
    cluster.create('pods', 'a', { spec: { containers } });
    cluster.run(59);
    expect(scheduled(cluster.get('pods', 'a'))).toContain('1 Insufficient memory');
    expect(cluster.get('pods', 'a').status.phase).toBe('Pending');
    cluster.run(5);
    expect(scheduled(cluster.get('pods', 'a'))).toBe('node-1');
  });

  it('leaves pods of another scheduler and pods with a gate alone', () => {
    const cluster = new TroubledCluster();
    cluster.create('pods', 'a', { spec: { containers, schedulerName: 'mine' } });
    cluster.create('pods', 'b', { spec: { containers, schedulingGates: [{ name: 'example.com/later' }] } });
    cluster.run(5);
    expect(cluster.list('pods').map(({ spec }) => spec?.nodeName)).toEqual([undefined, undefined]);
    cluster.patch('pods', 'b', { spec: { schedulingGates: null } });
    cluster.run(5);
    expect(scheduled(cluster.get('pods', 'b'))).toBe('node-1');
  });
});

describe('claims', () => {
  it('get a volume of their own, which goes with them', () => {
    const cluster = new TroubledCluster();
    cluster.create('persistentvolumeclaims', 'data', claim);
    cluster.run(1);
    const bound = cluster.get('persistentvolumeclaims', 'data');
    expect(bound.status).toMatchObject({ phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] });
    expect(bound.spec?.volumeName).toBe(`pvc-${bound.metadata.uid}`);
    const [volume] = cluster.etcd.list('persistentvolumes');
    expect(volume).toMatchObject({ status: { phase: 'Bound' }, spec: { claimRef: { uid: bound.metadata.uid } } });
    cluster.patch('persistentvolumeclaims', 'data', { metadata: { finalizers: null } });
    cluster.delete('persistentvolumeclaims', 'data');
    cluster.run(1);
    expect(cluster.etcd.list('persistentvolumes')).toEqual([]);
  });

  it('take a volume that is there and suits them, and leave it to be looked at', () => {
    const cluster = new TroubledCluster();
    const volume = (storage: string) => ({
      spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' }, persistentVolumeReclaimPolicy: 'Retain' },
    });
    for (const [name, storage] of [
      ['small', '500Mi'],
      ['large', '9Gi'],
      ['right', '2Gi'],
    ] as const)
      cluster.create('persistentvolumes', name, volume(storage));
    cluster.create('persistentvolumeclaims', 'data', { spec: { ...claim.spec, storageClassName: '' } });
    cluster.run(1);
    expect(cluster.get('persistentvolumeclaims', 'data').spec?.volumeName).toBe('right');
    cluster.patch('persistentvolumeclaims', 'data', { metadata: { finalizers: null } });
    cluster.delete('persistentvolumeclaims', 'data');
    cluster.run(1);
    expect(cluster.etcd.list('persistentvolumes').map(({ metadata, status }) => `${metadata.name} ${status.phase}`)).toContain(
      'right Released',
    );
  });

  it('keep their pods waiting while nobody binds them', () => {
    const cluster = new TroubledCluster([{ kind: 'claim', claim: 'ns/data', nth: 1, forMs: 30_000 }]);
    cluster.create('pods', 'a', { spec: withClaim });
    cluster.run(1);
    expect(scheduled(cluster.get('pods', 'a'))).toContain('persistentvolumeclaim "data" not found');
    cluster.create('persistentvolumeclaims', 'data', claim);
    cluster.run(25);
    expect(scheduled(cluster.get('pods', 'a'))).toContain('pod has unbound immediate PersistentVolumeClaims');
    cluster.run(10);
    expect(cluster.get('pods', 'a').status.phase).toBe('Running');
  });

  it('wait for their first pod when their class says so', () => {
    const cluster = new TroubledCluster();
    cluster.create('storageclasses.storage.k8s.io', 'local', { provisioner: 'x', volumeBindingMode: 'WaitForFirstConsumer' });
    cluster.create('persistentvolumeclaims', 'data', { spec: { ...claim.spec, storageClassName: 'local' } });
    cluster.run(60);
    expect(cluster.get('persistentvolumeclaims', 'data').status.phase).toBe('Pending');
    cluster.create('pods', 'a', { spec: withClaim });
    cluster.run(5);
    expect(cluster.get('persistentvolumeclaims', 'data')).toMatchObject({
      metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'node-1' } },
      status: { phase: 'Bound' },
    });
    expect(cluster.get('pods', 'a').status.phase).toBe('Running');
  });
});
