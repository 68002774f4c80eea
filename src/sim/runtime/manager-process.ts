import type { Host } from '../host.js';
import { Cache } from './cache.js';
import { CacheReader, readerWithout } from './cache-reader.js';
import { delegatingClient, LiveClient } from './client.js';
import { rateLimited } from './client-rate-limit.js';
import { clockOf } from './context.js';
import { Controller } from './controller.js';
import { newElection } from './election.js';
import { EventBroadcaster } from './event-recorder.js';
import type { Kind } from './kind.js';
import type { LeaderElector } from './leader-elector.js';
import type { ControllerDefinition, Manager, PendingWork, ProcessOptions, RunningManager } from './manager.js';
import type { Operator } from './operator.js';
import { PriorityQueue } from './priority-queue.js';
import { defaultRateLimiter, type RateLimiter } from './rate-limiters.js';
import { errorText, keyOfRequest } from './reconciler.js';
import type { RequestQueue } from './request-queue.js';
import { RestClient } from './rest.js';
import { RunawayGuard } from './runaway.js';
import { type Runnable, RunnableGroup } from './runnable-group.js';
import { Scheme } from './scheme.js';
import { WorkQueue } from './work-queue.js';

/** The operator's `setup` has failed: it can run nowhere, whatever the cluster does. */
export class SetupError extends Error {
  constructor(operator: string, cause: unknown) {
    super(`setup of operator ${operator} failed: ${errorText(cause)}`, { cause });
    this.name = 'SetupError';
  }
}

interface Controlled {
  readonly controller: Controller;
  readonly forKind?: Kind;
  /** Whether only a leader may run it. */
  readonly leaderOnly: boolean;
}

/** One life of a process: its manager and all that the manager runs. */
export class ManagerProcess implements RunningManager {
  readonly #host: Host;
  readonly #operator: Operator;
  readonly #exited: ((error: Error) => void) | undefined;
  readonly #cache: Cache;
  readonly #controllers: Controlled[] = [];
  readonly #webhooks: RunnableGroup;
  readonly #others: RunnableGroup;
  readonly #leaderElection: RunnableGroup;
  readonly #manager: Manager;
  readonly #guard: RunawayGuard;
  readonly #elector: LeaderElector | undefined;
  #electionOver: (() => void) | undefined;
  #leads = false;
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
    const { clientRateLimit } = operator.options ?? {};
    // The client and the reader that asks live are two clients, and do not use up each other's rate.
    const newClient = () =>
      new LiveClient(clientRateLimit === undefined ? rest : rateLimited(host, rest, clientRateLimit), scheme, this.#guard, userAgent);
    const live = newClient();
    const events = new EventBroadcaster(host, rest, userAgent);
    const election = operator.options?.leaderElection;
    if (election !== undefined) {
      this.#elector = newElection(host, rest, events, userAgent, election, {
        onStartedLeading: () => this.#startLeading(),
        onContextEnded: () => {},
        onStoppedLeading: () => this.#stoppedLeading(),
        onNewLeader: () => {},
      });
    }
    const reader = readerWithout(new CacheReader(host, this.#cache, operator.options), live, operator.options?.disableCacheFor ?? []);
    this.#manager = {
      ...clockOf(host, 'manager'),
      client: delegatingClient(reader, live, this.#guard),
      apiReader: newClient(),
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
    return (
      this.#state === 'running' && this.#controllers.every(({ controller, leaderOnly }) => controller.ready || (leaderOnly && !this.#leads))
    );
  }

  settingUp(): boolean {
    return this.#state === 'setting up';
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

  isLeader(): boolean {
    return this.#elector?.isLeader ?? this.#leads;
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

  stop(stopped: (error?: Error) => void): void {
    this.#stop(this.#operator.options?.gracefulShutdownTimeoutMs ?? 30_000, stopped);
  }

  /** Others, then what only a leader runs, then the caches, then webhooks: each when the one before has stopped (D41). */
  #stop(graceMs: number, stopped: (error?: Error) => void): void {
    if (this.#state === 'stopping' || this.#state === 'stopped') return;
    this.#state = 'stopping';
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
    this.#others.stop(() => this.#stopLeaderOnly(() => this.#leaveElection(() => end())));
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
      for (const { controller, leaderOnly } of this.#controllers) if (!leaderOnly) controller.start(this.#cache);
      if (this.#elector === undefined) this.#startLeading();
      else this.#elector.run();
    });
  }

  #startLeading(): void {
    this.#leads = true;
    this.#leaderElection.start();
    for (const { controller, leaderOnly } of this.#controllers) if (leaderOnly) controller.start(this.#cache);
  }

  /** The process must end at once; until it has, what it runs may overlap with the next leader's (D50). */
  #stoppedLeading(): void {
    if (this.#state === 'running') {
      this.#fail(new Error('leader election lost'), 0);
      return;
    }
    this.#logError('error received after stop sequence was engaged: leader election lost');
    this.#electionOver?.();
  }

  #leaveElection(left: () => void): void {
    if (this.#elector === undefined || !this.#elector.running) {
      left();
      return;
    }
    this.#electionOver = left;
    this.#elector.stop();
  }

  #stopLeaderOnly(stopped: () => void): void {
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
      (error, graceMs) => this.#fail(error, graceMs),
    );
    const leaderOnly = options.needLeaderElection ?? true;
    this.#controllers.push({ controller, leaderOnly, ...(forKind === undefined ? {} : { forKind }) });
    if (this.#state === 'running' && (this.#leads || !leaderOnly)) controller.start(this.#cache);
  }

  #refuseWhenStopping(): void {
    if (this.#state === 'stopping' || this.#state === 'stopped') {
      throw new Error("can't accept new runnable as stop procedure is already engaged"); // D39
    }
  }

  /** Everything stops in order, then the process ends (D40). */
  #fail(error: Error, graceMs = this.#operator.options?.gracefulShutdownTimeoutMs ?? 30_000): void {
    if (this.#state === 'stopping' || this.#state === 'stopped') return;
    this.#logError(error.message);
    this.#stop(graceMs, () => this.#exited?.(error));
  }

  #logError(message: string): void {
    this.#host.note({ kind: 'log', level: 'error', message });
  }
}

function newQueueOn(host: Host, usePriorityQueue: boolean): (name: string, limiter: RateLimiter) => RequestQueue {
  return (name, limiter) => (usePriorityQueue ? new PriorityQueue(host, name, limiter) : new WorkQueue(host, name, limiter));
}
