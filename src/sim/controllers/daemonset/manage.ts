import type { KubeObject } from '../../etcd/object.js';
import { scaled } from '../int-or-percent.js';
import type { Look } from '../level-controller.js';
import { isAssigned, isAvailable, isReady } from '../pod-state.js';
import type { Memory } from './memory.js';
import { wishFor } from './nodes.js';
import { podsByNode } from './owned-pods.js';
import { byPlaceAndAge, hashLabel } from './pods.js';
import type { Changes } from './sync-nodes.js';

/** What has to be made and deleted so that each node has the pod that it shall have (WL-79, WL-80). */
export function* changesFor(daemonSet: KubeObject, nodes: readonly KubeObject[], hash: string, look: Look, memory: Memory) {
  const byNode = yield* podsByNode(daemonSet, look);
  const nodesToFill: string[] = [];
  const podsToDelete: KubeObject[] = [];
  for (const node of nodes) {
    const name = node.metadata.name ?? '';
    const there = byNode.get(name);
    const { shouldRun, mayStay } = wishFor(daemonSet, node);
    if (shouldRun && there === undefined) nodesToFill.push(name);
    else if (mayStay) {
      const { missing, surplus } = review(daemonSet, name, there ?? [], hash, look, memory);
      if (missing && shouldRun) nodesToFill.push(name);
      podsToDelete.push(...surplus);
    } else podsToDelete.push(...(there ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined));
  }
  // Nobody else deletes pods that wait for a node that is gone.
  const known = new Set(nodes.map(({ metadata }) => metadata.name ?? ''));
  for (const [name, pods] of byNode) if (!known.has(name)) podsToDelete.push(...pods.filter((pod) => !isAssigned(pod)));
  return { nodesToFill, podsToDelete } satisfies Changes;
}

/** What is to be done on one node where pods may run. */
function review(daemonSet: KubeObject, node: string, pods: readonly KubeObject[], hash: string, look: Look, memory: Memory) {
  const surplus: KubeObject[] = [];
  const running: KubeObject[] = [];
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const which = `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${node}`;
    switch (pod.status?.phase) {
      case 'Failed': {
        // The kubelet may refuse the next one just as fast.
        const waitMs = memory.failures.tooSoonMs(daemonSet, node, look.host.nowMs());
        if (waitMs > 0) {
          look.again(waitMs);
          break;
        }
        look.event(daemonSet, 'Warning', 'FailedDaemonPod', `Found failed ${which}, will try to kill it`);
        surplus.push(pod);
        break;
      }
      case 'Succeeded':
        look.event(daemonSet, 'Normal', 'SucceededDaemonPod', `Found succeeded ${which}, will try to delete it`);
        surplus.push(pod);
        break;
      default:
        running.push(pod);
    }
  }
  running.sort(byPlaceAndAge);
  if (!allowsSurge(daemonSet)) return { missing: false, surplus: [...surplus, ...running.slice(1)] };
  if (running.length <= 1) return { missing: running.length === 0, surplus };
  return { missing: false, surplus: [...surplus, ...tooMany(daemonSet, running, hash, look)] };
}

/** While it surges: one old pod and one new are too many as soon as the old is not ready, or the new available. */
function tooMany(daemonSet: KubeObject, running: readonly KubeObject[], hash: string, look: Look): readonly KubeObject[] {
  const isNew = (pod: KubeObject) => pod.metadata.labels?.[hashLabel] === hash;
  const newest = running.find(isNew);
  const old = running.find((pod) => !isNew(pod));
  const others = running.filter((pod) => pod !== newest && pod !== old);
  if (newest === undefined || old === undefined) return others;
  const replaced = !isReady(old) || isAvailable(newest, Number(daemonSet.spec?.minReadySeconds ?? 0), look.host.nowMs());
  return replaced ? [...others, old] : others;
}

function allowsSurge(daemonSet: KubeObject): boolean {
  return surge(daemonSet, 1) > 0;
}

/** How many nodes may have a new pod beside the old one. */
export function surge(daemonSet: KubeObject, nodes: number): number {
  const { type, rollingUpdate } = daemonSet.spec?.updateStrategy ?? {};
  return type === 'RollingUpdate' ? scaled(rollingUpdate?.maxSurge, nodes, Math.ceil) : 0;
}
