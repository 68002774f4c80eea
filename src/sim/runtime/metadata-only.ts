import type { KubeObject } from '../etcd/object.js';
import type { Transform } from './delta.js';

export const partialKind = 'PartialObjectMetadata';

/** Leaves of an object what a client that asks for metadata alone gets, before the user's own transform. */
export function metadataOnlyTransform(then: Transform | undefined): Transform {
  return (object) => {
    const partial = partialOf(object);
    return then === undefined ? partial : then(partial);
  };
}

function partialOf(object: KubeObject): KubeObject {
  if (object.kind === partialKind) return object;
  return { apiVersion: 'meta.k8s.io/v1', kind: partialKind, metadata: object.metadata };
}
