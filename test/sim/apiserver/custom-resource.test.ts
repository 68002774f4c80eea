import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/sim/apiserver/request.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer } from './a-server.js';

const group = 'example.com';
const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', namespace: undefined } as const;
const things = { group, resource: 'things' } as const;

function definition(plural = 'things', kind = 'Thing', more: object = {}) {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions: [{ name: 'v1', served: true, storage: true, schema, ...more }] },
  };
}

function withThings(more: object = {}): AServer {
  const server = new AServer();
  server.do({ verb: 'create', ...definitions, body: definition('things', 'Thing', more) });
  return server;
}

const thing = (metadata: object, fields: object = {}) => ({ apiVersion: `${group}/v1`, kind: 'Thing', metadata, ...fields });
const post = (server: AServer, body: unknown) => server.do({ verb: 'create', ...things, body }).response;
const conditions = (server: AServer, name = 'things') => {
  const crd = server.do({ ...definitions, name: `${name}.${group}` }).response.body as KubeObject;
  return (crd.status.conditions as { type: string; status: string; reason: string }[]).map(
    ({ type, status, reason }) => `${type}=${status} ${reason}`,
  );
};

describe('a definition', () => {
  it('is unknown before it is created, and served when it is established (CD-1, CD-2)', () => {
    const server = new AServer();
    expect(post(server, thing({ name: 'a' }))).toMatchObject({ code: 404, body: '404 page not found\n' });
    const { body } = server.do({ verb: 'create', ...definitions, body: definition() }).response;
    expect(body).toMatchObject({ status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] } });
    expect(body).toMatchObject({ spec: { names: { singular: 'thing', listKind: 'ThingList' }, conversion: { strategy: 'None' } } });
    expect(conditions(server)).toEqual(['NamesAccepted=True NoConflicts', 'Established=True InitialNamesAccepted']);
    expect(post(server, thing({ name: 'a' })).code).toBe(201);
  });

  it('waits for names that another one has, and gets them when that goes (CD-21)', () => {
    const server = withThings();
    server.do({ verb: 'create', ...definitions, body: definition('others', 'Thing') });
    expect(conditions(server, 'others')).toEqual(['NamesAccepted=False ListKindConflict', 'Established=False NotAccepted']);
    expect(server.do({ verb: 'list', group, resource: 'others' }).response.code).toBe(404);
    server.do({ verb: 'delete', ...definitions, name: `things.${group}` });
    expect(conditions(server, 'others')).toContain('Established=True InitialNamesAccepted');
    expect(server.do({ verb: 'list', group, resource: 'others' }).response.code).toBe(200);
  });

  it('takes its custom resources with it, and waits for those that are held (CD-18, CD-31)', () => {
    const server = withThings();
    post(server, thing({ name: 'free' }));
    post(server, thing({ name: 'held', finalizers: ['x/f'] }));
    server.do({ verb: 'delete', ...definitions, name: `things.${group}` });
    expect(conditions(server)).toContain('Terminating=True InstanceDeletionInProgress');
    expect(server.do({ ...things, name: 'free' }).response.code).toBe(404);
    expect(post(server, thing({ name: 'new' })).body).toMatchObject({
      code: 403,
      message: 'things.example.com "new" is forbidden: create not allowed while custom resource definition is terminating',
    });
    const { resourceVersion } = (server.do({ ...things, name: 'held' }).response.body as KubeObject).metadata;
    server.do({ verb: 'update', ...things, name: 'held', body: thing({ name: 'held', resourceVersion }) });
    expect(server.do({ ...definitions, name: `things.${group}` }).response.code).toBe(404);
    expect(server.do({ verb: 'list', ...things }).response.body).toBe('404 page not found\n');
  });

  it('is served again by a server that starts from the same store', async () => {
    const server = withThings();
    const { ApiServer } = await import('../../../src/sim/apiserver/server.js');
    const other = new ApiServer({ etcd: server.etcd, environment: server.server.environment });
    const request: ApiRequest = { verb: 'list', version: 'v1', namespace: 'ns', ...things };
    expect(other.handle(request).response.code).toBe(200);
  });
});

