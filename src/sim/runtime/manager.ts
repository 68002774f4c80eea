import type { Host } from '../host.js';
import type { ReconcileOptions } from './builder.js';
import { Cache, type IndexerFunc } from './cache.js';
import { CacheReader, type Reader } from './cache-reader.js';
import { type Client, delegatingClient, LiveClient } from './client.js';
import { type Clock, clockOf } from './context.js';
import { Controller } from './controller.js';
import { EventBroadcaster, type EventRecorder } from './event-recorder.js';
import type { EventSource } from './event-source.js';
import { apiVersionOf, type ClientObject, type Kind } from './kind.js';
import type { Operator } from './operator.js';
import { PriorityQueue } from './priority-queue.js';
import type { ClientGoProfile } from './profile.js';
import { defaultRateLimiter, type RateLimiter } from './rate-limiters.js';
import { errorText, keyOfRequest, type ReconcileFunction } from './reconciler.js';
import type { RequestQueue } from './request-queue.js';
import { RestClient } from './rest.js';
import { RunawayGuard } from './runaway.js';
import { type Runnable, RunnableGroup } from './runnable-group.js';
import { Scheme } from './scheme.js';
import { WorkQueue } from './work-queue.js';

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
  /** Writes events about objects in the name of a component (D38). */
  eventRecorderFor(component: string): EventRecorder;
  /** Lets cached lists select by a field (D24). */
  indexField<T extends ClientObject>(kind: Kind<T>, field: string, valuesOf: IndexerFunc<T>): void;
  /**
   * @param group `leaderElection` by default: those that only a leader may run, controllers among them; `webhooks` start
   * before the caches, `others` beside the controllers (D39)
   */
  add(runnable: Runnable, group?: 'webhooks' | 'others' | 'leaderElection'): void;
  addController(definition: ControllerDefinition): void;
}

/** The operator's `setup` has failed: it can run nowhere, whatever the cluster does. */
export class SetupError extends Error {
  constructor(operator: string, cause: unknown) {
    super(`setup of operator ${operator} failed: ${errorText(cause)}`, { cause });
    this.name = 'SetupError';
  }
}

export interface ProcessOptions {
  readonly profile: ClientGoProfile;
  /** Kinds that are known from the start, besides the built-in ones. */
  readonly kinds?: readonly Kind[];
  /** The process has ended by itself: setup, a runnable or the caches failed (D17, D40). It does nothing more. */
  readonly exited?: (error: Error) => void;
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
  /** A graceful stop. `stopped` is called when all has ended, or with an error when the grace period is over first (D41, D73). */
  stop(stopped: (error?: Error) => void): void;
}

export interface PendingWork {
  /** `<controller> <key>` */
  readonly running: readonly string[];
  readonly queued: readonly string[];
  /** `periodic`: a RequeueAfter; otherwise another try after an error. */
  readonly delayed: readonly { readonly key: string; readonly atMs: number; readonly periodic: boolean }[];
}

/** Makes a manager, lets the operator set itself up, and starts it: what happens whenever the operator's process starts. */
export function startManager(host: Host, operator: Operator, options: ProcessOptions): RunningManager {
  const process = new ManagerProcess(host, operator, options);
  process.run();
  return process;
}

class ManagerProcess implements RunningManager {
  readonly #host: Host;
  readonly #operator: Operator;
  readonly #exited: ((error: Error) => void) | undefined;
  readonly #cache: Cache;
  readonly #controllers: { readonly controller: Controller; readonly forKind?: Kind }[] = [];
  readonly #webhooks: RunnableGroup;
  readonly #others: RunnableGroup;
  readonly #leaderElection: RunnableGroup;
  readonly #manager: Manager;
  readonly #guard: RunawayGuard;
  #state: 'setting up' | 'starting' | 'running' | 'stopping' | 'stopped' = 'setting up';

