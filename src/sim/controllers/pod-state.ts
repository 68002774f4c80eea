import { rfc3339 } from '../apiserver/metadata.js';
import type { KubeObject } from '../etcd/object.js';

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly observedGeneration?: number;
}

export function podCondition(pod: KubeObject, type: string): PodCondition | undefined {
  return ((pod.status?.conditions ?? []) as readonly PodCondition[]).find((condition) => condition.type === type);
}

/** The part of a status patch that sets a condition; one that is new comes after those that are there (PA-9). */
export function oneMoreCondition(pod: KubeObject, condition: PodCondition) {
  const before: readonly PodCondition[] = pod.status?.conditions ?? [];
  const types = before.map(({ type }) => type);
  const order = types.includes(condition.type) ? types : [...types, condition.type];
  return { '$setElementOrder/conditions': order.map((type) => ({ type })), conditions: [condition] };
}

/** The condition of a pod that says why somebody is about to delete it. */
export function disruptionTarget({ metadata: { generation } }: KubeObject, reason: string, message: string, nowMs: number): PodCondition {
  return {
    type: 'DisruptionTarget',
    ...(generation !== undefined && { observedGeneration: generation }),
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: rfc3339(nowMs),
    reason,
    message,
  };
}

/** WL-16 */
export function isReady(pod: KubeObject): boolean {
  return podCondition(pod, 'Ready')?.status === 'True';
}

/** WL-16 */
export function isAvailable(pod: KubeObject, minReadySeconds: number, nowMs: number): boolean {
  const wait = availableInMs(pod, minReadySeconds, nowMs);
  return wait !== undefined && wait <= 0;
}

/** In how many milliseconds a ready pod is available; undefined: there is no telling. */
function availableInMs(pod: KubeObject, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = podCondition(pod, 'Ready')?.lastTransitionTime;
  return since === undefined || since === null ? undefined : Date.parse(since) + minReadySeconds * 1000 - nowMs;
}

/** In how many milliseconds the next of the pods is available that are ready and are not available yet. */
export function nextAvailableMs(pods: readonly KubeObject[], minReadySeconds: number, nowMs: number): number {
  const waits = pods.map((pod) => availableInMs(pod, minReadySeconds, nowMs) ?? 0).filter((wait) => wait > 0);
  return waits.length === 0 ? minReadySeconds * 1000 : Math.min(...waits);
}

export function isFinished(pod: KubeObject): boolean {
  return pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
}

/** WL-17 */
export function isActive(pod: KubeObject): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

export function isTerminating(pod: KubeObject): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** WL-21: which of two pods of one owner is needed less; its `rank` is how crowded its node is. */
export function lessNeeded(rank: (pod: KubeObject) => number, nowMs: number): (a: KubeObject, b: KubeObject) => number {
  return (a, b) => {
    const byState =
      Number(isAssigned(a)) - Number(isAssigned(b)) ||
      phaseOrder(a) - phaseOrder(b) ||
      Number(isReady(a)) - Number(isReady(b)) ||
      deletionCost(a) - deletionCost(b) ||
      rank(b) - rank(a);
    if (byState !== 0) return byState;
    if (isReady(a) && isReady(b)) {
      const byAge = younger(podCondition(a, 'Ready')?.lastTransitionTime, podCondition(b, 'Ready')?.lastTransitionTime, nowMs);
      if (byAge !== undefined) return byAge || byUid(a, b);
    }
    const byRestarts = restarts(b) - restarts(a);
    if (byRestarts !== 0) return byRestarts;
    const byAge = younger(a.metadata.creationTimestamp, b.metadata.creationTimestamp, nowMs);
    return byAge === undefined ? 0 : byAge || byUid(a, b);
  };
}

/** Ages are compared by their logarithm, so that it is chance among those of nearly the same age. Undefined: the same time. */
function younger(a: string | null | undefined, b: string | null | undefined, nowMs: number): number | undefined {
  if ((a ?? undefined) === (b ?? undefined)) return undefined;
  if (!a || !b) return a ? 1 : -1;
  const order = (text: string) => {
    const age = (nowMs - Date.parse(text)) * 1_000_000;
    return age > 0 ? Math.trunc(Math.log2(age)) : -1;
  };
  return order(a) - order(b);
}

function byUid(a: KubeObject, b: KubeObject): number {
  return (a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1;
}

/** The claims that a pod's volumes name: `default/data-web-0`. */
export function claimsOf(pod: KubeObject): readonly string[] {
  const volumes: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[] = pod.spec?.volumes ?? [];
  return volumes.flatMap(({ persistentVolumeClaim: claim }) =>
    claim === undefined ? [] : [`${pod.metadata.namespace}/${claim.claimName}`],
  );
}

/** Whether the pod is on a node. */
export function isAssigned(pod: KubeObject): boolean {
  return (pod.spec?.nodeName ?? '') !== '';
}

function phaseOrder(pod: KubeObject): number {
  switch (pod.status?.phase) {
    case 'Unknown':
      return 1;
    case 'Running':
      return 2;
    default:
      return 0;
  }
}

function deletionCost(pod: KubeObject): number {
  const text = pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '';
  return /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : 0;
}

function restarts(pod: KubeObject): number {
  const statuses: readonly { readonly restartCount?: number }[] = pod.status?.containerStatuses ?? [];
  return Math.max(0, ...statuses.map(({ restartCount = 0 }) => restartCount));
}
