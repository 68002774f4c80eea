import { deepEqual, type KubeObject, type ObjectMeta } from '../etcd/object.js';
import { writeAttributes } from './admission/attributes.js';
import { mutate } from './admission/mutating.js';
import { seen, seenStored, withoutUnknown } from './admission/seen-object.js';
import { validate } from './admission/validating.js';
import type { Call } from './call.js';
import { contentFaults, refuseTooLarge } from './content-validation.js';
import { crdResource } from './crd.js';
import { crdFaults, crdStatusFaults, crdWarnings } from './crd-validation.js';
import { checkNamespace, createObject } from './create.js';
import { customFaults, sentKind, typeFaults } from './custom-resource.js';
import { decodeBody } from './decode.js';
import { type KindInfo, keyOf } from './kinds.js';
import type { Owners } from './managed-fields/owners.js';
import { areSameOwners, entryFaults, ownersAfterRequest, shownWithOwners, withoutEntries } from './managed-fields/requests.js';
import { finalizerWarnings, inTold, metadataFaultsOnUpdate } from './metadata-validation.js';
import { specFinalizerFaults } from './namespace.js';
import { type WriteOptions, writeOptions } from './options.js';
import { withoutDuplicateOwners } from './owner-references.js';
import { isKeptOtherwise, metadataCollections } from './read-back.js';
import type { ApiResponse } from './request.js';
import { scalePathFaults } from './scale-paths.js';
import { afterNoWrite, removeStored, type Start, startingFrom, unchanged } from './start-state.js';
import { badRequest, conflict, failure, goQuote, invalid, modifiedText, notFound, unreadableRevision } from './status.js';
import { store, wasKeptOtherwise } from './store.js';
import { afterUpdate } from './update-strategy.js';
import { objectWarnings } from './validation/warnings.js';
import { inVersion, readBack, stored } from './version.js';

/** PUT of an object or of its status. @throws ApiStatusError */
export function update(call: Call): ApiResponse {
  const { server, kind, request } = call;
  const options = writeOptions(request, 'UpdateOptions');
  const sent = decodeBody(call, options);
  const name = request.name ?? '';
  checkName(name, sent.metadata);
  checkNamespace(call, sent.metadata);
  const existing = server.etcd.get(keyOf(kind, request.namespace, name));
  if (existing === undefined) {
    if (!kind.createdOnUpdate || (request.subresource ?? 'status') !== 'status') throw notFound(kind, name);
    // UP-14
    if (sent.metadata.uid !== undefined) throw uidConflict(call, sent.metadata.uid, '', options.dryRun);
    return createObject(call, sent, options, { byPut: true });
  }
  const { uid } = sent.metadata;
  if (uid !== undefined && uid !== existing.metadata.uid) throw uidConflict(call, uid, existing.metadata.uid ?? '', options.dryRun);
  return startingFrom(call, existing, options.dryRun, (start) =>
    replace(call, options, start, withoutDuplicateOwners(sent, call.warnings)),
  );
}

/** UP-1 @throws ApiStatusError 400 */
export function checkName(name: string, metadata: ObjectMeta): void {
  if (metadata.name === name) return;
  if (metadata.name === undefined) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}

