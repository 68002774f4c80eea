import type { KubeObject } from '../../etcd/object.js';
import type { ExpectedDeletions } from '../deletions.js';
import { createPods, deletePod, podOf } from '../pod-control.js';
import { isReady, lessNeeded } from '../pod-state.js';
import { about, pods as resource } from '../requests.js';
import { answeredWith, attempt, type Steps, type SyncFailed } from '../sync.js';
import { delayMs, type Failures, failureAnnotations, finishedAtMs, indexFailures, replacesOnlyFailed } from './failures.js';
import { completionsOf, indexAnnotation, indexOf, isIndexed } from './indexes.js';
import { isSuspended, isTracked, limitsPerIndex, type Progress, trackingFinalizer } from './progress.js';

/** How many pods one look makes or deletes at most. */
const burst = 500;

/** What making and deleting has come to. */
export interface Managed {
  readonly active: number;
  readonly error?: SyncFailed;
}

/** WL-88, WL-99: makes pods that are missing, or deletes those that are too many. */
export function* managePods(progress: Progress, failures: Failures, deletions: ExpectedDeletions): Steps<Managed> {
  const { job, activePods, look } = progress;
  const active = activePods.length;
  const wanted = isSuspended(job) ? 0 : wantedActive(progress);
  const surplus = superfluous(progress, Math.max(0, active - wanted)).slice(0, isSuspended(job) ? active : burst);
  if (isSuspended(job) || surplus.length > 0) {
    const { removed, error } = yield* removePods(progress, surplus, deletions);
    return { active: active - removed, ...(error !== undefined && { error }) };
  }
  const missing = Math.min(wanted - active - (replacesOnlyFailed(job) ? progress.terminating : 0), burst);
  if (missing <= 0) return { active };
  const nowMs = look.host.nowMs();
  const waitMs = limitsPerIndex(job) ? 0 : delayMs(failures, nowMs);
  if (waitMs > 0) {
    look.again(waitMs);
    return { active };
  }
  const indexes = isIndexed(job) ? dueIndexes(progress, pendingIndexes(progress, missing)) : undefined;
  const count = indexes === undefined ? missing : indexes.length;
  const { done, error } = yield* createPods(job, count, (at) => podFor(progress, indexes?.[at]), look);
  return { active: active + done, ...(error !== undefined && { error }) };
}

function wantedActive({ job, succeeded, activePods }: Progress): number {
  const parallelism = Number(job.spec?.parallelism ?? 1);
  const completions = completionsOf(job);
  if (completions === undefined) return succeeded > 0 ? activePods.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** At least so many active pods that are not needed; of an indexed Job also those whose index is not wanted or has another pod. */
function superfluous({ job, activePods, look }: Progress, atLeast: number): readonly KubeObject[] {
  const ordered = [...activePods].sort(lessNeeded(() => 0, look.host.nowMs()));
  if (!isIndexed(job)) return ordered.slice(0, atLeast);
  const best = new Map<number, KubeObject>();
  for (const pod of ordered) {
    const index = indexOf(job, pod);
    if (index !== undefined) best.set(index, pod);
  }
  const kept = new Set(best.values());
  const left = ordered.filter((pod) => kept.has(pod));
  const surplus = ordered.filter((pod) => !kept.has(pod));
  return [...surplus, ...left.slice(0, Math.max(0, atLeast - surplus.length))];
}

/** Takes the finalizer off pods and deletes them; none of them counts as failed. */
function* removePods(progress: Progress, victims: readonly KubeObject[], deletions: ExpectedDeletions): Steps<Removed> {
  const { job, key, look } = progress;
  deletions.expect(key, victims);
  return yield* removeEach(progress, victims, function* (pod) {
    try {
      if (isTracked(pod)) yield untrack(pod);
      yield* deletePod(job, pod, look);
    } catch (failure) {
      deletions.drop(key, pod);
      throw failure;
    }
  });
}

/** A Job that ends deletes what still runs. The finalizers stay until it is counted. */
export function* deleteActive(progress: Progress): Steps<Removed> {
  return yield* removeEach(progress, progress.activePods, (pod) => deletePod(progress.job, pod, progress.look));
}

/** How many pods are gone or going, and the first error of the others. */
interface Removed {
  readonly removed: number;
  readonly error?: SyncFailed;
}

/** Removes pods in some way, and counts them as terminating; one that is gone already is as good as removed. */
function* removeEach(progress: Progress, victims: readonly KubeObject[], remove: (pod: KubeObject) => Steps<void>): Steps<Removed> {
  let removed = 0;
  let error: SyncFailed | undefined;
  for (const pod of victims) {
    const failure = yield* attempt(remove(pod));
    if (failure === undefined || answeredWith(failure, 404)) removed += 1;
    else error ??= failure;
    if (isReady(pod)) progress.ready -= 1;
  }
  progress.terminating += removed;
  return { removed, ...(error !== undefined && { error }) };
}

export function untrack(pod: KubeObject) {
  return about('patch', resource, pod, { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } });
}

