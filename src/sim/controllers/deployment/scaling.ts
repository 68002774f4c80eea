import type { KubeObject } from '../../etcd/object.js';
import { byAge } from '../age.js';
import type { Look } from '../level-controller.js';
import { about, object, replicaSets as resource, unlessGone } from '../requests.js';
import type { Steps } from '../sync.js';
import {
  active,
  all,
  desiredAnnotation,
  isRolling,
  maxAnnotation,
  maxSurge,
  numberIn,
  type ReplicaSets,
  revisionAnnotation,
  sumWanted,
  wantedOf,
} from './replica-sets.js';
import { replicasAnnotations } from './revisions.js';

/** Writes another size, and says so in an event. @param always also when only the annotations are behind */
export function* scaleTo(
  replicaSet: KubeObject,
  size: number,
  deployment: KubeObject,
  look: Look,
  always = false,
): Steps<{ readonly scaled: boolean; readonly replicaSet: KubeObject }> {
  const before = wantedOf(replicaSet);
  const annotations = replicasAnnotations(deployment);
  const behind = Object.entries(annotations).some(([key, value]) => replicaSet.metadata.annotations?.[key] !== value);
  if (before === size && !(always && behind)) return { scaled: false, replicaSet };
  const changed = {
    ...replicaSet,
    metadata: { ...replicaSet.metadata, annotations: { ...replicaSet.metadata.annotations, ...annotations } },
    spec: { ...replicaSet.spec, replicas: size },
  };
  const updated = yield* object(about('update', resource, replicaSet, changed));
  if (before === size) return { scaled: false, replicaSet: updated };
  const way = before < size ? 'up' : 'down';
  look.event(deployment, 'Normal', 'ScalingReplicaSet', `Scaled ${way} replica set ${updated.metadata.name} from ${before} to ${size}`);
  return { scaled: true, replicaSet: updated };
}

/** Whether the Deployment's size has changed since its ReplicaSets were scaled. */
export function isScaling(deployment: KubeObject, replicaSets: ReplicaSets): boolean {
  return active(all(replicaSets)).some((replicaSet) => {
    const desired = numberIn(replicaSet, desiredAnnotation);
    return desired !== undefined && desired !== wantedOf(deployment);
  });
}

/** WL-43 */
export function* scale(deployment: KubeObject, replicaSets: ReplicaSets, look: Look): Steps<void> {
  const { current, old } = replicaSets;
  const wanted = wantedOf(deployment);
  const running = active(all(replicaSets));
  const single = running.length === 0 ? (current ?? [...old].sort(byAge).at(-1)) : running.length === 1 ? running[0] : undefined;
  if (running.length === 0 && single === undefined) return;
  if (single !== undefined) {
    yield* scaleTo(single, wanted, deployment, look);
    return;
  }
  if (current !== undefined && isSaturated(deployment, current)) {
    for (const replicaSet of active(old)) yield* scaleTo(replicaSet, 0, deployment, look);
    return;
  }
  if (isRolling(deployment)) yield* scaleInProportion(deployment, running, look);
}

function isSaturated(deployment: KubeObject, replicaSet: KubeObject): boolean {
  const wanted = wantedOf(deployment);
  const counts = [wantedOf(replicaSet), numberIn(replicaSet, desiredAnnotation), Number(replicaSet.status?.availableReplicas ?? 0)];
  return counts.every((count) => count === wanted);
}

function* scaleInProportion(deployment: KubeObject, running: readonly KubeObject[], look: Look): Steps<void> {
  const wanted = wantedOf(deployment);
  const toAdd = (wanted > 0 ? wanted + maxSurge(deployment) : 0) - sumWanted(running);
  const ordered = [...running].sort((a, b) => wantedOf(b) - wantedOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  let added = 0;
  const sizes = ordered.map((replicaSet) => {
    const left = toAdd - added;
    const share =
      toAdd === 0 ? 0 : toAdd > 0 ? Math.min(shareOf(replicaSet, deployment), left) : Math.max(shareOf(replicaSet, deployment), left);
    added += share;
    return wantedOf(replicaSet) + share;
  });
  if (toAdd !== 0) sizes[0] = Math.max(0, (sizes[0] as number) + toAdd - added);
  for (const [index, replicaSet] of ordered.entries()) yield* scaleTo(replicaSet, sizes[index] as number, deployment, look, true);
}

/** By how much one of several grows with the Deployment. */
function shareOf(replicaSet: KubeObject, deployment: KubeObject): number {
  const size = wantedOf(replicaSet);
  if (wantedOf(deployment) === 0) return -size;
  const before = numberIn(replicaSet, maxAnnotation) || Number(deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((size * (wantedOf(deployment) + maxSurge(deployment))) / before) - size;
}

/** WL-49 */
export function* cleanUp(deployment: KubeObject, old: readonly KubeObject[]): Steps<void> {
  const limit = deployment.spec?.revisionHistoryLimit;
  if (limit === undefined || limit === 2 ** 31 - 1) return;
  const there = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const revision = (replicaSet: KubeObject) => numberIn(replicaSet, revisionAnnotation) ?? 0;
  const ordered = [...there].sort((a, b) => revision(a) - revision(b) || byAge(a, b));
  for (const replicaSet of ordered.slice(0, Math.max(0, there.length - limit))) {
    const { metadata, status } = replicaSet;
    if (Number(status?.replicas ?? 0) !== 0 || wantedOf(replicaSet) !== 0) continue;
    if ((metadata.generation ?? 0) > Number(status?.observedGeneration ?? 0)) continue;
    yield* unlessGone(about('delete', resource, replicaSet));
  }
}
