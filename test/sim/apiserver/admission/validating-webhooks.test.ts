import { describe, expect, it } from 'vitest';
import { HookedServer } from './a-webhook.js';

describe('validating webhooks', () => {
  it('see what will be stored (AD-11)', () => {
    let uid: string | undefined;
    const server = new HookedServer({
      v: ({ object }) => {
        uid = object?.metadata.uid;
        return {};
      },
    });
    server.configure('Validating', 'v', { name: 'v' });
    expect(server.create('x').metadata.uid).toBe(uid);
  });

  it('are all asked, and of those that refuse the quickest is heard (AD-2)', () => {
    const server = new HookedServer({ a: () => ({ deny: 'slow', late: 500 }), b: () => ({ deny: 'quick', late: 100 }), c: () => ({}) });
    server.configure('Validating', 'v', { name: 'a' }, { name: 'b' }, { name: 'c' });
    const { body } = server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).response;
    expect(body).toMatchObject({ message: 'admission webhook "b.hooks.example.com" denied the request: quick' });
    expect(server.calls).toEqual(['a', 'b', 'c']);
  });

  it('may not send a patch (AD-30)', () => {
    const server = new HookedServer({ v: () => ({ patch: [{ op: 'add', path: '/data', value: {} }] }) });
    server.configure('Validating', 'v', { name: 'v' });
    const { code, body } = server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).response;
    expect(code).toBe(500);
    expect((body as { readonly message: string }).message).toContain(
      'received invalid webhook response: validating webhook may not return response.patch',
    );
  });

  it('come before the answer that the name is taken, and after the one that the object is invalid (AD-11)', () => {
    const server = new HookedServer({ v: () => ({}) });
    server.configure('Validating', 'v', { name: 'v' });
    server.create('x');
    expect(server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).response.code).toBe(409);
    expect(server.calls).toHaveLength(2);
    expect(server.do({ verb: 'create', body: { metadata: { name: 'y' }, data: { 'a key': '1' } } }).response.code).toBe(422);
    expect(server.calls).toHaveLength(2);
  });

  it('are asked in deletecollection about each object, without its name (AD-11)', () => {
    const named: (string | undefined)[] = [];
    const server = new HookedServer({
      v: ({ operation, name, oldObject }) => {
        if (operation === 'DELETE') named.push(name, oldObject?.metadata.name);
        return {};
      },
    });
    server.configure('Validating', 'v', { name: 'v' });
    server.create('a');
    server.create('b');
    server.do({ verb: 'deletecollection' });
    expect(named).toEqual([undefined, 'a', undefined, 'b']);
  });

  it('can send warnings, each of which is passed on once and none that a header cannot hold (AD-14)', () => {
    const server = new HookedServer({ a: () => ({ warnings: ['twice', '', 'two\nlines'] }), b: () => ({ warnings: ['twice', 'more'] }) });
    server.configure('Validating', 'v', { name: 'a' }, { name: 'b' });
    expect(server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).response.warnings).toEqual(['twice', 'more']);
  });
});

describe('which webhooks are asked', () => {
  const askedFor = (fields: object, act: (server: HookedServer) => unknown): number => {
    const server = new HookedServer({ v: () => ({}) });
    server.configure('Validating', 'v', { name: 'v', ...fields });
    server.calls.length = 0;
    act(server);
    return server.calls.length;
  };
  const labelled = { objectSelector: { matchLabels: { a: '1' } } };

  it('is told by the labels of the new object or of the old one (AD-19)', () => {
    expect(askedFor(labelled, (server) => server.create('x'))).toBe(0);
    const comesAndGoes = (server: HookedServer) => {
      server.create('x');
      server.update('x', { metadata: { labels: { a: '1' } } });
      server.update('x', {});
      server.update('x', { data: { k: '1' } });
    };
    expect(askedFor(labelled, comesAndGoes)).toBe(2);
  });

  it('is told by the labels of the namespace, which do not count for what has none (AD-19)', () => {
    const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }];
    const elsewhere = { rules: everything, namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } };
    expect(askedFor(elsewhere, (server) => server.create('x'))).toBe(0);
    const body = { metadata: { name: 'c' }, value: 1 };
    expect(askedFor(elsewhere, (server) => server.post('scheduling.k8s.io', 'priorityclasses', body))).toBe(1);
  });

  it('is told by rules in which a star stands for every resource and for none of their subresources (AD-7)', () => {
    const of = (...resources: string[]) => ({ rules: [{ operations: ['UPDATE'], apiGroups: ['*'], apiVersions: ['*'], resources }] });
    const status = (server: HookedServer) => {
      server.do({ verb: 'create', resource: 'pods', body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } });
      const body = { metadata: { name: 'p' }, status: { phase: 'Running' } };
      server.do({ verb: 'update', resource: 'pods', subresource: 'status', name: 'p', body });
    };
    expect([of('*'), of('pods'), of('pods/*'), of('*/status'), of('*/*')].map((rules) => askedFor(rules, status))).toEqual([0, 0, 1, 1, 1]);
  });

  it('is told by conditions, of which one that does not hold is enough, even beside errors (AD-21)', () => {
    const when = (...expressions: string[]) => ({ matchConditions: expressions.map((expression, i) => ({ name: `c${i}`, expression })) });
    const create = (server: HookedServer) => server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).response.code;
    expect(askedFor(when("object.metadata.name == 'x'"), create)).toBe(1);
    expect(askedFor(when("object.data.k == '1'", "request.operation == 'DELETE'"), create)).toBe(0);
    const server = new HookedServer({ v: () => ({}) });
    server.configure('Validating', 'v', { name: 'v', ...when("object.data.k == '1'") });
    const { code, body } = server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).response;
    expect(code).toBe(403);
    expect(body).toMatchObject({
      message: `configmaps "x" is forbidden: expression 'object.data.k == '1'' resulted in error: no such key: data`,
    });
  });
});

describe('what is posted and not stored', () => {
  it('is asked about before anybody looks for the pod, and the deletion that an eviction makes is not (AD-26)', () => {
    const asked: string[] = [];
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['pods', 'pods/*'] }];
    const server = new HookedServer({
      v: ({ operation, object, name }) => {
        asked.push(`${operation} ${object?.kind ?? 'nothing'} ${name}`);
        return {};
      },
    });
    server.do({ verb: 'create', resource: 'pods', body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } });
    server.configure('Validating', 'v', { name: 'v', rules });
    const evict = (name: string) =>
      server.do({ verb: 'create', resource: 'pods', subresource: 'eviction', name, body: { metadata: { name } } }).response.code;
    expect(evict('none')).toBe(404);
    expect(evict('p')).toBe(201);
    expect(asked).toEqual(['CREATE Eviction none', 'CREATE Eviction p']);
  });
});
