import type { Commit, Etcd } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import type { CustomVersion, Kinds } from './kinds.js';
import { rfc3339 } from './metadata.js';
import { forbidden } from './status.js';

export const crdResource = 'customresourcedefinitions.apiextensions.k8s.io';
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export interface CrdNames {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

export interface CrdCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

export function conditionOf(crd: KubeObject, type: string): CrdCondition | undefined {
  const conditions: readonly CrdCondition[] = crd.status?.conditions ?? [];
  return conditions.find((condition) => condition.type === type);
}

/** Sets a condition; its time moves only with its status. */
export function withCondition(crd: KubeObject, condition: CrdCondition, nowMs: number): KubeObject {
  const present: readonly CrdCondition[] = crd.status?.conditions ?? [];
  const before = conditionOf(crd, condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : rfc3339(nowMs);
  const after = { ...condition, lastTransitionTime };
  const conditions = before === undefined ? [...present, after] : present.map((each) => (each === before ? after : each));
  return { ...crd, status: { ...crd.status, conditions } };
}

/** Serves the established kinds of the stored definitions: of all of them, or of those that the commits touched (CD-1). */
export function keepRegistered(kinds: Kinds, etcd: Etcd, commits?: readonly Commit[]): void {
  const register = (crd: KubeObject) => {
    if (conditionOf(crd, 'Established')?.status === 'True') kinds.registerCrd(crd);
  };
  if (commits === undefined) {
    for (const crd of etcd.list(crdResource)) register(crd);
    return;
  }
  for (const commit of commits) {
    if (commit.key.resource !== crdResource) continue;
    if (commit.object === undefined) kinds.unregisterCrd(commit.key.name);
    else register(commit.object);
  }
}

/** TK-1 for a definition: what is filled in when it is decoded. */
export function withCrdDefaults(crd: KubeObject): KubeObject {
  const names = crd.spec?.names;
  if (typeof names?.kind !== 'string') return crd;
  const { preserveUnknownFields, ...spec } = crd.spec;
  return {
    ...crd,
    spec: {
      ...spec,
      ...(preserveUnknownFields === true && { preserveUnknownFields }),
      names: { singular: names.kind.toLowerCase(), listKind: `${names.kind}List`, ...names },
      conversion: spec.conversion ?? { strategy: 'None' },
    },
  };
}

/** CD-2: the status of a new definition. */
export function newCrdStatus(crd: KubeObject): KubeObject {
  const storage = storageVersion(crd);
  const storedVersions = storage === undefined ? null : [storage];
  return { ...crd, status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions } };
}

/** CD-14: a write of the spec adds its storage version to those that objects may be stored in. */
export function withStoredVersion(crd: KubeObject): KubeObject {
  const versions: readonly string[] = crd.status?.storedVersions ?? [];
  const storage = storageVersion(crd);
  if (storage === undefined || versions.includes(storage)) return crd;
  return { ...crd, status: { ...crd.status, storedVersions: [...versions, storage] } };
}

function storageVersion(crd: KubeObject): string | undefined {
  const versions: readonly CustomVersion[] = crd.spec?.versions ?? [];
  return versions.find((version) => version.storage)?.name;
}

/** CD-31: nothing is created of a kind whose definition is being deleted. @throws ApiStatusError 403 */
export function admitCustomResource({ server, kind }: Call, name: string): void {
  if (!kind.custom) return;
  const crd = server.etcd.get({ resource: crdResource, namespace: '', name: kind.resource });
  if (crd?.metadata.deletionTimestamp === undefined) return;
  throw forbidden(kind, name, 'create not allowed while custom resource definition is terminating');
}

/** CD-18: a deleted definition waits for its custom resources to go. */
export function markCrd(crd: KubeObject, nowMs: number): KubeObject {
  const finalizers = crd.metadata.finalizers ?? [];
  const held = finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer];
  const marked = { ...crd, metadata: { ...crd.metadata, deletionTimestamp: rfc3339(nowMs), finalizers: held } };
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  return withCondition(marked, { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message }, nowMs);
}
