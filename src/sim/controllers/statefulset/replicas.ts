import type { KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { isFinished } from '../pod-state.js';
import { about, object, pods as resource } from '../requests.js';
import { answeredWith, attempt, type Steps, SyncFailed } from '../sync.js';
import { claimsMatchPolicy, createClaims, hasStaleClaim, syncClaimOwners } from './claims.js';
import { hasIdentity, hasStorage, isCreated, isGoing, runsAndReady, serves, withIdentity, withStorage } from './pods.js';

const mostTries = 4;

/** Brings one pod that the set wants nearer to what it shall be. @returns whether nothing may be done to the others now (WL-58) */
export function* syncReplica(set: KubeObject, updated: KubeObject, pod: KubeObject, inOrder: boolean, look: Look): Steps<boolean> {
  if (isFinished(pod)) {
    // WL-60
    if (!isGoing(pod)) yield* deleteReplica(set, pod, look);
    return true;
  }
  if (!isCreated(pod)) {
    if (hasStaleClaim(set, pod, look)) return true;
    yield* create(set, pod, look);
    if (inOrder) return true;
  }
  if (pod.status?.phase === 'Pending') {
    yield* createClaims(set, pod, look);
    yield* reporting('update', set, pod, look, syncClaimOwners(set, pod, look));
  }
  if (inOrder && (isGoing(pod) || !runsAndReady(pod) || !serves(set, pod, look.host.nowMs()))) return true;
  if (!isCreated(pod) || (hasIdentity(pod) && hasStorage(set, pod) && claimsMatchPolicy(updated, pod, look))) return false;
  yield* update(updated, pod, look);
  return false;
}

/** WL-72: a name that is taken is no event. */
function* create(set: KubeObject, pod: KubeObject, look: Look): Steps<void> {
  yield* reporting('create', set, pod, look, createClaims(set, pod, look));
  const failure = yield* attempt(object(about('create', resource, pod, pod)));
  if (answeredWith(failure, 409)) throw failure;
  yield* reporting('update', set, pod, look, syncClaimOwners(set, pod, look));
  report('create', set, pod, look, failure);
  if (failure !== undefined) throw failure;
}

function* update(set: KubeObject, pod: KubeObject, look: Look): Steps<void> {
  let latest = pod;
  let consistent = true;
  for (let tries = 1; ; tries++) {
    if (!hasIdentity(latest)) {
      latest = withIdentity(set, latest);
      consistent = false;
    }
    if (!hasStorage(set, latest)) {
      latest = withStorage(set, latest);
      consistent = false;
      yield* reporting('update', set, pod, look, createClaims(set, latest, look));
    }
    if (!claimsMatchPolicy(set, latest, look)) {
      yield* reporting('update', set, pod, look, syncClaimOwners(set, latest, look));
      consistent = false;
    }
    if (consistent) return;
    try {
      yield about('update', resource, latest, latest);
      report('update', set, pod, look);
      return;
    } catch (error) {
      if (!(error instanceof SyncFailed)) throw error;
      if (!answeredWith(error, 409) || tries >= mostTries) {
        report('update', set, pod, look, error);
        throw error;
      }
      latest = yield* object(about('get', resource, pod));
    }
  }
}

/** WL-61 */
export function* deleteReplica(set: KubeObject, pod: KubeObject, look: Look): Steps<void> {
  try {
    yield about('delete', resource, pod);
  } catch (error) {
    if (!(error instanceof SyncFailed)) throw error;
    if (!answeredWith(error, 404)) {
      report('delete', set, pod, look, error);
      throw error;
    }
  }
  report('delete', set, pod, look);
}

function* reporting(verb: Verb, set: KubeObject, pod: KubeObject, look: Look, steps: Steps<void>): Steps<void> {
  try {
    yield* steps;
  } catch (error) {
    if (error instanceof SyncFailed) report(verb, set, pod, look, error);
    throw error;
  }
}

type Verb = 'create' | 'update' | 'delete';

const titles = { create: 'Create', update: 'Update', delete: 'Delete' } as const;

/** WL-61 */
function report(verb: Verb, set: KubeObject, pod: KubeObject, { event }: Look, failure?: SyncFailed): void {
  const what = `${titles[verb]} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  if (failure === undefined) event(set, 'Normal', `Successful${titles[verb]}`, `${what} successful`);
  else event(set, 'Warning', `Failed${titles[verb]}`, `${what} failed error: ${failure.message}`);
}
