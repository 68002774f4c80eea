import type { KubeObject, ObjectMeta } from '../etcd/object.js';
import { writeAttributes } from './admission/attributes.js';
import { mutate } from './admission/mutating.js';
import { seen, withoutUnknown } from './admission/seen-object.js';
import { validate } from './admission/validating.js';
import type { Call } from './call.js';
import { contentFaults, refuseTooLarge } from './content-validation.js';
import { admitCustomResource, crdResource } from './crd.js';
import { crdFaults, crdWarnings } from './crd-validation.js';
import { customFaults, sentKind, typeFaults } from './custom-resource.js';
import { decodeBody } from './decode.js';
import { metadataChecksOf } from './kind-facts.js';
import { keyOf } from './kinds.js';
import type { Owners } from './managed-fields/owners.js';
import { entryFaults, ownersAfterRequest, shownWithOwners, withoutEntries } from './managed-fields/requests.js';
import { rfc3339 } from './metadata.js';
import { finalizerWarnings, metadataFaultsOnCreate } from './metadata-validation.js';
import { generatedName } from './names.js';
import { admitCreate, isNamespace, specFinalizerFaults } from './namespace.js';
import { type WriteOptions, writeOptions } from './options.js';
import { withoutDuplicateOwners } from './owner-references.js';
import { prepareForCreate } from './prepare-create.js';
import { isKeptOtherwise } from './read-back.js';
import type { ApiResponse } from './request.js';
import { scalePathFaults } from './scale-paths.js';
import { alreadyExists, badRequest, generateNameConflict, internalWithoutReason, invalid, unreadableRevision } from './status.js';
import { store } from './store.js';
import { objectWarnings } from './validation/warnings.js';
import { inVersion, readBack, stored } from './version.js';

const generateAttempts = 8;

/** POST on a collection. @throws ApiStatusError */
export function create(call: Call): ApiResponse {
  const options = writeOptions(call.request, 'CreateOptions');
  const sent = decodeBody(call, options);
  checkNamespace(call, sent.metadata);
  // CR-1: what only the server may say is wiped.
  const { creationTimestamp, uid, deletionTimestamp, deletionGracePeriodSeconds, ...metadata } = sent.metadata;
  return createObject(call, { ...sent, metadata }, options);
}

/**
 * The create of a POST, and of a PUT to a missing name (UP-14), which wipes less and takes no notice of the
 * resourceVersion (CR-17). @throws ApiStatusError
 */
