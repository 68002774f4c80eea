import { rfc3339 } from '../../apiserver/metadata.js';
import { deepCopy, deepEqual, type KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { isConditionTrue } from '../conditions.js';
import { isFinishedJob } from '../job/status.js';
import { type Change, type Look, startLevelController, type Wake } from '../level-controller.js';
import { ownersConcerned } from '../ownership.js';
import { ownedBy, pathOfObject } from '../references.js';
import { about, cronJobs, jobs, object } from '../requests.js';
import { answeredWith, attempt, isNamespaceTerminating, type Steps, type Sync, SyncFailed } from '../sync.js';
import { lastDue, localText, readSchedule, type Schedule } from './schedule.js';

/** Added to each wait, against clocks that go apart. */
const deltaMs = 100;

interface JobReference {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

/** Makes Jobs at the times of a schedule (WL-102 to WL-107). */
export function startCronJobController(host: Host, feed: ObjectFeed): void {
  startLevelController(host, feed, {
    name: 'cronjob-controller',
    resource: 'cronjobs.batch',
    own: (change) => ownWakes(change, host.nowMs()),
    related: { 'jobs.batch': (change, view) => ownersConcerned('cronjobs.batch', 'CronJob', change, view) },
    sync,
  });
}

/** WL-104 */
function ownWakes({ object: cronJob, previous }: Change, nowMs: number): readonly Wake[] {
  const key = pathOfObject(cronJob);
  const same = (field: string) => previous?.spec?.[field] === cronJob.spec?.[field];
  if (previous === undefined || (same('schedule') && same('timeZone'))) return [key];
  const schedule = scheduleOf(cronJob);
  return schedule === undefined ? [] : [{ key, afterMs: nextMs(cronJob, schedule, nowMs) }];
}

function scheduleOf({ spec }: KubeObject): Schedule | undefined {
  return readSchedule(spec?.schedule ?? '', spec?.timeZone);
}

function earliestOf({ metadata, status }: KubeObject): number {
  return Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
}

function nextMs(cronJob: KubeObject, schedule: Schedule, nowMs: number): number {
  const earliest = earliestOf(cronJob);
  const from = lastDue(schedule, earliest, nowMs).atMs ?? earliest;
  return (schedule.next(from) ?? nowMs) + deltaMs - nowMs;
}

function* sync(key: string, look: Look): Sync {
  const { view } = look;
  const known = view.get('cronjobs.batch', key);
  if (known === undefined) return;
  const draft = deepCopy(known);
  draft.status ??= {};
  const children = view.controlledBy('jobs.batch', draft);
  const failure = yield* attempt(lookAfter(draft, children, look));
  // What has been found out is written down also when the look has failed.
  if (!deepEqual(draft.status, known.status ?? {})) yield about('update', cronJobs, draft, draft, 'status');
  if (failure !== undefined) throw failure;
}

function* lookAfter(draft: KubeObject, children: readonly KubeObject[], look: Look): Steps<void> {
  yield* cleanUp(draft, children, look);
  yield* follow(draft, children, look);
  yield* forgetMissing(draft, children, look);
  if (draft.metadata.deletionTimestamp === undefined && draft.spec?.suspend !== true) yield* startDue(draft, look);
}

function activeIn(cronJob: KubeObject): readonly JobReference[] {
  return cronJob.status?.active ?? [];
}

function dropActive(draft: KubeObject, uid: string | undefined): void {
  const { active: _, ...status } = draft.status;
  const left = activeIn(draft).filter((each) => each.uid !== uid);
  draft.status = { ...status, ...(left.length > 0 && { active: left }) };
}

/** WL-106: looks after the Jobs that there are. */
function* follow(draft: KubeObject, children: readonly KubeObject[], { event }: Look): Steps<void> {
  for (const job of children) {
    const { uid, name } = job.metadata;
    const found = activeIn(draft).some((each) => each.uid === uid);
    if (!isFinishedJob(job)) {
      if (found) continue;
      const fresh = yield* object(about('get', cronJobs, draft));
      if (activeIn(fresh).some((each) => each.uid === uid)) Object.assign(draft, deepCopy(fresh));
      else event(draft, 'Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
      continue;
    }
    const complete = isConditionTrue(job.status?.conditions, 'Complete');
    if (found) {
      dropActive(draft, uid);
      event(draft, 'Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${complete ? 'Complete' : 'Failed'}`);
    }
    const { completionTime } = job.status;
    const { lastSuccessfulTime } = draft.status;
    if (!complete || completionTime === undefined || (lastSuccessfulTime !== undefined && lastSuccessfulTime >= completionTime)) continue;
    draft.status.lastSuccessfulTime = completionTime;
  }
}

function* forgetMissing(draft: KubeObject, children: readonly KubeObject[], { event }: Look): Steps<void> {
  for (const { name, namespace, uid } of activeIn(draft)) {
    if (children.some(({ metadata }) => metadata.uid === uid)) continue;
    try {
      yield about('get', jobs, { metadata: { name, namespace } });
    } catch (error) {
      if (!answeredWith(error, 404)) throw error;
      event(draft, 'Normal', 'MissingJob', `Active job went missing: ${name}`);
      dropActive(draft, uid);
    }
  }
}

function* startDue(draft: KubeObject, look: Look): Steps<void> {
  const { event, host, again } = look;
  const nowMs = host.nowMs();
  const times = scheduleOf(draft);
  if (times === undefined) {
    event(draft, 'Warning', 'UnparseableSchedule', `unparseable schedule: ${JSON.stringify(draft.spec?.schedule)}`);
    return;
  }
  const { startingDeadlineSeconds: deadline, concurrencyPolicy } = draft.spec ?? {};
  const earliest = deadline === undefined ? earliestOf(draft) : Math.max(earliestOf(draft), nowMs - deadline * 1000);
  const { atMs, many } = lastDue(times, earliest, nowMs);
  if (many)
    event(
      draft,
      'Warning',
      'TooManyMissedTimes',
      'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    );
  const name = `${draft.metadata.name}-${Math.floor((atMs ?? 0) / 60_000)}`;
  const done = atMs === undefined || rfc3339(atMs) === draft.status.lastScheduleTime || activeIn(draft).some((each) => each.name === name);
  const forbidden = !done && concurrencyPolicy === 'Forbid' && activeIn(draft).length > 0;
  if (forbidden)
    event(draft, 'Normal', 'JobAlreadyActive', 'Not starting job because prior execution is running and concurrency policy is Forbid');
  if (done || forbidden) {
    again(nextMs(draft, times, nowMs));
    return;
  }
  if (concurrencyPolicy === 'Replace') {
    for (const { name: old, namespace } of activeIn(draft)) {
      const job = yield* object(about('get', jobs, { metadata: { name: old, namespace } }));
      if (!(yield* remove(draft, job, look))) throw new SyncFailed(`could not replace job ${namespace}/${old}`);
    }
  }
  const job = yield* start(draft, jobOf(draft, name, atMs), look);
  const { apiVersion, kind, metadata } = job;
  const reference = { kind, namespace: metadata.namespace, name, uid: metadata.uid, apiVersion, resourceVersion: metadata.resourceVersion };
  draft.status = { ...draft.status, active: [...activeIn(draft), reference], lastScheduleTime: rfc3339(atMs) };
  again(nextMs(draft, times, nowMs));
}

function* start(draft: KubeObject, job: KubeObject, { event }: Look): Steps<KubeObject> {
  try {
    const made = yield* object(about('create', jobs, job, job));
    event(draft, 'Normal', 'SuccessfulCreate', `Created job ${made.metadata.name}`);
    return made;
  } catch (error) {
    if (!(error instanceof SyncFailed) || isNamespaceTerminating(error)) throw error;
    // WL-107: the real controller looks such a Job up without its namespace, so it never finds it.
    if (answeredWith(error, 409)) throw new SyncFailed('the server could not find the requested resource');
    event(draft, 'Warning', 'FailedCreate', `Error creating job: ${error.message}`);
    throw error;
  }
}

/** WL-102 */
function jobOf(cronJob: KubeObject, name: string, atMs: number): KubeObject {
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  const scheduled = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': localText(atMs, cronJob.spec?.timeZone) };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      ...(metadata?.labels !== undefined && { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, ...scheduled },
      ...ownedBy(cronJob),
    },
    spec,
  };
}

function* remove(draft: KubeObject, job: KubeObject, { event }: Look): Steps<boolean> {
  try {
    yield about('delete', jobs, job, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' });
  } catch (error) {
    if (!(error instanceof SyncFailed)) throw error;
    event(draft, 'Warning', 'FailedDelete', `Deleted job: ${error.message}`);
    return false;
  }
  dropActive(draft, job.metadata.uid);
  event(draft, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  return true;
}

/** The oldest finished Jobs beyond the limits go. */
function* cleanUp(draft: KubeObject, children: readonly KubeObject[], look: Look): Steps<void> {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = draft.spec ?? {};
  for (const [type, limit] of [
    ['Complete', successfulJobsHistoryLimit],
    ['Failed', failedJobsHistoryLimit],
  ] as const) {
    if (limit === undefined) continue;
    const ended = children.filter((job) => isConditionTrue(job.status?.conditions, type));
    const sorted = [...ended].sort((a, b) => (startOf(a) === startOf(b) ? byName(a, b) : startOf(a) < startOf(b) ? -1 : 1));
    for (const job of sorted.slice(0, Math.max(0, sorted.length - limit))) yield* remove(draft, job, look);
  }
}

function startOf({ status }: KubeObject): string {
  return status?.startTime ?? '9';
}

function byName(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
