import type { KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { claim, selectedBy } from '../ownership.js';
import { isFinished } from '../pod-state.js';
import { daemonSets, pods } from '../requests.js';
import type { Steps } from '../sync.js';
import { targetNode } from './pods.js';

/** The DaemonSet's pods; orphans among them are adopted, and those that do not match any more are released (WL-24, WL-25). */
export function* ownedPods(daemonSet: KubeObject, { view }: Look): Steps<readonly KubeObject[]> {
  const near = view.list('pods', daemonSet.metadata.namespace);
  const matches = (pod: KubeObject) => selectedBy(daemonSet, pod);
  return yield* claim(near, { owner: daemonSet, ownerResource: daemonSets, resource: pods, matches });
}

/** The pods by the name of the node that they are on or meant for; those that have ended and are going already are left out. */
export type ByNode = ReadonlyMap<string, readonly KubeObject[]>;

export function* podsByNode(daemonSet: KubeObject, look: Look): Steps<Map<string, KubeObject[]>> {
  const byNode = new Map<string, KubeObject[]>();
  for (const pod of yield* ownedPods(daemonSet, look)) {
    const node = targetNode(pod);
    if (node === undefined || (isFinished(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  return byNode;
}
