import { rfc3339 } from '../apiserver/metadata.js';
import type { KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { type Look, startLevelController } from './level-controller.js';
import { isFinished, isReady } from './pod-state.js';
import { about, pods } from './requests.js';
import type { Sync } from './sync.js';

/** How long a pod takes to become ready on a calm day, in virtual milliseconds. */
const startMs = 2_000;

/** How long the containers of a pod run that is to come to an end, in virtual milliseconds. */
const runMs = 1_000;

/**
 * Stands for scheduler and kubelet: makes pods ready after a while, lets those come to a good end that are not to run for
 * ever, and lets those go that are to be deleted.
 */
export function startKubelet(host: Host, feed: ObjectFeed): void {
  /** When the containers of a pod are up, by its uid: in milliseconds since 1970. */
  const upAtMs = new Map<string, number>();
  startLevelController(host, feed, {
    name: 'kubelet',
    program: 'kubelet',
    resource: 'pods',
    related: {},
    sync: (key, look) => sync(key, look, upAtMs),
  });
}

function* sync(key: string, { view, host, again }: Look, upAtMs: Map<string, number>): Sync {
  const pod = view.get('pods', key);
  if (pod === undefined) return;
  const uid = pod.metadata.uid ?? '';
  if (pod.metadata.deletionTimestamp !== undefined) {
    // With grace 0 the kubelet says that the containers have stopped (DE-8).
    if ((pod.metadata.deletionGracePeriodSeconds ?? 0) > 0)
      yield about('delete', pods, pod, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid } });
    return;
  }
  if (isFinished(pod)) return;
  if (isReady(pod)) {
    const endAt = (upAtMs.get(uid) ?? 0) + runMs;
    if (pod.spec?.restartPolicy === 'Always') return;
    if (endAt > host.nowMs()) again(endAt - host.nowMs());
    else yield about('patch', pods, pod, succeededOf(pod, host), 'status');
    return;
  }
  const upAt = upAtMs.get(uid);
  if (upAt === undefined) {
    upAtMs.set(uid, host.nowMs() + startMs);
    again(startMs);
  } else if (upAt <= host.nowMs()) yield about('patch', pods, pod, runningOf(pod, host), 'status');
}

/** The status of a pod whose containers all run, guarded by the uid: a namesake is another pod. */
function runningOf(pod: KubeObject, host: Host): unknown {
  const now = rfc3339(host.nowMs());
  const condition = (type: string) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: now });
  return {
    metadata: { uid: pod.metadata.uid },
    status: {
      phase: 'Running',
      startTime: now,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
    },
  };
}

/** The status of a pod whose containers have all ended well. */
function succeededOf(pod: KubeObject, host: Host): unknown {
  const now = rfc3339(host.nowMs());
  const ended = (type: string) => ({ type, status: 'False', reason: 'PodCompleted', lastProbeTime: null, lastTransitionTime: now });
  return { metadata: { uid: pod.metadata.uid }, status: { phase: 'Succeeded', conditions: ['Ready', 'ContainersReady'].map(ended) } };
}
