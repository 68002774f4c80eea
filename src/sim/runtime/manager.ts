import type { Host } from '../host.js';
import type { ReconcileOptions } from './builder.js';
import { Cache, type IndexerFunc } from './cache.js';
import { CacheReader, type Reader } from './cache-reader.js';
import { type Client, delegatingClient, LiveClient } from './client.js';
import { type Clock, clockOf } from './clock.js';
import { Controller } from './controller.js';
import type { EventSource } from './event-source.js';
import type { ClientObject, Kind } from './kind.js';
import type { Operator } from './operator.js';
import { PriorityQueue } from './priority-queue.js';
import type { ClientGoProfile } from './profile.js';
import { defaultRateLimiter } from './rate-limiters.js';
import { errorText, keyOfRequest, type ReconcileFunction } from './reconciler.js';
import { RestClient } from './rest.js';
import { RunawayGuard } from './runaway.js';
import { Scheme } from './scheme.js';
import { WorkQueue } from './work-queue.js';

/** Something that runs as long as the manager does. What it rejects with stops the manager (D40). */
export type Runnable = (context: RunnableContext) => Promise<void>;

export interface RunnableContext extends Clock {
  log(message: string): void;
  /** True once the manager stops. */
  readonly aborted: boolean;
}

export interface ControllerDefinition {
  readonly name: string;
  readonly sources: readonly EventSource[];
  readonly reconcile: ReconcileFunction;
  readonly forKind?: Kind;
  readonly options: ReconcileOptions;
}

/** What an operator's `setup` gets: controller-runtime's Manager. */
export interface Manager extends Clock {
  /** Reads from the caches, which work once the manager runs; writes live (D20). */
  readonly client: Client;
  /** Reads live, and works at any time (D21). */
  readonly apiReader: Reader;
  /** Kinds that no builder and no read names must be registered here before an object of theirs is written. */
  readonly scheme: Scheme;
  /** Lets cached lists select by a field (D24). */
  indexField<T extends ClientObject>(kind: Kind<T>, field: string, valuesOf: IndexerFunc<T>): void;
  add(runnable: Runnable): void;
  addController(definition: ControllerDefinition): void;
}

export interface ManagerOptions {
  readonly profile: ClientGoProfile;
  /** Kinds that are known from the start, besides the built-in ones. */
  readonly kinds?: readonly Kind[];
  /** How often every object is handed to the handlers again, in ms; 0 or absent: never in a run's time (D26). */
  readonly resyncMs?: number;
  /** The process has ended by itself: setup, a runnable or the caches failed (D17, D40). It does nothing more. */
  readonly exited?: (error: Error, when: 'in setup' | 'later') => void;
}

/** A process that runs an operator, as its harness sees it. */
export interface RunningManager {
  /** Caches are synced and workers wait for requests. */
  ready(): boolean;
  /** Nothing is queued, running or on its way to a handler; what waits is wake-ups that reconciles asked for. */
  idle(): boolean;
  pending(): PendingWork;
  /** Every informer hands every object to its handlers again, as a resync does. */
  redeliver(): void;
  /** Asks for a reconcile of every cached object of the reconciled kinds, past all predicates. */
  enqueueAll(): void;
  /** A graceful stop; `stopped` is called when the last reconcile has returned (D41). */
  stop(stopped: () => void): void;
}

export interface PendingWork {
  /** `<controller> <key>` */
  readonly running: readonly string[];
  readonly queued: readonly string[];
  /** `periodic`: a RequeueAfter; otherwise another try after an error. */
  readonly delayed: readonly { readonly key: string; readonly atMs: number; readonly periodic: boolean }[];
}

/** Makes a manager, lets the operator set itself up, and starts it: what happens whenever the operator's process starts. */
export function startManager(host: Host, operator: Operator, options: ManagerOptions): RunningManager {
  const process = new ManagerProcess(host, operator.name, options);
  process.run(operator);
  return process;
}

class ManagerProcess implements RunningManager {
  readonly #host: Host;
  readonly #options: ManagerOptions;
  readonly #cache: Cache;
  readonly #controllers: { readonly controller: Controller; readonly forKind?: Kind }[] = [];
  readonly #runnables: Runnable[] = [];
  readonly #manager: Manager;
  readonly #guard: RunawayGuard;
  #state: 'setting up' | 'starting' | 'running' | 'stopping' | 'failed' = 'setting up';

