import type { KubeObject } from '../../etcd/object.js';
import { isConditionTrue } from '../conditions.js';
import { object } from '../requests.js';
import { answeredWith, attempt, type Steps, type SyncFailed } from '../sync.js';
import { hasFailed, judge } from './failures.js';
import { completionsOf, indexesText, indexOf, isIndexed } from './indexes.js';
import { untrack } from './pods.js';
import { isTracked, type Progress } from './progress.js';
import { ensureCondition, type JobStatus, newCondition, writeStatus } from './status.js';

/** How many pods may be told of in the status at once. */
const mostUncounted = 500;

/**
 * WL-86, WL-91: counts pods that have ended, each exactly once: first their uids are written down, then their finalizers are
 * taken off, then they are in the counts.
 * @param flush whether the status has changed already
 * @param flushed is called when what has been found out is written down
 */
export function* track(progress: Progress, flush: boolean, flushed: () => void): Steps<void> {
  const { status, look } = progress;
  const nowMs = look.host.nowMs();
  const tracked = new Set(progress.pods.filter(isTracked).map(({ metadata }) => metadata.uid ?? ''));
  let changed = count(status, tracked) || flush;
  const { ended, full, counted } = collect(progress);
  changed = counted || changed;
  if (isIndexed(progress.job)) changed = tellIndexes(progress) || changed;
  let { finished } = progress;
  if (finished?.type === 'FailureTarget') {
    status.conditions = [...status.conditions, finished];
    changed = true;
    finished = newCondition('Failed', 'True', finished.reason ?? '', finished.message ?? '', nowMs);
  } else if (finished?.type === 'SuccessCriteriaMet') {
    if (!isConditionTrue(status.conditions, 'SuccessCriteriaMet')) {
      status.conditions = [...status.conditions, finished];
      changed = true;
    }
    finished = newCondition('Complete', 'True', finished.reason ?? '', finished.message ?? '', nowMs);
  }
  if (changed) {
    progress.job = yield* writeStatus(progress.job, status);
    flushed();
  }
  changed = yield* takeOff(progress, ended, tracked);
  const { succeeded, failed } = status.uncountedTerminatedPods;
  const over = finished !== undefined && !full && succeeded.length + failed.length === 0 && progress.terminating === 0;
  if (over) {
    const { type, reason = '', message = '' } = finished as NonNullable<typeof finished>;
    const last = newCondition(type, 'True', reason, message, look.host.nowMs());
    ensureCondition(status, last);
    if (type === 'Complete' && last.lastTransitionTime !== undefined) status.completionTime = last.lastTransitionTime;
  }
  if (!changed && !over) return;
  yield* writeStatus(progress.job, status);
  if (over && finished !== undefined) reportEnd(progress, finished.type, finished.reason ?? '', finished.message ?? '');
}

function reportEnd({ job, status, look }: Progress, type: string, reason: string, message: string): void {
  if (type !== 'Complete') {
    look.event(job, 'Warning', reason, message);
    return;
  }
  const completions = completionsOf(job);
  if (completions !== undefined && status.succeeded > completions)
    look.event(job, 'Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
  look.event(job, 'Normal', 'Completed', 'Job completed');
}

/** Whose finalizer can be taken off, and their uids into the status. */
function collect(progress: Progress): { readonly ended: readonly KubeObject[]; readonly full: boolean; readonly counted: boolean } {
  const { job, status, finished } = progress;
  const ended: KubeObject[] = [];
  const before = status.uncountedTerminatedPods;
  const succeeded = [...before.succeeded];
  const failed = [...before.failed];
  const indexes = new Set<number>();
  const pods = isIndexed(job) ? [...progress.pods].sort((a, b) => (indexOf(job, a) ?? -1) - (indexOf(job, b) ?? -1)) : progress.pods;
  let full = false;
  for (const pod of pods) {
    if (!isTracked(pod) || !mayLetGo(progress, pod)) continue;
    ended.push(pod);
    const uid = pod.metadata.uid ?? '';
    const index = indexOf(job, pod);
    const matters = !isIndexed(job) || index !== undefined;
    if (pod.status?.phase === 'Succeeded' && !before.failed.includes(uid)) {
      if (isIndexed(job)) {
        if (index !== undefined && !progress.known.has(index)) indexes.add(index);
      } else if (!succeeded.includes(uid)) succeeded.push(uid);
    } else if (hasFailed(job, pod) || (finished !== undefined && finished.type !== 'SuccessCriteriaMet')) {
      if (matters && !failed.includes(uid) && judge(job, pod).counts) failed.push(uid);
    }
    full = succeeded.length + failed.length + indexes.size >= mostUncounted;
    if (full) break;
  }
  status.uncountedTerminatedPods = { succeeded, failed };
  const counted = succeeded.length > before.succeeded.length || failed.length > before.failed.length || indexes.size > 0;
  return { ended, full, counted };
}

function mayLetGo({ job, finished, kept }: Progress, pod: KubeObject): boolean {
  if (job.metadata.deletionTimestamp !== undefined || finished !== undefined || pod.status?.phase === 'Succeeded') return true;
  const index = indexOf(job, pod);
  return hasFailed(job, pod) && !(index !== undefined && kept.get(index) === pod);
}

function tellIndexes({ status, succeededIndexes, failedIndexes }: Progress): boolean {
  const before = { completed: status.completedIndexes ?? '', failed: status.failedIndexes };
  status.succeeded = succeededIndexes.size;
  status.completedIndexes = indexesText(succeededIndexes);
  if (failedIndexes !== undefined) status.failedIndexes = indexesText(failedIndexes);
  return before.completed !== status.completedIndexes || before.failed !== status.failedIndexes;
}

/** Puts uids of pods without a finalizer into the counts. @returns whether there were any */
function count(status: JobStatus, tracked: ReadonlySet<string>): boolean {
  const { succeeded, failed } = status.uncountedTerminatedPods;
  const left = { succeeded: succeeded.filter((uid) => tracked.has(uid)), failed: failed.filter((uid) => tracked.has(uid)) };
  status.succeeded += succeeded.length - left.succeeded.length;
  status.failed += failed.length - left.failed.length;
  status.uncountedTerminatedPods = left;
  return left.succeeded.length < succeeded.length || left.failed.length < failed.length;
}

/** @returns whether the counts have changed. @throws SyncFailed when a finalizer could not be taken off; the counts are written then */
function* takeOff(progress: Progress, ended: readonly KubeObject[], tracked: Set<string>): Steps<boolean> {
  let error: SyncFailed | undefined;
  for (const pod of ended) {
    const failure = yield* attempt(object(untrack(pod)));
    if (failure === undefined || answeredWith(failure, 404)) tracked.delete(pod.metadata.uid ?? '');
    else error ??= failure;
  }
  const changed = count(progress.status, tracked);
  if (error === undefined) return changed;
  if (changed) yield* writeStatus(progress.job, progress.status);
  throw error;
}
