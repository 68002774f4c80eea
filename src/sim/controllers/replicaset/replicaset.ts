import { rfc3339 } from '../../apiserver/metadata.js';
import type { KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { ExpectedDeletions } from '../deletions.js';
import { type Look, startLevelController } from '../level-controller.js';
import { claim, ownersOfPod, selectedBy } from '../ownership.js';
import { createPods, deletePods, podOf } from '../pod-control.js';
import { isActive, isTerminating, lessNeeded, nextAvailableMs } from '../pod-state.js';
import { controllerOf } from '../references.js';
import { pods, replicaSets } from '../requests.js';
import { attempt, type Steps, type Sync } from '../sync.js';
import type { View } from '../view.js';
import { statusOf, writeStatus } from './status.js';

/** How many pods one look makes or deletes at most. */
const burst = 500;

/** Keeps as many pods of a ReplicaSet's template as it asks for (WL-18 to WL-29). */
export function startReplicaSetController(host: Host, feed: ObjectFeed): void {
  const deletions = new ExpectedDeletions();
  startLevelController(host, feed, {
    name: 'replicaset-controller',
    resource: 'replicasets.apps',
    related: { pods: (change, view) => ownersOfPod('replicasets.apps', 'ReplicaSet', change, view) },
    readsOwnWrites: true,
    sync: (key, look) => sync(key, look, deletions),
  });
}

function* sync(key: string, look: Look, deletions: ExpectedDeletions): Sync {
  const { view, host } = look;
  const replicaSet = view.get('replicasets.apps', key);
  if (replicaSet === undefined) {
    deletions.forget(key);
    return;
  }
  const settled = deletions.satisfied(key, view);
  const matches = (pod: KubeObject) => selectedBy(replicaSet, pod);
  const near = view.list('pods', replicaSet.metadata.namespace);
  const active = yield* claim(near.filter(isActive), { owner: replicaSet, ownerResource: replicaSets, resource: pods, matches });
  const terminating = near.filter((pod) => isTerminating(pod) && controllerOf(pod)?.uid === replicaSet.metadata.uid && matches(pod));

  const manages = settled && replicaSet.metadata.deletionTimestamp === undefined;
  const error = manages ? yield* attempt(manage(key, replicaSet, active, look, deletions)) : undefined;
  const nowMs = host.nowMs();
  const status = statusOf(replicaSet, active, terminating, {
    nowMs,
    time: rfc3339(nowMs),
    ...(error !== undefined && { error: error.message }),
  });
  const updated = yield* writeStatus(replicaSet, status);
  if (error !== undefined) throw error;
  const minReadySeconds = Number(updated.spec?.minReadySeconds ?? 0);
  if (minReadySeconds > 0 && updated.status?.readyReplicas !== updated.status?.availableReplicas)
    look.again(nextAvailableMs(active, minReadySeconds, host.nowMs()));
}

function* manage(
  key: string,
  replicaSet: KubeObject,
  active: readonly KubeObject[],
  look: Look,
  deletions: ExpectedDeletions,
): Steps<void> {
  const wanted = Number(replicaSet.spec?.replicas ?? 1);
  const missing = Math.min(wanted - active.length, burst);
  if (missing > 0) {
    const { error } = yield* createPods(replicaSet, missing, () => podOf(replicaSet, replicaSet.spec?.template), look);
    if (error !== undefined) throw error;
    return;
  }
  const surplus = Math.min(active.length - wanted, burst);
  if (surplus <= 0) return;
  const victims = [...active].sort(lessNeeded(crowding(replicaSet, look.view), look.host.nowMs())).slice(0, surplus);
  const failure = yield* deletePods(replicaSet, victims, { key, look, deletions });
  if (failure !== undefined) throw failure;
}

/** WL-22: how many pods of ReplicaSets with the same controller are on a pod's node. */
function crowding(replicaSet: KubeObject, view: View): (pod: KubeObject) => number {
  const owner = controllerOf(replicaSet);
  if (owner === undefined) return () => 0;
  const siblings = view.list('replicasets.apps', replicaSet.metadata.namespace).filter((each) => controllerOf(each)?.uid === owner.uid);
  const perNode = new Map<string, number>();
  for (const pod of view.list('pods', replicaSet.metadata.namespace)) {
    const node: string = pod.spec?.nodeName ?? '';
    if (isActive(pod) && siblings.some((each) => selectedBy(each, pod))) perNode.set(node, (perNode.get(node) ?? 0) + 1);
  }
  return (pod) => perNode.get(pod.spec?.nodeName ?? '') ?? 0;
}
