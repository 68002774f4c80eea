/** Code under test made so many calls of its client without ever waiting for the world that it cannot be meant to end. */
export class RunawayReconcileError extends Error {
  constructor(calls: number) {
    super(
      `${calls} client calls within one step: a loop of cached reads that nothing can end, because the cache changes only between steps`,
    );
    this.name = 'RunawayReconcileError';
  }
}

const limit = 100_000;

/** Counts client calls between two steps of a process. Without it an endless loop of cached reads would never give control back. */
export class RunawayGuard {
  #calls = 0;
  #atMs = Number.NaN;

  constructor(private readonly nowMs: () => number) {}

  /** A step has begun: an answer came, a worker goes on. */
  step(): void {
    this.#calls = 0;
  }

  /** Makes a call of the client, or rejects with a RunawayReconcileError. A loop that goes on even so is never answered again. */
  run<T>(call: () => Promise<T>): Promise<T> {
    if (this.nowMs() !== this.#atMs) {
      this.#atMs = this.nowMs();
      this.#calls = 0;
    }
    this.#calls += 1;
    if (this.#calls <= limit) return call();
    return this.#calls > 2 * limit ? new Promise(() => {}) : Promise.reject(new RunawayReconcileError(this.#calls));
  }
}
