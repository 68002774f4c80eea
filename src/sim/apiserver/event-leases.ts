import { type Commit, type EtcdKey, pathOf } from '../etcd/etcd.js';

/** --event-ttl */
const keptMs = 3_600_000;
/** So much longer a lease is granted, so that Events of one minute can share it. */
const sharedMs = 60_000;
const mostOfLease = 1_000;

interface Lease {
  /** Milliseconds since 1970. */
  readonly endsAtMs: number;
  attached: number;
}

/** The leases that Events are stored with: an Event goes an hour, or up to a minute more, after it was last written (EV-1). */
export class EventLeases {
  readonly #held = new Map<string, { readonly key: EtcdKey; readonly lease: Lease }>();
  #lease: Lease | undefined;
  #nextMs = Number.POSITIVE_INFINITY;

  /** When the first of them may end, in milliseconds since 1970; infinite when there is none. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** Takes note of Events that were written, and of those that were deleted. */
  note(commits: readonly Commit[], nowMs: number): void {
    for (const { key, object } of commits) {
      if (key.resource !== 'events') continue;
      const path = pathOf(key);
      if (object === undefined) {
        this.#held.delete(path);
        continue;
      }
      const lease = this.#grant(nowMs);
      this.#held.set(path, { key, lease });
      this.#nextMs = Math.min(this.#nextMs, lease.endsAtMs);
    }
  }

  /** Events whose lease has ended, the longest unwritten first. */
  due(nowMs: number): readonly EtcdKey[] {
    const held = [...this.#held.values()];
    this.#nextMs = Number.POSITIVE_INFINITY;
    for (const { lease } of held) if (lease.endsAtMs > nowMs) this.#nextMs = Math.min(this.#nextMs, lease.endsAtMs);
    return held
      .filter(({ lease }) => lease.endsAtMs <= nowMs)
      .sort((a, b) => a.lease.endsAtMs - b.lease.endsAtMs)
      .map(({ key }) => key);
  }

  #grant(nowMs: number): Lease {
    const last = this.#lease;
    if (last === undefined || nowMs + keptMs >= last.endsAtMs || last.attached >= mostOfLease)
      this.#lease = { endsAtMs: nowMs + keptMs + sharedMs, attached: 0 };
    const lease = this.#lease as Lease;
    lease.attached += 1;
    return lease;
  }
}
