import { rfc3339 } from '../apiserver/metadata.js';
import type { Clock } from './context.js';

/** metav1.Condition. Times are RFC 3339 in whole seconds. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** A status that has conditions: what Go passes as `&obj.Status.Conditions`. */
export interface ConditionHolder {
  conditions?: Condition[];
}

/**
 * apimachinery's meta.SetStatusCondition: adds the condition or changes the one of its type, in place. lastTransitionTime is the
 * given one or else now, and only when the condition is new or its status changes. Says whether anything has changed.
 * @param clock the context of the reconcile, or the manager
 */
export function setStatusCondition(
  holder: ConditionHolder,
  wanted: Omit<Condition, 'lastTransitionTime'> & { lastTransitionTime?: string },
  clock: Pick<Clock, 'nowMs'>,
): boolean {
  const since = wanted.lastTransitionTime || rfc3339(clock.nowMs());
  const existing = findStatusCondition(holder.conditions, wanted.type);
  if (existing === undefined) {
    holder.conditions = [...(holder.conditions ?? []), { ...wanted, lastTransitionTime: since }];
    return true;
  }
  const { status, reason, message, observedGeneration } = wanted;
  const sameStatus = existing.status === status;
  if (
    sameStatus &&
    existing.reason === reason &&
    existing.message === message &&
    (existing.observedGeneration ?? 0) === (observedGeneration ?? 0)
  )
    return false;
  Object.assign(existing, { status, reason, message }, sameStatus ? {} : { lastTransitionTime: since });
  if (observedGeneration) existing.observedGeneration = observedGeneration;
  else delete existing.observedGeneration;
  return true;
}

/** apimachinery's meta.RemoveStatusCondition. Says whether there was one of that type. */
export function removeStatusCondition(holder: ConditionHolder, type: string): boolean {
  const before = holder.conditions ?? [];
  if (before.length === 0) return false;
  const left = before.filter((condition) => condition.type !== type);
  holder.conditions = left;
  return left.length < before.length;
}

/** apimachinery's meta.FindStatusCondition: the condition itself, no copy. */
export function findStatusCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** apimachinery's meta.IsStatusConditionTrue; false when there is none of that type. */
export function isStatusConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, 'True');
}

/** apimachinery's meta.IsStatusConditionFalse; false when there is none of that type. */
export function isStatusConditionFalse(conditions: readonly Condition[] | undefined, type: string): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, 'False');
}

/** apimachinery's meta.IsStatusConditionPresentAndEqual. */
export function isStatusConditionPresentAndEqual(
  conditions: readonly Condition[] | undefined,
  type: string,
  status: Condition['status'],
): boolean {
  return findStatusCondition(conditions, type)?.status === status;
}