describe('a custom resource', () => {
  it('rises a generation with every field that comes, whatever its name (UP-11)', () => {
    const server = withThings();
    const put = (fields: string) => {
      const body = JSON.parse(`{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"a"}${fields}}`);
      const { resourceVersion } = (server.do({ ...things, name: 'a' }).response.body as KubeObject).metadata;
      return server.do({ verb: 'update', ...things, name: 'a', body: { ...body, metadata: { name: 'a', resourceVersion } } }).response.body;
    };
    post(server, thing({ name: 'a' }));
    expect(put(',"constructor":{}')).toMatchObject({ metadata: { generation: 2 } });
    expect(put(',"constructor":{},"__proto__":{}')).toMatchObject({ metadata: { generation: 3 } });
    expect(put(',"constructor":{},"__proto__":{}')).toMatchObject({ metadata: { generation: 3 } });
    expect(put('')).toMatchObject({ metadata: { generation: 4 } });
  });

  it('must be replaced with a resourceVersion (UP-2)', () => {
    const server = withThings();
    post(server, thing({ name: 'a' }));
    expect(server.do({ verb: 'update', ...things, name: 'a', body: thing({ name: 'a' }) }).response.body).toMatchObject({
      code: 422,
      message: 'things.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      details: { kind: 'things' },
    });
  });

  it('loses its status at birth where the status has an endpoint, and only there (CR-11)', () => {
    const body = thing({ name: 'a' }, { status: { s: 1 } });
    expect(post(withThings({ subresources: { status: {} } }), body).body).not.toHaveProperty('status');
    expect(post(withThings(), body).body).toHaveProperty('status');
  });

  it('keeps its two endpoints apart (UP-11, UP-13, UP-15)', () => {
    const server = withThings({ subresources: { status: {} } });
    post(server, thing({ name: 'a' }, { spec: { n: 1 } }));
    const patch = (body: object, subresource?: string) =>
      server.do({
        verb: 'patch',
        ...things,
        name: 'a',
        body,
        contentType: 'application/merge-patch+json',
        ...(subresource && { subresource }),
      }).response.body as KubeObject;
    expect(patch({ status: { s: 1 } })).not.toHaveProperty('status');
    const after = patch({ spec: { n: 2 }, status: { s: 1 }, metadata: { labels: { l: '1' } } }, 'status');
    expect(after).toMatchObject({ spec: { n: 1 }, status: { s: 1 }, metadata: { generation: 1 } });
    expect(after.metadata).not.toHaveProperty('labels');
    expect(patch({ spec: { n: 2 } })).toMatchObject({ metadata: { generation: 2 }, status: { s: 1 } });
  });

  it('has no status endpoint unless its version says so (UP-17)', () => {
    const server = withThings();
    post(server, thing({ name: 'a' }));
    expect(server.do({ ...things, name: 'a', subresource: 'status' }).response.body).toMatchObject({
      code: 404,
      message: 'things.example.com "a" not found',
    });
  });

  it('takes unqualified finalizers with a warning (UP-19)', () => {
    expect(post(withThings(), thing({ name: 'a', finalizers: ['plain'] })).warnings).toEqual([
      'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });

  it('of another kind is refused under the name of that kind (CD-19)', () => {
    expect(post(withThings(), { ...thing({ name: 'a' }), kind: 'Globe' }).body).toMatchObject({
      code: 422,
      message: 'Globe.example.com "a" is invalid: kind: Invalid value: "Globe": must be Thing',
      details: { kind: 'Globe' },
    });
  });

  it('without a kind is not recognized (CR-4)', () => {
    expect(post(withThings(), { metadata: { name: 'a' } }).body).toMatchObject({
      code: 400,
      message: expect.stringContaining(`Object 'Kind' is missing in '{"metadata":{"name":"a"}}'`),
    });
  });

  it('is not patched strategically (PA-1)', () => {
    const server = withThings();
    post(server, thing({ name: 'a' }));
    const contentType = 'application/strategic-merge-patch+json';
    expect(server.do({ verb: 'patch', ...things, name: 'a', body: {}, contentType }).response.code).toBe(415);
  });
});

describe('the scale of a custom resource (CD-13)', () => {
  const scaled = { subresources: { status: {}, scale: { specReplicasPath: '.spec.deep.n', statusReplicasPath: '.status.n' } } };
  const scale = { ...things, name: 'a', subresource: 'scale' } as const;
  const wanted = (replicas: number, metadata: object = {}) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a', ...metadata },
    spec: { replicas },
  });

  it('reads and writes the number where the definition says', () => {
    const server = withThings(scaled);
    post(server, thing({ name: 'a' }, { spec: { deep: { n: 2 }, other: 1 } }));
    expect(server.do(scale).response.body).toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 0 } });
    server.do({ verb: 'update', ...scale, body: wanted(5) });
    expect(server.do({ ...things, name: 'a' }).response.body).toMatchObject({
      spec: { deep: { n: 5 }, other: 1 },
      metadata: { generation: 2 },
    });
  });
  it('makes the path that is missing, though it cannot be read before', () => {
    const server = withThings(scaled);
    post(server, thing({ name: 'a' }));
    expect(server.do(scale).response.body).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(server.do({ verb: 'update', ...scale, body: wanted(1) }).response.code).toBe(200);
    expect(server.do({ ...things, name: 'a' }).response.body).toMatchObject({ spec: { deep: { n: 1 } } });
  });
  it('is a lock only if a version is named', () => {
    const server = withThings(scaled);
    post(server, thing({ name: 'a' }, { spec: { deep: { n: 2 } } }));
    expect(server.do({ verb: 'update', ...scale, body: wanted(3, { resourceVersion: '1' }) }).response.code).toBe(409);
    expect(server.do({ verb: 'update', ...scale, body: wanted(3) }).response.code).toBe(200);
  });
  it('refuses a negative number in the words of the object', () => {
    const server = withThings(scaled);
    post(server, thing({ name: 'a' }, { spec: { deep: { n: 2 } } }));
    expect(server.do({ verb: 'update', ...scale, body: wanted(-1) }).response.body).toMatchObject({
      code: 422,
      message: 'Thing.example.com "a" is invalid: .spec.deep.n: Invalid value: -1: should be a non-negative integer',
    });
  });
});
