import { rfc3339 } from '../../apiserver/metadata.js';
import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { type Condition, findCondition, withCondition, withoutCondition } from '../conditions.js';
import type { Look } from '../level-controller.js';
import { about, deployments } from '../requests.js';
import type { Steps } from '../sync.js';
import { all, maxUnavailable, type ReplicaSets, sumStatus, sumWanted, wantedOf } from './replica-sets.js';

const noLimit = 2 ** 31 - 1;

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly Condition[];
}

/** WL-48 */
export function hasDeadline(deployment: KubeObject): boolean {
  const deadline = deployment.spec?.progressDeadlineSeconds;
  return deadline !== undefined && deadline !== noLimit;
}

/** Writes the status of the draft, and with it its annotations (WL-32). */
export function* putStatus(draft: KubeObject): Steps<void> {
  yield about('update', deployments, draft, draft, 'status');
}

function condition(type: string, status: string, reason: string, message: string, { host }: Look): Condition {
  const now = rfc3339(host.nowMs());
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
}

/** Changes the draft's condition Progressing. */
export function setProgress(draft: KubeObject, status: string, reason: string, message: string, look: Look): void {
  const conditions = withCondition(draft.status?.conditions, condition('Progressing', status, reason, message, look));
  draft.status = { ...draft.status, conditions };
}

/** WL-47 */
export function* syncPaused(draft: KubeObject, look: Look): Steps<void> {
  if (!hasDeadline(draft)) return;
  const reason = findCondition(draft.status?.conditions, 'Progressing')?.reason;
  if (reason === 'ProgressDeadlineExceeded') return;
  const paused = draft.spec?.paused === true;
  if (paused === (reason === 'DeploymentPaused')) return;
  if (paused) setProgress(draft, 'Unknown', 'DeploymentPaused', 'Deployment is paused', look);
  else setProgress(draft, 'Unknown', 'DeploymentResumed', 'Deployment is resumed', look);
  yield* putStatus(draft);
}

/** WL-33, WL-34 */
function statusOf(deployment: KubeObject, replicaSets: ReplicaSets, look: Look): DeploymentStatus {
  const every = all(replicaSets);
  const available = sumStatus(every, 'availableReplicas');
  const enough = available >= wantedOf(deployment) - maxUnavailable(deployment);
  const availability = enough
    ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', look)
    : condition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', look);
  const unknown = every.some(({ status }) => status?.terminatingReplicas === undefined && Number(status?.observedGeneration ?? 0) > 0);
  const counts = {
    replicas: sumStatus(every, 'replicas'),
    updatedReplicas: Number(replicaSets.current?.status?.replicas ?? 0),
    readyReplicas: sumStatus(every, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sumWanted(every) - available),
  };
  return {
    ...(deployment.metadata.generation !== undefined && { observedGeneration: deployment.metadata.generation }),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(!unknown && { terminatingReplicas: sumStatus(every, 'terminatingReplicas') }),
    ...(deployment.status?.collisionCount !== undefined && { collisionCount: deployment.status.collisionCount }),
    conditions: withCondition(deployment.status?.conditions, availability),
  };
}

/** Outside of a rollout: no progress is estimated. */
export function* syncStatus(draft: KubeObject, replicaSets: ReplicaSets, look: Look): Steps<void> {
  yield* writeIfChanged(draft, statusOf(draft, replicaSets, look));
}

