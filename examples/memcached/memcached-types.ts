import { type ClientObject, defineKind } from 'seatrial';

/** MemcachedSpec defines the desired state of Memcached */
export interface MemcachedSpec {
  /** Size defines the number of Memcached instances */
  size: number;
  /** Port defines the port that will be used to init the container with the image */
  containerPort?: number;
}

/** MemcachedStatus defines the observed state of Memcached */
export interface MemcachedStatus {
  conditions?: Condition[];
  /** Nodes are the names of the memcached pods */
  nodes?: string[];
}

/** Memcached is the Schema for the memcacheds API */
export interface Memcached extends ClientObject {
  spec: MemcachedSpec;
  status?: MemcachedStatus;
}

export const Memcached = defineKind<Memcached>('cache.example.com/v1alpha1', 'Memcached');

/** metav1.Condition */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
}

/** meta.SetStatusCondition: the time of the last transition stays unless the status changes. */
export function setStatusCondition(status: MemcachedStatus, condition: Omit<Condition, 'lastTransitionTime'>, nowMs: number): void {
  const conditions = status.conditions ?? [];
  status.conditions = conditions;
  const now = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
  const existing = conditions.find(({ type }) => type === condition.type);
  if (existing === undefined) conditions.push({ ...condition, lastTransitionTime: now });
  else Object.assign(existing, condition, existing.status === condition.status ? {} : { lastTransitionTime: now });
}