  constructor(host: Host, name: string, options: ManagerOptions) {
    this.#host = host;
    this.#options = options;
    this.#guard = new RunawayGuard(() => host.nowMs());
    const scheme = new Scheme(options.kinds);
    this.#cache = new Cache(host, options.profile, scheme, options.resyncMs);
    const live = new LiveClient(new RestClient(host), scheme, this.#guard, `${name}/v0.0.0 (linux/amd64) kubernetes/$Format`);
    this.#manager = {
      ...clockOf(host, 'manager'),
      client: delegatingClient(new CacheReader(host, this.#cache), live, this.#guard),
      apiReader: live,
      scheme,
      indexField: (kind, field, valuesOf) => this.#cache.indexField(kind, field, valuesOf),
      add: (runnable) => this.#add(runnable),
      addController: (definition) => this.#addController(definition),
    };
  }

  run(operator: Operator): void {
    let setUp: unknown;
    try {
      setUp = operator.setup(this.#manager);
    } catch (error) {
      this.#fail(new Error(`setup of operator ${operator.name} failed: ${errorText(error)}`, { cause: error }));
      return;
    }
    Promise.resolve(setUp).then(
      () => this.#start(),
      (error) => this.#fail(new Error(`setup of operator ${operator.name} failed: ${errorText(error)}`, { cause: error })),
    );
  }

  ready(): boolean {
    return this.#state === 'running' && this.#controllers.every(({ controller }) => controller.ready);
  }

  idle(): boolean {
    if (this.#state === 'failed') return true;
    return this.ready() && this.#cache.idle() && this.#controllers.every(({ controller }) => controller.idle());
  }

  pending(): PendingWork {
    const all = this.#controllers.map(({ controller }) => controller);
    return {
      running: all.flatMap((controller) => controller.running().map((key) => `${controller.name} ${key}`)),
      queued: all.flatMap((controller) => controller.queue.ready().map((key) => `${controller.name} ${key}`)),
      delayed: all.flatMap((controller) =>
        controller.queue.waiting().map(({ item, atMs, periodic }) => ({ key: `${controller.name} ${item}`, atMs, periodic })),
      ),
    };
  }

  redeliver(): void {
    this.#cache.resync();
  }

  enqueueAll(): void {
    for (const { controller, forKind } of this.#controllers) {
      if (forKind === undefined) continue;
      for (const { metadata } of this.#cache.informer(forKind).store.list()) {
        controller.queue.add(keyOfRequest({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }));
      }
    }
  }

  stop(stopped: () => void): void {
    this.#state = 'stopping';
    let left = this.#controllers.length;
    const oneLess = () => {
      left -= 1;
      if (left > 0) return;
      this.#cache.stop();
      stopped();
    };
    if (left === 0) {
      left = 1;
      oneLess();
    } else for (const { controller } of this.#controllers) controller.stop(oneLess);
  }

  /** Caches that are known by now, then everything else (D39). */
  #start(): void {
    if (this.#state !== 'setting up') return;
    this.#state = 'starting';
    this.#cache.start();
    this.#cache.whenSynced(
      () => true,
      () => {
        if (this.#state !== 'starting') return;
        this.#state = 'running';
        for (const runnable of this.#runnables) this.#startRunnable(runnable);
        for (const { controller } of this.#controllers) controller.start(this.#cache);
      },
    );
  }

  #add(runnable: Runnable): void {
    this.#refuseWhenStopping();
    this.#runnables.push(runnable);
    if (this.#state === 'running') this.#startRunnable(runnable);
  }

  #addController({ name, sources, reconcile, forKind, options }: ControllerDefinition): void {
    this.#refuseWhenStopping();
    if (this.#controllers.some(({ controller }) => controller.name === name)) {
      throw new Error(
        `controller with name ${name} already exists. Controller names must be unique to avoid multiple controllers reporting the same metric`,
      );
    }
    for (const { kind } of sources) this.#manager.scheme.register(kind);
    const classic = options.usePriorityQueue === false;
    const limiter = options.rateLimiter ?? defaultRateLimiter(classic ? 'classic' : 'priority');
    const queue = classic ? new WorkQueue(this.#host, name, limiter) : new PriorityQueue(this.#host, name, limiter);
    const workers = options.maxConcurrentReconciles ?? 1;
    const { reconciliationTimeoutMs, recoverPanic = true } = options;
    const controller = new Controller(
      this.#host,
      {
        name,
        queue,
        sources,
        reconcile,
        workers,
        recoverPanic,
        ...(reconciliationTimeoutMs === undefined ? {} : { reconciliationTimeoutMs }),
      },
      this.#guard,
      (error) => this.#fail(error),
    );
    this.#controllers.push({ controller, ...(forKind === undefined ? {} : { forKind }) });
    if (this.#state === 'running') controller.start(this.#cache);
  }

  #startRunnable(runnable: Runnable): void {
    const stopping = () => this.#state !== 'running';
    const context: RunnableContext = {
      ...clockOf(this.#host, 'runnable'),
      log: (message) => this.#host.note({ kind: 'log', level: 'info', message }),
      get aborted() {
        return stopping();
      },
    };
    Promise.resolve()
      .then(() => runnable(context))
      .catch((error) => this.#fail(new Error(`runnable failed: ${errorText(error)}`, { cause: error })));
  }

  #refuseWhenStopping(): void {
    if (this.#state === 'stopping' || this.#state === 'failed') {
      throw new Error("can't accept new runnable as stop procedure is already engaged"); // D39
    }
  }

  #fail(error: Error): void {
    if (this.#state === 'failed' || this.#state === 'stopping') return;
    const when = this.#state === 'setting up' ? 'in setup' : 'later';
    this.stop(() => {});
    this.#state = 'failed';
    this.#host.note({ kind: 'log', level: 'error', message: error.message });
    this.#options.exited?.(error, when);
  }
}
