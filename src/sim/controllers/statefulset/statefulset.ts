import type { KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { type Look, startLevelController } from '../level-controller.js';
import { claim, ownersConcerned, selectedBy } from '../ownership.js';
import { slowStart } from '../pod-control.js';
import { nextAvailableMs } from '../pod-state.js';
import { pods as resource, statefulSets } from '../requests.js';
import { type Steps, type Sync, SyncFailed } from '../sync.js';
import { claimsMatchPolicy, syncClaimOwners } from './claims.js';
import { isGoing, isMember, isWanted, newPod, ordinalOf, replicasOf, revisionOf, runsAndReady, serves, startOf } from './pods.js';
import { deleteReplica, syncReplica } from './replicas.js';
import { atRevision, type Revisions, revisionsFor, syncRevisions, truncateHistory } from './revisions.js';
import { type StatefulSetStatus, statusOf, writeStatus } from './status.js';

/** Keeps a StatefulSet's numbered pods and their claims (WL-54 to WL-74). */
export function startStatefulSetController(host: Host, feed: ObjectFeed): void {
  startLevelController(host, feed, {
    name: 'statefulset-controller',
    resource: 'statefulsets.apps',
    related: {
      pods: (change, view) => ownersConcerned('statefulsets.apps', 'StatefulSet', change, view),
      persistentvolumeclaims: () => [],
      'controllerrevisions.apps': () => [],
    },
    readsOwnWrites: true,
    sync,
  });
}

function* sync(key: string, look: Look): Sync {
  const { view, host } = look;
  const set = view.get('statefulsets.apps', key);
  if (set === undefined) return;
  const known = yield* revisionsFor(set, look);
  const near = view.list('pods', set.metadata.namespace);
  const matches = (pod: KubeObject) => isMember(set, pod) && selectedBy(set, pod);
  const pods = yield* claim(near, { owner: set, ownerResource: statefulSets, resource, matches });
  const revisions = yield* syncRevisions(set, known);
  const { status, error } = yield* update(set, pods, revisions, look);
  yield* writeStatus(set, status);
  yield* truncateHistory(set, pods, known, revisions);
  if (error !== undefined) throw error;
  const minReadySeconds = Number(set.spec?.minReadySeconds ?? 0);
  if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return;
  look.again(nextAvailableMs(pods, minReadySeconds, host.nowMs()));
}

interface Result {
  readonly status: StatefulSetStatus;
  readonly error?: SyncFailed;
}

/** One step towards what the set asks for; the status is told even when the step fails. */
function* update(set: KubeObject, pods: readonly KubeObject[], revisions: Revisions, look: Look): Steps<Result> {
  const nowMs = look.host.nowMs();
  const replicas = replicasFor(set, pods, revisions);
  const condemned = pods.filter((pod) => !isWanted(set, pod) && ordinalOf(pod) >= 0).sort((a, b) => ordinalOf(b) - ordinalOf(a));
  if (set.metadata.deletionTimestamp !== undefined) return { status: statusOf(set, pods, revisions, nowMs) };
  const status = statusOf(set, [...replicas, ...condemned], revisions, nowMs);
  try {
    if (yield* step(set, replicas, condemned, revisions, look)) return { status };
    const removed = yield* roll(set, replicas, revisions, look);
    return { status: { ...status, currentReplicas: status.currentReplicas - Number(removed) } };
  } catch (error) {
    if (!(error instanceof SyncFailed)) throw error;
    return { status, error };
  }
}

/** The pods of the wanted numbers; those that are not there as they are to be made (WL-64). */
function replicasFor(set: KubeObject, pods: readonly KubeObject[], { current, update: updated }: Revisions): readonly KubeObject[] {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const start = startOf(set);
  const kept =
    type !== 'RollingUpdate'
      ? 0
      : Number(rollingUpdate === undefined ? (set.status?.currentReplicas ?? 0) : (rollingUpdate.partition ?? 0));
  return Array.from({ length: replicasOf(set) }, (_, index) => {
    const ordinal = start + index;
    const revision = index < kept ? current : updated;
    const there = pods.find((pod) => ordinalOf(pod) === ordinal);
    return there ?? newPod(atRevision(set, revision), revision.metadata.name as string, ordinal);
  });
}

/** Makes, repairs and scales down. @returns whether there is something to wait for before pods are updated */
function* step(
  set: KubeObject,
  replicas: readonly KubeObject[],
  condemned: readonly KubeObject[],
  revisions: Revisions,
  look: Look,
): Steps<boolean> {
  const inOrder = set.spec?.podManagementPolicy !== 'Parallel';
  const updated = atRevision(set, revisions.update);
  const nowMs = look.host.nowMs();
  const firstUnavailable = [...replicas, ...[...condemned].reverse()].find((pod) => isGoing(pod) || !serves(set, pod, nowMs));
  if (yield* forAll(replicas, inOrder, (pod) => syncReplica(set, updated, pod, inOrder, look))) return true;
  const claims = function* (pod: KubeObject): Steps<boolean> {
    if (!claimsMatchPolicy(updated, pod, look)) yield* syncClaimOwners(updated, pod, look);
    return false;
  };
  if (yield* forAll(condemned, inOrder, claims)) return true;
  const removal = function* (pod: KubeObject): Steps<boolean> {
    if (isGoing(pod)) return inOrder;
    const healthy = runsAndReady(pod) && serves(set, pod, nowMs);
    if (inOrder && !healthy && pod !== firstUnavailable) return true;
    yield* deleteReplica(set, pod, look);
    return true;
  };
  return yield* forAll(condemned, inOrder, removal);
}

/** In order: one after the other, until one says that nothing more may be done. In parallel: all (WL-62). */
function* forAll(pods: readonly KubeObject[], inOrder: boolean, act: (pod: KubeObject) => Steps<boolean>): Steps<boolean> {
  if (inOrder) {
    for (const pod of pods) if (yield* act(pod)) return true;
    return false;
  }
  const { error } = yield* slowStart(pods.length, (index) => act(pods[index] as KubeObject));
  if (error !== undefined) throw error;
  return false;
}

/** WL-63, WL-66: deletes the last pod that is not of the new revision, unless one after it does not serve. @returns whether it did */
function* roll(set: KubeObject, replicas: readonly KubeObject[], { update: updated }: Revisions, look: Look): Steps<boolean> {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type === 'OnDelete') return false;
  const first = Number(rollingUpdate?.partition ?? 0);
  for (let index = replicas.length - 1; index >= first; index--) {
    const pod = replicas[index] as KubeObject;
    if (revisionOf(pod) !== updated.metadata.name && !isGoing(pod)) {
      yield* deleteReplica(set, pod, look);
      return true;
    }
    if (isGoing(pod) || !serves(set, pod, look.host.nowMs())) return false;
  }
  return false;
}
