import type { KubeObject } from '../../etcd/object.js';
import type { Condition } from '../conditions.js';
import type { Look } from '../level-controller.js';
import { isActive, isReady, isTerminating } from '../pod-state.js';
import { hasFailed, indexFails, judge } from './failures.js';
import { completionsOf, indexOf, isIndexed, readIndexes } from './indexes.js';
import type { JobStatus } from './status.js';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** One look at a Job: what is known of its pods, and what the look finds out and does. */
export interface Progress {
  job: KubeObject;
  readonly status: JobStatus;
  readonly key: string;
  readonly look: Look;
  readonly pods: readonly KubeObject[];
  readonly activePods: readonly KubeObject[];
  ready: number;
  terminating: number;
  succeeded: number;
  failed: number;
  /** Those that have ended and are in no count yet. */
  readonly newlySucceeded: readonly KubeObject[];
  readonly newlyFailed: readonly KubeObject[];
  readonly known: ReadonlySet<number>;
  succeededIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number> | undefined;
  /** Failed pods that keep their finalizer until the next pod of their index is there: it takes over their count. */
  readonly kept: ReadonlyMap<number, KubeObject>;
  finished: Condition | undefined;
}

export function isTracked({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}

export function limitsPerIndex(job: KubeObject): boolean {
  return job.spec?.backoffLimitPerIndex !== undefined;
}

export function isSuspended(job: KubeObject): boolean {
  return job.spec?.suspend === true;
}

export function survey(key: string, job: KubeObject, status: JobStatus, pods: readonly KubeObject[], look: Look): Progress {
  const { succeeded: uncountedSucceeded, failed: uncountedFailed } = status.uncountedTerminatedPods;
  const uncounted = (uids: readonly string[], pod: KubeObject) => !uids.includes(pod.metadata.uid ?? '');
  const counts = (pod: KubeObject) => isTracked(pod) && (!isIndexed(job) || indexOf(job, pod) !== undefined);
  const newlySucceeded = pods.filter((pod) => counts(pod) && uncounted(uncountedSucceeded, pod) && pod.status?.phase === 'Succeeded');
  const newlyFailed = pods.filter((pod) => counts(pod) && uncounted(uncountedFailed, pod) && hasFailed(job, pod));
  const activePods = pods.filter(isActive);
  const completions = completionsOf(job) ?? 0;
  const known = readIndexes(status.completedIndexes, completions);
  const fresh = newlySucceeded.map((pod) => indexOf(job, pod)).filter((index) => index !== undefined);
  const succeededIndexes = isIndexed(job) ? new Set([...known, ...fresh]) : known;
  const failedIndexes = limitsPerIndex(job) ? failedIndexesOf(job, status, pods) : undefined;
  const failed = status.failed + newlyFailed.filter((pod) => judge(job, pod).counts).length + uncountedFailed.length;
  return {
    job,
    status,
    key,
    look,
    pods,
    activePods,
    ready: activePods.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    succeeded: isIndexed(job) ? succeededIndexes.size : status.succeeded + newlySucceeded.length + uncountedSucceeded.length,
    failed,
    newlySucceeded,
    newlyFailed,
    known,
    succeededIndexes,
    failedIndexes,
    kept: failedIndexes === undefined ? new Map() : keptFor(job, pods, activePods, succeededIndexes, failedIndexes),
    finished: undefined,
  };
}

/** WL-96 */
function failedIndexesOf(job: KubeObject, status: JobStatus, pods: readonly KubeObject[]): ReadonlySet<number> {
  const failed = new Set(readIndexes(status.failedIndexes, completionsOf(job) ?? 0));
  for (const pod of pods) {
    const index = indexOf(job, pod);
    if (index !== undefined && isTracked(pod) && hasFailed(job, pod) && indexFails(job, pod)) failed.add(index);
  }
  return failed;
}

function keptFor(
  job: KubeObject,
  pods: readonly KubeObject[],
  active: readonly KubeObject[],
  succeeded: ReadonlySet<number>,
  failed: ReadonlySet<number>,
): ReadonlyMap<number, KubeObject> {
  const taken = new Set([...succeeded, ...failed, ...active.map((pod) => indexOf(job, pod))]);
  const kept = new Map<number, KubeObject>();
  for (const pod of pods) {
    const index = indexOf(job, pod);
    if (index !== undefined && isTracked(pod) && hasFailed(job, pod) && !taken.has(index)) kept.set(index, pod);
  }
  return kept;
}
