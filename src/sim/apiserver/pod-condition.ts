import type { KubeObject } from '../etcd/object.js';
import { rfc3339 } from './metadata.js';

interface PodCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** The pod with a condition in the place of the one of its type; it keeps its time while its status is the same. */
export function withPodCondition(pod: KubeObject, condition: PodCondition, nowMs: number): KubeObject {
  const present: readonly PodCondition[] = pod.status?.conditions ?? [];
  const { type, status, ...rest } = condition;
  const before = present.find((each) => each.type === type);
  const since = before !== undefined && before.status === status ? before.lastTransitionTime : rfc3339(nowMs);
  const after = { type, status, lastProbeTime: null, lastTransitionTime: since, ...rest };
  const conditions = before === undefined ? [...present, after] : present.map((each) => (each === before ? after : each));
  return { ...pod, status: { ...pod.status, conditions } };
}
