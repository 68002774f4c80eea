import type { ApiRequest, ApiResponse, WatchEvent } from './apiserver/request.js';
import type { ClusterState } from './cluster-state.js';
import type { Commit, EtcdKey } from './etcd/etcd.js';
import type { ConnectionLoss, ProcessEvent } from './host.js';
import type { DecisionName } from './kernel/decisions.js';
import type { Fault, Plan, PlannedOp } from './plan.js';

/** The parts of a run, in order; `probe-` parts come after the cluster has settled. */
export type Phase = 'disturb' | 'settle' | 'probe-restart' | 'probe-redelivery' | 'probe-deletion';

/**
 * How a phase came to its end. `quiescent`: nothing will ever happen again. `polling`: only timers that come again and
 * again change nothing. `budget`: it was still busy when its virtual time or its steps were used up.
 */
export type PhaseEnd = 'quiescent' | 'polling' | 'budget';

/** What happened. Plain data: the judge and the reports read nothing else. */
export type TraceEvent =
  | { readonly kind: 'phase'; readonly phase: Phase }
  /** An act of people, of the workload when `op` is a text. `why` it was not done, or was for nothing. */
  | { readonly kind: 'op'; readonly op: PlannedOp | string; readonly done: boolean; readonly why?: string }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'started'; readonly process: string; readonly life: number }
  | { readonly kind: 'crashed'; readonly process: string; readonly life: number }
  | { readonly kind: 'frozen'; readonly process: string; readonly untilMs: number }
  /** A client sent a request: `call` is its name. */
  | { readonly kind: 'sent'; readonly call: DecisionName; readonly process: string; readonly request: ApiRequest }
  /** The server has handled it; `commits` are what it changed. */
  | {
      readonly kind: 'handled';
      readonly call: DecisionName;
      readonly process: string;
      readonly request: ApiRequest;
      readonly response: ApiResponse;
      readonly commits: readonly Commit[];
    }
  /** The server asked an admission webhook about a request of the process: `call` is the name of that call. */
  | { readonly kind: 'webhook'; readonly call: DecisionName; readonly process: string }
  /** The client got the answer, or the news that there will be none. */
  | {
      readonly kind: 'answered';
      readonly call: DecisionName;
      readonly process: string;
      readonly code?: number;
      readonly lost?: ConnectionLoss;
    }
  /** A watch brought an event to a process. `revision` is that of the object. */
  | {
      readonly kind: 'delivered';
      readonly process: string;
      readonly resource: string;
      readonly key: EtcdKey;
      readonly type: WatchEvent['type'];
      readonly revision: number;
    }
  | { readonly kind: 'watch-ended'; readonly process: string; readonly resource: string; readonly how: string }
  /** What a process's libraries say about themselves. */
  | { readonly kind: 'process'; readonly process: string; readonly event: ProcessEvent };

/** One event of a run, with its place in it. */
export interface TraceEntry {
  /** 1 for the first. */
  readonly seq: number;
  /** Virtual milliseconds since the run began. */
  readonly atMs: number;
  readonly phase: Phase;
  /** The step it happened in: the decision that let it happen, and how long that was held back against the calm order. */
  readonly decision: DecisionName;
  readonly heldMs: number;
  /** The cluster's revision after it; `Trace.stateAt` shows the cluster as it was then. */
  readonly revision: number;
  readonly event: TraceEvent;
}

/** The end of one phase. */
export interface PhaseSummary {
  readonly phase: Phase;
  readonly end: PhaseEnd;
  readonly endedAtMs: number;
  /** Steps of the whole run so far. */
  readonly steps: number;
  /** The last entry of the phase. */
  readonly seq: number;
  readonly revision: number;
  /** Reconciles that were still waiting for an answer, and keys that would run again by a timer. */
  readonly waiting: readonly string[];
}

/** A step that did not go the calm way, for turning a strategy into overrides: it waited so long in all. */
export interface Held {
  readonly decision: DecisionName;
  readonly waitedMs: number;
}

/** Everything that a run did: a pure function of scenario and plan. */
export interface Trace {
  readonly plan: Plan;
  readonly entries: readonly TraceEntry[];
  readonly phases: readonly PhaseSummary[];
  readonly held: readonly Held[];
  /** Entries of the plan that never came into play. A stale plan is no pass. */
  readonly unused: readonly string[];
  readonly steps: number;
  /** The cluster as it was when its revision was this. */
  stateAt(revision: number): ClusterState;
}
