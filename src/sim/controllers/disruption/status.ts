import { disruptionCondition, withDisruptionAllowed, withDisruptionCondition } from '../../apiserver/disruption-budget.js';
import { deepEqual, type KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { isReady } from '../pod-state.js';
import { about, podDisruptionBudgets } from '../requests.js';
import type { Steps } from '../sync.js';
import type { Expectation } from './scale.js';

/** How long a pod whose eviction was allowed may take to be seen going, in milliseconds. */
const deletionTimeoutMs = 120_000;

type Disrupted = Readonly<Record<string, string>>;

/** Pods that the server has allowed to go and that are not seen going yet. */
export interface Leaving {
  readonly pods: Disrupted;
  /** In how many milliseconds the first of them has taken too long. */
  readonly againMs: number | undefined;
}

/** WL-115 */
export function leavingPods(budget: KubeObject, pods: readonly KubeObject[], look: Look): Leaving {
  const told: Disrupted = budget.status?.disruptedPods ?? {};
  const left: Record<string, string> = {};
  let againMs: number | undefined;
  for (const pod of pods) {
    const { name = '', namespace, deletionTimestamp } = pod.metadata;
    const since = Object.hasOwn(told, name) ? told[name] : undefined;
    if (deletionTimestamp !== undefined || since === undefined) continue;
    const leftMs = Date.parse(since) + deletionTimeoutMs - look.host.nowMs();
    if (leftMs < 0) {
      look.event(pod, 'Warning', 'NotDeleted', `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`);
      continue;
    }
    left[name] = since;
    againMs = Math.min(againMs ?? leftMs, leftMs);
  }
  return { pods: left, againMs };
}

/** WL-113: pods that are ready and are not going or about to go. */
function countHealthy(pods: readonly KubeObject[], leaving: Disrupted, nowMs: number): number {
  return pods.filter((pod) => {
    const { name = '', deletionTimestamp } = pod.metadata;
    const since = Object.hasOwn(leaving, name) ? leaving[name] : undefined;
    const goes = deletionTimestamp !== undefined || (since !== undefined && Date.parse(since) + deletionTimeoutMs > nowMs);
    return !goes && isReady(pod);
  }).length;
}

/** WL-113. Nothing is written when nothing has changed. */
export function* writeStatus(
  budget: KubeObject,
  pods: readonly KubeObject[],
  { expected, desired }: Expectation,
  leaving: Disrupted,
  nowMs: number,
): Steps<void> {
  const { generation = 0 } = budget.metadata;
  const { status = {} } = budget;
  const healthy = countHealthy(pods, leaving, nowMs);
  const counts = {
    disruptionsAllowed: expected > 0 ? Math.max(0, healthy - desired) : 0,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
  };
  const same = Object.entries(counts).every(([field, count]) => Number(status[field] ?? 0) === count);
  const condition = disruptionCondition(status);
  const isTold = condition?.reason === (counts.disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods');
  if (same && isTold && status.observedGeneration === generation && deepEqual(status.disruptedPods ?? {}, leaving)) return;
  const told = {
    observedGeneration: generation,
    ...(Object.keys(leaving).length > 0 && { disruptedPods: leaving }),
    ...counts,
    ...(status.conditions !== undefined && { conditions: status.conditions }),
  };
  yield about('update', podDisruptionBudgets, budget, { ...budget, status: withDisruptionAllowed(told, nowMs) }, 'status');
}

/** WL-114: nothing may be disrupted while it is not known how many pods there shall be. */
export function* writeFailure(budget: KubeObject, message: string, nowMs: number): Steps<void> {
  const closed = { ...budget.status, disruptionsAllowed: 0 };
  const status = withDisruptionCondition(closed, { status: 'False', reason: 'SyncFailed', message }, nowMs);
  yield about('update', podDisruptionBudgets, budget, { ...budget, status }, 'status');
}
