import type { Host } from '../host.js';
import type { Cache } from './cache.js';
import { newContext } from './context.js';
import type { HandlerContext } from './event-handlers.js';
import type { EventSource } from './event-source.js';
import { errorText, isTerminal, keyOfRequest, type ReconcileFunction, type Result, requestOfKey } from './reconciler.js';
import type { RequestQueue, Taken } from './request-queue.js';
import type { RunawayGuard } from './runaway.js';

/** How long the caches may take before the manager gives up (D17). */
const cacheSyncTimeoutMs = 120_000;

export interface ControllerOptions {
  readonly name: string;
  readonly queue: RequestQueue;
  readonly sources: readonly EventSource[];
  readonly reconcile: ReconcileFunction;
  readonly workers: number;
  /** D5 */
  readonly reconciliationTimeoutMs?: number;
  /** False: a panic ends the process (D6). */
  readonly recoverPanic: boolean;
}

/** Watches its sources, and runs a reconcile for every request that they bring: never two of one key at once (C5, D7). */
export class Controller {
  readonly #running = new Map<number, { readonly item: string; readonly cancel: () => void }>();
  /** Workers that were offered a request and have not gone on yet. */
  readonly #wakingUp = new Set<number>();
  #workersStarted = false;
  #endedWorkers = 0;
  #stopping = false;
  #stopped: (() => void) | undefined;

  constructor(
    private readonly host: Host,
    readonly options: ControllerOptions,
    private readonly guard: RunawayGuard,
    /** @param graceMs how long the rest may take to stop; absent: as the process's options say */
    private readonly failed: (error: Error, graceMs?: number) => void,
  ) {}

  get name(): string {
    return this.options.name;
  }

  get queue(): RequestQueue {
    return this.options.queue;
  }

