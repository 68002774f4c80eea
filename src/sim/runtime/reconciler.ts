import type { Context } from './context.js';

/** Names the object to look at, nothing else: no event, no uid (D8). */
export interface ReconcileRequest {
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** What a successful reconcile asks for; an empty one asks for nothing (D1). */
export interface Result {
  /** Run again after this time. It beats `requeue` (D2). */
  requeueAfterMs?: number;
  /** Run again when the rate limiter allows. Deprecated in controller-runtime, and common. */
  requeue?: boolean;
  /** Replaces the priority that the request came with (C21). */
  priority?: number;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a reconcile that returns nothing is the common one.
export type ReconcileFunction = (request: ReconcileRequest, context: Context) => Promise<Result | void>;

/** controller-runtime's reconcile.Reconciler, for those who write classes. */
export interface Reconciler {
  reconcile: ReconcileFunction;
}

/** An error that no retry can cure: the request is not queued again (D1, D4). */
export class TerminalError extends Error {
  /** Without an error inside it is an error all the same (D4). */
  constructor(cause?: unknown) {
    super(cause === undefined ? 'nil terminal error' : `terminal error: ${errorText(cause)}`, { cause });
    this.name = 'TerminalError';
  }
}

/** True when a TerminalError is anywhere in the chain of causes (D1). */
export function isTerminal(error: unknown): boolean {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 100; inner = inner.cause, depth++) {
    if (inner instanceof TerminalError) return true;
  }
  return false;
}

/** The message of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A request as work queues and traces name it: `ns/name`, or `name` for a cluster-scoped object. */
export function keyOfRequest(request: ReconcileRequest): string {
  return request.namespace === '' ? request.name : `${request.namespace}/${request.name}`;
}

/** The inverse of `keyOfRequest`. */
export function requestOfKey(key: string): ReconcileRequest {
  const slash = key.indexOf('/');
  return slash < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
