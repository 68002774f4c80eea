import { builtInKinds } from '../apiserver/data/kinds.js';
import { apiVersionOf, type Kind } from './kind.js';

const withProtobuf = new Set(builtInKinds.map((kind) => `${apiVersionOf(kind)} ${kind.kind}`));

/** The Accept header of controller-runtime's client and caches: built-in kinds are asked for as protobuf (A40). */
export function acceptFor(kind: Kind): string {
  return isBuiltIn(kind) ? 'application/vnd.kubernetes.protobuf, */*' : 'application/json, */*';
}

/** How bodies that are no patches are sent (A40). In the simulator they stay data whatever this says. */
export function contentTypeFor(kind: Kind): string {
  return isBuiltIn(kind) ? 'application/vnd.kubernetes.protobuf' : 'application/json';
}

function isBuiltIn(kind: Kind): boolean {
  return withProtobuf.has(`${apiVersionOf(kind)} ${kind.kind}`);
}
