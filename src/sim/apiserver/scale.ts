import { deepEqual, type JsonValue, type KubeObject } from '../etcd/object.js';
import { writeAttributes } from './admission/attributes.js';
import { mutate } from './admission/mutating.js';
import { decodedAfterPatch } from './admission/seen-object.js';
import { validate } from './admission/validating.js';
import { applyPatchType, complain, configurationOf, decodeApplied } from './apply.js';
import type { Call } from './call.js';
import { checkNamespace } from './create.js';
import { decodeBody } from './decode.js';
import { DecodeFault, goTypeOf } from './decode-fault.js';
import { invalidValue } from './field-errors.js';
import { fill } from './fill.js';
import { apiVersionOf, type KindInfo, keyOf } from './kinds.js';
import { applyConfiguration, groupVersionKind, nameAndKind } from './managed-fields/apply.js';
import { nobody } from './managed-fields/entries.js';
import { knownOwners, managedOf, type Owners, ownersChanged, ownersOfObject } from './managed-fields/owners.js';
import { managerOf } from './managed-fields/requests.js';
import { ownersAfterScale, ownersOfScale, type ReplicasPaths } from './managed-fields/scale.js';
import { managedAfterUpdate } from './managed-fields/update.js';
import { rfc3339 } from './metadata.js';
import { selectorText } from './object-selector.js';
import { type WriteOptions, writeOptions } from './options.js';
import { applyPatch, decodePatched, patchType } from './patch.js';
import type { ApiResponse } from './request.js';
import { mostReplicas, scalePathsOf, valueAt, withValue } from './scale-paths.js';
import { type Start, startingFrom } from './start-state.js';
import { badRequest, conflict, internalError, internalWithoutReason, invalid, modifiedText, notFound } from './status.js';
import { fieldElement } from './structured-merge/path-element.js';
import { checkName, replace, uidConflict } from './update.js';
import { inVersion } from './version.js';

/** GET, PUT and PATCH of `/scale` (UP-21, CD-13). @throws ApiStatusError */
export function scale(call: Call): ApiResponse {
  const { request, kind } = call;
  switch (request.verb) {
    case 'get':
      return { code: 200, body: scaleOf(kind, inVersion(kind, existingObject(call)), true) };
    case 'patch':
      return patchScale(call);
    default:
      return putScale(call);
  }
}

function putScale(call: Call): ApiResponse {
  const { kind, request } = call;
  const options = writeOptions(request, 'UpdateOptions');
  let sent: KubeObject;
  try {
    sent = decodeBody({ ...call, kind: scaleKind(kind) }, options);
    checkReplicasType(sent);
  } catch (error) {
    // CD-13
    if (kind.custom) throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
    throw error instanceof DecodeFault ? badRequest(`Scale in version "v1" cannot be handled as a Scale: ${error.message}`) : error;
  }
  checkName(request.name ?? '', sent.metadata);
  checkNamespace(call, sent.metadata);
  const existing = existingObject(call);
  const { uid } = sent.metadata;
  if (uid !== undefined && uid !== existing.metadata.uid) throw uidConflict(call, uid, existing.metadata.uid ?? '', options.dryRun);
  return startingFrom(call, existing, options.dryRun, (start) => setReplicas(call, options, start, sent));
}

function patchScale(call: Call): ApiResponse {
  const { request } = call;
  const type = patchType(call);
  const options = writeOptions(request, 'PatchOptions', type);
  const patchFrom = type === applyPatchType ? applyScale : patchScaleFrom;
  return startingFrom(call, existingObject(call), options.dryRun, (start) => patchFrom(call, options, start, type));
}

function patchScaleFrom(call: Call, options: WriteOptions, start: Start, type: string): ApiResponse {
  const { kind, request } = call;
  const document = scaleOf(kind, start.current, false) as unknown as JsonValue;
  const patched = applyPatch({ ...call, kind: scaleKind(kind) }, type, document, options);
  const owners = () => knownOwners(ownersOfScale(managedOf(start.existing), replicasPaths(kind))).entries();
  const sent = decodePatched({ ...call, kind: scaleKind(kind) }, { ...patched, owners }, options, checkReplicasType);
  checkName(request.name ?? '', sent.metadata);
  checkNamespace(call, sent.metadata);
  return setReplicas(call, options, start, sent);
}

/** PA-52, PA-53 @throws ApiStatusError */
function applyScale(call: Call, options: WriteOptions, start: Start): ApiResponse {
  const { kind, request, server } = call;
  const { existing, current } = start;
  const config = configurationOf(request.body);
  const paths = replicasPaths(kind);
  const ofKind = scaleKind(kind);
  const live = scaleOf(kind, current, false);
  const managed = ownersOfScale(managedOf(existing), paths);
  const unconvertible = 'request to convert CR to an invalid group/version: autoscaling/v1';
  if (kind.custom && managed.managers.size === 0 && groupVersionKind(config) === groupVersionKind(ofKind)) {
    const fault = `failed to convert live object (/; ${groupVersionKind(ofKind)}) to proper version: ${unconvertible}`;
    throw internalWithoutReason(`failed to create manager for existing fields: ${fault}`);
  }
  const result = applyConfiguration({
    endpoint: { kind: ofKind, subresource: 'scale' },
    live,
    managed,
    config,
    manager: options.fieldManager,
    force: options.force,
    time: rfc3339(server.environment.nowMs()),
  });
  complain(call, options);
  if (kind.custom && !deepEqual(result.value, live)) {
    throw internalWithoutReason(`failed to convert new object (${nameAndKind(config)}) to proper version: ${unconvertible}`);
  }
  const sent = decodeApplied({ ...call, kind: ofKind }, config, result);
  checkNamespace(call, sent.metadata);
  checkName(request.name ?? '', sent.metadata);
  const after = ownersAfterScale(managedOf(existing), result.managed, paths, kind.apiVersion);
  return setReplicas(call, options, start, sent, knownOwners(after));
}

