import { newControllerManagedBy } from '../../../src/sim/runtime/builder.js';
import { enqueueRequestForObject } from '../../../src/sim/runtime/event-handlers.js';
import { type EventChannel, newEventChannel } from '../../../src/sim/runtime/event-source.js';
import { type Manager, type RunningManager, startManager } from '../../../src/sim/runtime/manager.js';
import type { Operator } from '../../../src/sim/runtime/operator.js';
import { and } from '../../../src/sim/runtime/predicates.js';
import { PriorityQueue } from '../../../src/sim/runtime/priority-queue.js';
import type { ClientGoProfile } from '../../../src/sim/runtime/profile.js';
import { WorkQueue } from '../../../src/sim/runtime/work-queue.js';
import { type Call, ClientCalls } from './client-calls.js';
import { handlerOf, kindOf, predicateOf } from './events-player.js';
import { GoHost, unstructuredClient } from './go-host.js';
import { Journal } from './journal.js';
import { type Client, playSteps } from './play.js';
import { RecordedQueue } from './recorded-queue.js';
import { expand, type Player, type Step, scriptKinds } from './script.js';
import { type ReconcilePlan, ScriptedReconciler } from './scripted-reconciler.js';
import { Stage } from './stage.js';

interface Watch {
  readonly resource: string;
  readonly as?: string;
  readonly predicates?: readonly string[];
  readonly everyOwner?: boolean;
  readonly handler?: string;
}

interface ControllerSetup {
  readonly name: string;
  readonly for: Watch;
  readonly owns?: readonly Watch[];
  readonly watches?: readonly Watch[];
  readonly filter?: readonly string[];
  readonly workers?: number;
  readonly queue?: 'classic' | 'untouched';
  readonly timeoutMs?: number;
  readonly reconcile?: ReconcilePlan;
  readonly asObject?: boolean;
  readonly channel?: boolean;
  readonly needLeader?: boolean;
}

interface RunnableSetup {
  readonly name: string;
  readonly leader?: boolean;
  readonly stopMs?: number;
  readonly failsMs?: number;
}

interface Setup {
  readonly controllers?: readonly ControllerSetup[];
  readonly runnables?: readonly RunnableSetup[];
  readonly webhooks?: boolean;
  readonly gracefulMs?: number;
  readonly leaderElection?: { readonly identity?: string; readonly releaseOnCancel?: boolean };
  readonly recordHeaders?: readonly string[];
  readonly cache?: { readonly syncPeriodMs?: number; readonly indexColor?: boolean; readonly failOnMissing?: boolean };
  readonly defaultLimits?: boolean;
  readonly client?: { readonly disableFor?: readonly string[] };
}

const kinds = Object.keys(scriptKinds).map(kindOf);

export const play: Player = (script, profile) => {
  const setup = (script.setup ?? {}) as Setup;
  const journal = new Journal(script.anyOrder);
  const stage = new Stage(script, journal, { recordHeaders: setup.recordHeaders ?? [] });
  return playSteps(script, stage, journal, new ManagerClient(new GoHost(stage, journal), setup, profile as ClientGoProfile, journal));
};

/** A manager with its controllers, and calls of its client. */
class ManagerClient implements Client {
  private readonly reconcilers = new Map<string, ScriptedReconciler>();
  private readonly channels = new Map<string, EventChannel>();
  private readonly process: RunningManager;
  private readonly calls: ClientCalls;
  private manager!: Manager;
  private start!: () => void;

  constructor(
    private readonly host: GoHost,
    private readonly setup: Setup,
    profile: ClientGoProfile,
    private readonly journal: Journal,
  ) {
    const { cache, client, gracefulMs, leaderElection: election } = setup;
    const operator: Operator = {
      name: 'client',
      options: {
        ...(cache?.syncPeriodMs === undefined ? {} : { syncPeriodMs: cache.syncPeriodMs }),
        ...(cache?.failOnMissing ? { readerFailOnMissingInformer: true } : {}),
        ...(setup.defaultLimits ? { clientRateLimit: { qps: 5, burst: 10 } } : {}),
        ...(gracefulMs === undefined ? {} : { gracefulShutdownTimeoutMs: gracefulMs }),
        ...(election === undefined ? {} : { leaderElection: { id: 'operator', namespace: 'ns', ...election } }),
        disableCacheFor: (client?.disableFor ?? []).map(kindOf),
      },
      setup: (manager) => this.setUp(manager),
    };
    this.process = startManager(host, operator, { profile, kinds, exited: (error) => this.returned(error) });
    this.calls = new ClientCalls(this.manager, unstructuredClient(host, kinds), journal);
  }

