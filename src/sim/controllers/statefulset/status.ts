import type { KubeObject } from '../../etcd/object.js';
import { about, statefulSets } from '../requests.js';
import type { Steps } from '../sync.js';
import { isCreated, isGoing, replicasOf, revisionOf, runsAndReady, serves } from './pods.js';
import type { Revisions } from './revisions.js';

export interface StatefulSetStatus {
  readonly observedGeneration: number;
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly currentReplicas: number;
  readonly updatedReplicas: number;
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly collisionCount: number;
  readonly availableReplicas: number;
}

/** WL-57, WL-59 */
export function statusOf(set: KubeObject, pods: readonly KubeObject[], revisions: Revisions, nowMs: number): StatefulSetStatus {
  const currentRevision = revisions.current.metadata.name as string;
  const updateRevision = revisions.update.metadata.name as string;
  const created = pods.filter(isCreated);
  const staying = created.filter((pod) => !isGoing(pod)).map(revisionOf);
  const ready = pods.filter(runsAndReady);
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: created.length,
    readyReplicas: ready.length,
    currentReplicas: staying.filter((revision) => revision === currentRevision).length,
    updatedReplicas: staying.filter((revision) => revision === updateRevision).length,
    currentRevision,
    updateRevision,
    collisionCount: revisions.collisions,
    availableReplicas: ready.filter((pod) => serves(set, pod, nowMs)).length,
  };
}

/** WL-63: a set whose pods are all updated has one revision. */
function completed(set: KubeObject, status: StatefulSetStatus): StatefulSetStatus {
  const wanted = replicasOf(set);
  const counts = [status.updatedReplicas, status.readyReplicas, status.replicas];
  if (set.spec?.updateStrategy?.type !== 'RollingUpdate' || counts.some((count) => count !== wanted)) return status;
  return { ...status, currentReplicas: status.updatedReplicas, currentRevision: status.updateRevision };
}

export function* writeStatus(set: KubeObject, computed: StatefulSetStatus): Steps<void> {
  const status = completed(set, computed);
  const { observedGeneration, collisionCount: _, ...rest } = status;
  const before = set.status ?? {};
  const same = Object.entries(rest).every(([field, value]) => (before[field] ?? (typeof value === 'number' ? 0 : '')) === value);
  if (same && observedGeneration <= Number(before.observedGeneration ?? 0)) return;
  const always = ['replicas', 'availableReplicas', 'collisionCount'];
  const told = Object.fromEntries(Object.entries(status).filter(([field, value]) => value !== 0 || always.includes(field)));
  const { conditions } = before;
  yield about('update', statefulSets, set, { ...set, status: { ...told, ...(conditions !== undefined && { conditions }) } }, 'status');
}
