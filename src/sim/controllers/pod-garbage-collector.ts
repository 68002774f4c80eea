import type { KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { type Change, type Look, startLevelController, type Wake } from './level-controller.js';
import { disruptionTarget, isAssigned, isFinished, oneMoreCondition, type PodCondition } from './pod-state.js';
import { pathOfObject } from './references.js';
import { about, nodes, pods, unlessGone } from './requests.js';
import { answeredWith, type Steps, type Sync } from './sync.js';

/** It looks so often (WL-119). */
const roundMs = 20_000;
/** A node is taken for lost when it has been missing for so long. */
const quarantineMs = 40_000;
/** Before the name of a node that is missing. */
const nodeKey = 'node ';

/** Takes away the pods that no kubelet will: those that end before they had a node, and those whose node is no more (WL-119). */
export function startPodGarbageCollector(host: Host, feed: ObjectFeed): void {
  const beganMs = host.nowMs();
  const nextRoundMs = (): number => roundMs - ((host.nowMs() - beganMs) % roundMs);
  /** Since when each node has been missing. */
  const missing = new Map<string, number>();
  const wake = (pod: KubeObject, isKnown: (node: string) => boolean): readonly Wake[] => {
    const node: string | undefined = pod.spec?.nodeName;
    if (node !== undefined && node !== '') return isKnown(node) ? [] : [{ key: nodeKey + node, afterMs: nextRoundMs() }];
    return pod.metadata.deletionTimestamp === undefined ? [] : [{ key: pathOfObject(pod), afterMs: nextRoundMs() }];
  };
  startLevelController(host, feed, {
    name: 'pod-garbage-collector',
    resource: 'pods',
    own: ({ type, object }, view) => (type === 'DELETED' ? [] : wake(object, (node) => view.get('nodes', node) !== undefined)),
    related: {
      nodes: ({ type, object: { metadata } }: Change) =>
        type === 'DELETED' ? [{ key: `${nodeKey}${metadata.name}`, afterMs: nextRoundMs() }] : [],
    },
    sync: (key, look) =>
      key.startsWith(nodeKey) ? collectLost(key.slice(nodeKey.length), look, missing, nextRoundMs) : collectUnbound(key, look),
  });
}

function* collectUnbound(key: string, look: Look): Sync {
  const pod = look.view.get('pods', key);
  if (pod === undefined || pod.metadata.deletionTimestamp === undefined || isAssigned(pod)) return;
  yield* failAndDelete(pod, undefined);
}

function* collectLost(node: string, look: Look, missing: Map<string, number>, nextRoundMs: () => number): Sync {
  const { view, host, again } = look;
  const bound = view.list('pods').filter((pod) => pod.spec?.nodeName === node);
  if (bound.length === 0 || view.get('nodes', node) !== undefined) {
    missing.delete(node);
    return;
  }
  const sinceMs = missing.get(node) ?? host.nowMs();
  missing.set(node, sinceMs);
  if (host.nowMs() < sinceMs + quarantineMs) {
    again(nextRoundMs());
    return;
  }
  missing.delete(node);
  if (yield* isThere(node)) return;
  const nowMs = host.nowMs();
  for (const pod of bound) yield* failAndDelete(pod, disruptionTarget(pod, 'DeletionByPodGC', 'PodGC: node no longer exists', nowMs));
}

function* isThere(node: string): Steps<boolean> {
  try {
    yield about('get', nodes, { metadata: { name: node } });
    return true;
  } catch (error) {
    if (!answeredWith(error, 404)) throw error;
    return false;
  }
}

/** Nobody else will say how it ended, so it has failed. */
function* failAndDelete(pod: KubeObject, condition: PodCondition | undefined): Steps<void> {
  const { generation, uid } = pod.metadata;
  if (!isFinished(pod)) {
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    const status = { ...observed, phase: 'Failed', ...(condition !== undefined && oneMoreCondition(pod, condition)) };
    if (!(yield* unlessGone(about('patch', pods, pod, { metadata: { uid }, status }, 'status')))) return;
  }
  yield* unlessGone(about('delete', pods, pod, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 }));
}
