import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { byAge } from '../age.js';
import { scaled } from '../int-or-percent.js';

export const hashLabel = 'pod-template-hash';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const historyAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';

/** A Deployment's ReplicaSets: the one of its present template, if there is one, and all others. */
export interface ReplicaSets {
  readonly current: KubeObject | undefined;
  readonly old: readonly KubeObject[];
}

export function all({ current, old }: ReplicaSets): readonly KubeObject[] {
  return current === undefined ? old : [...old, current];
}

export function wantedOf(object: KubeObject): number {
  return Number(object.spec?.replicas ?? 1);
}

export function active(replicaSets: readonly KubeObject[]): readonly KubeObject[] {
  return replicaSets.filter((replicaSet) => wantedOf(replicaSet) > 0);
}

export function sumWanted(replicaSets: readonly KubeObject[]): number {
  return replicaSets.reduce((sum, replicaSet) => sum + wantedOf(replicaSet), 0);
}

export function sumStatus(replicaSets: readonly KubeObject[], field: string): number {
  return replicaSets.reduce((sum, replicaSet) => sum + Number(replicaSet.status?.[field] ?? 0), 0);
}

/** WL-42: the oldest one with the Deployment's template, the label of the hash apart. */
export function split(deployment: KubeObject, owned: readonly KubeObject[]): ReplicaSets {
  const wanted = withoutHash(deployment.spec?.template);
  const current = [...owned].sort(byAge).find((replicaSet) => deepEqual(withoutHash(replicaSet.spec?.template), wanted));
  return { current, old: owned.filter((replicaSet) => replicaSet !== current) };
}

export function sameTemplate(deployment: KubeObject, replicaSet: KubeObject): boolean {
  return deepEqual(withoutHash(deployment.spec?.template), withoutHash(replicaSet.spec?.template));
}

function withoutHash(template: KubeObject | undefined): unknown {
  const { [hashLabel]: _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

export function isRolling(deployment: KubeObject): boolean {
  return deployment.spec?.strategy?.type === 'RollingUpdate';
}

/** How many pods there may be too many. */
export function maxSurge(deployment: KubeObject): number {
  if (!isRolling(deployment)) return 0;
  return scaled(deployment.spec?.strategy?.rollingUpdate?.maxSurge, wantedOf(deployment), Math.ceil);
}

/** How many pods there may be too few. WL-39: with no surge it is at least one. */
export function maxUnavailable(deployment: KubeObject): number {
  const wanted = wantedOf(deployment);
  if (!isRolling(deployment) || wanted === 0) return 0;
  const resolved = scaled(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable, wanted, Math.floor);
  return Math.min(resolved === 0 && maxSurge(deployment) === 0 ? 1 : resolved, wanted);
}

/** A whole number that an annotation of the ReplicaSet holds. */
export function numberIn(replicaSet: KubeObject, annotation: string): number | undefined {
  const text = replicaSet.metadata.annotations?.[annotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