export function createObject(
  call: Call,
  given: KubeObject,
  options: WriteOptions,
  how: { readonly byPut?: boolean; readonly owners?: Owners } = {},
): ApiResponse {
  const { server, kind, warnings } = call;
  const { object: sent, entries } = withoutEntries(given);
  const byPut = how.byPut === true;
  const namespace = kind.namespaced ? (call.request.namespace ?? '') : '';
  const deduplicated = withoutDuplicateOwners(sent, warnings);
  admitCreate(call, namespace, sent.metadata.name ?? sent.metadata.generateName ?? '');
  admitCustomResource(call, sent.metadata.name ?? '');
  const own = () => how.owners ?? ownersAfterRequest(call, options, { next: deduplicated, entries });
  const { object: admitted, owners } = mutate(
    call,
    'CREATE',
    deduplicated,
    (object) => writeAttributes(call, options, 'CREATE', sent.metadata.name ?? '', object, null),
    own,
  );
  if (admitted !== deduplicated) checkNamespace(call, admitted.metadata);
  // UP-14: as an update it must be a number, though nobody looks which.
  if (byPut && !/^\d*$/.test(admitted.metadata.resourceVersion ?? ''))
    throw unreadableRevision(admitted.metadata.resourceVersion as string);
  const sentName = admitted.metadata.name ?? '';
  const generateName = admitted.metadata.generateName ?? '';

  const name = sentName !== '' || generateName === '' ? sentName : freeName(call, namespace, generateName, options.dryRun);
  const metadataOfNew = newMetadata(call, withoutDuplicateOwners(admitted, warnings, true).metadata, namespace, name, options.dryRun);
  const object = prepareForCreate(call, { ...admitted, metadata: metadataOfNew }, options.dryRun);
  const causes = typeFaults(kind, object);
  if (causes.length === 0) {
    const ofFields = contentFaults(kind, object);
    // Where a kind does not look at its metadata, somebody does afterwards.
    const ofMetadata =
      ofFields.length > 0 && metadataChecksOf(kind.resource, undefined) === 'none' ? [] : metadataFaultsOnCreate(kind, object.metadata);
    causes.push(...ofMetadata, ...entryFaults(entries), ...ofFields);
  }
  if (kind.custom) causes.push(...customFaults(call, object, { before: causes, scale: scalePathFaults(kind, object) }));
  if (kind.resource === crdResource) causes.push(...crdFaults(object));
  if (isNamespace(kind)) causes.push(...specFinalizerFaults(object, () => 'spec.finalizers'));
  if (causes.length > 0) throw invalid(sentKind(kind, object), name, causes);
  if (kind.custom) warnings.push(...finalizerWarnings(object.metadata.finalizers));
  else warnings.push(...objectWarnings(kind, object));
  if (kind.resource === crdResource) warnings.push(...crdWarnings(object));

  validate(call, 'CREATE', () => writeAttributes(call, options, 'CREATE', name, seen(object, '', owners().entries()), null));

  const { resourceVersion = '', ...metadata } = object.metadata;
  // CR-8; a dry run never comes so far as to look (ST-17).
  if (!byPut && !options.dryRun && /^\d+$/.test(resourceVersion) && Number(resourceVersion) > 0) {
    throw internalWithoutReason('resourceVersion should not be set on objects to be created');
  }
  const kept = withoutUnknown(kind, object, admitted !== deduplicated);
  // CD-49: what cannot be converted is told before what is there already.
  const toStore = stored(kind, { ...kept, metadata }, owners, options.dryRun);
  const key = keyOf(kind, namespace, name);
  const existing = server.etcd.get(key);
  if (existing !== undefined) {
    const prefix = existing.metadata.deletionTimestamp === undefined ? '' : 'object is being deleted: ';
    // CR-9
    throw generateName === '' ? alreadyExists(kind, name, prefix) : generateNameConflict(kind, name, prefix);
  }
  if (options.dryRun) {
    const echoed = byPut || resourceVersion === '' ? metadata : object.metadata;
    return { code: 201, body: shownWithOwners(readBack(kind, { ...kept, metadata: echoed }, toStore, owners), owners()) };
  }
  refuseTooLarge(toStore);
  return { code: 201, body: inVersion(kind, store(server, key, toStore, owners(), isKeptOtherwise(kind, kept))) };
}

/** CR-3 @throws ApiStatusError 400 */
export function checkNamespace({ kind, request }: Call, metadata: ObjectMeta): void {
  const { namespace } = metadata;
  if (namespace === undefined || !kind.namespaced || namespace === request.namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function newMetadata(call: Call, sent: ObjectMeta, namespace: string, name: string, dryRun: boolean): ObjectMeta {
  const { server, kind } = call;
  const metadata: ObjectMeta = { ...sent };
  if (name !== '') metadata.name = name;
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
  metadata.uid = server.newUid(kind, namespace, name, dryRun);
  metadata.creationTimestamp = rfc3339(server.environment.nowMs());
  // CR-10
  if (kind.generation) metadata.generation = 1;
  return metadata;
}

/** CR-5: a name that is free, or after eight attempts the last one tried. */
function freeName({ server, kind }: Call, namespace: string, base: string, dryRun: boolean): string {
  let name = '';
  for (let attempt = 0; attempt < generateAttempts; attempt++) {
    name = generatedName(base, server.randomFor('name', kind, namespace, base, dryRun));
    if (server.etcd.get(keyOf(kind, namespace, name)) === undefined) break;
  }
  return name;
}
