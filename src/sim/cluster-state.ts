import type { EtcdKey } from './etcd/etcd.js';
import type { KubeObject } from './etcd/object.js';

/** The cluster's objects at one moment, frozen. */
export interface ClusterState {
  readonly revision: number;
  /** @param resource the qualified plural: `pods`, `deployments.apps`. */
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** In key order. */
  list(resource: string, namespace?: string): readonly KubeObject[];
  /** Every object with its place, resources in the order of their first object. */
  all(): readonly { readonly key: EtcdKey; readonly object: KubeObject }[];
}
