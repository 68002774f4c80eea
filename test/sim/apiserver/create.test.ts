import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer } from './a-server.js';

const post = (server: AServer, body: unknown, query?: Record<string, string>) =>
  server.do({ verb: 'create', body, ...(query && { query }) }).response;

describe('creating an object', () => {
  it('gives it a uid, a time and the revision of its commit', () => {
    const server = new AServer();
    const { metadata } = server.create('a', { data: { k: 'v' } });
    expect(metadata).toMatchObject({ name: 'a', namespace: 'ns', creationTimestamp: '2026-01-01T00:00:00Z' });
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(metadata.resourceVersion).toBe(server.revision);
  });

  it('wipes what only the server may say, and keeps finalizers and a generation of its own (CR-1)', () => {
    const { metadata } = new AServer().create('a', {
      metadata: {
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 5,
        generation: 7,
        finalizers: ['example.com/f'],
      },
    });
    expect(metadata).toMatchObject({ generation: 7, finalizers: ['example.com/f'], creationTimestamp: '2026-01-01T00:00:00Z' });
    expect(metadata.uid).not.toBe('mine');
    expect(metadata).not.toHaveProperty('deletionTimestamp');
    expect(metadata).not.toHaveProperty('deletionGracePeriodSeconds');
  });

  it('refuses a name that exists, and says so of one that is going (CR-9)', () => {
    const server = new AServer();
    server.create('a', { metadata: { finalizers: ['example.com/f'] } });
    expect(post(server, { metadata: { name: 'a' } }).body).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    });
    server.delete('a');
    expect(post(server, { metadata: { name: 'a' } }).body).toMatchObject({
      message: 'object is being deleted: configmaps "a" already exists',
    });
  });

  it('refuses a resourceVersion that is a number, before it looks for the name (CR-8)', () => {
    const server = new AServer();
    server.create('a');
    const { body, code } = post(server, { metadata: { name: 'a', resourceVersion: '5' } });
    expect(code).toBe(500);
    expect(body).not.toHaveProperty('reason');
    expect(post(server, { metadata: { name: 'b', resourceVersion: '0' } }).code).toBe(201);
  });

  it('makes a name from generateName, another one each time (CR-5)', () => {
    const server = new AServer();
    const draws = [0.1, 0.1, 0.7];
    server.server.environment.random = (name: string) => (name.startsWith('name ') ? (draws.shift() as number) : 0.5);
    const names = [1, 2].map(() => (post(server, { metadata: { generateName: 'web-' } }).body as KubeObject).metadata.name);
    for (const name of names) expect(name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(new Set(names).size).toBe(2);
    expect(draws).toEqual([]);
  });

  it('asks chance by a name that tells the object and how often it was asked for', () => {
    const server = new AServer();
    const asked: string[] = [];
    server.server.environment.random = (name: string) => asked.push(name) / 1000;
    server.create('a');
    server.delete('a');
    server.create('a');
    post(server, { metadata: { generateName: 'web-' } });
    expect(asked.filter((name) => name.endsWith('/0') || name.startsWith('name'))).toEqual([
      'uid configmaps ns/a #1/0',
      'uid configmaps ns/a #2/0',
      'name configmaps ns/web- #1',
      expect.stringMatching(/^uid configmaps ns\/web-\w{5} #1\/0$/),
    ]);
  });

  it('writes nothing in a dry run and names no revision (ST-17)', () => {
    const server = new AServer();
    const before = server.revision;
    const { code, body } = post(server, { metadata: { name: 'a' } }, { dryRun: 'All' });
    expect(code).toBe(201);
    expect((body as KubeObject).metadata).not.toHaveProperty('resourceVersion');
    expect(server.revision).toBe(before);
    expect(server.do({ name: 'a' }).response.code).toBe(404);
  });
});

