import { withPodCondition } from '../../apiserver/pod-condition.js';
import type { KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { isActive, podCondition } from '../pod-state.js';
import { about, pods } from '../requests.js';
import type { Sync } from '../sync.js';

/** How long a pod may say that it is being disrupted and not go, in milliseconds. */
const staleMs = 120_000;

/** In how many milliseconds a pod has said for too long that it is being disrupted; undefined: it does not say so. */
export function staleInMs(pod: KubeObject, nowMs: number): number | undefined {
  const condition = podCondition(pod, 'DisruptionTarget');
  if (!isActive(pod) || condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return undefined;
  return Math.max(0, Date.parse(condition.lastTransitionTime ?? '1970-01-01T00:00:00Z') + staleMs - nowMs);
}

/** A pod that was to be disrupted and was not is told so. */
export function* letStay(path: string, { view, host, again }: Look): Sync {
  const pod = view.get('pods', path);
  const nowMs = host.nowMs();
  const leftMs = pod === undefined ? undefined : staleInMs(pod, nowMs);
  if (pod === undefined || leftMs === undefined) return;
  if (leftMs > 0) {
    again(leftMs);
    return;
  }
  const { generation } = pod.metadata;
  const condition = {
    type: 'DisruptionTarget',
    ...(generation !== undefined && { observedGeneration: generation }),
    status: 'False',
  } as const;
  yield about('update', pods, pod, withPodCondition(pod, condition, nowMs), 'status');
}
