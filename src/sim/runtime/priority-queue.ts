import type { Host } from '../host.js';
import type { RateLimiter } from './rate-limiters.js';
import { type AddOptions, type Getter, type RequestQueue, type Taken, type WaitingItem, WakeUp } from './request-queue.js';

/** One record per item that needs a run (C14). */
interface Entry {
  readonly item: string;
  priority: number;
  /** Absent: ready. */
  readyAtMs: number | undefined;
  /** Grows with every add; decides among equals. */
  counter: number;
  periodic: boolean;
  offered: boolean;
}

/** controller-runtime's priority queue, the default of its controllers (C25). */
export class PriorityQueue implements RequestQueue {
  readonly #host: Host;
  readonly #limiter: RateLimiter;
  readonly #entries = new Map<string, Entry>();
  readonly #ready: Entry[] = [];
  readonly #waiting: Entry[] = [];
  /** Items in a worker: they are skipped, others behind them are handed out (C17). */
  readonly #locked = new Set<string>();
  readonly #getters: Getter[] = [];
  readonly #wakeUp: WakeUp;
  #counter = 0;
  #shutDown = false;

  constructor(host: Host, name: string, limiter: RateLimiter) {
    this.#host = host;
    this.#limiter = limiter;
    this.#wakeUp = new WakeUp(host, `queue ${name}`, () => this.#wake());
  }

  add(item: string): void {
    this.addWithOpts({}, item);
  }

  addAfter(item: string, delayMs: number): void {
    this.addWithOpts({ afterMs: delayMs }, item);
  }

  addRateLimited(item: string): void {
    this.addWithOpts({ rateLimited: true }, item);
  }

  addWithOpts(options: AddOptions, ...items: readonly string[]): void {
    if (this.#shutDown) return;
    for (const item of items) {
      let delayMs = options.afterMs ?? 0;
      if (options.rateLimited) {
        const limited = this.#limiter.when(item, this.#host.nowMs());
        if (delayMs <= 0 || limited < delayMs) delayMs = limited; // C18
      }
      const readyAtMs = delayMs > 0 ? this.#host.nowMs() + delayMs : undefined;
      this.#put(item, readyAtMs, options.priority ?? 0, options.periodic ?? false);
    }
    this.#setWakeUp();
    this.#handOut();
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

  take(item: string): Taken | undefined {
    const entry = this.#entries.get(item);
    if (this.#shutDown || entry === undefined) return undefined; // C24
    this.#entries.delete(item);
    this.#withdraw(entry);
    this.#locked.add(item);
    return { item, priority: entry.priority };
  }

  done(item: string): void {
    this.#locked.delete(item);
    this.#handOut();
  }

  shutDown(): void {
    this.#shutDown = true;
    this.#wakeUp.clear();
    this.#handOut();
  }

  /** It waits for nothing (C24). */
  shutDownWithDrain(drained: () => void): void {
    this.shutDown();
    drained();
  }

  length(): number {
    return this.#ready.length;
  }

  ready(): readonly string[] {
    return this.#ready.map((entry) => entry.item);
  }

  waiting(): readonly WaitingItem[] {
    return this.#shutDown ? [] : this.#waiting.map(({ item, readyAtMs, periodic }) => ({ item, atMs: readyAtMs as number, periodic }));
  }

  #put(item: string, readyAtMs: number | undefined, priority: number, periodic: boolean): void {
    const known = this.#entries.get(item);
    if (known === undefined) {
      const entry = { item, priority, readyAtMs, counter: this.#counter++, periodic, offered: false };
      this.#entries.set(item, entry);
      this.#insert(entry);
      return;
    }
    // C15. What changes nothing about the place is most of the adds, and costs nothing.
    const rises = priority > known.priority;
    const sooner = known.readyAtMs !== undefined && (readyAtMs === undefined || readyAtMs < known.readyAtMs);
    if (!rises && !sooner && (periodic || !known.periodic)) return;
    this.#withdraw(known);
    if (rises) {
      known.priority = priority;
      known.counter = this.#counter++;
    }
    // An immediate add makes a waiting item ready, and the later wake-up is gone (C19).
    if (sooner) known.readyAtMs = readyAtMs;
    known.periodic &&= periodic;
    this.#insert(known);
  }

  #insert(entry: Entry): void {
    if (entry.readyAtMs === undefined) {
      insertSorted(this.#ready, entry, readyOrder);
      return;
    }
    insertSorted(this.#waiting, entry, waitingOrder);
  }

  #withdraw(entry: Entry): void {
    if (entry.readyAtMs === undefined) {
      removeSorted(this.#ready, entry, readyOrder);
      return;
    }
    removeSorted(this.#waiting, entry, waitingOrder);
  }

  #wake(): void {
    const nowMs = this.#host.nowMs();
    for (let first = this.#waiting[0]; first !== undefined && (first.readyAtMs as number) <= nowMs; first = this.#waiting[0]) {
      this.#withdraw(first);
      first.readyAtMs = undefined;
      first.counter = this.#counter++; // C16
      this.#insert(first);
    }
    this.#setWakeUp();
    this.#handOut();
  }

  #setWakeUp(): void {
    const first = this.#waiting[0];
    this.#wakeUp.set(first === undefined ? undefined : { item: first.item, atMs: first.readyAtMs as number });
  }

  #handOut(): void {
    if (this.#shutDown) {
      for (const getter of this.#getters.splice(0)) getter(undefined); // C24
      return;
    }
    while (this.#getters.length > 0) {
      const entry = this.#ready.find(({ item, offered }) => !offered && !this.#locked.has(item));
      if (entry === undefined) return;
      entry.offered = true;
      (this.#getters.shift() as Getter)(entry.item);
    }
  }
}

type Order = (a: Entry, b: Entry) => number;

/** Higher priority first, then the one that came first (C14). */
const readyOrder: Order = (a, b) => b.priority - a.priority || a.counter - b.counter;

const waitingOrder: Order = (a, b) => (a.readyAtMs as number) - (b.readyAtMs as number) || a.counter - b.counter;

function insertSorted(entries: Entry[], entry: Entry, order: Order): void {
  entries.splice(placeOf(entries, entry, order), 0, entry);
}

function removeSorted(entries: Entry[], entry: Entry, order: Order): void {
  entries.splice(placeOf(entries, entry, order), 1);
}

/** The index of the first entry that does not come before this one. */
function placeOf(entries: readonly Entry[], entry: Entry, order: Order): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(entries[middle] as Entry, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
