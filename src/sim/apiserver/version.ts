import type { KubeObject } from '../etcd/object.js';
import type { KindInfo } from './kinds.js';

/**
 * A stored object as a version shows it. Without a conversion webhook only the apiVersion changes (CD-15).
 * The same frozen object when it is in that version already.
 */
export function inVersion(kind: KindInfo, object: KubeObject): KubeObject {
  if (kind.apiVersion === object.apiVersion) return object;
  return Object.freeze({ ...object, apiVersion: kind.apiVersion });
}

/** An object of the kind in the version in which etcd keeps it. */
export function stored(kind: KindInfo, object: KubeObject): KubeObject {
  return object.apiVersion === kind.storedVersion ? object : { ...object, apiVersion: kind.storedVersion };
}
