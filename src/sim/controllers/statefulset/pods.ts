import type { KubeObject } from '../../etcd/object.js';
import { podOf } from '../pod-control.js';
import { isAvailable, isReady } from '../pod-state.js';

const nameLabel = 'statefulset.kubernetes.io/pod-name';
const indexLabel = 'apps.kubernetes.io/pod-index';
const revisionLabel = 'controller-revision-hash';

export function startOf(set: KubeObject): number {
  return Number(set.spec?.ordinals?.start ?? 0);
}

export function replicasOf(set: KubeObject): number {
  return Number(set.spec?.replicas ?? 1);
}

/** The set's name and the number in a pod's name; undefined: it has none. */
function namesOf(pod: KubeObject): { readonly parent: string; readonly ordinal: number } | undefined {
  const [, parent, ordinal] = /^(.*)-([0-9]+)$/.exec(pod.metadata.name ?? '') ?? [];
  return parent === undefined ? undefined : { parent, ordinal: Number(ordinal) };
}

/** -1: it has none. */
export function ordinalOf(pod: KubeObject): number {
  return namesOf(pod)?.ordinal ?? -1;
}

/** WL-73 */
export function isMember(set: KubeObject, pod: KubeObject): boolean {
  return namesOf(pod)?.parent === set.metadata.name;
}

export function isWanted(set: KubeObject, pod: KubeObject): boolean {
  const ordinal = ordinalOf(pod);
  return ordinal >= startOf(set) && ordinal < startOf(set) + replicasOf(set);
}

export function revisionOf(pod: KubeObject): string {
  return pod.metadata.labels?.[revisionLabel] ?? '';
}

export function isCreated(pod: KubeObject): boolean {
  return (pod.status?.phase ?? '') !== '';
}

export function isGoing(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** WL-16 */
export function runsAndReady(pod: KubeObject): boolean {
  return pod.status?.phase === 'Running' && isReady(pod);
}

export function serves(set: KubeObject, pod: KubeObject, nowMs: number): boolean {
  return isAvailable(pod, Number(set.spec?.minReadySeconds ?? 0), nowMs);
}

export function claimName(set: KubeObject, template: KubeObject, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

export function claimTemplates(set: KubeObject): readonly KubeObject[] {
  return set.spec?.volumeClaimTemplates ?? [];
}

/** WL-54. @param set with the template of the revision */
export function newPod(set: KubeObject, revision: string, ordinal: number): KubeObject {
  const plain = podOf(set, set.spec?.template);
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = withIdentity(set, { ...plain, metadata: { ...plain.metadata, name } });
  return withStorage(set, {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [revisionLabel]: revision } },
    spec: { ...pod.spec, hostname: name, ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }) },
  });
}

export function hasIdentity(pod: KubeObject): boolean {
  return pod.metadata.labels?.[nameLabel] === pod.metadata.name;
}

export function withIdentity(set: KubeObject, pod: KubeObject): KubeObject {
  const ordinal = ordinalOf(pod);
  const labels = { ...pod.metadata.labels, [nameLabel]: `${set.metadata.name}-${ordinal}`, [indexLabel]: String(ordinal) };
  return { ...pod, metadata: { ...pod.metadata, labels } };
}

interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

export function hasStorage(set: KubeObject, pod: KubeObject): boolean {
  const volumes: readonly Volume[] = pod.spec?.volumes ?? [];
  return claimTemplates(set).every((template) =>
    volumes.some(
      ({ name, persistentVolumeClaim }) =>
        name === template.metadata.name && persistentVolumeClaim?.claimName === claimName(set, template, ordinalOf(pod)),
    ),
  );
}

export function withStorage(set: KubeObject, pod: KubeObject): KubeObject {
  const templates = claimTemplates(set);
  const claims = templates.map((template) => ({
    name: template.metadata.name,
    persistentVolumeClaim: { claimName: claimName(set, template, ordinalOf(pod)) },
  }));
  const others = ((pod.spec?.volumes ?? []) as readonly Volume[]).filter(({ name }) => claims.every((claim) => claim.name !== name));
  const volumes = [...claims, ...others];
  return volumes.length === 0 ? pod : { ...pod, spec: { ...pod.spec, volumes } };
}
