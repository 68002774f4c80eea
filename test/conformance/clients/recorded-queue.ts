import type { AddOptions, Getter, RequestQueue, Taken, WaitingItem } from '../../../src/sim/runtime/request-queue.js';
import type { Journal } from './journal.js';

/** A queue that notes what is asked of it. */
export class RecordedQueue implements RequestQueue {
  constructor(
    private readonly queue: RequestQueue,
    private readonly name: string,
    private readonly classic: boolean,
    private readonly journal: Journal,
  ) {}

  add(item: string): void {
    this.note(`add ${item}`);
    this.queue.add(item);
  }

  addAfter(item: string, delayMs: number): void {
    this.note(`add ${item} after ${goDuration(delayMs)}`);
    this.queue.addAfter(item, delayMs);
  }

  addRateLimited(item: string): void {
    this.note(`add ${item} rate limited`);
    this.queue.addRateLimited(item);
  }

  addWithOpts(options: AddOptions, ...items: readonly string[]): void {
    const { afterMs, rateLimited, priority = 0 } = options;
    const delay = rateLimited ? ' rate limited' : afterMs === undefined ? '' : ` after ${goDuration(afterMs)}`;
    // Of adds by handlers a priority of 0 is not shown.
    const shown = this.classic || (delay === '' && priority === 0) ? '' : ` priority ${priority}`;
    for (const item of items) this.note(`add ${item}${delay}${shown}`);
    this.queue.addWithOpts(options, ...items);
  }

  forget(item: string): void {
    this.note(`forget ${item}`);
    this.queue.forget(item);
  }

  done(item: string): void {
    this.note(`done ${item}`);
    this.queue.done(item);
  }

  numRequeues(item: string): number {
    return this.queue.numRequeues(item);
  }

  get(getter: Getter): void {
    this.queue.get(getter);
  }

  take(item: string): Taken | undefined {
    return this.queue.take(item);
  }

  shutDown(): void {
    this.queue.shutDown();
  }

  shutDownWithDrain(drained: () => void): void {
    this.queue.shutDownWithDrain(drained);
  }

  length(): number {
    return this.queue.length();
  }

  ready(): readonly string[] {
    return this.queue.ready();
  }

  waiting(): readonly WaitingItem[] {
    return this.queue.waiting();
  }

  private note(what: string): void {
    this.journal.note(`queue ${this.name}`, what);
  }
}

/** A duration below a minute as Go prints it. */
export function goDuration(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}
