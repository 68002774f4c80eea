import type { KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { isFinished } from '../pod-state.js';
import type { Steps } from '../sync.js';
import { active, type ReplicaSets, sumStatus, wantedOf } from './replica-sets.js';
import { syncRevision } from './revisions.js';
import { cleanUp, scaleTo } from './scaling.js';
import { isComplete, syncRolloutStatus } from './status.js';

/** WL-46: all old pods go before the first new one comes. */
export function* recreate(draft: KubeObject, owned: readonly KubeObject[], look: Look): Steps<void> {
  let replicaSets = yield* syncRevision(draft, owned, false, look);
  let scaledDown = false;
  for (const replicaSet of active(replicaSets.old)) scaledDown = (yield* scaleTo(replicaSet, 0, draft, look)).scaled || scaledDown;
  if (!scaledDown && !oldPodsRun(replicaSets, owned, look)) {
    if (replicaSets.current === undefined) replicaSets = yield* syncRevision(draft, owned, true, look);
    yield* scaleTo(replicaSets.current as KubeObject, wantedOf(draft), draft, look);
    if (isComplete(draft, draft.status ?? {})) yield* cleanUp(draft, replicaSets.old);
  }
  yield* syncRolloutStatus(draft, replicaSets, look);
}

function oldPodsRun({ current, old }: ReplicaSets, owned: readonly KubeObject[], { view }: Look): boolean {
  if (sumStatus(old, 'replicas') > 0) return true;
  return owned.some(
    (replicaSet) =>
      replicaSet.metadata.uid !== current?.metadata.uid && view.controlledBy('pods', replicaSet).some((pod) => !isFinished(pod)),
  );
}
