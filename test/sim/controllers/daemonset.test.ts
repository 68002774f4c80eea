import { describe, expect, it } from 'vitest';
import { startDaemonSetController } from '../../../src/sim/controllers/daemonset/daemonset.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { podRunners, WorkloadCluster, workload } from './workload-cluster.js';

const surge = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };

function withNodes(nodes: readonly string[], spec: object = {}): WorkloadCluster {
  const cluster = new WorkloadCluster(startDaemonSetController);
  for (const name of nodes) cluster.node(name);
  cluster.create('daemonsets.apps', 'agent', { spec: { ...workload(), ...spec } });
  cluster.run();
  return cluster;
}

function nodeOf(pod: KubeObject): string {
  return pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[0];
}

/** The pods that are meant for a node and are not going. */
function on(cluster: WorkloadCluster, node: string): readonly KubeObject[] {
  return cluster.list('pods').filter((pod) => nodeOf(pod) === node && pod.metadata.deletionTimestamp === undefined);
}

/** All pods run, each on its node. */
function allRun(cluster: WorkloadCluster): void {
  for (const { metadata } of cluster.list('pods')) cluster.becomes(metadata.name ?? '', 'Running');
  cluster.run();
}

function bind(cluster: WorkloadCluster, pod: KubeObject | undefined): void {
  const target = { apiVersion: 'v1', kind: 'Node', name: nodeOf(pod as KubeObject) };
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: pod?.metadata.name }, target };
  const where = { group: '', version: 'v1', resource: 'pods', subresource: 'binding', namespace: 'ns' } as const;
  cluster.clockwork.serve({ verb: 'create', ...where, name: pod?.metadata.name ?? '', body });
}

function images(cluster: WorkloadCluster, node: string): readonly string[] {
  return on(cluster, node)
    .map(({ spec }) => spec.containers[0].image)
    .sort();
}

describe('the DaemonSet controller', () => {
  it('makes a pod for every node, and for a node that comes later', () => {
    const cluster = withNodes(['a', 'b']);
    cluster.node('c');
    cluster.run();
    expect(cluster.list('pods').map(nodeOf).sort()).toEqual(['a', 'b', 'c']);
    expect(cluster.get('daemonsets.apps', 'agent').status).toMatchObject({ desiredNumberScheduled: 3, currentNumberScheduled: 3 });
  });

  it('has its pods bound to their nodes, cordoned ones too, and becomes ready', () => {
    const cluster = new WorkloadCluster(startDaemonSetController, ...podRunners);
    const node = cluster.etcd.list('nodes')[0]?.metadata.name ?? '';
    cluster.patch('nodes', node, {
      spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
    });
    cluster.create('daemonsets.apps', 'agent', { spec: workload() });
    cluster.run(30);
    expect(cluster.list('pods').map(({ spec }) => spec.nodeName)).toEqual([node]);
    expect(cluster.get('daemonsets.apps', 'agent').status).toMatchObject({ desiredNumberScheduled: 1, numberReady: 1, numberAvailable: 1 });
  });

  it('leaves out nodes that the selector does not mean and those with a taint that is not tolerated', () => {
    const { selector, template } = workload();
    const cluster = new WorkloadCluster(startDaemonSetController);
    cluster.node('a', { disk: 'ssd' });
    cluster.node('b');
    cluster.create('nodes', 'c', { labels: { disk: 'ssd' } });
    const nodeSelector = { disk: 'ssd' };
    cluster.create('daemonsets.apps', 'agent', { spec: { selector, template: { ...template, spec: { ...template.spec, nodeSelector } } } });
    cluster.run();
    expect(cluster.list('pods').map(nodeOf)).toEqual(['a']);
  });

  it('finds a node by a required affinity that compares numbers', () => {
    const { selector, template } = workload();
    const cluster = new WorkloadCluster(startDaemonSetController);
    for (const cores of ['4', '16']) cluster.node(`cores-${cores}`, { cores });
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['8'] }] }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    cluster.create('daemonsets.apps', 'agent', { spec: { selector, template: { ...template, spec: { ...template.spec, affinity } } } });
    cluster.run();
    expect(cluster.list('pods').map(nodeOf)).toEqual(['cores-16']);
  });

  it('drives pods off a node with a NoExecute taint, and leaves them where only new ones are kept away', () => {
    const cluster = withNodes(['a', 'b']);
    for (const pod of cluster.list('pods')) bind(cluster, pod);
    allRun(cluster);
    cluster.patch('nodes', 'a', { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } });
    cluster.patch('nodes', 'b', { spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } });
    cluster.run();
    expect(on(cluster, 'a')).toEqual([]);
    expect(on(cluster, 'b')).toHaveLength(1);
    expect(cluster.get('daemonsets.apps', 'agent').status).toMatchObject({ desiredNumberScheduled: 0, numberMisscheduled: 2 });
  });

  it('replaces a failed pod at once, the next one after a second and then after two', () => {
    const cluster = withNodes(['a']);
    const fail = () => cluster.becomes(on(cluster, 'a')[0]?.metadata.name ?? '', 'Failed');
    const first = on(cluster, 'a')[0]?.metadata.uid;
    fail();
    cluster.run(0.5);
    const second = on(cluster, 'a')[0]?.metadata.uid;
    expect(second).not.toBe(first);
    fail();
    cluster.run(0.3);
    expect(on(cluster, 'a')[0]?.metadata.uid).toBe(second);
    cluster.run(1);
    expect(on(cluster, 'a')[0]?.metadata.uid).not.toBe(second);
    expect(cluster.events('DaemonSet').filter((message) => message.startsWith('Found failed daemon pod'))).toHaveLength(2);
  });

  it('replaces one old pod after the other, and keeps a revision of each template', () => {
    const cluster = withNodes(['a', 'b']);
    allRun(cluster);
    cluster.patch('daemonsets.apps', 'agent', { spec: { template: workload('img:2').template } });
    cluster.run();
    expect(cluster.list('pods').map(({ spec }) => spec.containers[0].image)).toEqual(expect.arrayContaining(['img:1', 'img:2']));
    allRun(cluster);
    allRun(cluster);
    expect([...images(cluster, 'a'), ...images(cluster, 'b')]).toEqual(['img:2', 'img:2']);
    const revisions = cluster.list('controllerrevisions.apps').map(({ revision }) => revision);
    expect([...revisions].sort()).toEqual([1, 2]);
  });

  it('changes nothing by itself when pods are replaced on delete', () => {
    const cluster = withNodes(['a'], { updateStrategy: { type: 'OnDelete' } });
    cluster.patch('daemonsets.apps', 'agent', { spec: { template: workload('img:2').template } });
    cluster.run();
    expect(images(cluster, 'a')).toEqual(['img:1']);
    cluster.delete('pods', on(cluster, 'a')[0]?.metadata.name ?? '');
    cluster.run();
    expect(images(cluster, 'a')).toEqual(['img:2']);
  });

  it('keeps the old pod beside the new one until the new one serves, when it may surge', () => {
    const cluster = withNodes(['a'], surge);
    allRun(cluster);
    cluster.patch('daemonsets.apps', 'agent', { spec: { template: workload('img:2').template } });
    cluster.run();
    expect(images(cluster, 'a')).toEqual(['img:1', 'img:2']);
    allRun(cluster);
    expect(images(cluster, 'a')).toEqual(['img:2']);
  });
});
