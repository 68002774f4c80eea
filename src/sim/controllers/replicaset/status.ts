import { selects } from '../../apiserver/object-selector.js';
import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { type Condition, findCondition, withCondition, withoutCondition } from '../conditions.js';
import { isAvailable, isReady } from '../pod-state.js';
import { about, object, replicaSets } from '../requests.js';
import { RequestFailed, type Steps } from '../sync.js';

export interface ReplicaSetStatus {
  readonly replicas: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** WL-19, WL-28, WL-29 */
export function statusOf(
  replicaSet: KubeObject,
  active: readonly KubeObject[],
  terminating: readonly KubeObject[],
  { nowMs, time, error }: { readonly nowMs: number; readonly time: string; readonly error?: string },
): ReplicaSetStatus {
  const labels = { matchLabels: replicaSet.spec?.template?.metadata?.labels ?? {} };
  const minReadySeconds = Number(replicaSet.spec?.minReadySeconds ?? 0);
  const labelled = active.filter((pod) => selects(labels, pod.metadata.labels)).length;
  const ready = active.filter(isReady).length;
  const available = active.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length;
  let conditions: readonly Condition[] = replicaSet.status?.conditions ?? [];
  const failed = findCondition(conditions, 'ReplicaFailure');
  if (error !== undefined && failed === undefined) {
    const reason = active.length < Number(replicaSet.spec?.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete';
    conditions = withCondition(conditions, { type: 'ReplicaFailure', status: 'True', reason, message: error, lastTransitionTime: time });
  } else if (error === undefined && failed !== undefined) conditions = withoutCondition(conditions, 'ReplicaFailure');
  return {
    replicas: active.length,
    ...(labelled > 0 && { fullyLabeledReplicas: labelled }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    terminatingReplicas: terminating.length,
    ...(replicaSet.status?.observedGeneration !== undefined && { observedGeneration: replicaSet.status.observedGeneration }),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** WL-5: after a failure it is tried once more, whatever object of that name there is by then (WL-7). @returns the ReplicaSet */
export function* writeStatus(replicaSet: KubeObject, status: ReplicaSetStatus): Steps<KubeObject> {
  const { generation } = replicaSet.metadata;
  if (generation === replicaSet.status?.observedGeneration && deepEqual(status, replicaSet.status)) return replicaSet;
  const put = (latest: KubeObject) => {
    const observed = { ...latest, status: { ...status, observedGeneration: generation } };
    return object(about('update', replicaSets, latest, observed, 'status'));
  };
  try {
    return yield* put(replicaSet);
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    return yield* put(yield* object(about('get', replicaSets, replicaSet)));
  }
}
