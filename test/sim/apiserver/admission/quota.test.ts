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
});
