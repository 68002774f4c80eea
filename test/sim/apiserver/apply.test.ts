import { describe, expect, it } from 'vitest';
import { managedFieldsOf } from '../../../src/sim/apiserver/managed-fields/owners.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer } from './a-server.js';

const key = { resource: 'configmaps', namespace: 'ns', name: 'a' };
type Answered = KubeObject & { readonly message?: string; readonly details?: { readonly causes: readonly unknown[] } };

function apply(server: AServer, fieldManager: string, data: object | undefined, query: object = {}, metadata: object = {}) {
  const { response } = server.do({
    verb: 'patch',
    name: 'a',
    contentType: 'application/apply-patch+yaml',
    query: { fieldManager, ...query },
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, ...(data !== undefined && { data }) },
  });
  return { code: response.code, body: response.body as Answered };
}

const stored = (server: AServer) => server.etcd.get(key) as KubeObject;
const managers = (server: AServer) => managedFieldsOf(stored(server)).map(({ manager, operation }) => `${manager} ${operation}`);

describe('server-side apply', () => {
  it('creates what is not there, and repeats itself without a write (PA-2, PA-23)', () => {
    const server = new AServer();
    expect(apply(server, 'op', { k: '1' }).code).toBe(201);
    const { resourceVersion } = stored(server).metadata;
    server.nowMs += 5000;
    expect(apply(server, 'op', { k: '1' }).code).toBe(200);
    expect(stored(server).metadata.resourceVersion).toBe(resourceVersion);
    expect(managedFieldsOf(stored(server))[0]?.time).toBe('2026-01-01T00:00:00Z');
  });

  it('removes what its manager had applied and leaves out now, and nothing else (PA-21)', () => {
    const server = new AServer();
    apply(server, 'one', { mine: '1', shared: '1' });
    apply(server, 'two', { shared: '1', theirs: '1' });
    apply(server, 'one', {});
    expect(stored(server).data).toEqual({ shared: '1', theirs: '1' });
  });

  it('conflicts with the owner of a field that it would change, and says with whom and where (PA-19, PA-20)', () => {
    const server = new AServer();
    apply(server, 'one', { k: '1', l: '1' });
    server.do({ verb: 'update', name: 'a', query: { fieldManager: 'two' }, body: { metadata: { name: 'a' }, data: { k: '1', l: '2' } } });
    const { code, body } = apply(server, 'three', { k: 'x', l: 'x' });
    expect(code).toBe(409);
    expect(body.message).toBe('Apply failed with 2 conflicts: conflicts with "one":\n- .data.k\nconflicts with "two" using v1:\n- .data.l');
    expect(body.details?.causes).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.k' },
      { reason: 'FieldManagerConflict', message: 'conflict with "two" using v1', field: '.data.l' },
    ]);
  });

  it('shares a field whose value is the same, and takes it over when forced', () => {
    const server = new AServer();
    apply(server, 'one', { k: '1' });
    expect(apply(server, 'two', { k: '1' }).code).toBe(200);
    // A new owner of what was there before has no time, and comes first (PA-23, PA-66).
    expect(managers(server)).toEqual(['two Apply', 'one Apply']);
    expect(apply(server, 'two', { k: '2' }, { force: 'true' }).code).toBe(200);
    expect(managers(server)).toEqual(['two Apply']);
  });

  it('gives what was there before the first apply to a manager of its own (PA-17)', () => {
    const server = new AServer();
    server.create('a', { data: { k: '1' } });
    server.update('a', { metadata: { managedFields: [{}] }, data: { k: '1' } });
    expect(managedFieldsOf(stored(server))).toEqual([]);
    const { code, body } = apply(server, 'op', { k: '2' });
    expect(code).toBe(409);
    expect(body.message).toContain('conflict with "before-first-apply" using v1: .data.k');
  });

  it('refuses a field that the kind does not have, whatever the validation asked for (PA-24)', () => {
    const server = new AServer();
    const { response } = server.do({
      verb: 'patch',
      name: 'a',
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'op', fieldValidation: 'Ignore' },
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, dada: {} },
    });
    expect(response.code).toBe(500);
    expect((response.body as Answered).message).toBe(
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .dada: field not declared in schema',
    );
  });

  it('refuses managedFields and another type', () => {
    const server = new AServer();
    expect(apply(server, 'op', {}, {}, { managedFields: [] }).body.message).toBe('metadata.managedFields must be nil');
    const { response } = server.do({
      verb: 'patch',
      name: 'a',
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'op' },
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
    });
    expect((response.body as Answered).message).toBe('invalid object type: /v1, Kind=Secret');
  });

  it('shows what it would do and writes nothing in a dry run (ST-17)', () => {
    const server = new AServer();
    const { code, body } = apply(server, 'op', { k: '1' }, { dryRun: 'All' });
    expect(code).toBe(201);
    expect(managedFieldsOf(body)).toHaveLength(1);
    expect(server.etcd.get(key)).toBeUndefined();
  });

  it('lets no writer of a stale revision through, not even by force (PA-4)', () => {
    const server = new AServer();
    apply(server, 'op', { k: '1' });
    const { resourceVersion } = stored(server).metadata;
    apply(server, 'op', { k: '2' });
    expect(apply(server, 'op', { k: '3' }, { force: 'true' }, { resourceVersion }).code).toBe(409);
  });

  it('merges lists by their keys, in the order of what is applied (PA-22)', () => {
    const server = new AServer();
    const template = (manager: string, names: readonly string[]) =>
      server.do({
        verb: 'patch',
        group: 'apps',
        version: 'v1',
        resource: 'deployments',
        name: 'd',
        contentType: 'application/apply-patch+yaml',
        query: { fieldManager: manager },
        body: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'd' },
          spec: {
            selector: { matchLabels: { a: 'b' } },
            template: { metadata: { labels: { a: 'b' } }, spec: { containers: names.map((name) => ({ name, image: 'i' })) } },
          },
        },
      }).response.body as KubeObject;
    template('one', ['a', 's']);
    const merged = template('two', ['b', 's']);
    expect(merged.spec.template.spec.containers.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 's']);
  });

  it('lets the manager called kubectl have back what client-side apply gave it, and nobody else (PA-57)', () => {
    const server = new AServer();
    const last = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '1' } });
    const body = { metadata: { name: 'a', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': last } }, data: { k: '1' } };
    server.do({ verb: 'create', query: { fieldManager: 'kubectl-client-side-apply' }, body });
    expect(apply(server, 'op', { k: '2' }).code).toBe(409);
    expect(apply(server, 'kubectl', { k: '2' }).code).toBe(200);
    expect(stored(server).metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBe(
      '{"apiVersion":"v1","data":{"k":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
    );
  });

  it('conflicts with who has scaled the object, through /scale and not (PA-52)', () => {
    const server = new AServer();
    const deployments = { group: 'apps', version: 'v1', resource: 'deployments', name: 'd' } as const;
    const spec = {
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    };
    const template = (replicas: number) =>
      server.do({
        ...deployments,
        verb: 'patch',
        contentType: 'application/apply-patch+yaml',
        query: { fieldManager: 'op' },
        body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { ...spec, replicas } },
      }).response;
    template(1);
    server.do({
      ...deployments,
      verb: 'patch',
      subresource: 'scale',
      contentType: 'application/merge-patch+json',
      query: { fieldManager: 'hpa' },
      body: { spec: { replicas: 3 } },
    });
    const { code, body } = template(1);
    expect(code).toBe(409);
    expect((body as Answered).message).toBe(
      'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });
});
