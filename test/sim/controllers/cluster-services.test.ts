import { expect, test } from 'vitest';
import { ApiServer } from '../../../src/sim/apiserver/server.js';
import { startPodGarbageCollector } from '../../../src/sim/controllers/pod-garbage-collector.js';
import { startQuotaController } from '../../../src/sim/controllers/resourcequota/resourcequota.js';
import { startRootCaPublisher } from '../../../src/sim/controllers/root-ca.js';
import { startServiceAccountController } from '../../../src/sim/controllers/service-account.js';
import { Etcd } from '../../../src/sim/etcd/etcd.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { Clockwork } from './clockwork.js';

/** A server with the namespace `default`, and time that only `run` lets pass. */
function cluster() {
  const clockwork: Clockwork = new Clockwork(Date.UTC(2026, 0, 1), () => server);
  const environment = { nowMs: () => clockwork.nowMs, random: (name: string) => clockwork.random(name) };
  const server = new ApiServer({ etcd: new Etcd(), environment });
  const at = (resource: string) => ({
    group: '',
    version: 'v1',
    resource,
    ...(clusterScoped.has(resource) ? {} : { namespace: 'default' }),
  });
  const create = (resource: string, body: object) => clockwork.serve({ verb: 'create', ...at(resource), body }).response;
  const get = (resource: string, name: string) =>
    clockwork.serve({ verb: 'get', ...at(resource), name }).response as { readonly code: number; readonly body: KubeObject };
  const patch = (resource: string, name: string, body: object, subresource?: string) =>
    clockwork.serve({
      verb: 'patch',
      ...at(resource),
      name,
      ...(subresource !== undefined && { subresource }),
      contentType: 'application/merge-patch+json',
      body,
    }).response;
  const remove = (resource: string, name: string) => clockwork.serve({ verb: 'delete', ...at(resource), name }).response;
  create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  return { clockwork, server, create, get, patch, remove };
}

const clusterScoped: ReadonlySet<string> = new Set(['namespaces', 'nodes']);

function pod(name: string, rest: object = {}): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image: 'i:1' }], ...rest } };
}

const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '5', 'count/secrets': '3' } } };

test('a quota that comes late counts what is there already, and never from a cache that is not filled', () => {
  const { clockwork, server, create, get } = cluster();
  startQuotaController(clockwork.host('quota'), clockwork.feed(), server.kinds);
  create('pods', pod('a'));
  create('pods', pod('b'));
  create('resourcequotas', quota);
  clockwork.run(1_000);
  expect(get('resourcequotas', 'q').body.status).toEqual({
    hard: { pods: '5', 'count/secrets': '3' },
    used: { pods: '2', 'count/secrets': '0' },
  });
});

test('what has ended or is gone is given back, and usage written by hand stays until something changes', () => {
  const { clockwork, server, create, get, patch } = cluster();
  startQuotaController(clockwork.host('quota'), clockwork.feed(), server.kinds);
  create('resourcequotas', quota);
  clockwork.run(1_000);
  create('pods', pod('a'));
  create('pods', pod('b'));
  clockwork.run(1_000);
  expect(get('resourcequotas', 'q').body.status.used.pods).toBe('2');
  patch('pods', 'a', { status: { phase: 'Succeeded' } }, 'status');
  clockwork.run(1_000);
  expect(get('resourcequotas', 'q').body.status.used.pods).toBe('1');
  patch('resourcequotas', 'q', { status: { used: { pods: '4' } } }, 'status');
  clockwork.run(1_000);
  expect(get('resourcequotas', 'q').body.status.used.pods).toBe('4');
  clockwork.run(300_000);
  expect(get('resourcequotas', 'q').body.status.used.pods).toBe('1');
});

test('a namespace gets its service account and its certificate, and gets them back', () => {
  const { clockwork, get, remove, patch } = cluster();
  startServiceAccountController(clockwork.host('accounts'), clockwork.feed());
  startRootCaPublisher(clockwork.host('certificates'), clockwork.feed());
  clockwork.run(100);
  const account = get('serviceaccounts', 'default').body.metadata.uid;
  const data = get('configmaps', 'kube-root-ca.crt').body.data;
  expect(account).toBeDefined();
  expect(Object.keys(data)).toEqual(['ca.crt']);
  remove('serviceaccounts', 'default');
  patch('configmaps', 'kube-root-ca.crt', { data: { 'ca.crt': 'forged', more: 'm' } });
  clockwork.run(100);
  expect(get('serviceaccounts', 'default').body.metadata.uid).not.toBe(account);
  expect(get('configmaps', 'kube-root-ca.crt').body.data).toEqual(data);
});

test('pods of a node that is no more go after a while, those of another node stay', () => {
  const { clockwork, create, get } = cluster();
  startPodGarbageCollector(clockwork.host('collector'), clockwork.feed());
  create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'here' } });
  create('pods', pod('lost', { nodeName: 'gone' }));
  create('pods', pod('well', { nodeName: 'here' }));
  clockwork.run(45_000);
  expect(get('pods', 'lost').code).toBe(200);
  clockwork.run(40_000);
  expect(get('pods', 'lost').code).toBe(404);
  expect(get('pods', 'well').body.status.phase).toBe('Pending');
});
