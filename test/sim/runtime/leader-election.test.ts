import { expect, test } from 'vitest';
import { newControllerManagedBy } from '../../../src/sim/runtime/builder.js';
import { LeaderElector } from '../../../src/sim/runtime/leader-elector.js';
import { LeaseLock } from '../../../src/sim/runtime/lease-lock.js';
import { type Manager, startManager } from '../../../src/sim/runtime/manager.js';
import { Memcached, memcached, prepare } from './memcached.js';
import { ServedHost } from './served-host.js';

/** Starts a replica of an operator that elects its leader; `exits` gets what ends it. */
function replica(host: ServedHost, exits: string[] = [], releaseOnCancel = false) {
  const operator = {
    name: 'memcached-operator',
    options: { leaderElection: { id: 'memcached', namespace: 'ns', releaseOnCancel } },
    setup: (manager: Manager) =>
      newControllerManagedBy(manager)
        .for(Memcached)
        .complete(async () => {}),
  };
  return startManager(host, operator, { profile: 'default', exited: (error) => exits.push(error.message) });
}

async function twoReplicas(releaseOnCancel = false) {
  const [a, exitsOfA] = [new ServedHost('a'), [] as string[]];
  const b = new ServedHost('b', a);
  await prepare(a);
  a.create(memcached('x', 1));
  const first = replica(a, exitsOfA, releaseOnCancel);
  await a.advance(1000);
  const second = replica(b, [], releaseOnCancel);
  await a.advance(1000);
  return { a, b, first, second, exitsOfA };
}

test('one of two replicas leads and reconciles, the other waits and is idle', async () => {
  const { a, b, first, second } = await twoReplicas();
  expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
  expect([a.reconciles(), b.reconciles()]).toEqual([['start ns/x', 'end ns/x: done'], []]);
  expect([second.ready(), second.idle()]).toEqual([true, true]);
});

test('a leader that releases its lease is followed within a few seconds, another only after the lease has run out', async () => {
  for (const [release, tookOver] of [
    [true, true],
    [false, false],
  ]) {
    const { a, first, second } = await twoReplicas(release);
    first.stop(() => {});
    await a.advance(6_000);
    expect(second.isLeader()).toBe(tookOver);
    await a.advance(20_000);
    expect(second.isLeader()).toBe(true);
  }
});

test('a leader whose renewals all fail ends ten seconds after the round began', async () => {
  const { a, first, exitsOfA } = await twoReplicas();
  for (let request = 0; request < 40; request++) {
    a.fates.push(({ resource }) => (resource === 'leases' ? { lost: 'refused' } : undefined));
  }
  await a.advance(9_000);
  expect(first.isLeader()).toBe(true);
  await a.advance(5_000);
  expect(exitsOfA).toEqual(['leader election lost']);
});

test('a lease that was deleted is made again, and leading goes on', async () => {
  const { a, first, second } = await twoReplicas();
  a.delete({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace: 'ns', name: 'memcached' } });
  await a.advance(3_000);
  expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
});

test('times that do not fit each other and an empty identity are refused', () => {
  const host = new ServedHost();
  const lock = new LeaseLock(host, { namespace: 'ns', name: 'x', userAgent: 'test' });
  const silent = { onStartedLeading: () => {}, onContextEnded: () => {}, onStoppedLeading: () => {}, onNewLeader: () => {} };
  const made = (options: object) => () => new LeaderElector(host, lock, { identity: 'me', ...options }, silent);
  expect(made({ leaseDurationMs: 10_000 })).toThrow('leaseDuration must be greater than renewDeadline');
  expect(made({ renewDeadlineMs: 2_400 })).toThrow('renewDeadline must be greater than retryPeriod*JitterFactor');
  expect(made({ identity: '' })).toThrow('Lock identity is empty');
});
