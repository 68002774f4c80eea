import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../src/sim/etcd/object.js';
import { AServer } from '../a-server.js';

/** A quota as its controller leaves it. */
function limited(hard: Record<string, string>, used: Record<string, string> | undefined, spec: object = {}): AServer {
  const server = new AServer();
  server.do({ verb: 'create', resource: 'resourcequotas', body: { metadata: { name: 'q' }, spec: { hard, ...spec } } });
  if (used === undefined) return server;
  const body = { metadata: { name: 'q' }, status: { hard, used } };
  server.do({ verb: 'update', resource: 'resourcequotas', subresource: 'status', name: 'q', body });
  return server;
}

const usedOf = (server: AServer) => (server.do({ resource: 'resourcequotas', name: 'q' }).response.body as KubeObject).status?.used;
const create = (server: AServer, name: string, query?: Record<string, string>) =>
  server.do({ verb: 'create', body: { metadata: { name } }, ...(query && { query }) }).response;
const pod = (server: AServer, name: string, requests?: Record<string, string>) =>
  server.do({
    verb: 'create',
    resource: 'pods',
    body: { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', ...(requests && { resources: { requests } }) }] } },
  }).response;

describe('quotas', () => {
  it('do nothing before their controller has written what is in force (RQ-1)', () => {
    expect(create(limited({ 'count/configmaps': '0' }, undefined), 'x').code).toBe(201);
  });

  it('count what is created, and refuse what is too much (RQ-1, RQ-2)', () => {
    const server = limited({ 'count/configmaps': '2' }, { 'count/configmaps': '1' });
    expect(create(server, 'a').code).toBe(201);
    expect(usedOf(server)).toEqual({ 'count/configmaps': '2' });
    expect(create(server, 'b')).toMatchObject({
      code: 403,
      body: {
        reason: 'Forbidden',
        message:
          'configmaps "b" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2',
      },
    });
  });

  it('go on charging what failed after all, and give nothing back by themselves (RQ-2)', () => {
    const server = limited({ 'count/configmaps': '5' }, { 'count/configmaps': '0' });
    create(server, 'a');
    expect(create(server, 'a').code).toBe(409);
    server.delete('a');
    expect(usedOf(server)).toEqual({ 'count/configmaps': '2' });
  });

  it('look at a dry run and do not charge it (RQ-2)', () => {
    const server = limited({ 'count/configmaps': '1' }, { 'count/configmaps': '0' });
    expect(create(server, 'a', { dryRun: 'All' }).code).toBe(201);
    expect(usedOf(server)).toEqual({ 'count/configmaps': '0' });
  });

  it('name everything that is too much at once, and what a container does not say (RQ-3)', () => {
    const server = limited({ pods: '2', 'requests.cpu': '1' }, { pods: '2', 'requests.cpu': '900m' });
    expect(pod(server, 'a', { cpu: '200m' }).body).toMatchObject({
      message:
        'pods "a" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=200m, used: pods=2,requests.cpu=900m, limited: pods=2,requests.cpu=1',
    });
    expect(pod(server, 'a').body).toMatchObject({ message: 'pods "a" is forbidden: failed quota: q: must specify requests.cpu for: c' });
  });

  it('with scopes count only pods in their scope (RQ-3)', () => {
    const server = limited({ pods: '0' }, { pods: '0' }, { scopes: ['BestEffort'] });
    expect(pod(server, 'a').code).toBe(403);
    expect(pod(server, 'a', { cpu: '1m' }).code).toBe(201);
  });

  it('charge an update for what it takes more, and give nothing back for what it takes less', () => {
    const used = { services: '1', 'services.nodeports': '0', 'services.loadbalancers': '0' };
    const server = limited({ services: '1', 'services.nodeports': '2', 'services.loadbalancers': '5' }, { ...used, services: '0' });
    const service = (verb: 'create' | 'update', type: string, ...ports: readonly number[]) =>
      server.do({
        verb,
        resource: 'services',
        ...(verb === 'update' && { name: 's' }),
        body: {
          metadata: { name: 's' },
          spec: { type, ports: ports.map((port) => ({ name: `p${port}`, port, ...(type === 'NodePort' && { nodePort: 30_000 + port }) })) },
        },
      }).response;
    expect(service('create', 'ClusterIP', 80).code).toBe(201);
    expect(usedOf(server)).toEqual(used);
    expect(service('update', 'NodePort', 80, 81).code).toBe(200);
    expect(usedOf(server)).toEqual({ ...used, 'services.nodeports': '2' });
    expect(service('update', 'NodePort', 80, 81, 82).body).toMatchObject({
      message:
        'services "s" is forbidden: exceeded quota: q, requested: services.nodeports=1, used: services.nodeports=2, limited: services.nodeports=2',
    });
    expect(service('update', 'ClusterIP', 80).code).toBe(200);
    expect(usedOf(server)).toEqual({ ...used, 'services.nodeports': '2' });
  });

  it('charge a pod for the scope that an update brings it into', () => {
    const server = limited({ pods: '1' }, { pods: '0' }, { scopes: ['Terminating'] });
    for (const name of ['a', 'b']) expect(pod(server, name).code).toBe(201);
    const end = (name: string) =>
      server.do({
        verb: 'patch',
        resource: 'pods',
        name,
        contentType: 'application/merge-patch+json',
        body: { spec: { activeDeadlineSeconds: 5 } },
      }).response;
    expect(end('a').code).toBe(200);
    expect(usedOf(server)).toEqual({ pods: '1' });
    expect(end('b').body).toMatchObject({
      message: 'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    });
  });

  it('charge a claim to its class of storage too', () => {
    const ofClass = 'fast.storageclass.storage.k8s.io/requests.storage';
    const server = limited({ 'requests.storage': '10Gi', [ofClass]: '1Gi' }, { 'requests.storage': '0', [ofClass]: '0' });
    const claim = (name: string, storageClassName: string) =>
      server.do({
        verb: 'create',
        resource: 'persistentvolumeclaims',
        body: {
          metadata: { name },
          spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '2Gi' } } },
        },
      }).response;
    expect(claim('a', 'slow').code).toBe(201);
    expect(claim('b', 'fast').body).toMatchObject({
      message: `persistentvolumeclaims "b" is forbidden: exceeded quota: q, requested: ${ofClass}=2Gi, used: ${ofClass}=0, limited: ${ofClass}=1Gi`,
    });
    expect(usedOf(server)).toEqual({ 'requests.storage': '2Gi', [ofClass]: '0' });
  });
});
