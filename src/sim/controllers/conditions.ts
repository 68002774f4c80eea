/** A condition of a workload, as its status lists it. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether there is a condition of that type, and it is True. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

export function withoutCondition(conditions: readonly Condition[] | undefined, type: string): readonly Condition[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

/** WL-38: a condition of the same status and reason stays as it is; another one comes last, and keeps its time while the status is the same. */
export function withCondition(conditions: readonly Condition[] | undefined, condition: Condition): readonly Condition[] {
  const before = findCondition(conditions, condition.type);
  if (before !== undefined && before.status === condition.status && before.reason === condition.reason) return conditions ?? [];
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : condition.lastTransitionTime;
  return [
    ...withoutCondition(conditions, condition.type),
    { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) },
  ];
}
