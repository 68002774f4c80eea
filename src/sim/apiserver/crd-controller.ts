import type { Commit, EtcdKey } from '../etcd/etcd.js';
import { deepEqual, type KubeObject } from '../etcd/object.js';
import { type CrdNames, cleanupFinalizer, conditionOf, crdResource, keepRegistered, withCondition } from './crd.js';
import { hasValidCaBundle } from './crd-conversion-validation.js';
import { deleteNamed } from './delete.js';
import type { KindInfo } from './kinds.js';
import { ownersAfter, ownersOfObject } from './managed-fields/owners.js';
import { rfc3339 } from './metadata.js';
import type { ApiServer } from './server.js';
import { ApiStatusError } from './status.js';
import { store } from './store.js';

/**
 * What the API server's own controllers do about definitions after a request: accept names, establish, clean up. They run
 * at once and to the end. In a real server they take some milliseconds, in which nothing else can be told apart (CD-2, CD-18).
 * @param commits those of the request.
 */
export function settleCrds(server: ApiServer, commits: readonly Commit[]): void {
  for (const commit of commits) {
    if (commit.key.resource === crdResource) {
      keepRegistered(server.kinds, server.etcd, [commit]);
      if (commit.object === undefined) settleRivals(server, commit.previous?.spec?.group, commit.key.name);
      else settle(server, commit.key);
    } else if (commit.object === undefined) {
      // The last custom resource of a definition that waits for it may just have gone.
      const key = { resource: crdResource, namespace: '', name: commit.key.resource };
      if (server.etcd.get(key)?.metadata.deletionTimestamp !== undefined) settle(server, key);
    }
  }
}

function settle(server: ApiServer, key: EtcdKey): void {
  acceptNames(server, key);
  establish(server, key);
  cleanUp(server, key);
}

/** CD-21: when a definition goes, those that wanted its names may have them. */
function settleRivals(server: ApiServer, group: string, gone: string): void {
  for (const crd of server.etcd.list(crdResource)) {
    const { name = '' } = crd.metadata;
    if (crd.spec?.group === group && name !== gone) settle(server, { resource: crdResource, namespace: '', name });
  }
}

function put(server: ApiServer, key: EtcdKey, before: KubeObject, after: KubeObject): void {
  if (deepEqual(before, after)) return;
  const kind = server.kinds.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions') as KindInfo;
  const write = {
    endpoint: { kind, subresource: 'status' },
    live: before,
    next: after,
    manager: 'kube-apiserver',
    time: rfc3339(server.environment.nowMs()),
  };
  store(server, key, after, ownersAfter(write, ownersOfObject(before)));
  keepRegistered(server.kinds, server.etcd, server.etcd.since(server.etcd.revision - 1));
}

/** CD-2, first step; CD-21 when names are taken. */
function acceptNames(server: ApiServer, key: EtcdKey): void {
  const crd = server.etcd.get(key);
  if (crd === undefined) return;
  const nowMs = server.environment.nowMs();
  const { accepted, clash } = namesFor(crd, rivalsOf(server, crd));
  const condition =
    clash === undefined
      ? ({ status: 'True', reason: 'NoConflicts', message: 'no conflicts found' } as const)
      : ({ status: 'False', reason: clash.reason, message: `"${clash.name}" is already in use` } as const);
  let next: KubeObject = { ...crd, status: { ...crd.status, acceptedNames: accepted } };
  next = withCondition(next, { type: 'NamesAccepted', ...condition }, nowMs);
  if (conditionOf(crd, 'Established')?.status !== 'True') {
    const established =
      clash === undefined
        ? ({ reason: 'Installing', message: 'the initial names have been accepted' } as const)
        : ({ reason: 'NotAccepted', message: 'not all names are accepted' } as const);
    next = withCondition(next, { type: 'Established', status: 'False', ...established }, nowMs);
  }
  put(server, key, crd, next);
}

