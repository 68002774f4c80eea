import { authorizerLibrary } from './authorizer-library.js';
import { functionsOf } from './functions.js';
import { kubernetesLibrary } from './kubernetes-library.js';
import { listsLibrary } from './lists-library.js';
import { networkLibrary } from './network-library.js';
import { operators } from './operators.js';
import { semverLibrary } from './semver-library.js';
import { standardLibrary } from './standard-library.js';
import { stringsLibrary } from './strings-library.js';
import { timeLibrary } from './time-library.js';
import { dynType, listOf, mapOf, optionalOf, type Type, typeFrom } from './value-types.js';

/** Everything that an expression of Kubernetes 1.36 may call (CD-44). */
export const functions = functionsOf(
  operators,
  standardLibrary,
  timeLibrary,
  stringsLibrary,
  listsLibrary,
  kubernetesLibrary,
  networkLibrary,
  semverLibrary,
  authorizerLibrary,
);

/** Names that stand for types: `type(x) == int`. */
export const typeNames: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...['bool', 'bytes', 'double', 'int', 'null_type', 'string', 'uint'].map((name) => [name, typeFrom(name)] as const),
  ['list', listOf(dynType)],
  ['map', mapOf(dynType, dynType)],
  ['type', { kind: 'type', of: undefined }],
  ['optional_type', optionalOf(dynType)],
  ['google.protobuf.Duration', typeFrom('duration')],
  ['google.protobuf.Timestamp', typeFrom('timestamp')],
  ['net.IP', typeFrom('net.IP')],
  ['net.CIDR', typeFrom('net.CIDR')],
]);
