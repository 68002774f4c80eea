import type { KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { createPods, deletePods } from '../pod-control.js';
import { pathOfObject } from '../references.js';
import type { Steps } from '../sync.js';
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
  const podAt = (index: number) => daemonPod(daemonSet, hash, nodesToFill[index] as string);
  const { made, error } = yield* createPods(daemonSet, Math.min(nodesToFill.length, burst), podAt, look);
  const undeleted = yield* deletePods(daemonSet, victims, { key, look, deletions });
  const failure = error ?? undeleted;
  if (failure !== undefined) throw failure;
  return deletions.satisfied(key, look.view) && made.every((pod) => look.view.get('pods', pathOfObject(pod)) !== undefined);
}
