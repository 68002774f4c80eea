import type { Cancel, Host } from '../host.js';

const lastRetryMs = 1_000_000;

/** How keys come back that have failed. */
export interface Retries {
  /** How long after the first failure, in virtual milliseconds; twice as long after each further one. */
  readonly firstMs: number;
  /** After so many in a row the key is given up, until something else brings it; absent: never. */
  readonly most?: number;
}

/** Holds each key once, has one worker, and brings keys back after a time or after a failure (C10, WL-5). */
export class WorkQueue {
  readonly #ready: string[] = [];
  readonly #failures = new Map<string, number>();
  readonly #waiting = new Map<string, { readonly atMs: number; readonly cancel: Cancel }>();
  #working = false;
  #holds = 0;

  /** @param work looks at a key, and calls `done` when that has come to its end */
  constructor(
    private readonly host: Host,
    private readonly resource: string,
    private readonly work: (key: string, done: (failed: boolean) => void) => void,
    private readonly retries: Retries = { firstMs: 5 },
  ) {}

  add(key: string): void {
    if (!this.#ready.includes(key)) this.#ready.push(key);
    this.#goOn();
  }

  /** Nothing is looked at until it is released as often: the caches are not filled yet (C10). */
  hold(): void {
    this.#holds += 1;
  }

  release(): void {
    this.#holds -= 1;
    this.#goOn();
  }

  #goOn(): void {
    if (!this.#working && this.#holds === 0 && this.#ready.length > 0) this.#next();
  }

  /** A key that waits already comes at the earlier one of both times. */
  addAfter(key: string, afterMs: number): void {
    if (afterMs <= 0) {
      this.add(key);
      return;
    }
    const atMs = this.host.nowMs() + afterMs;
    const before = this.#waiting.get(key);
    if (before !== undefined && before.atMs <= atMs) return;
    before?.cancel();
    const due = () => {
      this.#waiting.delete(key);
      this.add(key);
    };
    const cancel = this.host.after(afterMs, `again ${key}`, `look again at ${this.resource} ${key}`, due);
    this.#waiting.set(key, { atMs, cancel });
  }

  #next(): void {
    this.#working = true;
    this.host.after(0, 'worker', `look at ${this.resource} ${this.#ready[0]}`, () => {
      const key = this.#ready.shift() as string;
      this.work(key, (failed) => {
        const times = this.#failures.get(key) ?? 0;
        if (failed && times < (this.retries.most ?? Number.POSITIVE_INFINITY)) {
          this.#failures.set(key, times + 1);
          this.addAfter(key, Math.min(this.retries.firstMs * 2 ** times, lastRetryMs));
        } else this.#failures.delete(key);
        this.#working = false;
        this.#goOn();
      });
    });
  }
}
