import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer } from './a-server.js';

const hourMs = 3_600_000;
const minuteMs = 60_000;

const write = (server: AServer, name: string, api: 'core' | 'events' = 'core') =>
  server.do({
    verb: 'create',
    resource: 'events',
    ...(api === 'events' && { group: 'events.k8s.io' }),
    body:
      api === 'core'
        ? { metadata: { name }, involvedObject: { namespace: 'ns' } }
        : {
            metadata: { name },
            regarding: { namespace: 'ns' },
            eventTime: '2026-01-01T00:00:00.000000Z',
            reportingController: 'example.com/x',
            reportingInstance: 'x',
            action: 'Test',
            reason: 'Test',
            type: 'Normal',
          },
  });
const names = (server: AServer) =>
  (server.do({ verb: 'list', resource: 'events' }).response.body as { items: readonly KubeObject[] }).items.map(
    ({ metadata }) => metadata.name,
  );

describe('Events', () => {
  it('go an hour and a minute after they were written, with those that were written in the same minute (EV-1)', () => {
    const server = new AServer();
    const begin = server.nowMs;
    write(server, 'a');
    server.nowMs = begin + minuteMs - 1;
    write(server, 'b', 'events');
    server.nowMs = begin + minuteMs;
    write(server, 'c');
    server.nowMs = begin + hourMs + minuteMs - 1;
    expect(names(server)).toEqual(['a', 'b', 'c']);
    server.nowMs += 1;
    expect(names(server)).toEqual(['c']);
    server.nowMs = begin + hourMs + 2 * minuteMs;
    expect(names(server)).toEqual([]);
  });

  it('tell those who watch them, each with a revision of its own, and ask for the clock in time (EV-1)', () => {
    const server = new AServer();
    const begin = server.nowMs;
    for (const name of ['a', 'b']) write(server, name);
    const before = server.etcd.revision;
    const { watch } = server.do({ verb: 'watch', resource: 'events', query: { resourceVersion: server.revision, timeoutSeconds: '7200' } });
    const told = [];
    while (server.nowMs < begin + 2 * hourMs) {
      const next = server.server.nextTickMs();
      if (next === undefined || next > begin + 2 * hourMs) break;
      server.nowMs = next;
      for (const { watch: id, event } of server.server.tick())
        if (id === watch && event !== undefined && event.type !== 'BOOKMARK')
          told.push([
            event.type,
            (event.object as KubeObject).metadata.name,
            (event.object as KubeObject).metadata.resourceVersion,
            next - begin,
          ]);
    }
    expect(told).toEqual([
      ['DELETED', 'a', String(before + 1), hourMs + minuteMs],
      ['DELETED', 'b', String(before + 2), hourMs + minuteMs],
    ]);
  });

  it('leave alone what is not one, and one that was deleted before', () => {
    const server = new AServer();
    server.create('map');
    write(server, 'a');
    server.do({ verb: 'delete', resource: 'events', name: 'a' });
    const revision = server.etcd.revision;
    server.nowMs += 3 * hourMs;
    expect(server.list().items).toHaveLength(1);
    expect(server.etcd.revision).toBe(revision);
  });
});
