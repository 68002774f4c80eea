import type { KubeObject } from '../etcd/object.js';

/**
 * A tombstone: the object is gone, but its deletion was not seen, so its final state is unknown (B17). `object` is the last
 * state that was known, of any age; it is absent if even that was not at hand.
 */
export class DeletedFinalStateUnknown {
  constructor(
    readonly key: string,
    readonly object?: KubeObject,
  ) {
    Object.freeze(this);
  }
}
