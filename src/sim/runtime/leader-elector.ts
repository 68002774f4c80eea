import type { Cancel, Host } from '../host.js';
import type { LeaderElectionRecord, LeaseLock, LockAnswer } from './lease-lock.js';

export interface ElectionTimes {
  /** How long others wait for a leader that says nothing more. Default 15,000 ms (D44). */
  readonly leaseDurationMs?: number;
  /** How long a leader tries to renew before it gives up. Default 10,000 ms. */
  readonly renewDeadlineMs?: number;
  /** Default 2,000 ms. */
  readonly retryPeriodMs?: number;
}

export interface ElectionOptions extends ElectionTimes {
  readonly identity: string;
  /** Gives the lease back when leading ends (D49). */
  readonly releaseOnCancel?: boolean;
}

export interface LeaderCallbacks {
  onStartedLeading(): void;
  /** The context of onStartedLeading has ended. */
  onContextEnded(): void;
  /** Always called at the end, also if it never led (D48). */
  onStoppedLeading(): void;
  onNewLeader(identity: string): void;
}

const jitterFactor = 1.2;
const nobody: LeaderElectionRecord = { holder: '', leaseSeconds: 0, acquireTime: '', renewTime: '', transitions: 0 };

/** client-go's LeaderElector with a Lease (D44 to D49). */
export class LeaderElector {
  readonly #leaseMs: number;
  readonly #renewMs: number;
  readonly #retryMs: number;
  #observed = nobody;
  #observedAtMs = Number.NEGATIVE_INFINITY;
  #observedRaw = '';
  #reported = '';
  #phase: 'new' | 'waiting' | 'leading' | 'ending' | 'over' = 'new';
  /** Takes back the request or the timers that the election waits for. */
  #cancels: Cancel[] = [];

  /** @throws if the times do not fit each other, or the identity is empty (D44, D74). */
  constructor(
    private readonly host: Host,
    private readonly lock: LeaseLock,
    private readonly options: ElectionOptions,
    private readonly callbacks: LeaderCallbacks,
  ) {
    this.#leaseMs = options.leaseDurationMs ?? 15_000;
    this.#renewMs = options.renewDeadlineMs ?? 10_000;
    this.#retryMs = options.retryPeriodMs ?? 2_000;
    if (this.#leaseMs <= this.#renewMs) throw new Error('leaseDuration must be greater than renewDeadline');
    if (this.#renewMs <= this.#retryMs * jitterFactor) throw new Error('renewDeadline must be greater than retryPeriod*JitterFactor');
    if (options.identity === '') throw new Error('Lock identity is empty');
  }

  get isLeader(): boolean {
    return this.#observed.holder === this.options.identity;
  }

  /** It has begun and is not over. */
  get running(): boolean {
    return this.#phase !== 'new' && this.#phase !== 'over';
  }

  /** Who holds the lease, as far as is known. */
  get leader(): string {
    return this.#observed.holder;
  }

  run(): void {
    this.#phase = 'waiting';
    this.#acquire();
  }

  stop(): void {
    if (this.#phase === 'ending' || this.#phase === 'over') return;
    const led = this.#phase === 'leading';
    this.#phase = 'ending';
    this.#cancelAll();
    if (!led) {
      this.#end();
      return;
    }
    this.callbacks.onContextEnded();
    this.#releaseThen(() => this.#end());
  }

  // D45
  #acquire(): void {
    this.#try((won) => {
      this.#report();
      if (won) {
        this.#phase = 'leading';
        this.callbacks.onStartedLeading();
        this.#renew();
        return;
      }
      const waitMs = this.#retryMs * (1 + jitterFactor * this.host.random('leader election'));
      this.#after(waitMs, 'try to become leader', () => this.#acquire());
    });
  }

