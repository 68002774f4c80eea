import type { Cancel, Host } from '../host.js';

export interface AddOptions {
  readonly afterMs?: number;
  readonly rateLimited?: boolean;
  /** Higher goes first; 0 by default. The classic queue knows no priorities (C21). */
  readonly priority?: number;
  /** The item asked for this wake-up itself and may do so for ever (RequeueAfter): waiting for it is rest, not work. */
  readonly periodic?: boolean;
}

/** What a worker gets to work on. */
export interface Taken {
  readonly item: string;
  readonly priority: number;
}

export interface WaitingItem {
  readonly item: string;
  readonly atMs: number;
  readonly periodic: boolean;
}

/** Called with an item that is ready, or with undefined when the queue hands out nothing more. */
export type Getter = (item: string | undefined) => void;

/**
 * What the classic and the priority queue have in common. Handing out has two steps, because which worker goes on is a
 * scheduling decision: `get` says that a worker is free, its getter is called with an item as soon as one is ready, and the
 * worker takes it when it really goes on. Until then further adds of the item melt into it.
 */
export interface RequestQueue {
  add(item: string): void;
  addAfter(item: string, delayMs: number): void;
  addRateLimited(item: string): void;
  addWithOpts(options: AddOptions, ...items: readonly string[]): void;
  forget(item: string): void;
  numRequeues(item: string): number;
  get(getter: Getter): void;
  /** Undefined: the queue was shut down meanwhile and does not hand the item out. */
  take(item: string): Taken | undefined;
  done(item: string): void;
  shutDown(): void;
  shutDownWithDrain(drained: () => void): void;
  /** Ready items. */
  length(): number;
  ready(): readonly string[];
  waiting(): readonly WaitingItem[];
}

/** One timer for the earliest of many instants. */
export class WakeUp {
  #cancel: Cancel | undefined;
  #atMs = 0;

  constructor(
    private readonly host: Host,
    private readonly lane: string,
    private readonly run: () => void,
  ) {}

  /**
   * Whoever asks to run again after a time will do something then: a cluster is not at rest before it has been seen.
   * @param earliest the item that waits shortest; undefined when none waits.
   */
  set(earliest: { readonly item: string; readonly atMs: number } | undefined): void {
    if (earliest === undefined) {
      this.clear();
      return;
    }
    if (this.#cancel !== undefined && this.#atMs === earliest.atMs) return;
    this.clear();
    this.#atMs = earliest.atMs;
    const delayMs = Math.max(0, Math.ceil(earliest.atMs - this.host.nowMs()));
    const fire = () => {
      this.#cancel = undefined;
      this.run();
    };
    this.#cancel = this.host.after(delayMs, this.lane, `wake ${earliest.item} of ${this.lane}`, fire);
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