  do(step: Step): void {
    if ('start' in step) this.start();
    else if ('stop' in step) this.process.stop((error) => this.returned(error));
    else if ('release' in step) this.release(String(step.release));
    else if ('call' in step) this.calls.start(step.call as Call);
    else if ('channelEvent' in step) for (const channel of this.channels.values()) channel.send(expand('widgets', step.channelEvent));
    else if ('addRunnable' in step) this.addRunnable(step.addRunnable as RunnableSetup);
    else throw new Error(`a manager cannot ${JSON.stringify(step)}`);
  }

  state(): Readonly<Record<string, unknown>> {
    return {};
  }

  private returned(error?: Error): void {
    this.journal.note('manager', `start returned: ${error?.message ?? '<nil>'}`);
  }

  private release(key: string): void {
    for (const reconciler of this.reconcilers.values()) reconciler.release(key);
  }

  /** Ends when the script says start. */
  private setUp(manager: Manager): Promise<void> {
    this.manager = manager;
    if (this.setup.webhooks) {
      manager.add(async ({ done }) => {
        this.journal.note('manager', 'webhooks start');
        await done;
        this.journal.note('manager', 'webhooks stop');
      }, 'webhooks');
    }
    if (this.setup.cache?.indexColor) manager.indexField(kindOf('widgets'), 'spec.color', () => []);
    for (const runnable of this.setup.runnables ?? []) this.addRunnable(runnable);
    for (const controller of this.setup.controllers ?? []) this.addController(controller);
    return new Promise((resolve) => {
      this.start = resolve;
    });
  }

  private addRunnable({ name, leader = false, stopMs = 0, failsMs }: RunnableSetup): void {
    const run = async (context: Parameters<Parameters<Manager['add']>[0]>[0]) => {
      const note = (what: string) => this.journal.note('manager', `${name} ${what}`);
      note('starts');
      if (failsMs !== undefined) {
        await context.sleep(failsMs);
        note('fails');
        throw new Error(`${name} failed`);
      }
      await context.done;
      note('is told to stop');
      if (stopMs > 0) await context.sleep(stopMs);
      note('has stopped');
    };
    try {
      this.manager.add(run, leader ? 'leaderElection' : 'others');
    } catch (error) {
      this.journal.note('manager', `add ${name}: ${(error as Error).message}`);
    }
  }

  private addController(setup: ControllerSetup): void {
    const { name, queue, workers = 1, timeoutMs, filter = [], owns = [], watches = [], channel } = setup;
    const reconciler = new ScriptedReconciler(name, setup.reconcile ?? {}, this.journal);
    this.reconcilers.set(name, reconciler);
    const builder = newControllerManagedBy(this.manager).named(name).for(kindOf(setup.for.resource), predicatesOf(setup.for));
    for (const owned of owns) {
      builder.owns(kindOf(owned.resource), { ...predicatesOf(owned), matchEveryOwner: owned.everyOwner ?? false });
    }
    for (const watched of watches) {
      builder.watches(kindOf(watched.resource), handlerOf(watched.handler ?? 'object'), {
        ...predicatesOf(watched),
        onlyMetadata: watched.as === 'metadata',
      });
    }
    if (filter.length > 0) builder.withEventFilter(and(...filter.map(predicateOf)));
    if (channel) {
      const made = newEventChannel();
      this.channels.set(name, made);
      builder.watchesChannel(made, enqueueRequestForObject());
    }
    const classic = queue === 'classic';
    builder.withOptions({
      maxConcurrentReconciles: workers,
      usePriorityQueue: !classic,
      needLeaderElection: setup.needLeader ?? true,
      ...(timeoutMs === undefined ? {} : { reconciliationTimeoutMs: timeoutMs }),
      ...(queue === 'untouched'
        ? {}
        : {
            newQueue: (queueName, limiter) => {
              const made = classic ? new WorkQueue(this.host, queueName, limiter) : new PriorityQueue(this.host, queueName, limiter);
              return new RecordedQueue(made, name, classic, this.journal);
            },
          }),
    });
    builder.complete(setup.asObject ? reconciler.ofObjects(this.manager.client, kindOf(setup.for.resource)) : reconciler.reconcile);
  }
}

function predicatesOf(watch: Watch) {
  return { predicates: (watch.predicates ?? []).map(predicateOf) };
}