/** Where every version of the kind has its number of replicas. */
function replicasPaths(kind: KindInfo): ReplicasPaths {
  const path = (parts: readonly string[]) => parts.map(fieldElement);
  if (kind.definitions === undefined) return new Map([[kind.apiVersion, path(scalePathsOf(kind).specReplicas)]]);
  return new Map(
    kind.definitions.map((definition) => [
      apiVersionOf(kind.group, definition.name),
      definition.subresources?.scale === undefined ? undefined : path(scalePathsOf({ ...kind, definition }).specReplicas),
    ]),
  );
}

/** PA-52: what a PUT or a patch of the Scale does to the owners of the object. */
function ownersAfterReplicas(call: Call, options: WriteOptions, { existing, current }: Start, sent: KubeObject): Owners {
  const { kind, request, server } = call;
  const paths = replicasPaths(kind);
  const write = {
    endpoint: { kind: scaleKind(kind), subresource: 'scale' },
    live: scaleOf(kind, current, false),
    next: sent,
    manager: managerOf(request, options),
    time: rfc3339(server.environment.nowMs()),
  };
  return ownersChanged(
    (before) => ownersAfterScale(before, managedAfterUpdate(ownersOfScale(before, paths), write), paths, kind.apiVersion),
    ownersOfObject(existing),
  );
}

function existingObject({ server, kind, request }: Call): KubeObject {
  const name = request.name ?? '';
  const existing = server.etcd.get(keyOf(kind, request.namespace, name));
  if (existing === undefined) throw notFound(kind, name);
  return existing;
}

/** Writes the wanted number into the object itself; an unset resourceVersion is no precondition for any kind. */
function setReplicas(call: Call, options: WriteOptions, start: Start, sent: KubeObject, owners?: Owners): ApiResponse {
  const { kind, request } = call;
  const name = request.name ?? '';
  const { current } = start;
  const attributes = (scale: KubeObject) => writeAttributes(call, options, 'UPDATE', name, scale, reviewedScale(kind, current));
  const decode = (document: JsonValue) => decodedAfterPatch({ ...call, kind: scaleKind(kind) }, document);
  // AD-25: of what webhooks make of it only the number counts.
  const { object: admitted } = mutate(
    call,
    'UPDATE',
    fill(sent, { status: { replicas: 0 } }),
    attributes,
    () => knownOwners(nobody),
    decode,
  );
  const replicas: number = admitted.spec?.replicas ?? 0;
  // A custom resource's number is looked at with the rest of the object.
  if (replicas < 0 && !kind.custom) {
    throw invalid({ kind: 'Scale', group: 'autoscaling' }, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const { resourceVersion = '' } = sent.metadata;
  if (resourceVersion !== '' && resourceVersion !== '0' && resourceVersion !== current.metadata.resourceVersion) {
    throw conflict(kind, name, modifiedText);
  }
  const wanted = withValue(current, scalePathsOf(kind).specReplicas, replicas) as unknown as KubeObject;
  const { subresource: _, ...main } = request;
  const known = owners ?? ownersAfterReplicas(call, options, start, sent);
  const answer = replace({ ...call, request: main }, options, start, wanted, known, (next) =>
    validate(call, 'UPDATE', () => attributes(reviewedScale(kind, next))),
  );
  return { ...answer, body: scaleOf(kind, answer.body as KubeObject, false) };
}

/** AD-11: of a custom resource that has no number webhooks see a strange one. */
function reviewedScale(kind: KindInfo, object: KubeObject): KubeObject {
  const scale = scaleOf(kind, object, false);
  return kind.custom && valueAt(object, scalePathsOf(kind).specReplicas) === undefined
    ? { ...scale, spec: { replicas: -2_147_483_648 } }
    : scale;
}

/** An object's Scale. @param strict the number must be there. @throws ApiStatusError 500 (CD-13) */
function scaleOf(kind: KindInfo, object: KubeObject, strict: boolean): KubeObject {
  const { specReplicas, statusReplicas, selector } = scalePathsOf(kind);
  const replicas = valueAt(object, specReplicas);
  if (strict && kind.custom && replicas === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(`.${specReplicas.join('.')}`)} does not exist`);
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selectedBy = kind.custom ? selector && valueAt(object, selector) : selectorText(object.spec?.selector);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: withoutUndefined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: valueAt(object, statusReplicas) ?? 0,
      ...(typeof selectedBy === 'string' && selectedBy !== '' && { selector: selectedBy }),
    },
  };
}

/** The kind of the body: a Scale of the parent's namespace and name. */
function scaleKind(parent: KindInfo): KindInfo {
  return {
    ...parent,
    group: 'autoscaling',
    version: 'v1',
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    plural: 'scales',
    resource: 'scales.autoscaling',
    custom: false,
  };
}

/** @throws DecodeFault */
function checkReplicasType(sent: KubeObject): void {
  const replicas = sent.spec?.replicas;
  if (replicas === undefined || (Number.isInteger(replicas) && Math.abs(replicas) <= mostReplicas)) return;
  const found = typeof replicas === 'number' ? `number ${replicas}` : goTypeOf(replicas);
  throw new DecodeFault(`json: cannot unmarshal ${found} into Go struct field ScaleSpec.spec.replicas of type int32`);
}

function withoutUndefined<T extends object>(object: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
