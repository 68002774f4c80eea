import type { KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { type Condition, findCondition } from './conditions.js';
import { type Look, startLevelController } from './level-controller.js';
import { about, jobs, object } from './requests.js';
import { answeredWith, type Sync } from './sync.js';

/** Deletes Jobs so long after their end as they ask for (WL-101). */
export function startTtlAfterFinished(host: Host, feed: ObjectFeed): void {
  startLevelController(host, feed, { name: 'ttl-after-finished-controller', resource: 'jobs.batch', related: {}, sync });
}

function* sync(key: string, { view, host, again }: Look): Sync {
  const job = view.get('jobs.batch', key);
  if (job === undefined) return;
  const leftMs = msLeft(job, host.nowMs());
  if (leftMs === undefined) return;
  if (leftMs > 0) {
    again(leftMs);
    return;
  }
  try {
    // The cache may be behind: a new ttl, or a namesake.
    const latest = yield* object(about('get', jobs, job));
    const latestMs = msLeft(latest, host.nowMs());
    if (latestMs === undefined || latestMs > 0) return;
    const preconditions = { uid: latest.metadata.uid };
    yield about('delete', jobs, latest, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground', preconditions });
  } catch (error) {
    if (!answeredWith(error, 404)) throw error;
  }
}

/** How long the Job may still stay; undefined: for ever, or it is going already. */
function msLeft(job: KubeObject, nowMs: number): number | undefined {
  const ttl: number | undefined = job.spec?.ttlSecondsAfterFinished;
  if (ttl === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  const conditions: readonly Condition[] | undefined = job.status?.conditions;
  const end = [findCondition(conditions, 'Complete'), findCondition(conditions, 'Failed')].find((each) => each?.status === 'True');
  if (end?.lastTransitionTime === undefined) return undefined;
  return Date.parse(end.lastTransitionTime) + ttl * 1000 - nowMs;
}
