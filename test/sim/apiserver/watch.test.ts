import { describe, expect, it } from 'vitest';
import { AServer, told } from './a-server.js';

const bookmarks = { allowWatchBookmarks: 'true' };

describe('how a watch begins', () => {
  it('shows what is there in key order, then a bookmark that says so, when it names no revision (LW-12, LW-13)', () => {
    const server = new AServer();
    for (const name of ['b', 'a']) server.create(name);
    const { deliveries } = server.watch(bookmarks);
    expect(told(deliveries)).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK']);
    expect(deliveries[2]?.event?.object.metadata).toEqual({
      resourceVersion: server.revision,
      annotations: { 'k8s.io/initial-events-end': 'true' },
    });
  });

  it('replays what came after a revision, each kind of event as it was', () => {
    const server = new AServer();
    const start = server.revision;
    server.create('a');
    server.update('a', { data: { k: '1' } });
    server.delete('a');
    expect(told(server.watch({ resourceVersion: start }).deliveries)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  it('is silent from the present with sendInitialEvents=false', () => {
    const server = new AServer();
    server.create('a');
    const query = { sendInitialEvents: 'false', resourceVersionMatch: 'NotOlderThan', ...bookmarks };
    expect(told(server.watch(query).deliveries)).toEqual([]);
  });

  it('waits in silence for a revision from the future, and then shows only what is above it (LW-18)', () => {
    const server = new AServer();
    const { watch } = server.watch({ resourceVersion: String(server.etcd.revision + 1) });
    const create = (name: string) => server.do({ verb: 'create', body: { metadata: { name } } }).deliveries;
    expect(told(create('a'), watch)).toEqual([]);
    expect(told(create('b'), watch)).toEqual(['ADDED b']);
  });

  it('starts from the state of a cache that lags for "0", and catches up (LW-22)', () => {
    const server = new AServer();
    const { metadata } = server.create('a', { data: { k: 'old' } });
    server.update('a', { data: { k: 'new' } });
    const { deliveries } = server.watch({ resourceVersion: '0' }, { cacheRevision: Number(metadata.resourceVersion) });
    expect(told(deliveries)).toEqual(['ADDED a', 'MODIFIED a']);
    expect(deliveries[0]?.event?.object).toMatchObject({ data: { k: 'old' } });
  });

  it('is answered with 410 in the stream, and ended, when the revision is older than the cache (LW-16, LW-17)', () => {
    const server = new AServer();
    const start = server.revision;
    server.create('a');
    server.server.watches.restart();
    expect(told(server.watch({ resourceVersion: start }).deliveries)).toEqual(['ERROR 410', 'ended']);
  });

  it('does not mind that etcd has compacted what the cache still has', () => {
    const server = new AServer();
    const start = server.revision;
    server.create('a');
    server.etcd.compact(server.etcd.revision);
    expect(told(server.watch({ resourceVersion: start }).deliveries)).toEqual(['ADDED a']);
  });
});

describe('selectors in a watch (LW-19)', () => {
  it('show an object that comes in as added and one that goes out as deleted, with its old content and the new revision', () => {
    const server = new AServer();
    const { watch } = server.watch({ labelSelector: 'app=x' });
    server.create('a', { metadata: { labels: { app: 'y' } } });
    const into = server.update('a', { metadata: { labels: { app: 'x' } }, data: { k: 'in' } });
    const out = server.update('a', { metadata: { labels: { app: 'y' } }, data: { k: 'out' } });
    expect([told(into.deliveries, watch), told(out.deliveries, watch)]).toEqual([['ADDED a'], ['DELETED a']]);
    expect(out.deliveries[0]?.event?.object).toMatchObject({ data: { k: 'in' }, metadata: { resourceVersion: server.revision } });
  });

  it('say nothing of an object that never matched', () => {
    const server = new AServer();
    server.watch({ fieldSelector: 'metadata.name=b' });
    expect(server.do({ verb: 'create', body: { metadata: { name: 'a' } } }).deliveries).toEqual([]);
  });
});

describe('what all watches of a commit share', () => {
  it('is one event object, frozen', () => {
    const server = new AServer();
    server.watch();
    server.watch({ labelSelector: '!nothing' });
    const [first, second] = server.do({ verb: 'create', body: { metadata: { name: 'a' } } }).deliveries;
    expect(first?.event).toBe(second?.event);
    expect(Object.isFrozen(first?.event?.object)).toBe(true);
  });
});

describe('time in a watch', () => {
  it('brings a bookmark once a minute, but only when there is something new (LW-14)', () => {
    const server = new AServer();
    const { watch } = server.watch(bookmarks);
    server.nowMs += 60_000;
    expect(told(server.server.tick(), watch)).toEqual([]);
    server.create('a');
    server.nowMs += 60_000;
    expect(told(server.server.tick(), watch)).toEqual(['BOOKMARK']);
  });

  it('ends it after timeoutSeconds, cleanly, with a bookmark two seconds before (LW-14, LW-15)', () => {
    const server = new AServer();
    const { watch } = server.watch({ ...bookmarks, timeoutSeconds: '10', resourceVersion: server.revision });
    server.create('a');
    const seen: string[][] = [];
    for (let at = server.server.nextTickMs(); at !== undefined; at = server.server.nextTickMs()) {
      const afterMs = at - server.nowMs;
      server.nowMs = at;
      seen.push([String(afterMs), ...told(server.server.tick(), watch)]);
    }
    expect(seen).toEqual([
      ['8000', 'BOOKMARK'],
      ['2000', 'ended'],
    ]);
  });

  it('ends it between half an hour and an hour when the client names no time', () => {
    const server = new AServer();
    server.watch();
    expect((server.server.nextTickMs() as number) - server.nowMs).toBe(45 * 60_000);
  });

  it('brings nothing more once the client has closed it', () => {
    const server = new AServer();
    const { watch } = server.watch();
    server.server.closeWatch(watch as number);
    expect(server.do({ verb: 'create', body: { metadata: { name: 'a' } } }).deliveries).toEqual([]);
    expect(server.server.nextTickMs()).toBeUndefined();
  });
});
