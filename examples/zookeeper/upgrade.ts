import { type Client, type Context, deepCopy, type StatefulSet } from 'seatrial';
import {
  conditionError,
  conditionPodsReady,
  conditionUpgrading,
  getCondition,
  isInReadyState,
  setCondition,
  updatingZookeeperReason,
} from './zookeepercluster-status.js';
import type { ClusterCondition, DefaultedCluster } from './zookeepercluster-types.js';

const progressDeadlineMs = 600_000;

/** Follows the roll-out of another image: when it begins, how far it is, that it is done, or that it does not move. */
export async function upgradeStatefulSet(client: Client, instance: DefaultedCluster, found: StatefulSet, ctx: Context): Promise<void> {
  const { status, spec } = instance;
  const now = ctx.nowMs();
  const upgrading = getCondition(status, conditionUpgrading);
  if (upgrading === undefined) {
    setCondition(status, { type: conditionUpgrading, status: 'False' }, now);
    return;
  }
  // As in Go, where the condition is a copy: what is written below does not change what was read here.
  const before: ClusterCondition = { ...upgrading };
  const { currentRevision, updateRevision, updatedReplicas = 0 } = found.status ?? {};
  const rollingOut = currentRevision !== updateRevision;
  if (before.status === 'False' && isInReadyState(status) && rollingOut && spec.image.tag !== status.currentVersion) {
    status.targetVersion = spec.image.tag;
    setCondition(status, { type: conditionPodsReady, status: 'False' }, now);
    setCondition(status, { type: conditionUpgrading, status: 'True' }, now);
  }
  if (before.status === 'True') {
    // A target that nobody knows of: the upgrade is called off.
    if (!status.targetVersion) return await clearUpgradeStatus(client, instance, ctx);
    if (!rollingOut) {
      status.currentVersion = status.targetVersion;
      return await clearUpgradeStatus(client, instance, ctx);
    }
    if (String(updatedReplicas) !== (before.message ?? '')) {
      const progress = { reason: updatingZookeeperReason, message: String(updatedReplicas) };
      setCondition(status, { type: conditionUpgrading, status: 'True', ...progress }, now);
    } else {
      if (!isOverdue(before, now)) return;
      setCondition(status, { type: conditionError, status: 'True', reason: 'UpgradeFailed', message: 'progress deadline exceeded' }, now);
    }
  }
  await client.status().update(instance);
}

/** Writes the cluster; its answer would take the new status away, so that is kept. */
export async function clearUpgradeStatus(client: Client, instance: DefaultedCluster, ctx: Context): Promise<void> {
  setCondition(instance.status, { type: conditionUpgrading, status: 'False' }, ctx.nowMs());
  instance.status.targetVersion = '';
  const status = deepCopy(instance.status);
  await client.update(instance);
  instance.status = status;
}

function isOverdue({ reason, lastUpdateTime }: ClusterCondition, nowMs: number): boolean {
  return reason === updatingZookeeperReason && nowMs > Date.parse(lastUpdateTime ?? '') + progressDeadlineMs;
}