/** In a rollout (WL-35 to WL-37, WL-48, WL-52). */
export function* syncRolloutStatus(draft: KubeObject, replicaSets: ReplicaSets, look: Look): Steps<void> {
  const status = statusOf(draft, replicaSets, look);
  const progressed = { ...status, conditions: progressOf(draft, status, replicaSets, look) };
  const failure = [...(replicaSets.current === undefined ? [] : [replicaSets.current]), ...replicaSets.old]
    .map((replicaSet) => findCondition(replicaSet.status?.conditions, 'ReplicaFailure'))
    .find((each) => each !== undefined);
  const { lastTransitionTime } = failure ?? {};
  const conditions =
    failure === undefined
      ? withoutCondition(progressed.conditions, 'ReplicaFailure')
      : withCondition(progressed.conditions, {
          ...failure,
          ...(lastTransitionTime !== undefined && { lastUpdateTime: lastTransitionTime }),
        });
  const written = yield* writeIfChanged(draft, { ...progressed, conditions });
  look.deadline(written ? undefined : deadlineMs(draft, status, look));
}

function progressOf(draft: KubeObject, status: DeploymentStatus, { current }: ReplicaSets, look: Look): readonly Condition[] {
  const conditions = status.conditions ?? [];
  if (!hasDeadline(draft)) return withoutCondition(conditions, 'Progressing');
  const before = findCondition(draft.status?.conditions, 'Progressing');
  const complete = status.replicas === status.updatedReplicas && before?.reason === 'NewReplicaSetAvailable';
  if (complete) return conditions;
  const subject = current === undefined ? `Deployment "${draft.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`;
  if (isComplete(draft, status))
    return withCondition(
      conditions,
      condition('Progressing', 'True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`, look),
    );
  if (hasProgressed(draft.status ?? {}, status)) {
    const progress = condition('Progressing', 'True', 'ReplicaSetUpdated', `${subject} is progressing.`, look);
    // Even with the same reason it is renewed, as its time is what the deadline counts from.
    const since = before?.status === 'True' ? before.lastTransitionTime : progress.lastTransitionTime;
    const others = withoutCondition(conditions, 'Progressing');
    return [...others, { ...progress, ...(since !== undefined && { lastTransitionTime: since }) }];
  }
  if (!timedOut(draft, before, look)) return conditions;
  return withCondition(
    conditions,
    condition('Progressing', 'False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`, look),
  );
}

/** WL-37 */
export function isComplete(deployment: KubeObject, status: DeploymentStatus): boolean {
  const wanted = wantedOf(deployment);
  const counts = [status.updatedReplicas, status.replicas, status.availableReplicas];
  return counts.every((count = 0) => count === wanted) && (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
}

/** WL-36 */
function hasProgressed(before: DeploymentStatus, now: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus) => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  const more = (field: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas') => (now[field] ?? 0) > (before[field] ?? 0);
  return more('updatedReplicas') || old(now) < old(before) || more('readyReplicas') || more('availableReplicas');
}

function timedOut(deployment: KubeObject, progress: Condition | undefined, { host }: Look): boolean {
  if (progress === undefined || progress.reason === 'NewReplicaSetAvailable') return false;
  if (progress.reason === 'ProgressDeadlineExceeded') return true;
  return Date.parse(progress.lastUpdateTime ?? '') + deployment.spec?.progressDeadlineSeconds * 1000 < host.nowMs();
}

/** In how many milliseconds the deadline is over; undefined when there is none to wait for. */
function deadlineMs(deployment: KubeObject, status: DeploymentStatus, { host }: Look): number | undefined {
  const progress = findCondition(deployment.status?.conditions, 'Progressing');
  if (!hasDeadline(deployment) || progress === undefined) return undefined;
  if (isComplete(deployment, status) || progress.reason === 'ProgressDeadlineExceeded') return undefined;
  const leftMs = Date.parse(progress.lastUpdateTime ?? '') + deployment.spec?.progressDeadlineSeconds * 1000 - host.nowMs();
  return Math.max(leftMs, 0) + 1000;
}

function* writeIfChanged(draft: KubeObject, status: DeploymentStatus): Steps<boolean> {
  const { conditions = [], ...rest } = status;
  const told = conditions.length === 0 ? rest : status;
  if (deepEqual(draft.status ?? {}, told)) return false;
  draft.status = told;
  yield* putStatus(draft);
  return true;
}
