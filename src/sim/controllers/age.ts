import type { KubeObject } from '../etcd/object.js';

/** The oldest first; of the same second, by name. */
export function byAge(a: KubeObject, b: KubeObject): number {
  const [first = '', second = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (first !== second) return first < second ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
