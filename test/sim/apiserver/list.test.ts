import { describe, expect, it } from 'vitest';
import { AServer, namesOf } from './a-server.js';

describe('the order and form of a list', () => {
  it('is by namespace/name as one text, so that a namespace may come between another and its longer neighbour (LW-6)', () => {
    const server = new AServer();
    for (const name of ['ns-b', 'nsb'])
      server.do({ verb: 'create', resource: 'namespaces', namespace: undefined, body: { metadata: { name } } });
    for (const namespace of ['ns', 'nsb', 'ns-b']) server.do({ verb: 'create', namespace, body: { metadata: { name: 'a' } } });
    const { body } = server.do({ verb: 'list', namespace: undefined }).response;
    const items = (body as unknown as { items: { metadata: { namespace: string } }[] }).items;
    expect(items.map((item) => item.metadata.namespace)).toEqual(['ns-b', 'ns', 'nsb']);
  });

  it('leaves kind and apiVersion out of the items of built-in kinds (LW-25)', () => {
    const server = new AServer();
    server.create('a');
    const list = server.list();
    expect(list.kind).toBe('ConfigMapList');
    expect(list.items[0]).not.toHaveProperty('kind');
    expect(list.metadata).toEqual({ resourceVersion: server.revision });
  });

  it('is empty, not missing, in a namespace that is not there', () => {
    const list = new AServer().do({ verb: 'list', namespace: 'nowhere' }).response;
    expect(list.code).toBe(200);
    expect(list.body).toMatchObject({ items: [] });
  });
});

describe('the revision that a list shows', () => {
  const changed = () => {
    const server = new AServer();
    const first = server.create('a', { data: { k: '1' } }).metadata.resourceVersion as string;
    server.create('b');
    server.update('a', { data: { k: '2' } });
    return { server, first };
  };

  it('is the past exactly with Exact, and with a limit alone', () => {
    const { server, first } = changed();
    for (const query of [
      { resourceVersion: first, resourceVersionMatch: 'Exact' },
      { resourceVersion: first, limit: '5' },
    ]) {
      const list = server.list(query as Record<string, string>);
      expect(namesOf(list)).toEqual(['a']);
      expect(list.items[0]?.data).toEqual({ k: '1' });
      expect(list.metadata.resourceVersion).toBe(first);
    }
  });

  it('is at least the one asked for without Exact', () => {
    const { server, first } = changed();
    expect(server.list({ resourceVersion: first }).items[0]?.data).toEqual({ k: '2' });
  });

  it('is that of a cache that lags for "0" and for older revisions, and the newest for none (LW-22)', () => {
    const { server, first } = changed();
    const lagging = { cacheRevision: Number(first) };
    expect(namesOf(server.list({ resourceVersion: '0' }, lagging))).toEqual(['a']);
    expect(namesOf(server.list({ resourceVersion: first }, lagging))).toEqual(['a']);
    expect(namesOf(server.list({ resourceVersion: server.revision }, lagging))).toEqual(['a', 'b']);
    expect(namesOf(server.list({}, lagging))).toEqual(['a', 'b']);
  });

  it('shows an object that is gone already to who reads from a cache that lags', () => {
    const server = new AServer();
    const { metadata } = server.create('a');
    server.delete('a');
    const lagging = { cacheRevision: Number(metadata.resourceVersion) };
    const get = (query: Record<string, string>) => server.do({ name: 'a', query }, lagging).response.code;
    expect(get({ resourceVersion: '0' })).toBe(200);
    expect(get({})).toBe(404);
  });

  it('cannot be one from the future: 504, to come back in a second (LW-4)', () => {
    const server = new AServer();
    const { response } = server.do({ verb: 'list', query: { resourceVersion: '1000' } });
    expect(response).toMatchObject({ code: 504, retryAfterSeconds: 1 });
    expect(response.body).toMatchObject({ message: `Timeout: Too large resource version: 1000, current: ${server.revision}` });
  });

  it('cannot be one that was compacted away: 410 (LW-8)', () => {
    const { server, first } = changed();
    server.etcd.compact(server.etcd.revision);
    const { response } = server.do({ verb: 'list', query: { resourceVersion: first, resourceVersionMatch: 'Exact' } });
    expect(response.body).toMatchObject({ code: 410, reason: 'Expired' });
  });

  it.each([
    [{ resourceVersionMatch: 'Exact' }, 422],
    [{ resourceVersion: '0', resourceVersionMatch: 'Exact' }, 422],
    [{ sendInitialEvents: 'true' }, 422],
    [{ resourceVersion: 'abc' }, 400],
    [{ limit: 'x' }, 400],
    [{ continue: 'x' }, 400],
    [{ labelSelector: 'a in b' }, 400],
  ])('is not given for %j: %i', (query, code) => {
    expect(new AServer().do({ verb: 'list', query }).response.code).toBe(code);
  });
});

describe('pages', () => {
  const five = () => {
    const server = new AServer();
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      server.create(name, { metadata: { labels: { even: String(name === 'b' || name === 'd') } } });
    return server;
  };
  const tokenOf = (list: { readonly metadata: object }) => (list.metadata as { continue?: string }).continue as string;

  it('show one state through and through, whatever is written meanwhile, and say how many are left (LW-7)', () => {
    const server = five();
    const first = server.list({ limit: '2' });
    expect(first.metadata).toMatchObject({ remainingItemCount: 3 });
    server.delete('c');
    server.create('cc');
    const second = server.list({ limit: '2', continue: tokenOf(first) });
    const third = server.list({ continue: tokenOf(second) });
    expect([first, second, third].map(namesOf)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(third.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
  });

  it('are filled with what matches a selector, and then say nothing of how many are left', () => {
    const list = five().list({ limit: '1', labelSelector: 'even=true' });
    expect(namesOf(list)).toEqual(['b']);
    expect(list.metadata).not.toHaveProperty('remainingItemCount');
    expect(tokenOf(list)).toBeDefined();
  });

  it('go on at the newest state with the token of a 410 (LW-8)', () => {
    const server = five();
    const first = server.list({ limit: '2' });
    server.delete('d');
    server.etcd.compact(server.etcd.revision);
    const expired = server.list({ continue: tokenOf(first) });
    expect(expired).toMatchObject({ code: 410 });
    expect(namesOf(server.list({ continue: tokenOf(expired) }))).toEqual(['c', 'e']);
  });

  it('are not made of a cached list: "0" gives everything', () => {
    expect(namesOf(five().list({ resourceVersion: '0', limit: '2' }))).toHaveLength(5);
  });
});
