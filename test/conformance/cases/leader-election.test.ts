import { expect, test } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { type ElectionOptions, LeaderElector } from '../../../src/sim/runtime/leader-elector.js';
import { LeaseLock } from '../../../src/sim/runtime/lease-lock.js';
import { ServedHost } from '../../sim/runtime/served-host.js';

/** Somebody who would lead: what happens to it, and its requests since the last look. */
function candidate(host: ServedHost, identity: string, options: Partial<ElectionOptions> = {}) {
  const heard: string[] = [];
  const lock = new LeaseLock(host, { namespace: 'ns', name: 'lock', userAgent: identity });
  const elector = new LeaderElector(
    host,
    lock,
    { identity, ...options },
    {
      onStartedLeading: () => heard.push('started'),
      onContextEnded: () => {},
      onStoppedLeading: () => heard.push('stopped'),
      onNewLeader: (leader) => heard.push(`leader ${leader}`),
    },
  );
  return { elector, heard, requests: () => host.requests.splice(0).map(({ verb }) => verb) };
}

function cluster(beside?: ServedHost): ServedHost {
  const host = new ServedHost('one', beside);
  if (beside === undefined) host.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
  return host;
}

const lease = (host: ServedHost) => host.stored('leases.coordination.k8s.io')[0] as KubeObject;

test('LE-01: without a lease it is GET, CREATE, and leading', async () => {
  const host = cluster();
  const { elector, heard, requests } = candidate(host, 'me');
  elector.run();
  await host.advance(100);
  expect([requests(), elector.isLeader, heard.includes('started')]).toEqual([['get', 'create', 'update'], true, true]);
});

/** Another one leads and then says nothing more. */
async function heldByAnother(): Promise<ServedHost> {
  const host = cluster();
  const { elector } = candidate(host, 'other');
  elector.run();
  await host.advance(100);
  elector.stop();
  host.requests.length = 0;
  return host;
}

test('LE-03: a lease that another holds is not taken, and nothing is written, while it lasts', async () => {
  const host = await heldByAnother();
  const { elector, requests } = candidate(host, 'me');
  elector.run();
  await host.advance(14_000);
  expect([new Set(requests()), elector.isLeader]).toEqual([new Set(['get']), false]);
});

test('LE-04: a lease lasts from when this one saw it change, whatever renewTime says', async () => {
  const host = await heldByAnother();
  host.patch(
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace: 'ns', name: 'lock' } },
    { spec: { renewTime: '1990-01-01T00:00:00.000000Z' } },
  );
  await host.advance(60_000);
  const { elector } = candidate(host, 'me');
  elector.run();
  await host.advance(14_000);
  expect(elector.isLeader).toBe(false);
  await host.advance(6_000);
  expect(elector.isLeader).toBe(true);
});

test('LE-06: a leader renews by UPDATE alone; when that fails by GET and UPDATE', async () => {
  const host = cluster();
  const { elector, requests } = candidate(host, 'me');
  elector.run();
  await host.advance(100);
  requests();
  await host.advance(2_000);
  expect(requests()).toEqual(['update']);
  host.fates.push(() => ({ lost: 'reset' }));
  await host.advance(2_000);
  expect(requests().slice(0, 3)).toEqual(['update', 'get', 'update']);
});

test('LE-07: a release is GET and UPDATE to an empty holder; the transitions stay', async () => {
  const host = cluster();
  const { elector, heard, requests } = candidate(host, 'me', { releaseOnCancel: true });
  elector.run();
  await host.advance(100);
  requests();
  const before = lease(host).spec.leaseTransitions;
  elector.stop();
  await host.advance(100);
  expect([requests(), lease(host).spec]).toMatchObject([['get', 'update'], { holderIdentity: '', leaseTransitions: before }]);
  expect([elector.leader, heard.at(-1)]).toEqual(['', 'stopped']);
});

test.each([0, 1, 2])('LE-09: a cancel while a renewal is under way releases the lock all the same (%i ms later)', async (later) => {
  const host = cluster();
  const { elector, heard } = candidate(host, 'me', { releaseOnCancel: true });
  elector.run();
  await host.clock.advanceUntil(() => heard.includes('started'), 1000);
  await host.advance(later);
  elector.stop();
  await host.advance(1000);
  expect([lease(host).spec.holderIdentity ?? '', heard.at(-1)]).toEqual(['', 'stopped']);
});

test('LE-10: an empty identity is refused; 15 s, 2 s and 1 s are accepted', () => {
  expect(() => candidate(cluster(), '')).toThrow('Lock identity is empty');
  const times = { leaseDurationMs: 15_000, renewDeadlineMs: 2_000, retryPeriodMs: 1_000 };
  expect(() => candidate(cluster(), 'me', times)).not.toThrow();
});
