import type { KubeObject } from '../etcd/object.js';
import { rfc3339 } from './metadata.js';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** The condition that says whether a PodDisruptionBudget allows any disruption. */
export function disruptionCondition(status: KubeObject['status']): Condition | undefined {
  return ((status?.conditions ?? []) as readonly Condition[]).find(({ type }) => type === 'DisruptionAllowed');
}

/** The status of a PodDisruptionBudget with that condition, in its place; it keeps its time while its status is the same. */
export function withDisruptionCondition(
  status: KubeObject['status'],
  changed: Pick<Condition, 'status' | 'reason' | 'message'>,
  nowMs: number,
): KubeObject['status'] {
  const before = disruptionCondition(status);
  const since = before !== undefined && before.status === changed.status ? before.lastTransitionTime : rfc3339(nowMs);
  const { observedGeneration = 0 } = status ?? {};
  const condition = {
    type: 'DisruptionAllowed',
    status: changed.status,
    ...(observedGeneration !== 0 && { observedGeneration }),
    lastTransitionTime: since,
    reason: changed.reason,
    message: changed.message,
  };
  const conditions: readonly Condition[] = status?.conditions ?? [];
  return {
    ...status,
    conditions: before === undefined ? [...conditions, condition] : conditions.map((each) => (each === before ? condition : each)),
  };
}

/** WL-113: the status with the condition that its disruptionsAllowed asks for. */
export function withDisruptionAllowed(status: KubeObject['status'], nowMs: number): KubeObject['status'] {
  const allowed = Number(status?.disruptionsAllowed ?? 0) > 0;
  const condition = allowed ? { status: 'True', reason: 'SufficientPods' } : { status: 'False', reason: 'InsufficientPods' };
  return withDisruptionCondition(status, { ...condition, message: '' }, nowMs);
}