/** CD-2, second step. */
function establish(server: ApiServer, key: EtcdKey): void {
  const crd = server.etcd.get(key);
  if (crd === undefined || conditionOf(crd, 'NamesAccepted')?.status !== 'True') return;
  if (conditionOf(crd, 'Established')?.status === 'True') return;
  // CD-46: with a certificate that is none there is no way to its webhook.
  const established = hasValidCaBundle(crd.spec?.conversion)
    ? ({ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' } as const)
    : ({ type: 'Established', status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' } as const);
  put(server, key, crd, withCondition(crd, established, server.environment.nowMs()));
}

/** CD-18 */
function cleanUp(server: ApiServer, key: EtcdKey): void {
  const crd = server.etcd.get(key);
  if (crd?.metadata.deletionTimestamp === undefined || !crd.metadata.finalizers?.includes(cleanupFinalizer)) return;
  const condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  } as const;
  put(server, key, crd, withCondition(crd, condition, server.environment.nowMs()));
  for (const object of server.etcd.list(key.name)) deleteInstance(server, key.name, object);
  if (server.etcd.list(key.name).length > 0) return;
  const { finalizers, ...metadata } = (server.etcd.get(key) as KubeObject).metadata;
  const left = finalizers?.filter((finalizer) => finalizer !== cleanupFinalizer) ?? [];
  if (left.length === 0) {
    server.etcd.delete(key);
    server.kinds.unregisterCrd(key.name);
    settleRivals(server, crd.spec?.group, key.name);
  } else store(server, key, { ...(server.etcd.get(key) as KubeObject), metadata: { ...metadata, finalizers: left } });
}

function deleteInstance(server: ApiServer, resource: string, { metadata }: KubeObject): void {
  const { namespace = '', name = '', deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return;
  const kind = storedKind(server, resource);
  if (kind === undefined) {
    server.etcd.delete({ resource, namespace, name });
    return;
  }
  const request = { verb: 'delete', group: kind.group, version: kind.version, resource: kind.plural, namespace, name } as const;
  const call = { server, kind, request, warnings: [], spent: { ms: 0 } };
  try {
    deleteNamed(call, namespace, name, { dryRun: false, orphanDependentsFalse: false });
  } catch (error) {
    // CD-27: what cannot be read holds the definition up.
    if (!(error instanceof ApiStatusError)) throw error;
  }
}

/** The kind in the version that is stored, which need not be served. */
function storedKind(server: ApiServer, resource: string): KindInfo | undefined {
  for (const kind of server.kinds.all()) {
    if (!kind.custom || kind.resource !== resource) continue;
    const definition = kind.definitions?.find(({ storage }) => storage);
    return definition && { ...kind, version: definition.name, apiVersion: kind.storedVersion, definition };
  }
  return undefined;
}

/** The names that other definitions of the group hold. */
function rivalsOf(server: ApiServer, crd: KubeObject): readonly CrdNames[] {
  return server.etcd
    .list(crdResource)
    .filter((other) => other.metadata.name !== crd.metadata.name && other.spec?.group === crd.spec?.group)
    .map((other) => other.status?.acceptedNames as CrdNames | undefined)
    .filter((names) => names !== undefined);
}

interface Clash {
  readonly reason: string;
  readonly name: string;
}

/** CD-21: the names that are free, and the last one that is not. */
function namesFor(crd: KubeObject, rivals: readonly CrdNames[]): { readonly accepted: CrdNames; readonly clash?: Clash } {
  const wanted = crd.spec?.names as CrdNames;
  const held: CrdNames = crd.status?.acceptedNames ?? { plural: '', kind: '' };
  const resources = new Set(rivals.flatMap((names) => [names.plural, names.singular, ...(names.shortNames ?? [])]));
  const kinds = new Set(rivals.flatMap((names) => [names.kind, names.listKind]));
  let clash: Clash | undefined;
  const free = (taken: ReadonlySet<string | undefined>, name: string, reason: string): boolean => {
    if (name === '' || !taken.has(name)) return true;
    clash = { reason, name };
    return false;
  };
  const pick = (taken: ReadonlySet<string | undefined>, name: string | undefined, before: string | undefined, reason: string) =>
    name === undefined || free(taken, name, reason) ? name : before;
  const plural = pick(resources, wanted.plural, held.plural, 'PluralConflict') ?? '';
  const singular = pick(resources, wanted.singular, held.singular, 'SingularConflict');
  const shortNames = wanted.shortNames?.every((name) => free(resources, name, 'ShortNamesConflict')) ? wanted.shortNames : held.shortNames;
  const kind = pick(kinds, wanted.kind, held.kind, 'KindConflict') ?? '';
  const listKind = pick(kinds, wanted.listKind, held.listKind, 'ListKindConflict');
  const accepted = {
    plural,
    ...(singular && { singular }),
    ...(shortNames && { shortNames }),
    kind,
    ...(listKind && { listKind }),
    ...(wanted.categories && { categories: wanted.categories }),
  };
  return { accepted, ...(clash !== undefined && { clash }) };
}