describe('where an object may be created', () => {
  it('is no namespace that is missing (CR-12)', () => {
    const response = new AServer().do({ verb: 'create', namespace: 'none', body: { metadata: { name: 'a' } } }).response;
    expect(response.body).toMatchObject({ code: 404, message: 'namespaces "none" not found', details: { kind: 'namespaces' } });
  });
  it('is no namespace that is being terminated (CR-12)', () => {
    const server = new AServer();
    server.do({ verb: 'delete', resource: 'namespaces', namespace: undefined, name: 'ns' });
    expect(post(server, { metadata: { generateName: 'a-' } }).body).toMatchObject({
      code: 403,
      message: 'configmaps "a-" is forbidden: unable to create new content in namespace ns because it is being terminated',
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    });
  });
  it('is no other namespace than the URL says (CR-3)', () => {
    expect(post(new AServer(), { metadata: { name: 'a', namespace: 'other' } }).body).toMatchObject({
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
  });
});

describe('what a new object may say', () => {
  const faults = (metadata: object) => (post(new AServer(), { metadata: { name: 'a', ...metadata } }).body as { message?: string }).message;
  it.each([
    [{ name: 'Upper' }, /metadata\.name: Invalid value: "Upper": a lowercase RFC 1123 subdomain/],
    [{ name: 'n'.repeat(254) }, /must be no more than 253 characters/],
    [{ name: '' }, /metadata\.name: Required value: name or generateName is required/],
    [{ labels: { '-bad': 'x' } }, /metadata\.labels: Invalid value: "-bad": name part must consist of/],
    [{ annotations: { a: 'x'.repeat(262_144) } }, /metadata\.annotations: Too long: may not be more than 262144 bytes/],
    [{ finalizers: ['plain'] }, /metadata\.finalizers\[0\]: Invalid value: "plain": name is neither a standard finalizer name/],
    [{ finalizers: ['orphan', 'foregroundDeletion'] }, /finalizer orphan and foregroundDeletion cannot be both set/],
    [{ ownerReferences: [{}] }, /metadata\.ownerReferences\.uid: Invalid value: "": must not be empty/],
  ])('%j is refused', (metadata, text) => expect(faults(metadata)).toMatch(text));

  it('two controllers are refused, in whole texts (UP-18)', () => {
    const owner = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', name, uid: name, controller: true });
    expect(faults({ ownerReferences: [owner('a'), owner('b')] })).toContain(
      'Only one reference can have Controller set to true. Found "true" in references for Secret/a and Secret/b',
    );
  });
  it('equal owner references are one, with a warning (UP-23)', () => {
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'o', uid: 'u' };
    const { body, warnings } = post(new AServer(), { metadata: { name: 'a', ownerReferences: [owner, { ...owner }] } });
    expect((body as KubeObject).metadata.ownerReferences).toEqual([owner]);
    expect(warnings).toEqual([expect.stringMatching(/^\.metadata\.ownerReferences contains duplicate entries; .* observed: u$/)]);
  });
  it('unknown fields are dropped with a warning, refused or ignored (CR-14)', () => {
    const body = { metadata: { name: 'a', bogus: 1 }, nothing: 1 };
    const warned = post(new AServer(), body);
    expect(warned.warnings).toEqual(['unknown field "metadata.bogus"', 'unknown field "nothing"']);
    expect(warned.body).not.toHaveProperty('nothing');
    expect(post(new AServer(), body, { fieldValidation: 'Ignore' }).warnings).toBeUndefined();
    expect(post(new AServer(), body, { fieldValidation: 'Strict' }).body).toMatchObject({
      code: 400,
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.bogus", unknown field "nothing"',
    });
  });
});

describe('a body of another kind (CR-4)', () => {
  const message = (body: object) => (post(new AServer(), { metadata: { name: 'a' }, ...body }).body as { message?: string }).message;
  it.each([
    [
      { apiVersion: 'v1', kind: 'Secret' },
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      { apiVersion: 'v2', kind: 'ConfigMap' },
      /^ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered/,
    ],
    [{ apiVersion: 'a/b/c' }, /unexpected GroupVersion string: a\/b\/c/],
  ])('%j is refused', (body, text) => expect(message(body)).toEqual(typeof text === 'string' ? text : expect.stringMatching(text)));
  it('is filled in from the URL when it does not say', () => expect(message({ apiVersion: undefined })).toBeUndefined());
});
