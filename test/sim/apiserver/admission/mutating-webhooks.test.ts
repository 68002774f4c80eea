import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../src/sim/etcd/object.js';
import { type Asked, HookedServer, type Says } from './a-webhook.js';

const set = (key: string, value: string): Says => ({
  patch: [
    { op: 'add', path: '/data', value: {} },
    { op: 'add', path: `/data/${key}`, value },
  ],
});
const add =
  (key: string) =>
  ({ object }: Asked): Says => ({ patch: [{ op: 'add', path: `/data/${key}`, value: Object.keys(object?.data ?? {}).join() }] });

describe('mutating webhooks', () => {
  it('are asked by the names of their configurations, then as they stand, each with what those before it made (AD-2)', () => {
    const server = new HookedServer({ a: add('a'), b: add('b'), c: add('c') });
    server.configure('Mutating', 'z', { name: 'c' });
    server.configure('Mutating', 'y', { name: 'a' }, { name: 'b' });
    const { data } = server.create('x', { data: { k: '1' } });
    expect(server.calls).toEqual(['a', 'b', 'c']);
    expect(data).toEqual({ k: '1', a: 'k', b: 'k,a', c: 'k,a,b' });
  });

  it('that change what another one saw have it asked again when it wishes, and are not asked for their own change (AD-3)', () => {
    const once = (key: string) => (asked: Asked) => (asked.object?.data[key] === undefined ? add(key)(asked) : {});
    const server = new HookedServer({ a: once('a'), b: once('b'), c: () => ({}) });
    server.configure(
      'Mutating',
      'm',
      { name: 'a', reinvocationPolicy: 'IfNeeded' },
      { name: 'b' },
      { name: 'c', reinvocationPolicy: 'IfNeeded' },
    );
    server.create('x', { data: { k: '1' } });
    expect(server.calls).toEqual(['a', 'b', 'c', 'a']);
  });

  it('play ping-pong for two rounds and no more (AD-3)', () => {
    const server = new HookedServer({ a: () => set('v', 'a'), b: () => set('v', 'b') });
    server.configure('Mutating', 'm', { name: 'a', reinvocationPolicy: 'IfNeeded' }, { name: 'b', reinvocationPolicy: 'IfNeeded' });
    expect(server.create('x').data).toEqual({ v: 'b' });
    expect(server.calls).toEqual(['a', 'b', 'a', 'b']);
  });

  it('that deny end the matter for all behind them, and nothing is stored (AD-4)', () => {
    const server = new HookedServer({ a: () => ({ deny: 'no', code: 418 }), b: () => ({}) });
    server.configure('Mutating', 'm', { name: 'a' }, { name: 'b' });
    const { code, body } = server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).response;
    expect(code).toBe(418);
    expect(body).toMatchObject({ message: 'admission webhook "a.hooks.example.com" denied the request: no' });
    expect(body).not.toHaveProperty('reason');
    expect(server.calls).toEqual(['a']);
    expect(server.list().items).toEqual([]);
  });

  it('that are down fail the request, or are passed over when their policy says so (AD-5)', () => {
    const server = new HookedServer({ b: () => set('b', '1') });
    server.configure('Mutating', 'm', { name: 'a', failurePolicy: 'Ignore' }, { name: 'b' });
    expect(server.create('x').data).toEqual({ b: '1' });
    server.configure('Mutating', 'n', { name: 'c' });
    const { code, body } = server.do({ verb: 'create', body: { metadata: { name: 'y' } } }).response;
    expect(code).toBe(500);
    expect((body as { readonly message: string }).message).toBe(
      'Internal error occurred: failed calling webhook "c.hooks.example.com": failed to call webhook: Post "https://c.example.com?timeout=10s": dial tcp c.example.com: connect: connection refused',
    );
  });

  it('may not change what is deleted, whatever their failure policy (DE-13)', () => {
    const server = new HookedServer({
      a: ({ operation }) => (operation === 'DELETE' ? { patch: [{ op: 'add', path: '/data', value: {} }] } : {}),
    });
    server.configure('Mutating', 'm', { name: 'a', failurePolicy: 'Ignore' });
    server.create('x');
    expect(server.delete('x').response.code).toBe(500);
    expect(server.list().items).toHaveLength(1);
  });

  it('leave their fields without an owner (PA-25)', () => {
    const server = new HookedServer({ a: () => ({ patch: [{ op: 'add', path: '/metadata/labels', value: { hook: '1' } }] }) });
    server.configure('Mutating', 'm', { name: 'a' });
    const created = server.create('x', { data: { k: '1' } });
    expect(created.metadata.labels).toEqual({ hook: '1' });
    const applied = server.do({
      verb: 'patch',
      name: 'x',
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'other' },
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', labels: { hook: '1' } } },
    });
    expect(applied.response.code).toBe(200);
  });

  it('see the stored object beside the new one, and are told of a dry run (AD-11, AD-6)', () => {
    const seen: Asked[] = [];
    const server = new HookedServer({
      a: (asked) => {
        seen.push(asked);
        return {};
      },
    });
    server.configure('Mutating', 'm', { name: 'a' });
    server.create('x', { data: { k: '1' } });
    server.do({ verb: 'update', name: 'x', query: { dryRun: 'All' }, body: { metadata: { name: 'x' }, data: { k: '2' } } });
    const [created, updated] = seen as [Asked, Asked];
    expect([created.operation, created.oldObject, created.dryRun]).toEqual(['CREATE', null, false]);
    expect(created.object?.metadata.uid).toBeUndefined();
    expect([updated.operation, updated.dryRun]).toEqual(['UPDATE', true]);
    expect((updated.oldObject as KubeObject).data).toEqual({ k: '1' });
    expect((updated.object as KubeObject).data).toEqual({ k: '2' });
  });

  it('have the time of their own that their configuration gives them (AD-29)', () => {
    const server = new HookedServer({ slow: () => ({ late: 1500, deny: 'too late' }), slower: () => ({ late: 1500 }) });
    server.configure('Mutating', 'm', { name: 'slow', timeoutSeconds: 1, failurePolicy: 'Ignore' }, { name: 'slower', timeoutSeconds: 2 });
    // The first one is given up after its second, the other one answers in time.
    expect(server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).heldUpMs).toBe(2500);
    expect(server.list().items).toHaveLength(1);
    expect(server.urls).toEqual(['https://slow.example.com?timeout=1s', 'https://slower.example.com?timeout=2s']);
  });

  it('cannot save a request whose own time is over, though they may be ignored (AD-29)', () => {
    const server = new HookedServer({ slow: () => ({ late: 3000 }) });
    server.configure('Mutating', 'm', { name: 'slow', failurePolicy: 'Ignore' });
    const { code } = server.do({ verb: 'create', query: { timeout: '2s' }, body: { metadata: { name: 'x' } } }).response;
    expect(code).toBe(504);
    expect(server.list().items).toEqual([]);
  });

  it('are tried again by the server itself where their answer says when (AD-18)', () => {
    let tries = 0;
    const busy = { delayMs: 0, status: 503, headers: { 'retry-after': '1' }, body: '' };
    const server = new HookedServer({
      a: () => {
        tries += 1;
        return tries < 3 ? { answer: busy } : {};
      },
    });
    server.configure('Mutating', 'm', { name: 'a' });
    expect(server.create('x').metadata.name).toBe('x');
    expect(server.calls).toHaveLength(3);
  });

  it('are not asked about their own configurations (AD-26)', () => {
    const server = new HookedServer({ a: () => ({ deny: 'locked' }) });
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
    server.configure('Mutating', 'm', { name: 'a', rules });
    expect(server.do({ verb: 'create', body: { metadata: { name: 'x' } } }).response.code).toBe(400);
    const group = 'admissionregistration.k8s.io';
    const removed = server.do({ verb: 'delete', group, resource: 'mutatingwebhookconfigurations', namespace: undefined, name: 'm' });
    expect(removed.response.code).toBe(200);
    expect(server.create('x').metadata.name).toBe('x');
  });
});
