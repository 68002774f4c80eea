import type { JsonValue } from './etcd/object.js';
import type { DecisionName, Overrides } from './kernel/decisions.js';
import type { Strategy } from './kernel/strategy.js';

/**
 * Everything that is not a calm day, as plain JSON. The empty plan is the calm run. Every entry is addressed by the name of
 * a decision or by a virtual time, so taking one out leaves the others where they are.
 */
export interface Plan {
  readonly version: 1;
  /** The scenario it was made for. */
  readonly scenario: string;
  /** Any safe integer. Decides uids, suffixes, jitters, and the strategy's choices. */
  readonly seed: number;
  /** What people do besides the scenario's own workload. */
  readonly ops: readonly PlannedOp[];
  readonly faults: readonly Fault[];
  /** Decisions with another answer than the calm one. */
  readonly overrides: Overrides;
  readonly strategy: Strategy;
  readonly latency: Latency;
}

/** An act of a person at a virtual time: one of the scenario's own `acts`, or one that every scenario has. */
export interface PlannedOp {
  /** `delete`, `recreate`, `touch`, or the name of one of the scenario's acts. */
  readonly op: string;
  /** Virtual milliseconds since the run began. */
  readonly atMs: number;
  /** What `delete`, `recreate` and `touch` act on. */
  readonly target?: ObjectTarget;
  /** The arguments of a scenario's act. */
  readonly args?: JsonValue;
}

/** An object by its place. `resource` is qualified: `deployments.apps`. */
export interface ObjectTarget {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * What goes wrong. `at` is the name of a call (`create pods default/a by web-operator #1`), for an open watch of a
 * delivery (`deliver pods default/a to web-operator #2`), and for a webhook of the API server's call of it
 * (`call hook.default.svc/mutate for create pods default/a by web-operator #1`). Only what a real cluster can do is here.
 */
export type Fault =
  /** The connection breaks before the server has seen the request. */
  | { readonly kind: 'request-lost'; readonly at: DecisionName }
  /** The server refuses the request without doing it: overload (429), an etcd failure (500), unavailable (503). */
  | { readonly kind: 'rejected'; readonly at: DecisionName; readonly code: 429 | 500 | 503 }
  /** Somebody else changes the object just before the write arrives: a locked write gets 409. */
  | { readonly kind: 'conflict'; readonly at: DecisionName }
  /** The server does it, and the connection breaks before the answer. */
  | { readonly kind: 'reply-lost'; readonly at: DecisionName }
  /** The server ends the watch instead of this delivery (EOF); the client resumes. */
  | { readonly kind: 'watch-ended'; readonly at: DecisionName }
  /** The connection of the watch breaks instead of this delivery. */
  | { readonly kind: 'watch-reset'; readonly at: DecisionName }
  /** 410 Gone: as the answer to opening this watch, or as an event instead of this delivery. */
  | { readonly kind: 'watch-expired'; readonly at: DecisionName }
  /** A list, or the start of a watch, comes from an API server whose cache is this many revisions behind. */
  | { readonly kind: 'stale-read'; readonly at: DecisionName; readonly revisions: number }
  /** The process dies just before it sends this call, or right after the server has done it. It starts again with empty memory. */
  | { readonly kind: 'crash'; readonly at: DecisionName; readonly when: 'before' | 'after'; readonly restartAfterMs: number }
  /** Nobody listens where the webhook should be: its failurePolicy decides. `at` names the webhook's call. */
  | { readonly kind: 'webhook-unreachable'; readonly at: DecisionName }
  /** The webhook does not answer within its timeoutSeconds: the request takes so much longer, and the failurePolicy decides. */
  | { readonly kind: 'webhook-timed-out'; readonly at: DecisionName }
  /** The process dies at a virtual time. */
  | { readonly kind: 'restart'; readonly process: string; readonly atMs: number; readonly restartAfterMs: number }
  /** The process stands still for a while, then goes on with what it knew. The collector and the controllers are processes too. */
  | { readonly kind: 'freeze'; readonly process: string; readonly atMs: number; readonly forMs: number }
  /** A pod has trouble in its life: the `nth` that appears as `default/web-0`, or as `default/web-*` where the server makes the names. */
  | ({ readonly kind: 'pod'; readonly pod: string; readonly nth: number } & PodTrouble)
  /** Nobody binds a claim for so long; pods wait for it. */
  | { readonly kind: 'claim'; readonly claim: string; readonly nth: number; readonly forMs: number }
  /** Nothing is heard of a node for so long: its kubelet neither reports nor obeys, while its containers run on. */
  | { readonly kind: 'node'; readonly node: string; readonly atMs: number; readonly forMs: number };

/** What can go wrong in the life of a pod. A trouble that the pod cannot have, such as a flap without a readiness probe, does not come. */
export type PodTrouble =
  /** It fits on no node for so long. */
  | { readonly life: 'unschedulable'; readonly forMs: number }
  /** Its first image cannot be pulled so often; each try waits longer for the next. */
  | { readonly life: 'image-pull'; readonly times: number }
  /** It takes so much longer to become ready: its probe fails or, without one, its containers are not there yet. */
  | { readonly life: 'slow-start'; readonly forMs: number }
  /** Its first container ends so often before it runs on, with exit code 1 or this one; with restartPolicy Never it is not started again. */
  | { readonly life: 'crash-loop'; readonly times: number; readonly exitCode?: number }
  /** Its readiness probe fails so often, for so long each time. */
  | { readonly life: 'flap'; readonly times: number; readonly forMs: number }
  /** Its node runs out of memory and gets rid of it, so long after its containers have started. */
  | { readonly life: 'evicted'; readonly afterMs: number }
  /** Its containers do not heed SIGTERM, so that it is gone only at the end of its grace period. */
  | { readonly life: 'slow-stop' };

export type FaultKind = Fault['kind'];

/** How long things take on a calm day, in virtual milliseconds. */
export interface Latency {
  /** From the client to the server. */
  readonly requestMs: number;
  /** From the server back to the client. */
  readonly replyMs: number;
  /** From a commit to whoever watches. */
  readonly watchMs: number;
}

/** How long things take unless the plan says otherwise. */
export const calmLatency: Latency = Object.freeze({ requestMs: 1, replyMs: 1, watchMs: 2 });

/** The calm day. */
export function calmPlan(scenario: string, seed = 0): Plan {
  return { version: 1, scenario, seed, ops: [], faults: [], overrides: {}, strategy: { kind: 'calm' }, latency: calmLatency };
}
