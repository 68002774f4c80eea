import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer, told } from './a-server.js';

const patch = (server: AServer, name: string, body: unknown, subresource?: string) =>
  server.do({ verb: 'patch', name, body, contentType: 'application/merge-patch+json', ...(subresource && { subresource }) }).response;

describe('replacing an object', () => {
  it('takes the last write without a resourceVersion, and refuses a stale one (UP-2, UP-5)', () => {
    const server = new AServer();
    const { metadata } = server.create('a', { data: { k: '1' } });
    const stale = { resourceVersion: metadata.resourceVersion as string };
    expect(server.update('a', { metadata: stale, data: { k: '2' } }).response.code).toBe(200);
    expect(server.update('a', { metadata: stale, data: { k: '2' } }).response.body).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(server.update('a', { data: { k: '3' } }).response.code).toBe(200);
  });

  it('answers 409 for a stale version before it looks at the content, 500 for one that is no number (UP-4)', () => {
    const server = new AServer();
    server.create('a');
    const bad = { data: { 'bad key': '' } };
    expect(server.update('a', { metadata: { resourceVersion: '1' }, ...bad }).response.code).toBe(409);
    expect(server.update('a', bad).response.code).toBe(422);
    expect(server.update('a', { metadata: { resourceVersion: 'abc' } }).response.body).toMatchObject({
      code: 500,
      message: 'strconv.ParseUint: parsing "abc": invalid syntax',
    });
  });

  it('checks the uid before the version (UP-6)', () => {
    const server = new AServer();
    const { uid } = server.create('a').metadata;
    expect(server.update('a', { metadata: { uid: 'other', resourceVersion: '1' } }).response.body).toMatchObject({
      code: 409,
      message: expect.stringContaining(
        `Key: /registry/configmaps/ns/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
      ),
    });
  });

  it('writes nothing when nothing changes (ST-5)', () => {
    const server = new AServer();
    server.create('a', { data: { k: 'v' } });
    const watch = server.watch({ resourceVersion: server.revision });
    const before = server.revision;
    const answer = server.update('a', { data: { k: 'v' } });
    expect(answer.response.body).toMatchObject({ metadata: { resourceVersion: before } });
    expect(server.revision).toBe(before);
    expect(told(answer.deliveries, watch.watch)).toEqual([]);
  });

  it('keeps the times and the uid without a word, and refuses to set a deletion time (UP-7, UP-8)', () => {
    const server = new AServer();
    const { uid } = server.create('a').metadata;
    const kept = server.update('a', { metadata: { creationTimestamp: '2001-01-01T00:00:00Z', generation: 9 } });
    expect(kept.response.body).toMatchObject({ metadata: { uid, creationTimestamp: '2026-01-01T00:00:00Z' } });
    const { body } = server.update('a', { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } }).response;
    expect(body).toMatchObject({
      code: 422,
      message: 'ConfigMap "a" is invalid: metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
    });
    expect((body as { details: { causes: unknown[] } }).details.causes).toHaveLength(2);
  });

  it('repeats the cause of a bad label as often as the layers of the kind check it (FE-4)', () => {
    const causes = (server: AServer, resource: string, group: string) => {
      const body = { metadata: { name: 'a', labels: { '-': '' } }, spec: {} };
      server.do({ verb: 'create', group, resource, body: { ...body, metadata: { name: 'a' } } });
      const rv = (server.do({ group, resource, name: 'a' }).response.body as KubeObject).metadata.resourceVersion;
      const wanted = { ...body, metadata: { ...body.metadata, resourceVersion: rv } };
      const answer = server.do({ verb: 'update', group, resource, name: 'a', body: wanted }).response.body;
      return (answer as { details: { causes: { message: string }[] } }).details.causes.filter(({ message }) => message.includes('"-"'))
        .length;
    };
    expect(causes(new AServer(), 'configmaps', '')).toBe(4);
    expect(causes(new AServer(), 'leases', 'coordination.k8s.io')).toBe(3);
  });

  it('creates a missing Lease, but no missing ConfigMap (UP-14, LE-1)', () => {
    const server = new AServer();
    const lease = { verb: 'update', group: 'coordination.k8s.io', resource: 'leases', name: 'l' } as const;
    const body = { metadata: { name: 'l', resourceVersion: '99' }, spec: { holderIdentity: 'me' } };
    expect(server.do({ ...lease, body }).response.code).toBe(201);
    expect(server.do({ ...lease, body: { metadata: { name: 'l' } } }).response.body).toMatchObject({
      code: 422,
      message: expect.stringContaining('must be specified for an update'),
    });
    expect(server.update('none', {}).response.code).toBe(404);
  });

  it('wants the name that the URL says (UP-1)', () => {
    const server = new AServer();
    expect(server.do({ verb: 'update', name: 'a', body: { metadata: { name: 'b' } } }).response.body).toMatchObject({
      code: 400,
      message: 'the name of the object (b) does not match the name on the URL (a)',
    });
  });
});

describe('generation and status', () => {
  const create = (server: AServer) => {
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const body = {
      metadata: { name: 'a' },
      spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template },
      status: { replicas: 9 },
    };
    return server.do({ verb: 'create', group: 'apps', resource: 'deployments', body }).response.body as KubeObject;
  };
  const change = (server: AServer, body: unknown, subresource?: string) =>
    server.do({
      verb: 'patch',
      group: 'apps',
      resource: 'deployments',
      name: 'a',
      body,
      contentType: 'application/merge-patch+json',
      ...(subresource && { subresource }),
    }).response.body as KubeObject;

  it('starts at one without the status that was sent (CR-10, CR-11)', () => {
    expect(create(new AServer())).toMatchObject({ metadata: { generation: 1 }, status: {} });
  });
  it("rises with the spec and a Deployment's annotations, not with labels or status (UP-12)", () => {
    const server = new AServer();
    create(server);
    expect(change(server, { metadata: { labels: { l: '1' } } }).metadata.generation).toBe(1);
    expect(change(server, { spec: { replicas: 3 } }).metadata.generation).toBe(2);
    expect(change(server, { metadata: { annotations: { a: '1' } } }).metadata.generation).toBe(3);
    expect(change(server, { status: { replicas: 3 } }, 'status').metadata.generation).toBe(3);
  });
  it('keeps each endpoint to its own half (UP-13, UP-16)', () => {
    const server = new AServer();
    create(server);
    expect(change(server, { status: { replicas: 5 } }).status).toEqual({});
    const after = change(
      server,
      { spec: { replicas: 7 }, status: { replicas: 5 }, metadata: { labels: { l: '1' }, annotations: { a: '1' } } },
      'status',
    );
    expect(after).toMatchObject({ spec: { replicas: 2 }, status: { replicas: 5 }, metadata: { annotations: { a: '1' } } });
    expect(after.metadata).not.toHaveProperty('labels');
  });
});

describe('a patch', () => {
  it('is not read for an object that is missing (PA-2)', () => {
    expect(patch(new AServer(), 'none', 'rubbish').code).toBe(404);
  });
  it('is held to the version that it names, and to none that it does not (PA-4)', () => {
    const server = new AServer();
    const { resourceVersion } = server.create('a').metadata;
    expect(patch(server, 'a', { data: { k: '1' } }).code).toBe(200);
    expect(patch(server, 'a', { metadata: { resourceVersion }, data: { k: '2' } }).code).toBe(409);
  });
  it('does not rename or move an object (PA-6)', () => {
    const server = new AServer();
    server.create('a');
    expect(patch(server, 'a', { metadata: { name: 'b' } }).code).toBe(400);
    expect(patch(server, 'a', { metadata: { namespace: 'other' } }).code).toBe(400);
    expect(patch(server, 'a', { metadata: { namespace: null } }).code).toBe(200);
  });
  it('of an unknown type is refused in the words of the kind (HT-12)', () => {
    const server = new AServer();
    server.create('a');
    const response = server.do({ verb: 'patch', name: 'a', body: {}, contentType: 'application/json' }).response;
    expect(response.body).toMatchObject({ code: 415, message: '415: Unsupported Media Type', details: {} });
  });
  it('of more than ten thousand operations is too large (ST-11)', () => {
    const server = new AServer();
    server.create('a');
    const body = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/k' }));
    expect(server.do({ verb: 'patch', name: 'a', body, contentType: 'application/json-patch+json' }).response.code).toBe(413);
  });
  it('that fails says nothing of why, and changes nothing (PA-7)', () => {
    const server = new AServer();
    server.create('a', { data: { k: 'v' } });
    const body = [
      { op: 'replace', path: '/data/k', value: 'w' },
      { op: 'test', path: '/data/k', value: 'v' },
    ];
    const response = server.do({ verb: 'patch', name: 'a', body, contentType: 'application/json-patch+json' }).response;
    expect(response.body).toMatchObject({
      code: 422,
      details: {},
      message: 'the server rejected our request due to an error in our request',
    });
    expect(server.do({ name: 'a' }).response.body).toMatchObject({ data: { k: 'v' } });
  });
});