/** ST-8: a precondition that failed in storage. A dry run's key lacks the root. */
export function uidConflict({ kind, request }: Call, sent: string, live: string, dryRun: boolean) {
  const namespace = kind.namespaced ? `/${request.namespace}` : '';
  const key = `${dryRun ? kind.registryPath.replace('/registry', '') : kind.registryPath}${namespace}/${request.name}`;
  const tail = `Precondition failed: UID in precondition: ${sent}, UID in object meta: ${live}`;
  const text = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${tail}`;
  return conflict(kind, request.name ?? '', text);
}

/**
 * Puts an object in the place of the stored one: what PUT and every PATCH come to once their object is known.
 * @param start what is stored now.
 * @param given the whole object wanted, in the request's version.
 * @param known who owns what, when that does not follow from the request alone.
 * @param validateInstead who may refuse the object that is to be stored, when it is not the object itself that was sent.
 * @throws ApiStatusError
 */
export function replace(
  call: Call,
  options: WriteOptions,
  start: Start,
  given: KubeObject,
  known?: Owners,
  validateInstead?: (next: KubeObject) => void,
): ApiResponse {
  const { server, kind, request } = call;
  const { object: asked, entries } = withoutEntries(given);
  const name = request.name ?? '';
  const { existing, current } = start;
  const own = () => known ?? ownersAfterRequest(call, options, { existing, live: current, next: asked, entries });
  const attributes = (object: KubeObject) => writeAttributes(call, options, 'UPDATE', name, object, seenStored(current));
  // A Scale has been admitted as such.
  const admitted = validateInstead === undefined ? mutate(call, 'UPDATE', asked, attributes, own) : { object: asked, owners: own };
  const { owners } = admitted;
  const sent = admitted.object === asked ? asked : withoutDuplicateOwners(admitted.object, call.warnings, true);
  if (sent !== asked) checkNamespace(call, sent.metadata);
  // A webhook is asked on behalf of the owners before anything is refused.
  if (kind.conversion !== undefined) owners();
  checkResourceVersion(kind, name, sent.metadata, current.metadata);

  const next = afterUpdate(call, sent, current, options.dryRun);
  const status = request.subresource === 'status';
  const ofMetadata = metadataFaultsOnUpdate(kind, next.metadata, current.metadata, request.subresource, typeFaults(kind, next));
  const others = request.subresource === 'finalize' ? specFinalizerFaults(next, (index) => `spec.finalizers[${index}]`) : [];
  const causes = inTold(ofMetadata, [...others, ...entryFaults(entries)], contentFaults(kind, next, current, request.subresource));
  if (kind.custom) causes.push(...customFaults(call, next, { before: causes, scale: scalePathFaults(kind, next), current }));
  if (kind.resource === crdResource) causes.push(...(status ? crdStatusFaults(next) : crdFaults(next, current)));
  if (causes.length > 0) throw invalid(sentKind(kind, sent), next.metadata.name ?? '', causes);
  if (kind.resource === crdResource) call.warnings.push(...crdWarnings(next, current));
  if (kind.custom && !status) call.warnings.push(...finalizerWarnings(next.metadata.finalizers, current.metadata.finalizers));
  if (!kind.custom && !status) call.warnings.push(...objectWarnings(kind, next, current));

  if (validateInstead !== undefined) validateInstead(next);
  else validate(call, 'UPDATE', () => attributes(seen(next, '', owners().entries())));

  const key = keyOf(kind, request.namespace, name);
  if (isReleased(next, current)) {
    // UP-10: the last finalizer is gone, and so is the object; watchers never see this write.
    if (!options.dryRun) removeStored(call, existing);
    return { code: 200, body: shownWithOwners(next, owners()) };
  }
  // ST-5: compared is what is kept, so that a new default or a new storage version makes any write a real one (CD-3, CD-28).
  const kept = withoutUnknown(kind, next, sent !== asked);
  const toStore = stored(kind, kept, owners, options.dryRun);
  const keptOtherwise = isKeptOtherwise(kind, kept);
  const same = !keptOtherwise && !wasKeptOtherwise(existing) && deepEqual(toStore, unchanged(start));
  // PA-27: where a webhook is asked on behalf of the owners, they may be lost although nothing changes.
  const tracked = entries !== undefined || known !== undefined || sent !== asked || kind.conversion !== undefined;
  if (same && !tracked && saysNothingNew(kind, asked, current)) return afterNoWrite(call, start);
  const after = owners();
  if (same && areSameOwners(existing, after)) return afterNoWrite(call, start);
  refuseTooLarge(toStore);
  if (options.dryRun) return { code: 200, body: shownWithOwners(readBack(kind, next, toStore, owners), after) };
  return { code: 200, body: inVersion(kind, store(server, key, toStore, after, keptOtherwise)) };
}

/** UP-2 to UP-5 @throws ApiStatusError 422, 409, 500 */
function checkResourceVersion(kind: KindInfo, name: string, sent: ObjectMeta, current: ObjectMeta): void {
  const { resourceVersion = '' } = sent;
  if (resourceVersion === current.resourceVersion) return;
  if (resourceVersion === '' || resourceVersion === '0') {
    if (!kind.resourceVersionRequired) return;
    const message = 'Invalid value: 0: must be specified for an update';
    throw failure(422, 'Invalid', `${kind.resource} ${goQuote(name)} is invalid: metadata.resourceVersion: ${message}`, {
      name,
      ...(kind.group !== '' && { group: kind.group }),
      kind: kind.plural,
      causes: [{ reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' }],
    });
  }
  if (!/^\d+$/.test(resourceVersion)) throw unreadableRevision(resourceVersion);
  // A number may be written with zeros in front.
  if (Number(resourceVersion) !== Number(current.resourceVersion)) throw conflict(kind, name, modifiedText);
}

/** Whether what was sent can change no owner: it has nothing that is not there already, and lacks nothing but the status. */
function saysNothingNew(kind: KindInfo, asked: KubeObject, current: KubeObject): boolean {
  const isOld = (field: string) => deepEqual(asked[field], current[field]);
  for (const field of Object.keys(asked)) if (field !== 'metadata' && !isOld(field)) return false;
  for (const field of Object.keys(current)) {
    const resets = field === 'status' && kind.subresources.has('status');
    if (!Object.hasOwn(asked, field) && !resets) return false;
  }
  return ownedMetadata.every((field) => deepEqual(asked.metadata[field], current.metadata[field]));
}

/** What of the metadata has owners (PA-14); times are put right later (UP-7). */
const ownedMetadata = ['generateName', 'deletionTimestamp', 'deletionGracePeriodSeconds', ...metadataCollections] as const;

/** UP-10; a namespace also waits for the finalizers of its spec (NS-4). */
function isReleased(next: KubeObject, current: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = current.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false;
  if (next.metadata.finalizers !== undefined && next.metadata.finalizers.length > 0) return false;
  return next.kind !== 'Namespace' || next.apiVersion !== 'v1' || (next.spec?.finalizers ?? []).length === 0;
}