  constructor(host: Host, operator: Operator, { profile, kinds, exited }: ProcessOptions) {
    this.#host = host;
    this.#operator = operator;
    this.#exited = exited;
    this.#guard = new RunawayGuard(() => host.nowMs());
    const fail = (error: Error) => this.#fail(error);
    this.#webhooks = new RunnableGroup(host, 'webhooks', fail);
    this.#others = new RunnableGroup(host, 'others', fail);
    this.#leaderElection = new RunnableGroup(host, 'leader election', fail);
    const scheme = new Scheme(kinds);
    this.#cache = new Cache(host, profile, scheme, operator.options?.syncPeriodMs);
    const rest = new RestClient(host);
    const userAgent = `${operator.name}/v0.0.0 (linux/amd64) kubernetes/$Format`;
    const live = new LiveClient(rest, scheme, this.#guard, userAgent);
    const events = new EventBroadcaster(host, rest, userAgent);
    const reader = readerWithout(new CacheReader(host, this.#cache), live, operator.options?.disableCacheFor ?? []);
    this.#manager = {
      ...clockOf(host, 'manager'),
      client: delegatingClient(reader, live, this.#guard),
      apiReader: live,
      scheme,
      eventRecorderFor: (component) => events.recorderFor(component),
      indexField: (kind, field, valuesOf) => this.#cache.indexField(kind, field, valuesOf),
      add: (runnable, group = 'leaderElection') => this.#add(runnable, group),
      addController: (definition) => this.#addController(definition),
    };
  }

  run(): void {
    const failed = (error: unknown) => this.#fail(new SetupError(this.#operator.name, error));
    let setUp: unknown;
    try {
      setUp = this.#operator.setup(this.#manager);
    } catch (error) {
      failed(error);
      return;
    }
    Promise.resolve(setUp).then(() => this.#start(), failed);
  }

  ready(): boolean {
    return this.#state === 'running' && this.#controllers.every(({ controller }) => controller.ready);
  }

  idle(): boolean {
    if (this.#state === 'stopped') return true;
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

  /** Others, then what only a leader runs, then the caches, then webhooks: each when the one before has stopped (D41). */
  stop(stopped: (error?: Error) => void): void {
    if (this.#state === 'stopping' || this.#state === 'stopped') return;
    this.#state = 'stopping';
    const graceMs = this.#operator.options?.gracefulShutdownTimeoutMs ?? 30_000;
    const graceIsOver = () =>
      end(new Error(`failed waiting for all runnables to end within grace period of ${graceMs / 1000}s: context deadline exceeded`));
    const cancelGrace = this.#host.after(graceMs, 'manager', 'end of the grace period', graceIsOver);
    const end = (error?: Error) => {
      if (this.#state === 'stopped') return;
      cancelGrace();
      this.#state = 'stopped';
      this.#cache.stop();
      this.#webhooks.stop(() => stopped(error));
    };
    this.#others.stop(() => this.#stopLeaderElection(() => end()));
    if (graceMs === 0) end(); // D73
  }

  /** Webhooks, the caches that are known by now, then everything else (D39). */
  #start(): void {
    if (this.#state !== 'setting up') return;
    this.#state = 'starting';
    this.#webhooks.start();
    this.#cache.start();
    this.#cache.whenKnownSynced(() => {
      if (this.#state !== 'starting') return;
      this.#state = 'running';
      this.#others.start();
      this.#leaderElection.start();
      for (const { controller } of this.#controllers) controller.start(this.#cache);
    });
  }

  #stopLeaderElection(stopped: () => void): void {
    let left = 1 + this.#controllers.length;
    const one = () => {
      left -= 1;
      if (left === 0) stopped();
    };
    this.#leaderElection.stop(one);
    for (const { controller } of this.#controllers) controller.stop(one);
  }

  #add(runnable: Runnable, group: 'webhooks' | 'others' | 'leaderElection'): void {
    this.#refuseWhenStopping();
    if (group === 'webhooks') this.#webhooks.add(runnable);
    else if (group === 'others') this.#others.add(runnable);
    else this.#leaderElection.add(runnable);
  }

  #addController({ name, sources, reconcile, forKind, options }: ControllerDefinition): void {
    this.#refuseWhenStopping();
    if (this.#controllers.some(({ controller }) => controller.name === name)) {
      throw new Error(
        `controller with name ${name} already exists. Controller names must be unique to avoid multiple controllers reporting the same metric`,
      );
    }
    for (const { kind } of sources) if (kind !== undefined) this.#manager.scheme.register(kind);
    const { usePriorityQueue = true, maxConcurrentReconciles: workers = 1, recoverPanic = true, reconciliationTimeoutMs } = options;
    const limiter = options.rateLimiter ?? defaultRateLimiter(usePriorityQueue ? 'priority' : 'classic');
    const newQueue = options.newQueue ?? newQueueOn(this.#host, usePriorityQueue);
    const controller = new Controller(
      this.#host,
      {
        name,
        queue: newQueue(name, limiter),
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

  #refuseWhenStopping(): void {
    if (this.#state === 'stopping' || this.#state === 'stopped') {
      throw new Error("can't accept new runnable as stop procedure is already engaged"); // D39
    }
  }

  /** Everything stops in order, then the process ends (D40). */
  #fail(error: Error): void {
    if (this.#state === 'stopping' || this.#state === 'stopped') return;
    this.#host.note({ kind: 'log', level: 'error', message: error.message });
    this.stop(() => this.#exited?.(error));
  }
}

function newQueueOn(host: Host, usePriorityQueue: boolean): (name: string, limiter: RateLimiter) => RequestQueue {
  return (name, limiter) => (usePriorityQueue ? new PriorityQueue(host, name, limiter) : new WorkQueue(host, name, limiter));
}

/** Reads some kinds live instead (D21). */
function readerWithout(cached: Reader, live: Reader, liveKinds: readonly Kind[]): Reader {
  if (liveKinds.length === 0) return cached;
  const names = new Set(liveKinds.map((kind) => `${apiVersionOf(kind)} ${kind.kind}`));
  const readerFor = (kind: Kind) => (names.has(`${apiVersionOf(kind)} ${kind.kind}`) ? live : cached);
  return {
    get: (kind, key) => readerFor(kind).get(kind, key),
    list: (kind, options) => readerFor(kind).list(kind, options),
  };
}
