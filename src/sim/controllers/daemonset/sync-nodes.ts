import type { KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { createPod, deletePod, slowStart } from '../pod-control.js';
import { pathOfObject } from '../references.js';
import { answeredWith, isNamespaceTerminating, type Steps, SyncFailed } from '../sync.js';
import type { Memory } from './memory.js';
import { daemonPod } from './pods.js';

/** How many pods one look makes or deletes at most. */
const burst = 250;

export interface Changes {
  /** The names of nodes that are to have a new pod. */
  readonly nodesToFill: readonly string[];
  readonly podsToDelete: readonly KubeObject[];
}

/**
 * Makes and deletes pods (WL-9, WL-23).
 * @returns whether the cache shows all of it already
 * @throws SyncFailed when some of it could not be done; all of it has been tried
 */
export function* syncNodes(
  key: string,
  daemonSet: KubeObject,
  { nodesToFill, podsToDelete }: Changes,
  hash: string,
  look: Look,
  { deletions }: Memory,
): Steps<boolean> {
  const victims = podsToDelete.slice(0, burst);
  deletions.expect(key, victims);
  const made: KubeObject[] = [];
  const { error } = yield* slowStart(Math.min(nodesToFill.length, burst), function* (index) {
    try {
      made.push(yield* createPod(daemonSet, daemonPod(daemonSet, hash, nodesToFill[index] as string), look));
    } catch (failure) {
      if (!isNamespaceTerminating(failure)) throw failure;
    }
  });
  let failure = error;
  for (const pod of victims) {
    try {
      yield* deletePod(daemonSet, pod, look);
    } catch (error) {
      if (!(error instanceof SyncFailed)) throw error;
      deletions.drop(key, pod);
      if (!answeredWith(error, 404)) failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return deletions.satisfied(key, look.view) && made.every((pod) => look.view.get('pods', pathOfObject(pod)) !== undefined);
}
