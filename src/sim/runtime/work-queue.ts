import type { Host } from '../host.js';
import type { RateLimiter } from './rate-limiters.js';
import { type AddOptions, type Getter, type RequestQueue, type Taken, type WaitingItem, WakeUp } from './request-queue.js';

interface Waiting {
  readonly item: string;
  atMs: number;
  periodic: boolean;
}

/** client-go's rate limiting queue: a set of ready items in order of arrival (C1), a heap of those that wait (C7), a limiter. */
export class WorkQueue implements RequestQueue {
  readonly #host: Host;
  readonly #limiter: RateLimiter;
  /** Ready items that no getter was offered. A Set keeps the order of insertion, which is first in, first out. */
  readonly #queue = new Set<string>();
  /** Ready items that a getter knows of and has not taken yet. */
  readonly #offered = new Set<string>();
  readonly #dirty = new Set<string>();
  readonly #processing = new Set<string>();
  readonly #getters: Getter[] = [];
  readonly #heap: Waiting[] = [];
  readonly #waiting = new Map<string, Waiting>();
  readonly #wakeUp: WakeUp;
  #shuttingDown = false;
  #drained: (() => void) | undefined;

  constructor(host: Host, name: string, limiter: RateLimiter) {
    this.#host = host;
    this.#limiter = limiter;
    this.#wakeUp = new WakeUp(host, `queue ${name}`, () => this.#wake());
  }

  add(item: string): void {
    if (this.#shuttingDown || this.#dirty.has(item)) return; // C2
    this.#dirty.add(item);
    if (!this.#processing.has(item)) this.#push(item);
  }

  addAfter(item: string, delayMs: number): void {
    this.#addAfter(item, delayMs, false);
  }

  addRateLimited(item: string): void {
    this.#addAfter(item, this.#limiter.when(item, this.#host.nowMs()), false); // C13
  }

  addWithOpts(options: AddOptions, ...items: readonly string[]): void {
    for (const item of items) {
      if (options.rateLimited) this.addRateLimited(item);
      else this.#addAfter(item, options.afterMs ?? 0, options.periodic ?? false);
    }
  }

  forget(item: string): void {
    this.#limiter.forget(item);
  }

  numRequeues(item: string): number {
    return this.#limiter.numRequeues(item);
  }

  get(getter: Getter): void {
    this.#getters.push(getter);
    this.#handOut();
  }

  take(item: string): Taken {
    this.#offered.delete(item);
    this.#dirty.delete(item);
    this.#processing.add(item);
    return { item, priority: 0 };
  }

  done(item: string): void {
    this.#processing.delete(item);
    if (this.#dirty.has(item))
      this.#push(item); // C4
    else if (this.#processing.size === 0) this.#drained?.(); // C6
  }

  shutDown(): void {
    this.#shuttingDown = true;
    this.#heap.length = 0;
    this.#waiting.clear();
    this.#wakeUp.clear();
    this.#handOut();
  }

  shutDownWithDrain(drained: () => void): void {
    this.shutDown();
    if (this.#processing.size === 0) drained();
    else this.#drained = drained;
  }

  length(): number {
    return this.#queue.size + this.#offered.size;
  }

  ready(): readonly string[] {
    return [...this.#offered, ...this.#queue];
  }

  waiting(): readonly WaitingItem[] {
    return [...this.#waiting.values()];
  }

  #push(item: string): void {
    this.#queue.add(item);
    this.#handOut();
  }

  #handOut(): void {
    while (this.#getters.length > 0) {
      if (this.#queue.size === 0 && !this.#shuttingDown) return;
      const getter = this.#getters.shift() as Getter;
      // After ShutDown what is ready is still handed out (C3).
      const [item] = this.#queue;
      if (item !== undefined) {
        this.#queue.delete(item);
        this.#offered.add(item);
      }
      getter(item);
    }
  }

  #addAfter(item: string, delayMs: number, periodic: boolean): void {
    if (this.#shuttingDown) return;
    if (delayMs <= 0) {
      this.add(item);
      return;
    }
    const atMs = this.#host.nowMs() + delayMs;
    const known = this.#waiting.get(item);
    if (known === undefined) {
      const entry = { item, atMs, periodic };
      this.#waiting.set(item, entry);
      this.#heap.push(entry);
      siftUp(this.#heap, this.#heap.length - 1);
    } else {
      // The earlier time stays (C7).
      if (atMs < known.atMs) {
        known.atMs = atMs;
        siftUp(this.#heap, this.#heap.indexOf(known));
      }
      if (known.periodic && !periodic) {
        known.periodic = false;
      }
    }
    this.#setWakeUp();
  }

  #wake(): void {
    const nowMs = this.#host.nowMs();
    for (let first = this.#heap[0]; first !== undefined && first.atMs <= nowMs; first = this.#heap[0]) {
      popHeap(this.#heap);
      this.#waiting.delete(first.item);
      this.add(first.item);
    }
    this.#setWakeUp();
  }

  #setWakeUp(): void {
    this.#wakeUp.set(this.#heap[0]);
  }
}

// The heap is that of Go's container/heap, because equal instants come out in its order (C9).

function siftUp(heap: Waiting[], from: number): void {
  for (let child = from; child > 0; ) {
    const parent = (child - 1) >> 1;
    if (!isBefore(heap, child, parent)) return;
    swap(heap, child, parent);
    child = parent;
  }
}

function popHeap(heap: Waiting[]): void {
  swap(heap, 0, heap.length - 1);
  heap.pop();
  for (let parent = 0; ; ) {
    let child = 2 * parent + 1;
    if (child >= heap.length) return;
    if (child + 1 < heap.length && isBefore(heap, child + 1, child)) child += 1;
    if (!isBefore(heap, child, parent)) return;
    swap(heap, parent, child);
    parent = child;
  }
}

function isBefore(heap: readonly Waiting[], a: number, b: number): boolean {
  return (heap[a] as Waiting).atMs < (heap[b] as Waiting).atMs;
}

function swap(heap: Waiting[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as Waiting, heap[a] as Waiting];
}
