import type { Host, ObjectFeed } from '../host.js';
import { type Change, type Look, startLevelController } from './level-controller.js';
import { claimsOf, isAssigned, isFinished } from './pod-state.js';
import { about, persistentVolumeClaims } from './requests.js';
import type { Sync } from './sync.js';

const finalizer = 'kubernetes.io/pvc-protection';

/** Lets a claim that is being deleted go once no pod that is on a node names it (WL-71). */
export function startClaimProtection(host: Host, feed: ObjectFeed): void {
  startLevelController(host, feed, {
    name: 'pvc-protection-controller',
    resource: 'persistentvolumeclaims',
    related: { pods: podWakes },
    sync,
  });
}

function podWakes({ type, object, previous }: Change): readonly string[] {
  if (type !== 'DELETED' && !isFinished(object) && isAssigned(object)) return [];
  return claimsOf(previous ?? object);
}

function* sync(key: string, { view }: Look): Sync {
  const claim = view.get('persistentvolumeclaims', key);
  if (claim === undefined) return;
  const { namespace, deletionTimestamp, finalizers = [] } = claim.metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return;
  // A pod without a node does not start with a claim that is going; one that has ended may still have its volumes.
  if (view.list('pods', namespace).some((pod) => isAssigned(pod) && claimsOf(pod).includes(key))) return;
  const metadata = { ...claim.metadata, finalizers: finalizers.filter((each) => each !== finalizer) };
  yield about('update', persistentVolumeClaims, claim, { ...claim, metadata });
}
