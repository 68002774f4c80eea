import { uuid } from '../apiserver/uid.js';
import type { Host } from '../host.js';
import type { EventBroadcaster } from './event-recorder.js';
import { type ElectionTimes, type LeaderCallbacks, LeaderElector } from './leader-elector.js';
import { LeaseLock } from './lease-lock.js';

/** How a manager takes part in an election: Go's LeaderElection, LeaderElectionID and so on. */
export interface LeaderElectionOptions extends ElectionTimes {
  /** The name of the Lease. */
  readonly id: string;
  readonly namespace: string;
  /** Default: the process's name and a UUID, new at every start (D51). */
  readonly identity?: string;
  /** Gives the lease back after an ordinary stop (D49). */
  readonly releaseOnCancel?: boolean;
}

/** The election of a manager. A lock that it makes itself has time-outs and records events (D50, D79). */
export function newElection(
  host: Host,
  rest: Pick<Host, 'send'>,
  events: EventBroadcaster,
  userAgent: string,
  { id, namespace, identity, ...options }: LeaderElectionOptions,
  callbacks: LeaderCallbacks,
): LeaderElector {
  const own = identity === undefined;
  const me = identity ?? `${host.process}_${uuid((part) => host.random(`identity/${part}`))}`;
  const timeoutMs = Math.max(1000, (options.renewDeadlineMs ?? 10_000) / 2);
  const lock = new LeaseLock(rest, { namespace, name: id, userAgent, ...(own ? { timeout: `${timeoutMs / 1000}s` } : {}) });
  const record = (what: string) => {
    if (own && lock.lease !== undefined) events.recorderFor(me).event(lock.lease, 'Normal', 'LeaderElection', `${me} ${what}`);
  };
  return new LeaderElector(
    host,
    lock,
    { ...options, identity: me },
    {
      ...callbacks,
      onStartedLeading: () => {
        record('became leader');
        callbacks.onStartedLeading();
      },
    },
  );
}
