import type { KubeObject } from '../etcd/object.js';
import type { KindInfo } from './kinds.js';

/**
 * A stored object as a version shows it. Without a conversion webhook only the apiVersion changes.
 * The same frozen object when it is in that version already.
 */
export function inVersion(kind: KindInfo, stored: KubeObject): KubeObject {
  if (kind.apiVersion === stored.apiVersion) return stored;
  return Object.freeze({ ...stored, apiVersion: kind.apiVersion });
}
