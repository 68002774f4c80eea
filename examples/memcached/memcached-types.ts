import { type ClientObject, type Condition, defineKind } from 'seatrial';

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
