import { rfc3339 } from '../../apiserver/metadata.js';
import type { KubeObject } from '../../etcd/object.js';
import { type Condition, findCondition, isConditionTrue } from '../conditions.js';
import { about, jobs, object } from '../requests.js';
import type { Steps } from '../sync.js';

/** A Job's status while a look changes it: counts are there even when they are 0. */
export interface JobStatus {
  startTime?: string;
  completionTime?: string;
  active: number;
  succeeded: number;
  failed: number;
  ready?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods: { succeeded: readonly string[]; failed: readonly string[] };
  conditions: readonly Condition[];
}

export function readStatus({ status = {} }: KubeObject): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  return {
    ...status,
    active: status.active ?? 0,
    succeeded: status.succeeded ?? 0,
    failed: status.failed ?? 0,
    uncountedTerminatedPods: { succeeded, failed },
    conditions: status.conditions ?? [],
  };
}

/** WL-85, WL-99. @returns the Job as the server has it then */
export function* writeStatus(job: KubeObject, status: JobStatus): Steps<KubeObject> {
  const { uncountedTerminatedPods: uncounted, ...rest } = status;
  const empty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  const isCount = (field: string) => field === 'active' || field === 'succeeded' || field === 'failed';
  const told = Object.fromEntries(
    Object.entries(rest).filter(
      ([field, value]) => !(isCount(field) && value === 0) && (!empty(value) || (field === 'failedIndexes' && value === '')),
    ),
  );
  const lists = Object.fromEntries(Object.entries(uncounted).filter(([, uids]) => uids.length > 0));
  return yield* object(about('update', jobs, job, { ...job, status: { ...told, uncountedTerminatedPods: lists } }, 'status'));
}

export function newCondition(type: string, status: string, reason: string, message: string, nowMs: number): Condition {
  const now = rfc3339(nowMs);
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

export function isFinishedJob(job: KubeObject): boolean {
  return ['Complete', 'Failed'].some((type) => isConditionTrue(job.status?.conditions, type));
}

/** Puts a condition in the place of the one of its type; a new one that is False is not worth telling. @returns whether it changed */
export function ensureCondition(status: JobStatus, condition: Condition): boolean {
  const before = findCondition(status.conditions, condition.type);
  if (before === undefined) {
    if (condition.status === 'False') return false;
    status.conditions = [...status.conditions, condition];
    return true;
  }
  const same = (['status', 'reason', 'message'] as const).every((field) => before[field] === condition[field]);
  if (!same) status.conditions = status.conditions.map((each) => (each === before ? condition : each));
  return !same;
}