  /** One round: a try every retry period until one succeeds or the deadline has come (D48). */
  #renew(): void {
    const startMs = this.host.nowMs();
    this.#after(this.#renewMs, 'renew deadline', () => this.#lose());
    const attempt = () =>
      this.#try((won) => {
        if (won) {
          this.#cancelAll();
          this.#report();
          this.#after(this.#retryMs, 'renew lease', () => this.#renew());
          return;
        }
        waitForTick();
      });
    let tick = 0;
    // A ticker keeps one tick that nobody was there to take.
    const waitForTick = () => {
      const nowMs = this.host.nowMs();
      const next = startMs + (tick + 1) * this.#retryMs;
      tick = Math.max(tick + 1, Math.floor((nowMs - startMs) / this.#retryMs));
      this.#after(Math.max(0, next - nowMs), 'renew lease again', attempt);
    };
    attempt();
  }

  #lose(): void {
    this.#phase = 'ending';
    this.#cancelAll();
    this.#report();
    this.#releaseThen(() => {
      this.callbacks.onContextEnded();
      this.#end();
    });
  }

  #end(): void {
    this.#phase = 'over';
    this.callbacks.onStoppedLeading();
  }

  // D46
  #try(done: (won: boolean) => void): void {
    const nowMs = this.host.nowMs();
    const time = microTime(nowMs);
    const leaseSeconds = Math.floor(this.#leaseMs / 1000);
    const fresh = { holder: this.options.identity, leaseSeconds, acquireTime: time, renewTime: time, transitions: 0 };
    if (!this.isLeader || !this.#isLeaseValid(nowMs)) {
      this.#tryByReading(fresh, nowMs, done);
      return;
    }
    const { acquireTime, transitions } = this.#observed;
    const renewed = { ...fresh, acquireTime, transitions };
    this.#ask(
      (answered) => this.lock.update(renewed, answered),
      (answer) => {
        if ('failed' in answer) this.#tryByReading(renewed, nowMs, done);
        else this.#won(renewed, done);
      },
    );
  }

  #tryByReading(wanted: LeaderElectionRecord, nowMs: number, done: (won: boolean) => void): void {
    const write = (record: LeaderElectionRecord, verb: 'create' | 'update') =>
      this.#ask(
        (answered) => this.lock[verb](record, answered),
        (answer) => {
          if ('failed' in answer) done(false);
          else this.#won(record, done);
        },
      );
    this.#ask(
      (answered) => this.lock.get(answered),
      (answer) => {
        if ('failed' in answer) {
          if (answer.failed === 'not found') write(wanted, 'create');
          else done(false);
          return;
        }
        const { record } = answer;
        const raw = inWholeSeconds(record);
        if (raw !== this.#observedRaw) {
          this.#observedRaw = raw;
          this.#observe(record);
        }
        if (record.holder !== '' && this.#isLeaseValid(nowMs) && !this.isLeader) {
          done(false);
          return;
        }
        const { acquireTime, transitions } = record;
        write(this.isLeader ? { ...wanted, acquireTime, transitions } : { ...wanted, transitions: transitions + 1 }, 'update');
      },
    );
  }

  #won(record: LeaderElectionRecord, done: (won: boolean) => void): void {
    this.#observe(record);
    done(true);
  }

  // D49
  #releaseThen(then: () => void): void {
    if (!this.options.releaseOnCancel) {
      then();
      return;
    }
    const over = () => {
      this.#cancelAll();
      then();
    };
    this.#after(this.#renewMs, 'give up releasing the lease', over);
    this.#ask(
      (answered) => this.lock.get(answered),
      (answer) => {
        if ('failed' in answer || !this.isLeader) {
          over();
          return;
        }
        const time = microTime(this.host.nowMs());
        const released = { holder: '', leaseSeconds: 1, acquireTime: time, renewTime: time, transitions: answer.record.transitions };
        this.#ask(
          (answered) => this.lock.update(released, answered),
          (written) => {
            if (!('failed' in written)) this.#observe(released);
            over();
          },
        );
      },
    );
  }

  // D47: by the own clock, since the record last changed.
  #isLeaseValid(nowMs: number): boolean {
    return this.#observedAtMs + this.#observed.leaseSeconds * 1000 > nowMs;
  }

  #observe(record: LeaderElectionRecord): void {
    this.#observed = record;
    this.#observedAtMs = this.host.nowMs();
  }

  #report(): void {
    if (this.#observed.holder === this.#reported) return;
    this.#reported = this.#observed.holder;
    this.callbacks.onNewLeader(this.#reported);
  }

  #ask(send: (answered: (answer: LockAnswer) => void) => Cancel, then: (answer: LockAnswer) => void): void {
    const cancel: Cancel = send((answer) => {
      this.#forget(cancel);
      then(answer);
    });
    this.#cancels.push(cancel);
  }

  #after(delayMs: number, what: string, run: () => void): void {
    const cancel: Cancel = this.host.after(
      delayMs,
      `leader election ${what}`,
      what,
      () => {
        this.#forget(cancel);
        run();
      },
      true,
    );
    this.#cancels.push(cancel);
  }

  #forget(cancel: Cancel): void {
    this.#cancels = this.#cancels.filter((other) => other !== cancel);
  }

  #cancelAll(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
  }
}

/** D74: six digits. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

/** How a record is compared with the last one seen (D46, step 4). */
function inWholeSeconds(record: LeaderElectionRecord): string {
  const cut = (time: string) => time.replace(/\.\d+Z$/, 'Z');
  return JSON.stringify({ ...record, acquireTime: cut(record.acquireTime), renewTime: cut(record.renewTime) });
}
