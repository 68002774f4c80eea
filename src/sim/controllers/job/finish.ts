import { type Condition, findCondition, isConditionTrue } from '../conditions.js';
import { hasFailed, judge, restartsTooOften } from './failures.js';
import { completionsOf, isIndexed, successPolicyMet } from './indexes.js';
import { isSuspended, type Progress } from './progress.js';
import { newCondition } from './status.js';

/** Why the Job ends, if it does; that all its pods have succeeded is told apart. An end once found stays. */
export function finishedConditionOf(progress: Progress): Condition | undefined {
  const { job, status, pods, failed, look } = progress;
  const nowMs = look.host.nowMs();
  if (isConditionTrue(status.conditions, 'SuccessCriteriaMet')) return findCondition(status.conditions, 'SuccessCriteriaMet');
  const target = findCondition(status.conditions, 'FailureTarget');
  if (target?.status === 'True') return newCondition('Failed', 'True', target.reason ?? '', target.message ?? '', nowMs);
  const failure = (reason: string, message: string) => newCondition('FailureTarget', 'True', reason, message, nowMs);
  const judged = pods.filter((pod) => hasFailed(job, pod)).map((pod) => judge(job, pod).failsJob);
  const why = judged.find((message) => message !== undefined);
  if (why !== undefined) return failure('PodFailurePolicy', why);
  if (failed > Number(job.spec?.backoffLimit ?? 6) || restartsTooOften(job, pods))
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  const deadline = job.spec?.activeDeadlineSeconds;
  if (deadline !== undefined && status.startTime !== undefined && !isSuspended(job)) {
    const leftMs = Date.parse(status.startTime) + deadline * 1000 - nowMs;
    if (leftMs <= 0) return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
    look.again(leftMs);
  }
  return isIndexed(job) ? indexedEnd(progress, failure, nowMs) : undefined;
}

/** WL-96, WL-97 */
function indexedEnd(
  { job, failedIndexes, succeededIndexes }: Progress,
  failure: (reason: string, message: string) => Condition,
  nowMs: number,
): Condition | undefined {
  const failed = failedIndexes?.size ?? 0;
  if (failedIndexes !== undefined && failed > (job.spec?.maxFailedIndexes ?? Number.POSITIVE_INFINITY))
    return failure('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  if (failed > 0 && failed + succeededIndexes.size >= (completionsOf(job) ?? 0)) return failure('FailedIndexes', 'Job has failed indexes');
  const met = successPolicyMet(job, succeededIndexes);
  return met === undefined ? undefined : newCondition('SuccessCriteriaMet', 'True', 'SuccessPolicy', met, nowMs);
}
