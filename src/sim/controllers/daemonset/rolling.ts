import type { KubeObject } from '../../etcd/object.js';
import { scaled } from '../int-or-percent.js';
import type { Look } from '../level-controller.js';
import { isAvailable } from '../pod-state.js';
import type { Steps } from '../sync.js';
import { SyncFailed } from '../sync.js';
import { surge } from './manage.js';
import { wishFor } from './nodes.js';
import { type ByNode, podsByNode } from './owned-pods.js';
import { isUpdated } from './pods.js';
import type { Changes } from './sync-nodes.js';

/** What a rolling update may change now (WL-81). */
export function* rollingChanges(daemonSet: KubeObject, nodes: readonly KubeObject[], hash: string, look: Look): Steps<Changes> {
  const byNode = yield* podsByNode(daemonSet, look);
  let wanted = 0;
  for (const node of nodes) {
    if (!wishFor(daemonSet, node).shouldRun) continue;
    wanted += 1;
    const name = node.metadata.name ?? '';
    if (!byNode.has(name)) byNode.set(name, []);
  }
  const maxSurge = surge(daemonSet, wanted);
  const allowed = scaled(daemonSet.spec?.updateStrategy?.rollingUpdate?.maxUnavailable, wanted, Math.ceil);
  const maxUnavailable = wanted > 0 && allowed === 0 && maxSurge === 0 ? 1 : allowed;
  const rollout = { daemonSet, byNode, hash, nowMs: look.host.nowMs() };
  return maxSurge === 0 ? replacing(rollout, maxUnavailable) : surging(rollout, maxSurge, wanted, look);
}

interface Rollout {
  readonly daemonSet: KubeObject;
  readonly byNode: ByNode;
  readonly hash: string;
  readonly nowMs: number;
}

/** At most one pod of the present template and at most one of another; undefined: there are more, they have to go first. */
interface Pair {
  readonly current?: KubeObject;
  readonly old?: KubeObject;
}

function pairOn({ daemonSet, hash }: Rollout, pods: readonly KubeObject[]): Pair | undefined {
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const [current, ...more] = staying.filter((pod) => isUpdated(daemonSet, pod, hash));
  const [old, ...others] = staying.filter((pod) => !isUpdated(daemonSet, pod, hash));
  if (more.length + others.length > 0) return undefined;
  return { ...(current !== undefined && { current }), ...(old !== undefined && { old }) };
}

function serves({ daemonSet, nowMs }: Rollout, pod: KubeObject): boolean {
  return isAvailable(pod, Number(daemonSet.spec?.minReadySeconds ?? 0), nowMs);
}

/** Old pods are deleted: those that do not serve at once, the others as far as the budget allows. */
function replacing(rollout: Rollout, maxUnavailable: number): Changes {
  let unavailable = 0;
  const useless: KubeObject[] = [];
  const candidates: KubeObject[] = [];
  for (const pods of rollout.byNode.values()) {
    const pair = pairOn(rollout, pods);
    if (pair === undefined || (pair.old === undefined) === (pair.current === undefined)) unavailable += 1;
    else if (pair.current !== undefined) unavailable += Number(!serves(rollout, pair.current));
    else if (pair.old !== undefined && !serves(rollout, pair.old)) {
      useless.push(pair.old);
      unavailable += 1;
    } else if (pair.old !== undefined && unavailable < maxUnavailable) candidates.push(pair.old);
  }
  const left = Math.max(0, maxUnavailable - unavailable);
  return { nodesToFill: [], podsToDelete: [...useless, ...candidates.slice(0, left)] };
}

/** New pods come beside the old ones, which go when the new serve. */
function surging(rollout: Rollout, maxSurge: number, wanted: number, { view }: Look): Changes {
  const { daemonSet } = rollout;
  const podsToDelete: KubeObject[] = [];
  const unwanted: KubeObject[] = [];
  const useless: string[] = [];
  const candidates: string[] = [];
  let surged = 0;
  let available = 0;
  for (const [name, pods] of rollout.byNode) {
    const pair = pairOn(rollout, pods);
    if (pair === undefined) {
      surged += 1;
      continue;
    }
    const { current, old } = pair;
    const counted = old ?? current;
    if (counted !== undefined && serves(rollout, counted)) available += 1;
    if (old === undefined) continue;
    if (current !== undefined) {
      if (serves(rollout, current)) podsToDelete.push(old);
      else surged += 1;
      continue;
    }
    const node = view.get('nodes', name);
    if (node === undefined) throw new SyncFailed(`couldn't get node for nodeName "${name}"`);
    const { shouldRun } = wishFor(daemonSet, node);
    if (!serves(rollout, old)) {
      if (shouldRun) useless.push(name);
      else podsToDelete.push(old);
    } else if (!shouldRun) unwanted.push(old);
    else if (surged < maxSurge) candidates.push(name);
  }
  // Who asks for surge shall never be without a pod that serves.
  podsToDelete.push(...unwanted.slice(0, Math.max(0, available - wanted)));
  return { nodesToFill: [...useless, ...candidates.slice(0, Math.max(0, maxSurge - surged))], podsToDelete };
}
