import type { Commit, Etcd } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import type { Kinds } from './kinds.js';
import { rfc3339 } from './metadata.js';
import { forbidden } from './status.js';

const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
const resource = 'customresourcedefinitions.apiextensions.k8s.io';

/** Serves the kinds of the stored CustomResourceDefinitions: of all of them, or of those that the commits touched. */
export function keepRegistered(kinds: Kinds, etcd: Etcd, commits?: readonly Commit[]): void {
  if (commits === undefined) {
    for (const crd of etcd.list(resource)) kinds.registerCrd(crd);
    return;
  }
  for (const commit of commits) {
    if (commit.key.resource !== resource) continue;
    if (commit.object === undefined) kinds.unregisterCrd(commit.key.name);
    else kinds.registerCrd(commit.object);
  }
}

/** CD-31: nothing is created of a kind whose definition is being deleted. @throws ApiStatusError 403 */
export function admitCustomResource({ server, kind }: Call, name: string): void {
  if (!kind.custom) return;
  const crd = server.etcd.get({ resource, namespace: '', name: kind.resource });
  if (crd?.metadata.deletionTimestamp === undefined) return;
  throw forbidden(kind, name, 'create not allowed while custom resource definition is terminating');
}

/** CD-18: a deleted definition waits for its custom resources to go. */
export function markCrd(crd: KubeObject, nowMs: number): KubeObject {
  const finalizers = crd.metadata.finalizers ?? [];
  const held = finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer];
  const condition: Condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  return withCondition({ ...crd, metadata: { ...crd.metadata, finalizers: held } }, condition, nowMs);
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Sets a condition; its time moves only with its status. */
function withCondition(crd: KubeObject, condition: Condition, nowMs: number): KubeObject {
  const present: readonly (Condition & { readonly lastTransitionTime: string })[] = crd.status?.conditions ?? [];
  const before = present.find((each) => each.type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : rfc3339(nowMs);
  const after = { ...condition, lastTransitionTime };
  const conditions = before === undefined ? [...present, after] : present.map((each) => (each === before ? after : each));
  return { ...crd, status: { ...crd.status, conditions } };
}
