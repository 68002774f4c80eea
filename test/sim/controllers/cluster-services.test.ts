import { expect, test } from 'vitest';
import { startPodGarbageCollector } from '../../../src/sim/controllers/pod-garbage-collector.js';
import { startQuotaController } from '../../../src/sim/controllers/resourcequota/resourcequota.js';
import { startRootCaPublisher } from '../../../src/sim/controllers/root-ca.js';
import { startServiceAccountController } from '../../../src/sim/controllers/service-account.js';
import { WorkloadCluster } from './workload-cluster.js';

const quota = { spec: { hard: { pods: '5', 'count/secrets': '3' } } };

function addPod(cluster: WorkloadCluster, name: string, rest: object = {}): void {
  cluster.create('pods', name, { spec: { containers: [{ name: 'c', image: 'i:1' }], ...rest } });
}

function withQuotas(): WorkloadCluster {
  const cluster = new WorkloadCluster();
  cluster.start((host, feed) => startQuotaController(host, feed, cluster.kinds));
  return cluster;
}

function usedPods(cluster: WorkloadCluster): string {
  return cluster.get('resourcequotas', 'q').status.used.pods;
}

test('a quota that comes late counts what is there already, and never from a cache that is not filled', () => {
  const cluster = withQuotas();
  addPod(cluster, 'a');
  addPod(cluster, 'b');
  cluster.create('resourcequotas', 'q', quota);
  cluster.run();
  expect(cluster.get('resourcequotas', 'q').status).toEqual({
    hard: { pods: '5', 'count/secrets': '3' },
    used: { pods: '2', 'count/secrets': '0' },
  });
});

test('what has ended or is gone is given back, and usage written by hand stays until something changes', () => {
  const cluster = withQuotas();
  cluster.create('resourcequotas', 'q', quota);
  cluster.run();
  addPod(cluster, 'a');
  addPod(cluster, 'b');
  cluster.run();
  expect(usedPods(cluster)).toBe('2');
  cluster.patch('pods', 'a', { status: { phase: 'Succeeded' } }, 'status');
  cluster.run();
  expect(usedPods(cluster)).toBe('1');
  cluster.patch('resourcequotas', 'q', { status: { used: { pods: '4' } } }, 'status');
  cluster.run();
  expect(usedPods(cluster)).toBe('4');
  cluster.run(300);
  expect(usedPods(cluster)).toBe('1');
});

test('a namespace gets its service account and its certificate, and gets them back', () => {
  const cluster = new WorkloadCluster(startServiceAccountController, startRootCaPublisher);
  cluster.run(0.1);
  const account = cluster.get('serviceaccounts', 'default').metadata.uid;
  const data = cluster.get('configmaps', 'kube-root-ca.crt').data;
  expect(account).toBeDefined();
  expect(Object.keys(data)).toEqual(['ca.crt']);
  cluster.delete('serviceaccounts', 'default');
  cluster.patch('configmaps', 'kube-root-ca.crt', { data: { 'ca.crt': 'forged', more: 'm' } });
  cluster.run(0.1);
  expect(cluster.get('serviceaccounts', 'default').metadata.uid).not.toBe(account);
  expect(cluster.get('configmaps', 'kube-root-ca.crt').data).toEqual(data);
});

test('pods of a node that is no more go after a while, those of another node stay', () => {
  const cluster = new WorkloadCluster(startPodGarbageCollector);
  cluster.create('nodes', 'here', {});
  addPod(cluster, 'lost', { nodeName: 'gone' });
  addPod(cluster, 'well', { nodeName: 'here' });
  cluster.run(45);
  expect(cluster.names('pods')).toContain('lost');
  cluster.run(40);
  expect(cluster.names('pods')).toEqual(['well']);
  expect(cluster.get('pods', 'well').status.phase).toBe('Pending');
});
