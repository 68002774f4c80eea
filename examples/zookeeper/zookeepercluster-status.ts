import type { ClusterCondition, ZookeeperClusterStatus } from './zookeepercluster-types.js';

export const conditionPodsReady = 'PodsReady';
export const conditionUpgrading = 'Upgrading';
export const conditionError = 'Error';

export const updatingZookeeperReason = 'Updating Zookeeper';

/** Every condition is there, False to begin with. */
export function initStatus(status: ZookeeperClusterStatus, nowMs: number): void {
  for (const type of [conditionPodsReady, conditionUpgrading, conditionError])
    if (getCondition(status, type) === undefined) setCondition(status, { type, status: 'False' }, nowMs);
}

export function getCondition(status: ZookeeperClusterStatus, type: string): ClusterCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** Times are set only when something changes; a condition that is new has none. */
export function setCondition(status: ZookeeperClusterStatus, wanted: ClusterCondition, nowMs: number): void {
  const now = rfc3339(nowMs);
  const existing = getCondition(status, wanted.type);
  if (existing === undefined) {
    status.conditions = [...(status.conditions ?? []), wanted];
    return;
  }
  if (existing.status !== wanted.status) {
    existing.status = wanted.status;
    existing.lastTransitionTime = now;
    existing.lastUpdateTime = now;
  }
  const { reason = '', message = '' } = wanted;
  if ((existing.reason ?? '') !== reason || (existing.message ?? '') !== message) {
    existing.reason = reason;
    existing.message = message;
    existing.lastUpdateTime = now;
  }
}

export function isInUpgradeFailedState(status: ZookeeperClusterStatus): boolean {
  const error = getCondition(status, conditionError);
  return error?.status === 'True' && error.reason === 'UpgradeFailed';
}

export function isInUpgradingState(status: ZookeeperClusterStatus): boolean {
  return getCondition(status, conditionUpgrading)?.status === 'True';
}

export function isInReadyState(status: ZookeeperClusterStatus): boolean {
  return getCondition(status, conditionPodsReady)?.status === 'True';
}

export function rfc3339(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
}
