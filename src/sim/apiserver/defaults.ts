import type { KubeObject } from '../etcd/object.js';
import { crdResource, withCrdDefaults } from './crd.js';
import type { KindInfo } from './kinds.js';

/** What a built-in kind fills in whenever it is decoded, by create, update and patch alike (TK-1, TK-4). */
export function withDefaults(kind: KindInfo, object: KubeObject): KubeObject {
  switch (kind.resource) {
    case crdResource:
      return withCrdDefaults(object);
    default:
      return object;
  }
}