  /** Workers start once every source has handed over its first contents and all informers are synced (D17, D18). */
  start(cache: Cache): void {
    const { name, sources } = this.options;
    const context = this.#handlerContext(cache);
    const started = sources.map((source) => source.start(cache, context));
    const giveUp = this.host.after(cacheSyncTimeoutMs, `controller ${name}`, `give up waiting for the caches of ${name}`, () => {
      const late = sources.find((_source, index) => !started[index]?.hasSynced()) ?? sources[0];
      this.failed(
        new Error(`failed to wait for ${name} caches to sync ${late?.name}: timed out waiting for cache to be synced for ${late?.name}`),
      );
    });
    cache.whenSynced(
      () => started.every((source) => source.hasSynced()),
      () => {
        giveUp();
        if (this.#stopping) return;
        this.#workersStarted = true;
        for (let worker = 0; worker < this.options.workers; worker++) this.#waitForWork(worker);
      },
    );
  }

  /** New requests are dropped, running reconciles see their context end (D41, C6). */
  stop(stopped: () => void): void {
    this.#stopping = true;
    this.#stopped = stopped;
    for (const { cancel } of this.#running.values()) cancel();
    this.queue.shutDown();
    if (!this.#workersStarted) stopped();
  }

  get ready(): boolean {
    return this.#workersStarted;
  }

  running(): readonly string[] {
    return [...this.#running.values()].map(({ item }) => item);
  }

  /** Nothing is ready, running or waiting for another try; requests that asked for a later run may wait. */
  idle(): boolean {
    return (
      this.#running.size === 0 &&
      this.#wakingUp.size === 0 &&
      this.queue.length() === 0 &&
      this.queue.waiting().every(({ periodic }) => periodic)
    );
  }

  #waitForWork(worker: number): void {
    this.queue.get((item) => {
      if (item === undefined) {
        this.#endWorker();
        return;
      }
      this.#wakingUp.add(worker);
      this.host.after(0, `worker ${this.name}/${worker}`, `run ${this.name} ${item}`, () => {
        this.#wakingUp.delete(worker);
        const taken = this.queue.take(item);
        if (taken === undefined) this.#endWorker();
        else this.#run(worker, taken);
      });
    });
  }

  #endWorker(): void {
    this.#endedWorkers += 1;
    if (this.#endedWorkers === this.options.workers) this.#stopped?.();
  }

  #handlerContext(cache: Cache): HandlerContext {
    const { queue, host } = this;
    return {
      enqueue: (request, priority) => queue.addWithOpts({ priority }, keyOfRequest(request)),
      logError: (message) => host.note({ kind: 'log', level: 'error', message }),
      knows: (apiVersion, kind) => cache.scheme.find(apiVersion, kind) !== undefined,
    };
  }

  #run(worker: number, taken: Taken): void {
    const { host, name } = this;
    const { item } = taken;
    const { reconciliationTimeoutMs, reconcile } = this.options;
    const { context, end: endContext } = newContext(host, `${name}/${worker}`);
    this.#running.set(worker, { item, cancel: () => endContext('context canceled') });
    if (this.#stopping) endContext('context canceled');
    host.note({ kind: 'reconcile-start', controller: name, key: item, worker });
    this.guard.step();

    const cancelTimeout =
      reconciliationTimeoutMs === undefined
        ? undefined
        : host.after(reconciliationTimeoutMs, `timeout ${name}/${worker}`, `reconciliation timeout ${name} ${item}`, () => {
            endContext('reconciliation timeout'); // D5
          });

    const end = (outcome: Outcome) => {
      cancelTimeout?.();
      if (outcome.panic && !this.options.recoverPanic) {
        // A panic that nobody recovers is no stop: the process is gone at once.
        this.failed(new Error(outcome.error), 0);
        return;
      }
      const result = this.#settle(taken, outcome);
      this.#running.delete(worker);
      host.note({
        kind: 'reconcile-end',
        controller: name,
        key: item,
        result,
        ...(outcome.error === undefined ? {} : { error: outcome.error }),
      });
      this.queue.done(item); // D3
      this.#waitForWork(worker);
    };
    let returned: unknown;
    try {
      returned = reconcile(requestOfKey(item), context);
    } catch (error) {
      end(failure(error));
      return;
    }
    Promise.resolve(returned).then(
      (result) => end(success(result)),
      (error) => end(failure(error)),
    );
  }

  /** What an outcome does to the queue (D1, D67). Returns it in a few words. */
  #settle(taken: Taken, outcome: Outcome): string {
    const { queue, host } = this;
    const { item } = taken;
    const { requeueAfterMs = 0, requeue = false, priority = taken.priority } = outcome.result;
    if (outcome.error !== undefined) {
      if (!outcome.terminal) queue.addWithOpts({ rateLimited: true, priority }, item);
      host.note({ kind: 'log', level: 'error', message: `Reconciler error: ${outcome.error}` }); // D4
      return outcome.terminal ? 'terminal error' : 'error';
    }
    if (requeueAfterMs > 0) {
      queue.forget(item);
      queue.addWithOpts({ afterMs: requeueAfterMs, priority, periodic: true }, item);
      return `requeue after ${requeueAfterMs} ms`;
    }
    if (requeue) {
      queue.addWithOpts({ rateLimited: true, priority }, item);
      return 'requeue';
    }
    queue.forget(item);
    return 'done';
  }
}

/** How a reconcile ended, whatever it did. */
interface Outcome {
  readonly result: Result;
  readonly error?: string;
  readonly terminal?: boolean;
  readonly panic?: boolean;
}

function success(returned: unknown): Outcome {
  if (returned === undefined) return { result: {} };
  const fault = faultOfResult(returned);
  return fault === undefined
    ? { result: returned as Result }
    : { result: {}, error: `reconcile must return a Result or nothing: ${fault}` };
}

function faultOfResult(returned: unknown): string | undefined {
  if (returned === null || typeof returned !== 'object' || Array.isArray(returned)) return `it returned ${describe(returned)}`;
  for (const [key, value] of Object.entries(returned)) {
    const type = resultFields.get(key);
    if (type === undefined) return `it has no field ${JSON.stringify(key)}`;
    if (value !== undefined && (typeof value !== type || Number.isNaN(value))) return `${key} must be a ${type}, not ${describe(value)}`;
  }
  return undefined;
}

const resultFields: ReadonlyMap<string, string> = new Map([
  ['requeueAfterMs', 'number'],
  ['requeue', 'boolean'],
  ['priority', 'number'],
]);

function failure(thrown: unknown): Outcome {
  if (!(thrown instanceof Error)) return { result: {}, error: `reconcile threw ${describe(thrown)}, which is not an Error` };
  // What JavaScript itself throws is a mistake in the program: Go's panic (D6).
  const panic = thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError;
  if (panic) return { result: {}, error: `panic: ${errorText(thrown)} [recovered]`, panic };
  return { result: {}, error: errorText(thrown), terminal: isTerminal(thrown) };
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' || typeof value === 'function' ? `a ${typeof value}` : `${typeof value} ${String(value)}`;
}
