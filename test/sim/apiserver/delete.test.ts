import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer, namesOf, told } from './a-server.js';

const deleted = (server: AServer, name: string, body?: object, query?: Record<string, string>) =>
  server.do({ verb: 'delete', name, ...(body && { body }), ...(query && { query }) }).response;
const objectAt = (server: AServer, name: string) => server.do({ name }).response.body as KubeObject;

describe('deleting an object', () => {
  it('removes it at once, in one revision, and answers a Status without a code (DE-5, DE-9)', () => {
    const server = new AServer();
    const { uid } = server.create('a').metadata;
    const before = Number(server.revision);
    expect(deleted(server, 'a').body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid },
    });
    expect(Number(server.revision)).toBe(before + 1);
    expect(deleted(server, 'a').code).toBe(404);
  });

  it('marks one that has finalizers, once, and removes it with the last of them (DE-6, UP-10)', () => {
    const server = new AServer();
    server.create('a', { metadata: { finalizers: ['x/a', 'x/b'], generation: 3 } });
    const watch = server.watch({ resourceVersion: server.revision });
    const marked = deleted(server, 'a').body as KubeObject;
    expect(marked.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, generation: 4 });
    const revision = server.revision;
    deleted(server, 'a');
    expect(server.revision).toBe(revision);
    server.update('a', { metadata: { finalizers: ['x/b'] } });
    const { deliveries, response } = server.update('a', { metadata: {}, data: { last: 'words' } });
    expect(response.body).toMatchObject({ data: { last: 'words' } });
    expect(told(deliveries, watch.watch)).toEqual(['DELETED a']);
    expect(deliveries[0]?.event?.object).not.toHaveProperty('data');
    expect(server.do({ name: 'a' }).response.code).toBe(404);
  });

  it('lets nobody add a finalizer to one that is going (UP-9)', () => {
    const server = new AServer();
    server.create('a', { metadata: { finalizers: ['x/a'] } });
    deleted(server, 'a');
    expect(server.update('a', { metadata: { finalizers: ['x/a', 'x/new'] } }).response.body).toMatchObject({
      code: 422,
      message: expect.stringContaining(
        'no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/new"}',
      ),
    });
  });

  it('turns a policy into a finalizer, which a later policy may take back (DE-4, DE-7)', () => {
    const server = new AServer();
    server.create('a');
    deleted(server, 'a', { propagationPolicy: 'Foreground' });
    expect(objectAt(server, 'a').metadata.finalizers).toEqual(['foregroundDeletion']);
    deleted(server, 'a', { propagationPolicy: 'Orphan' });
    expect(objectAt(server, 'a').metadata.finalizers).toEqual(['orphan']);
    deleted(server, 'a', { propagationPolicy: 'Background' });
    expect(server.do({ name: 'a' }).response.code).toBe(404);
  });

  it('holds to preconditions, and names the Kind when they fail (DE-3)', () => {
    const server = new AServer();
    const { uid, resourceVersion } = server.create('a').metadata;
    expect(deleted(server, 'a', { preconditions: { uid: 'other' } }).body).toMatchObject({
      code: 409,
      details: { name: 'a', kind: 'ConfigMap' },
      message: `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    });
    expect(deleted(server, 'a', { preconditions: { uid, resourceVersion: '1' } }).code).toBe(409);
    expect(deleted(server, 'a', { preconditions: { uid, resourceVersion } }).code).toBe(200);
  });

  it('takes no notice of the query once there is a body, dry run included (DE-1)', () => {
    const server = new AServer();
    server.create('a');
    server.create('b');
    expect(deleted(server, 'a', undefined, { dryRun: 'All' }).code).toBe(200);
    expect(server.do({ name: 'a' }).response.code).toBe(200);
    deleted(server, 'b', {}, { dryRun: 'All' });
    expect(server.do({ name: 'b' }).response.code).toBe(404);
  });

  it('refuses both policies at once, and unknown ones (DE-2)', () => {
    const server = new AServer();
    const body = deleted(server, 'none', { propagationPolicy: 'Sideways', orphanDependents: true }).body;
    expect(body).toMatchObject({ code: 422, details: { group: 'meta.k8s.io', kind: 'DeleteOptions' } });
    expect((body as { details: { causes: unknown[] } }).details.causes).toHaveLength(2);
  });
});

describe('the grace of a pod (DE-8)', () => {
  const pods = { resource: 'pods' } as const;
  const pod = (server: AServer, fields: object = {}) => {
    const body = { metadata: { name: 'p' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], ...fields } };
    return server.do({ verb: 'create', ...pods, body }).response.body as KubeObject;
  };
  const remove = (server: AServer, body?: object) => server.do({ verb: 'delete', ...pods, name: 'p', ...(body && { body }) });
  const now = (server: AServer) => server.do({ ...pods, name: 'p' }).response;

  it('is thirty seconds, told by a time in the future', () => {
    const server = new AServer();
    pod(server);
    expect(remove(server).response.body).toMatchObject({
      metadata: { deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30, generation: 2 },
    });
    expect(now(server).code).toBe(200);
  });
  it('may be shortened, not lengthened', () => {
    const server = new AServer();
    pod(server);
    remove(server);
    const revision = server.revision;
    remove(server, { gracePeriodSeconds: 60 });
    expect(server.revision).toBe(revision);
    remove(server, { gracePeriodSeconds: 5 });
    expect(now(server).body).toMatchObject({
      metadata: { deletionTimestamp: '2026-01-01T00:00:05Z', deletionGracePeriodSeconds: 5, generation: 2 },
    });
  });
  it('of zero is an update and a removal', () => {
    const server = new AServer();
    pod(server);
    const watch = server.do({ verb: 'watch', ...pods, query: { resourceVersion: server.revision } });
    expect(told(remove(server, { gracePeriodSeconds: 0 }).deliveries, watch.watch)).toEqual(['MODIFIED p', 'DELETED p']);
    expect(now(server).code).toBe(404);
  });
  it('is none for a pod that no node has', () => {
    const server = new AServer();
    pod(server, { nodeName: undefined });
    remove(server);
    expect(now(server).code).toBe(404);
  });
});

describe('deleting a collection (DE-11)', () => {
  it('deletes what the selector names, answers the list as it was, and keeps what has finalizers', () => {
    const server = new AServer();
    server.create('a', { metadata: { labels: { l: '1' } } });
    server.create('b', { metadata: { labels: { l: '1' }, finalizers: ['x/f'] } });
    server.create('c');
    const { body } = server.do({ verb: 'deletecollection', query: { labelSelector: 'l=1' } }).response;
    expect(namesOf(body as never)).toEqual(['a', 'b']);
    expect(JSON.stringify(body)).not.toContain('deletionTimestamp');
    expect(namesOf(server.list())).toEqual(['b', 'c']);
    expect(objectAt(server, 'b').metadata.deletionTimestamp).toBeDefined();
  });
});

describe('namespaces', () => {
  const namespaces = { resource: 'namespaces', namespace: undefined } as const;
  it('are marked, and wait for the finalizers of their spec (NS-1, NS-7)', () => {
    const server = new AServer();
    const body = server.do({ verb: 'delete', ...namespaces, name: 'ns' }).response.body as KubeObject;
    expect(body).toMatchObject({ status: { phase: 'Terminating' }, spec: { finalizers: ['kubernetes'] } });
    expect(body.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
    const empty = { metadata: { name: 'ns' }, spec: { finalizers: [] } };
    expect(server.do({ verb: 'update', ...namespaces, name: 'ns', body: empty }).response.code).toBe(200);
    expect(server.do({ ...namespaces, name: 'ns' }).response.code).toBe(200);
    server.do({ verb: 'update', ...namespaces, name: 'ns', subresource: 'finalize', body: empty });
    expect(server.do({ ...namespaces, name: 'ns' }).response.code).toBe(404);
  });
  it('of the system may not be deleted (CR-13)', () => {
    const server = new AServer();
    server.do({ verb: 'create', ...namespaces, body: { metadata: { name: 'default' } } });
    expect(server.do({ verb: 'delete', ...namespaces, name: 'default' }).response.body).toMatchObject({
      code: 403,
      message: 'namespaces "default" is forbidden: this namespace may not be deleted',
    });
  });
});
