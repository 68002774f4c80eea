import type { JsonValue, KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import type { KindInfo } from '../kinds.js';
import { nobody } from '../managed-fields/entries.js';
import { knownOwners } from '../managed-fields/owners.js';
import type { WriteOptions } from '../options.js';
import { writeAttributes } from './attributes.js';
import { mutate } from './mutating.js';
import { decodedAfterPatch } from './seen-object.js';
import { validate } from './validating.js';

/**
 * Something that is posted and not stored itself, such as an Eviction, as admission leaves it (AD-26).
 * @param kind what the body is; the call's own kind may be that of its parent.
 * @throws ApiStatusError, PlainTextError
 */
export function admitPosted(call: Call, options: WriteOptions, kind: KindInfo, sent: KubeObject): KubeObject {
  const name = call.request.name ?? sent.metadata.name ?? '';
  const attributes = (object: KubeObject) => writeAttributes(call, options, 'CREATE', name, object, null);
  const decode = (document: JsonValue) => decodedAfterPatch({ ...call, kind }, document);
  const { object } = mutate(call, 'CREATE', sent, attributes, () => knownOwners(nobody), decode);
  validate(call, 'CREATE', () => attributes(object));
  return object;
}
