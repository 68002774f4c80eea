import type { Host } from '../host.js';
import type { ReconcileOptions } from './builder.js';
import type { IndexerFunc } from './cache.js';
import type { Reader } from './cache-reader.js';
import type { Client } from './client.js';
import type { Clock } from './context.js';
import type { EventRecorder } from './event-recorder.js';
import type { EventSource } from './event-source.js';
import type { ClientObject, Kind } from './kind.js';
import { ManagerProcess } from './manager-process.js';
import type { Operator } from './operator.js';
import type { ClientGoProfile } from './profile.js';
import type { ReconcileFunction } from './reconciler.js';
import type { Runnable } from './runnable-group.js';
import type { Scheme } from './scheme.js';

export { SetupError } from './manager-process.js';

/** What a builder hands to its manager. */
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

/** How the harness starts an operator's process. */
export interface ProcessOptions {
  readonly profile: ClientGoProfile;
  /** Kinds that are known from the start, besides the built-in ones. */
  readonly kinds?: readonly Kind[];
  /** The process has ended by itself: setup, a runnable or the caches failed (D17, D40). It does nothing more. */
  readonly exited?: (error: Error) => void;
}

/** A process that runs an operator, as its harness sees it. */
export interface RunningManager {
  /** Caches are synced and workers wait for requests; of a process that waits to lead, those that need no leader. */
  ready(): boolean;
  /** The operator's `setup` has not ended. */
  settingUp(): boolean;
  /** Nothing is queued, running or on its way to a handler; what waits is wake-ups that reconciles asked for. */
  idle(): boolean;
  pending(): PendingWork;
  /** Every informer hands every object to its handlers again, as a resync does. */
  redeliver(): void;
  /** Asks for a reconcile of every cached object of the reconciled kinds, past all predicates. */
  enqueueAll(): void;
  /** Whether the process leads, if it takes part in an election (D46). */
  isLeader(): boolean;
  /** A graceful stop. `stopped` is called when all has ended, or with an error when the grace period is over first (D41, D73). */
  stop(stopped: (error?: Error) => void): void;
}

/** What a process has still to do. */
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