function pendingIndexes({ job, pods, activePods, succeededIndexes, failedIndexes }: Progress, count: number): readonly number[] {
  const going = replacesOnlyFailed(job)
    ? pods.filter(({ metadata, status }) => metadata.deletionTimestamp !== undefined && status?.phase !== 'Failed')
    : [];
  const taken = new Set<number | undefined>([
    ...succeededIndexes,
    ...(failedIndexes ?? []),
    ...[...activePods, ...going].map((pod) => indexOf(job, pod)),
  ]);
  const pending: number[] = [];
  for (let index = 0; index < (completionsOf(job) ?? 0) && pending.length < count; index++) if (!taken.has(index)) pending.push(index);
  return pending;
}

/** With a limit for each index each waits for itself. */
function dueIndexes({ job, kept, look }: Progress, indexes: readonly number[]): readonly number[] {
  if (!limitsPerIndex(job)) return indexes;
  const nowMs = look.host.nowMs();
  const waits = indexes.map((index) => {
    const failed = kept.get(index);
    if (failed === undefined) return 0;
    const { counted, ignored } = indexFailures(job, failed);
    return delayMs({ count: counted + ignored, lastMs: finishedAtMs(failed) }, nowMs);
  });
  const due = indexes.filter((_, at) => (waits[at] as number) <= 0);
  if (due.length === 0 && waits.length > 0) look.again(Math.min(...waits));
  return due;
}

/** WL-83 */
function podFor({ job, kept }: Progress, index: number | undefined): KubeObject {
  const plain = podOf(job, job.spec?.template);
  const finalizers = [...new Set([...(plain.metadata.finalizers ?? []), trackingFinalizer])];
  const pod: KubeObject = { ...plain, metadata: { ...plain.metadata, finalizers } };
  if (index === undefined) return pod;
  const failures = limitsPerIndex(job) ? failureAnnotations(job, kept.get(index)) : {};
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: `${job.metadata.name}-${index}-`,
      labels: { ...pod.metadata.labels, [indexAnnotation]: String(index) },
      annotations: { ...pod.metadata.annotations, [indexAnnotation]: String(index), ...failures },
    },
    spec: {
      ...pod.spec,
      hostname: `${job.metadata.name}-${index}`,
      ...Object.fromEntries(
        ['initContainers', 'containers']
          .filter((field) => pod.spec?.[field] !== undefined)
          .map((field) => [field, pod.spec[field].map(withIndex)]),
      ),
    },
  };
}

function withIndex(container: { readonly env?: readonly { readonly name: string }[] }): unknown {
  const name = 'JOB_COMPLETION_INDEX';
  if (container.env?.some((each) => each.name === name)) return container;
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } };
  return { ...container, env: [...(container.env ?? []), { name, valueFrom }] };
}
