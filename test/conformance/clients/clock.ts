interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Virtual time that passes only when a script says so. */
export class VirtualClock {
  nowMs = Date.UTC(2000, 0, 1);
  private soon: (() => void)[] = [];
  /** In order of time, then of making. */
  private timers: Timer[] = [];

  /** Runs it at this instant, but not within the caller's own call. */
  post(run: () => void): void {
    this.soon.push(run);
  }

  after(delayMs: number, run: () => void): () => void {
    const timer: Timer = { atMs: this.nowMs + Math.max(0, delayMs), run };
    let place = this.timers.length;
    while (place > 0 && this.timers[place - 1]!.atMs > timer.atMs) place--;
    this.timers.splice(place, 0, timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Returns when nothing can happen any more without time passing. */
  async settle(): Promise<void> {
    do {
      this.runDue();
      // One macrotask turn lets every chain of promises come to its end.
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.soon.length > 0 || this.nextAtMs() <= this.nowMs);
  }

  async advance(ms: number): Promise<void> {
    const end = this.nowMs + ms;
    await this.settle();
    while (this.nextAtMs() <= end) await this.toNextTimer();
    this.nowMs = end;
    await this.settle();
  }

  /** Lets time pass until `over` holds, at most so long. */
  async advanceUntil(over: () => boolean, mostMs: number): Promise<void> {
    const end = this.nowMs + mostMs;
    while (!over() && this.nextAtMs() <= end) await this.toNextTimer();
    if (!over()) this.nowMs = end;
  }

  private async toNextTimer(): Promise<void> {
    this.nowMs = Math.max(this.nowMs, this.nextAtMs());
    await this.settle();
  }

  private runDue(): void {
    for (;;) {
      const task = this.soon.shift() ?? (this.nextAtMs() <= this.nowMs ? this.timers.shift()!.run : undefined);
      if (task === undefined) return;
      task();
    }
  }

  private nextAtMs(): number {
    return this.timers[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }
}
