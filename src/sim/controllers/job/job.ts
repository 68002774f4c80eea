import { rfc3339 } from '../../apiserver/metadata.js';
import type { KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { ExpectedDeletions } from '../deletions.js';
import { type Change, type Look, startLevelController, type Wake } from '../level-controller.js';
import { claim, ownersConcerned, selectedBy } from '../ownership.js';
import { controllerOf, pathOfObject } from '../references.js';
import { jobs, pods as resource, unlessGone } from '../requests.js';
import type { Steps, Sync, SyncFailed } from '../sync.js';
import type { View } from '../view.js';
import { countFailures, type Failures } from './failures.js';
import { finishedConditionOf } from './finish.js';
import { completionsOf } from './indexes.js';
import { deleteActive, managePods, untrack } from './pods.js';
import { isSuspended, isTracked, type Progress, survey, trackingFinalizer } from './progress.js';
import { ensureCondition, isFinishedJob, newCondition, readStatus } from './status.js';
import { track } from './tracking.js';

/** WL-84: what happens to pods is looked at together. */
const batchMs = 1_000;

/** What the controller remembers of its Jobs. */
interface Memory {
  readonly deletions: ExpectedDeletions;
  readonly failures: Map<string, Failures>;
}

/** Runs the pods of Jobs to their ends, and counts each of them once (WL-82 to WL-100). */
export function startJobController(host: Host, feed: ObjectFeed): void {
  const memory: Memory = { deletions: new ExpectedDeletions(), failures: new Map() };
  startLevelController(host, feed, {
    name: 'job-controller',
    resource: 'jobs.batch',
    own: ownWakes,
    related: { pods: podWakes },
    readsOwnWrites: true,
    sync: (key, look) => (key.startsWith(podKey) ? letGo(key.slice(podKey.length), look) : sync(key, look, memory)),
  });
}

/** Before a pod's path in the queue: a pod whose Job is gone has to be let go (WL-100). */
const podKey = 'pod ';

function ownWakes({ type, object, previous }: Change, view: View): readonly Wake[] {
  const key = pathOfObject(object);
  const pods = view.list('pods', object.metadata.namespace);
  if (type === 'DELETED')
    return [
      key,
      ...pods.filter((pod) => isTracked(pod) && controllerOf(pod)?.uid === object.metadata.uid).map((pod) => podKey + pathOfObject(pod)),
    ];
  if (previous !== undefined && previous.metadata.generation === object.metadata.generation) return [{ key, afterMs: batchMs }];
  return [key];
}

function podWakes(change: Change, view: View): readonly Wake[] {
  const { object, type } = change;
  const keys = ownersConcerned('jobs.batch', 'Job', change, view);
  if (
    type !== 'DELETED' &&
    isTracked(object) &&
    ownersConcerned('jobs.batch', 'Job', { ...change, previous: undefined }, view).length === 0
  )
    return [...keys, podKey + pathOfObject(object)];
  return keys.map((key) => ({ key, afterMs: batchMs }));
}

function* letGo(path: string, { view }: Look): Sync {
  const pod = view.get('pods', path);
  if (pod === undefined || !isTracked(pod)) return;
  const owner = controllerOf(pod);
  if (
    owner !== undefined &&
    (owner.kind !== 'Job' || view.get('jobs.batch', `${pod.metadata.namespace}/${owner.name}`)?.metadata.uid === owner.uid)
  )
    return;
  yield* unlessGone(untrack(pod));
}

function* sync(key: string, look: Look, memory: Memory): Sync {
  const job = look.view.get('jobs.batch', key);
  if (job === undefined || isFinishedJob(job)) {
    memory.deletions.forget(key);
    memory.failures.delete(key);
    return;
  }
  const manager = job.spec?.managedBy;
  if (manager !== undefined && manager !== 'kubernetes.io/job-controller') return;
  const settled = memory.deletions.satisfied(key, look.view);
  const progress = survey(key, job, readStatus(job), yield* podsOf(job, look), look);
  const { status } = progress;
  const nowMs = look.host.nowMs();
  if (status.startTime === undefined && !isSuspended(job)) status.startTime = rfc3339(nowMs);
  const failures = countFailures(memory.failures.get(key) ?? { count: 0, lastMs: 0 }, progress.newlySucceeded, progress.newlyFailed);

  progress.finished = finishedConditionOf(progress);
  const { active, changed, error } = yield* act(progress, failures, settled, memory.deletions);
  const flush = changed || active !== status.active || progress.ready !== status.ready || progress.terminating !== status.terminating;
  Object.assign(status, { active, ready: progress.ready, terminating: progress.terminating });
  yield* track(progress, flush, () => memory.failures.set(key, failures));
  if (error !== undefined) throw error;
}

function* podsOf(job: KubeObject, { view }: Look): Steps<readonly KubeObject[]> {
  const near = view.list('pods', job.metadata.namespace);
  const matches = (pod: KubeObject) => selectedBy(job, pod);
  const owned = yield* claim(near, { owner: job, ownerResource: jobs, resource, matches, finalizer: trackingFinalizer });
  // One that has just been adopted has the finalizer by now.
  return owned.map((pod) => {
    if (controllerOf(pod) !== undefined || isTracked(pod)) return pod;
    return { ...pod, metadata: { ...pod.metadata, finalizers: [...(pod.metadata.finalizers ?? []), trackingFinalizer] } };
  });
}

interface Acted {
  readonly active: number;
  /** Whether a condition has changed. */
  readonly changed: boolean;
  readonly error?: SyncFailed;
}

function* act(progress: Progress, failures: Failures, settled: boolean, deletions: ExpectedDeletions): Steps<Acted> {
  const { job, activePods, look } = progress;
  if (progress.finished !== undefined) {
    const { removed, error } = yield* deleteActive(progress);
    // It has not ended as long as there are pods that could not be deleted or are not in the cache.
    if (removed !== activePods.length || !settled) progress.finished = undefined;
    return { active: activePods.length - removed, changed: false, ...(error !== undefined && { error }) };
  }
  const manages = settled && job.metadata.deletionTimestamp === undefined;
  const managed = manages ? yield* managePods(progress, failures, deletions) : { active: activePods.length };
  const completions = completionsOf(job);
  const complete = managed.active === 0 && (completions === undefined ? progress.succeeded > 0 : progress.succeeded >= completions);
  if (complete) {
    const message = 'Reached expected number of succeeded pods';
    progress.finished = newCondition('SuccessCriteriaMet', 'True', 'CompletionsReached', message, look.host.nowMs());
  }
  return { ...managed, changed: !complete && manages && tellSuspension(progress) };
}

/** WL-99 */
function tellSuspension({ job, status, look }: Progress): boolean {
  const nowMs = look.host.nowMs();
  if (isSuspended(job)) {
    if (!ensureCondition(status, newCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', nowMs))) return false;
    look.event(job, 'Normal', 'Suspended', 'Job suspended');
    delete status.startTime;
    return true;
  }
  if (!ensureCondition(status, newCondition('Suspended', 'False', 'JobResumed', 'Job resumed', nowMs))) return false;
  look.event(job, 'Normal', 'Resumed', 'Job resumed');
  status.startTime = rfc3339(nowMs);
  return true;
}
