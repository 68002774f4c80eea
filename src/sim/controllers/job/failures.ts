import type { KubeObject } from '../../etcd/object.js';
import { podCondition } from '../pod-state.js';

const firstDelayMs = 10_000;
const lastDelayMs = 600_000;
const countAnnotation = 'batch.kubernetes.io/job-index-failure-count';
const ignoredAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** WL-93: whether a pod is replaced only when it has really failed. */
export function replacesOnlyFailed(job: KubeObject): boolean {
  return job.spec?.podReplacementPolicy === 'Failed' || job.spec?.podFailurePolicy !== undefined;
}

/** WL-93: a pod that is being deleted counts as failed, unless only failed ones are replaced. */
export function hasFailed(job: KubeObject, pod: KubeObject): boolean {
  if (pod.status?.phase === 'Failed') return true;
  if (replacesOnlyFailed(job)) return false;
  return pod.metadata.deletionTimestamp !== undefined && pod.status?.phase !== 'Succeeded';
}

interface Rule {
  readonly action: 'FailJob' | 'Ignore' | 'Count' | 'FailIndex';
  readonly onExitCodes?: { readonly containerName?: string; readonly operator: 'In' | 'NotIn'; readonly values: readonly number[] };
  readonly onPodConditions?: readonly { readonly type: string; readonly status: string }[];
}

interface ContainerStatus {
  readonly name: string;
  readonly state?: { readonly terminated?: { readonly exitCode: number; readonly finishedAt?: string } };
  readonly restartCount?: number;
}

/** What the policy makes of a failed pod (WL-94). */
export interface Judgement {
  readonly counts: boolean;
  readonly failsIndex: boolean;
  /** Why the whole Job fails. */
  readonly failsJob?: string;
}

export function judge(job: KubeObject, pod: KubeObject): Judgement {
  const rules: readonly Rule[] = job.spec?.podFailurePolicy?.rules ?? [];
  const { namespace, name } = pod.metadata;
  for (const [at, rule] of rules.entries()) {
    const container =
      rule.onExitCodes && containersOf(pod).find((each) => exits(rule.onExitCodes as NonNullable<Rule['onExitCodes']>, each));
    const condition = rule.onPodConditions?.find(({ type, status }) => podCondition(pod, type)?.status === status);
    if (container === undefined && condition === undefined) continue;
    if (rule.action === 'Ignore') return { counts: false, failsIndex: false };
    if (rule.action !== 'FailJob') return { counts: true, failsIndex: rule.action === 'FailIndex' };
    const code = container?.state?.terminated?.exitCode;
    const why =
      container === undefined
        ? `Pod ${namespace}/${name} has condition ${condition?.type} matching FailJob rule at index ${at}`
        : `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${code} matching FailJob rule at index ${at}`;
    return { counts: true, failsIndex: false, failsJob: why };
  }
  return { counts: true, failsIndex: false };
}

function containersOf(pod: KubeObject): readonly ContainerStatus[] {
  return [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
}

function exits({ containerName, operator, values }: NonNullable<Rule['onExitCodes']>, { name, state }: ContainerStatus): boolean {
  const code = state?.terminated?.exitCode ?? 0;
  if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
  return values.includes(code) === (operator === 'In');
}

/** WL-95 */
export function restartsTooOften(job: KubeObject, pods: readonly KubeObject[]): boolean {
  if (job.spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
  const live = pods.filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending');
  const restarts = live.flatMap(containersOf).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const limit = Number(job.spec?.backoffLimit ?? 6);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** When a pod came to its end, in milliseconds since 1970. */
export function finishedAtMs(pod: KubeObject): number {
  const containers: readonly ContainerStatus[] = pod.status?.containerStatuses ?? [];
  const ends = containers.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  if (ends.length > 0 && ends.every((end) => !Number.isNaN(end))) return Math.max(...ends);
  const ready = podCondition(pod, 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = pod.metadata;
  return deletionTimestamp === undefined
    ? Date.parse(creationTimestamp)
    : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

/** How often a Job's pods have failed since the last success, and when last (WL-90). */
export interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

export function countFailures(before: Failures, succeeded: readonly KubeObject[], failed: readonly KubeObject[]): Failures {
  if (failed.length === 0 && succeeded.length === 0) return before;
  const lastSuccess = Math.max(0, ...succeeded.map(finishedAtMs));
  const after = failed.map(finishedAtMs).filter((atMs) => atMs > lastSuccess || succeeded.length === 0);
  const count = (succeeded.length === 0 ? before.count : 0) + after.length;
  return { count, lastMs: Math.max(succeeded.length === 0 ? before.lastMs : 0, ...after) };
}

/** How long no pod may be made yet, in milliseconds. */
export function delayMs({ count, lastMs }: Failures, nowMs: number): number {
  if (count === 0) return 0;
  return lastMs + Math.min(firstDelayMs * 2 ** (count - 1), lastDelayMs) - nowMs;
}

/** How often the index of a failed pod has failed by now, and how often that was ignored (WL-96). */
export function indexFailures(job: KubeObject, pod: KubeObject): { readonly counted: number; readonly ignored: number } {
  const { counts } = judge(job, pod);
  const counted = Number(pod.metadata.annotations?.[countAnnotation] ?? 0);
  const ignored = Number(pod.metadata.annotations?.[ignoredAnnotation] ?? 0);
  return counts ? { counted: counted + 1, ignored } : { counted, ignored: ignored + 1 };
}

/** What the next pod of an index tells about the ones before it. */
export function failureAnnotations(job: KubeObject, failed: KubeObject | undefined): Readonly<Record<string, string>> {
  const { counted, ignored } = failed === undefined ? { counted: 0, ignored: 0 } : indexFailures(job, failed);
  return { [countAnnotation]: String(counted), ...(ignored > 0 && { [ignoredAnnotation]: String(ignored) }) };
}

export function indexFails(job: KubeObject, pod: KubeObject): boolean {
  return judge(job, pod).failsIndex || indexFailures(job, pod).counted > Number(job.spec?.backoffLimitPerIndex);
}
