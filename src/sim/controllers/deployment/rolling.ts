import type { KubeObject } from '../../etcd/object.js';
import { byAge } from '../age.js';
import type { Look } from '../level-controller.js';
import { type Steps, SyncFailed } from '../sync.js';
import { active, all, maxSurge, maxUnavailable, type ReplicaSets, sumStatus, sumWanted, wantedOf } from './replica-sets.js';
import { syncRevision } from './revisions.js';
import { cleanUp, scaleTo } from './scaling.js';
import { isComplete, syncRolloutStatus } from './status.js';

/** WL-39: one step of a rolling update. */
export function* roll(draft: KubeObject, owned: readonly KubeObject[], look: Look): Steps<void> {
  const replicaSets = yield* syncRevision(draft, owned, true, look);
  const current = replicaSets.current as KubeObject;
  const moved = (yield* scaleCurrent(draft, current, replicaSets, look)) || (yield* scaleOld(draft, current, replicaSets, look));
  if (!moved && isComplete(draft, draft.status ?? {})) yield* cleanUp(draft, replicaSets.old);
  yield* syncRolloutStatus(draft, replicaSets, look);
}

function* scaleCurrent(deployment: KubeObject, current: KubeObject, replicaSets: ReplicaSets, look: Look): Steps<boolean> {
  const wanted = wantedOf(deployment);
  const size = wantedOf(current);
  if (size === wanted) return false;
  const room = Math.max(0, wanted + maxSurge(deployment) - sumWanted(all(replicaSets)));
  const next = size > wanted ? wanted : size + Math.min(room, wanted - size);
  return (yield* scaleTo(current, next, deployment, look)).scaled;
}

function* scaleOld(deployment: KubeObject, current: KubeObject, replicaSets: ReplicaSets, look: Look): Steps<boolean> {
  const old = [...active(replicaSets.old)].sort(byAge);
  if (old.length === 0) return false;
  const atLeast = wantedOf(deployment) - maxUnavailable(deployment);
  const unavailable = wantedOf(current) - Number(current.status?.availableReplicas ?? 0);
  const most = sumWanted(all(replicaSets)) - atLeast - unavailable;
  if (most <= 0) return false;
  try {
    const { left, removed } = yield* removeUnhealthy(deployment, old, most, look);
    return removed + (yield* removeHealthy(deployment, current, left, atLeast, look)) > 0;
  } catch (error) {
    // What could not be scaled now will be at the next look.
    if (!(error instanceof SyncFailed)) throw error;
    return false;
  }
}

/** Pods that serve nobody go first: they would only be in the way. */
function* removeUnhealthy(
  deployment: KubeObject,
  old: readonly KubeObject[],
  most: number,
  look: Look,
): Steps<{ readonly left: readonly KubeObject[]; readonly removed: number }> {
  const left: KubeObject[] = [];
  let removed = 0;
  for (const replicaSet of old) {
    const unhealthy = wantedOf(replicaSet) - Number(replicaSet.status?.availableReplicas ?? 0);
    const count = Math.min(most - removed, unhealthy);
    // Its status is of the time before it was scaled: nothing can be told from it.
    if (count < 0) throw new SyncFailed(`${replicaSet.metadata.name} has more available pods than it wants`);
    if (count === 0) {
      left.push(replicaSet);
      continue;
    }
    const answer = yield* scaleTo(replicaSet, wantedOf(replicaSet) - count, deployment, look);
    left.push(answer.replicaSet);
    removed += count;
  }
  return { left, removed };
}

function* removeHealthy(
  deployment: KubeObject,
  current: KubeObject,
  old: readonly KubeObject[],
  atLeast: number,
  look: Look,
): Steps<number> {
  const most = sumStatus([...old, current], 'availableReplicas') - atLeast;
  let removed = 0;
  for (const replicaSet of old) {
    const count = Math.min(wantedOf(replicaSet), most - removed);
    if (count <= 0) continue;
    yield* scaleTo(replicaSet, wantedOf(replicaSet) - count, deployment, look);
    removed += count;
  }
  return removed;
}
