import { deepCopy, type KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { type Change, type Look, startLevelController, type Wake } from '../level-controller.js';
import { claim, ownersConcerned, resolve, selectedBy } from '../ownership.js';
import { pathOfObject } from '../references.js';
import { deployments, replicaSets as resource } from '../requests.js';
import type { Steps, Sync } from '../sync.js';
import type { View } from '../view.js';
import { recreate } from './recreate.js';
import { isRolling } from './replica-sets.js';
import { syncRevision } from './revisions.js';
import { roll } from './rolling.js';
import { cleanUp, isScaling, scale } from './scaling.js';
import { syncPaused, syncStatus } from './status.js';

/** Keeps a ReplicaSet of a Deployment's present template, and hands the pods over to it (WL-30 to WL-53). */
export function startDeploymentController(host: Host, feed: ObjectFeed): void {
  startLevelController(host, feed, {
    name: 'deployment-controller',
    resource: 'deployments.apps',
    related: { 'replicasets.apps': (change, view) => ownersConcerned('deployments.apps', 'Deployment', change, view), pods: podWakes },
    retries: { firstMs: 5, most: 15 },
    sync,
  });
}

/** Only a Deployment that recreates waits for pods: for the last of them to be gone. */
function podWakes({ type, object }: Change, view: View): readonly Wake[] {
  if (type !== 'DELETED') return [];
  const replicaSet = resolve('replicasets.apps', 'ReplicaSet', object, view);
  const deployment = replicaSet && resolve('deployments.apps', 'Deployment', replicaSet, view);
  if (deployment === undefined || isRolling(deployment)) return [];
  const some = view.controlledBy('replicasets.apps', deployment).some((each) => view.controlledBy('pods', each).length > 0);
  return some ? [] : [pathOfObject(deployment)];
}

function* sync(key: string, look: Look): Sync {
  const { view } = look;
  const deployment = view.get('deployments.apps', key);
  if (deployment === undefined) {
    look.deadline(undefined);
    return;
  }
  const draft = deepCopy(deployment);
  const near = view.list('replicasets.apps', draft.metadata.namespace);
  const matches = (replicaSet: KubeObject) => selectedBy(draft, replicaSet);
  const owned = yield* claim(near, { owner: draft, ownerResource: deployments, resource, matches });
  // WL-53
  if (draft.metadata.deletionTimestamp !== undefined) {
    yield* syncStatus(draft, yield* syncRevision(draft, owned, false, look), look);
    return;
  }
  yield* syncPaused(draft, look);
  if (draft.spec?.paused === true) {
    yield* resize(draft, owned, look);
    return;
  }
  if (isScaling(draft, yield* syncRevision(draft, owned, false, look))) yield* resize(draft, owned, look);
  else if (isRolling(draft)) yield* roll(draft, owned, look);
  else yield* recreate(draft, owned, look);
}

/** No rollout goes on while the size changes, or while the Deployment is paused. */
function* resize(draft: KubeObject, owned: readonly KubeObject[], look: Look): Steps<void> {
  const replicaSets = yield* syncRevision(draft, owned, false, look);
  yield* scale(draft, replicaSets, look);
  if (draft.spec?.paused === true) yield* cleanUp(draft, replicaSets.old);
  yield* syncStatus(draft, replicaSets, look);
}
