import { type Condition, findCondition } from '../conditions.js';

/** The status of a HorizontalPodAutoscaler of autoscaling/v2. */
export interface AutoscalerStatus {
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  /** RFC 3339, whole seconds, UTC. */
  readonly lastScaleTime?: string;
  readonly currentMetrics?: readonly object[] | null;
  readonly conditions?: readonly Condition[];
}

/** A condition keeps its place, and its time while the status is the same (WL-118). */
export function withAutoscalerCondition(status: AutoscalerStatus, condition: Condition): AutoscalerStatus {
  const conditions = status.conditions ?? [];
  const before = findCondition(conditions, condition.type);
  if (before === undefined) return { ...status, conditions: [...conditions, condition] };
  const kept = before.status === condition.status && before.lastTransitionTime !== undefined;
  const next = kept ? { ...condition, lastTransitionTime: before.lastTransitionTime as string } : condition;
  return { ...status, conditions: conditions.map((each) => (each === before ? next : each)) };
}
