import { describe, expect, it } from 'vitest';
import { isExchange, readHttp } from '../../../src/sim/apiserver/http.js';
import { managedFieldsOf } from '../../../src/sim/apiserver/managed-fields/owners.js';
import type { KubeObject, ManagedFieldsEntry } from '../../../src/sim/etcd/object.js';
import { AServer } from './a-server.js';

const key = { resource: 'configmaps', namespace: 'ns', name: 'a' };

function entries(server: AServer, of = key): readonly ManagedFieldsEntry[] {
  return managedFieldsOf(server.etcd.get(of) as KubeObject);
}

function create(server: AServer, fieldManager: string, body: object) {
  return server.do({ verb: 'create', query: { fieldManager }, body }).response;
}

function update(server: AServer, fieldManager: string, body: object, subresource?: string) {
  return server.do({ verb: 'update', name: 'a', query: { fieldManager }, body, ...(subresource !== undefined && { subresource }) })
    .response;
}

describe('managedFields of objects that are not applied', () => {
  it('name who created an object, in the version and at the time of the request (PA-13, PA-17)', () => {
    const server = new AServer();
    create(server, 'op', { metadata: { name: 'a', labels: { l: '1' } }, data: { k: 'v' } });
    expect(entries(server)).toEqual([
      {
        manager: 'op',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:k': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } },
      },
    ]);
  });

  it('give a field to whoever changed it last, and leave the rest (PA-15)', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a' }, data: { k: '1', l: '1' } });
    server.nowMs += 5000;
    update(server, 'two', { metadata: { name: 'a' }, data: { k: '2', l: '1', m: '1' } });
    expect(entries(server).map(({ manager, time, fieldsV1 }) => ({ manager, time, fieldsV1 }))).toEqual([
      { manager: 'one', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:data': { '.': {}, 'f:l': {} } } },
      { manager: 'two', time: '2026-01-01T00:00:05Z', fieldsV1: { 'f:data': { 'f:k': {}, 'f:m': {} } } },
    ]);
  });

  it('lose who has lost every field, and make no entry for who only removed (PA-15)', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a' }, data: { k: '1' } });
    update(server, 'two', { metadata: { name: 'a' } });
    expect(entries(server)).toEqual([]);
  });

  it('take the manager from the user agent when the request names none (PA-50)', () => {
    const server = new AServer();
    server.do({ verb: 'create', userAgent: 'web-operator/v1.2 (linux)', body: { metadata: { name: 'a' }, data: { k: '1' } } });
    expect(entries(server)[0]?.manager).toBe('web-operator');
    server.do({ verb: 'create', body: { metadata: { name: 'b' }, data: { k: '1' } } });
    expect(entries(server, { ...key, name: 'b' })[0]?.manager).toBe('unknown');
  });

  it('survive a delete that only marks the object, and what the server itself writes (PA-49)', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a', finalizers: ['example.com/f'] }, data: { k: '1' } });
    const before = entries(server);
    server.do({ verb: 'delete', name: 'a' });
    expect(server.etcd.get(key)?.metadata.deletionTimestamp).toBeDefined();
    expect(entries(server)).toEqual(before);
  });

  it('are cleared by an empty list, and then stay so until an apply (PA-17, PA-18)', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a' }, data: { k: '1' } });
    update(server, 'one', { metadata: { name: 'a', managedFields: [] }, data: { k: '1' } });
    update(server, 'two', { metadata: { name: 'a' }, data: { k: '2' } });
    expect(entries(server)).toEqual([]);
  });

  it('are kept when a list is sent that cannot be understood (PA-18)', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a' }, data: { k: '1' } });
    const before = entries(server);
    const broken = [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { frob: {} } }];
    update(server, 'one', { metadata: { name: 'a', managedFields: broken }, data: { k: '1' } });
    expect(entries(server)).toEqual(before);
  });

  it('refuse a manager that is too long (PA-18)', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a' }, data: { k: '1' } });
    const long = [{ manager: 'x'.repeat(129), operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }];
    const { code, body } = update(server, 'one', { metadata: { name: 'a', managedFields: long }, data: { k: '1' } });
    expect(code).toBe(422);
    expect((body as { message: string }).message).toContain('metadata.managedFields[0].manager: Too long: may not be more than 128 bytes');
  });

  it('fold the oldest updaters into one when there are more than ten (PA-16)', () => {
    const server = new AServer();
    const data: Record<string, string> = {};
    create(server, 'm00', { metadata: { name: 'a' }, data: { k00: '1' } });
    for (let manager = 1; manager <= 11; manager++) {
      const name = String(manager).padStart(2, '0');
      server.nowMs += 1000;
      data[`k${name}`] = '1';
      update(server, `m${name}`, { metadata: { name: 'a' }, data: { k00: '1', ...data } });
    }
    const managers = entries(server).map(({ manager }) => manager);
    expect(managers).toHaveLength(10);
    expect(managers[0]).toBe('ancient-changes');
    expect(entries(server)[0]?.fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:k00': {}, 'f:k01': {}, 'f:k02': {} } });
  });

  it('do not change when nothing else does, though another manager writes (ST-5)', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a' }, data: { k: '1' } });
    const before = server.etcd.get(key);
    update(server, 'two', { metadata: { name: 'a' }, data: { k: '1' } });
    expect(server.etcd.get(key)).toBe(before);
    expect(entries(server).map(({ manager }) => manager)).toEqual(['one']);
  });

  it('are worked out alike whether somebody looks after each write or only at the end', () => {
    const play = (looks: boolean) => {
      const server = new AServer();
      create(server, 'one', { metadata: { name: 'a' }, data: { k: '0', l: '0' } });
      for (let write = 1; write <= 20; write++) {
        server.nowMs += 700;
        update(server, `m${write % 4}`, { metadata: { name: 'a' }, data: { k: String(write % 3), [`x${write % 5}`]: String(write) } });
        if (looks) entries(server);
      }
      return entries(server);
    };
    expect(play(true)).toEqual(play(false));
  });

  it('outlive a snapshot of etcd that is restored', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a' }, data: { k: '1' } });
    const snapshot = server.etcd.snapshot();
    update(server, 'two', { metadata: { name: 'a' }, data: { k: '2' } });
    server.etcd.restore(snapshot);
    expect(entries(server).map(({ manager }) => manager)).toEqual(['one']);
  });

  it('are shown by HTTP, in lists and watches too, and not to clients in process', () => {
    const server = new AServer();
    create(server, 'one', { metadata: { name: 'a' }, data: { k: '1' } });
    const get = { verb: 'get', name: 'a' } as const;
    expect((server.do(get).response.body as KubeObject).metadata).not.toHaveProperty('managedFields');
    const read = (path: string) => {
      const exchange = readHttp(server.server, { method: 'GET', path, headers: {} });
      if (!isExchange(exchange)) throw new Error(exchange.body);
      const answer = server.server.handle(exchange.request);
      return { shown: JSON.parse(exchange.respond(answer.response).body || '{}'), answer, exchange };
    };
    expect(read('/api/v1/namespaces/ns/configmaps/a').shown.metadata.managedFields).toHaveLength(1);
    expect(read('/api/v1/namespaces/ns/configmaps').shown.items[0].metadata.managedFields).toHaveLength(1);
    const { answer, exchange } = read('/api/v1/namespaces/ns/configmaps?watch=1');
    const event = answer.deliveries[0]?.event;
    expect(event && JSON.parse(exchange.event(event)).object.metadata.managedFields).toHaveLength(1);
  });

  it('of a /status writer are its own, and never those of the main endpoint (PA-13, PA-26)', () => {
    const server = new AServer();
    const body = {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
      status: { message: 'not from here' },
    };
    server.do({ verb: 'create', resource: 'pods', query: { fieldManager: 'one' }, body });
    server.do({
      verb: 'update',
      resource: 'pods',
      name: 'p',
      subresource: 'status',
      query: { fieldManager: 'kubelet' },
      body: { metadata: { name: 'p' }, spec: body.spec, status: { message: 'hello' } },
    });
    const of = entries(server, { resource: 'pods', namespace: 'ns', name: 'p' });
    expect(of.find(({ manager }) => manager === 'one')?.fieldsV1).not.toHaveProperty('f:status');
    const status = of.find(({ manager }) => manager === 'kubelet');
    expect(status?.subresource).toBe('status');
    expect(status?.fieldsV1).toMatchObject({ 'f:status': { 'f:message': {} } });
  });
});
