import type { ApiRequest, ApiResponse, WatchEvent } from './apiserver/request.js';

/** Takes back a timer, a request or a watch: its callbacks are not called any more. */
export type Cancel = () => void;

/** How a connection can end without the server's word (A17, A35, D77). */
export type ConnectionLoss = 'refused' | 'eof' | 'reset';

/** What came of a request: an answer, or only the news that the connection is gone. In the latter case a write may have been done (ST-15). */
export type Outcome = { readonly response: ApiResponse } | { readonly lost: ConnectionLoss };

/** Receives what a watch brings. After `refused` or `ended` nothing more comes. */
export interface WatchSink {
  /** The server has accepted the watch. */
  opened(): void;
  /** The server has refused it, or the connection was lost before any answer. */
  refused(outcome: Outcome): void;
  event(event: WatchEvent): void;
  /** `eof`: the server ended it; `reset`: the connection broke. */
  ended(how: 'eof' | 'reset'): void;
}

/**
 * The machine that a process runs on: its clock, its timers and its network. The client libraries in `runtime/` know the
 * world only through this, so they can be driven by the simulator and by a scripted server alike. No callback is ever
 * called synchronously from within the call that asked for it, and none after the process has crashed.
 */
export interface Host {
  /** The process's name, as in decision names: `web-operator`. */
  readonly process: string;
  /** Virtual milliseconds since 1970. */
  nowMs(): number;
  /**
   * Calls `run` after `delayMs`, in the FIFO lane of that name: of two calls in one lane the one whose time comes first
   * goes first. `what` names the decision, `<what> by <process> #n`.
   * @param periodic a timer that never ends by itself (resync, lease renewal): it does not keep a run from being quiescent.
   */
  after(delayMs: number, lane: string, what: string, run: () => void, periodic?: boolean): Cancel;
  /** A number in [0, 1) that depends on the run's seed and this name (and how often it was asked for) alone. */
  random(name: string): number;
  send(request: ApiRequest, done: (outcome: Outcome) => void): Cancel;
  watch(request: ApiRequest, sink: WatchSink): Cancel;
  /** Tells the harness of something worth a line in the trace. */
  note(event: ProcessEvent): void;
}

/** What a process's libraries report about themselves. */
export type ProcessEvent =
  | { readonly kind: 'reconcile-start'; readonly controller: string; readonly key: string; readonly worker: number }
  | { readonly kind: 'reconcile-end'; readonly controller: string; readonly key: string; readonly result: string; readonly error?: string }
  | {
      readonly kind: 'cached-read';
      readonly verb: 'get' | 'list';
      readonly resource: string;
      readonly key: string;
      readonly found: readonly string[];
    }
  | { readonly kind: 'relist'; readonly resource: string; readonly resourceVersion: string }
  | { readonly kind: 'log'; readonly level: 'info' | 'error'; readonly message: string };

/** Is given the resource as etcd keeps it (`pods`, `deployments.apps`), and the event. */
export type FeedObserver = (resource: string, event: WatchEvent) => void;

/** The resources that a controller wants to hear of, as etcd keeps them. */
export type FedResources = readonly string[] | 'all';

/**
 * The objects of the cluster, each resource in order and with a lag of its own: what the informers of a controller see. A
 * resource begins to be fed when its first object appears.
 */
export interface ObjectFeed {
  /** @param synced is called once all that was there from the start has been told, as informers wait for their caches */
  subscribe(resources: FedResources, observed: FeedObserver, synced?: () => void): void;
}

/** Whether a subscription is about a resource. */
export function isFed(resources: FedResources, resource: string): boolean {
  return resources === 'all' || resources.includes(resource);
}
