import { deepEqual, type KubeObject, type ObjectMeta } from '../etcd/object.js';
import type { Call } from './call.js';
import { crdResource, withStoredVersion } from './crd.js';
import { emptyStatusOf, initialStatusOf } from './initial-status.js';
import { ownMember } from './json.js';
import type { KindInfo } from './kinds.js';
import { rfc3339 } from './metadata.js';
import { finalizing, isNamespace, withNameLabel } from './namespace.js';
import { forPodPart, isPodPart, withReportedStatus } from './pod-updates.js';
import { withoutMaxUnavailable, withTemplateGeneration } from './prepare-create.js';
import { metadataCollections } from './read-back.js';
import { withReallocations } from './service-allocation.js';

/** What an object is after an update: what the endpoint takes of the request, and the rest as it is (UP-7, UP-13, UP-15, NS-7). */
export function afterUpdate(call: Call, sent: KubeObject, current: KubeObject, dryRun: boolean): KubeObject {
  const { server, kind, request } = call;
  switch (request.subresource) {
    case 'status':
      return forStatus(kind, sent, current, rfc3339(server.environment.nowMs()));
    case 'finalize':
      return finalizing(sent, current, fixedMetadata(sent.metadata, current.metadata));
    default:
      return isPodPart(request.subresource)
        ? withGeneration(kind, forPodPart(request.subresource, sent, current), current)
        : forMain(call, sent, current, dryRun);
  }
}

/** UP-7: what an update cannot change is taken from the stored object without a word. */
function fixedMetadata(sent: ObjectMeta, current: ObjectMeta): ObjectMeta {
  const metadata: ObjectMeta = { ...sent };
  keep(metadata, 'resourceVersion', current.resourceVersion);
  keep(metadata, 'namespace', current.namespace);
  keep(metadata, 'generation', current.generation);
  keep(metadata, 'creationTimestamp', current.creationTimestamp);
  if (metadata.uid === undefined) keep(metadata, 'uid', current.uid);
  if (current.deletionTimestamp !== undefined) metadata.deletionTimestamp = current.deletionTimestamp;
  if (metadata.deletionGracePeriodSeconds === undefined) {
    keep(metadata, 'deletionGracePeriodSeconds', current.deletionGracePeriodSeconds);
  }
  return metadata;
}

function keep<Field extends keyof ObjectMeta>(metadata: ObjectMeta, field: Field, value: ObjectMeta[Field]): void {
  if (value === undefined) delete metadata[field];
  else metadata[field] = value;
}

/** The main endpoint: the status stays as it is where it has an endpoint of its own (UP-13). */
function forMain(call: Call, sent: KubeObject, current: KubeObject, dryRun: boolean): KubeObject {
  const { kind } = call;
  const metadata = fixedMetadata(sent.metadata, current.metadata);
  let next: KubeObject = { ...sent, metadata };
  if (kind.subresources.has('status')) {
    if (current.status !== undefined) next.status = current.status;
    else delete next.status;
  }
  if (isNamespace(kind)) {
    // NS-6: finalizers of a namespace's spec have an endpoint of their own.
    next = withNameLabel({ ...next, spec: current.spec });
  }
  switch (kind.resource) {
    case crdResource:
      next = withStoredVersion(next);
      break;
    case 'services':
      next = withReallocations(call, next, current, dryRun);
      break;
    case 'daemonsets.apps':
      next = withTemplateGeneration(next, templateGeneration(next, current));
      break;
    case 'statefulsets.apps':
      next = withoutMaxUnavailable(next);
      break;
  }
  return withGeneration(kind, next, current);
}

function withGeneration(kind: KindInfo, next: KubeObject, current: KubeObject): KubeObject {
  if (!raisesGeneration(kind, next, current)) return next;
  return { ...next, metadata: { ...next.metadata, generation: (current.metadata.generation ?? 0) + 1 } };
}

/** UP-12: it rises with each change of the template, and no client can set it. */
function templateGeneration(next: KubeObject, current: KubeObject): number {
  const before = Number(current.metadata.annotations?.['deprecated.daemonset.template.generation'] ?? 1);
  return deepEqual(next.spec?.template, current.spec?.template) ? before : before + 1;
}

/** UP-11, UP-12 */
function raisesGeneration(kind: KindInfo, next: KubeObject, current: KubeObject): boolean {
  switch (kind.resource) {
    case 'priorityclasses.scheduling.k8s.io':
      return false;
    case 'deployments.apps':
      if (!deepEqual(next.metadata.annotations ?? {}, current.metadata.annotations ?? {})) return true;
      break;
    case 'endpointslices.discovery.k8s.io':
      if (!deepEqual(next.metadata.labels ?? {}, current.metadata.labels ?? {})) return true;
      break;
    case 'csidrivers.storage.k8s.io':
      return !deepEqual(next.spec, current.spec);
  }
  if (!kind.generation) return false;
  const fields = new Set([...Object.keys(next), ...Object.keys(current)]);
  for (const field of fields) {
    if (field !== 'metadata' && !deepEqual(ownMember(next, field), ownMember(current, field))) return true;
  }
  return false;
}

/** The status endpoint takes the status and some of the metadata (UP-15, UP-16). */
function forStatus(kind: KindInfo, sent: KubeObject, current: KubeObject, now: string): KubeObject {
  const metadata = kind.custom ? current.metadata : metadataForStatus(kind, sent.metadata, current.metadata);
  const { status: _, ...rest } = current;
  const status = kind.custom ? sentStatus(sent, current) : (sent.status ?? builtInStatus(kind));
  const next: KubeObject = status === undefined ? { ...rest, metadata } : { ...rest, metadata, status };
  switch (kind.resource) {
    case 'namespaces':
      return withNameLabel(next);
    case 'pods':
      return withReportedStatus(next, current);
    case 'persistentvolumes':
      return withPhaseTime(next, current, now);
    case 'daemonsets.apps':
      return withTemplateGeneration(next, templateGeneration(next, current));
    default:
      return next;
  }
}

/** PA-58: an apply may hold a null, which is refused where there was a status before. */
function sentStatus({ status }: KubeObject, current: KubeObject): unknown {
  return status === null && current.status === undefined ? undefined : status;
}

function builtInStatus({ resource }: KindInfo): unknown {
  return initialStatusOf(resource) === undefined ? undefined : emptyStatusOf(resource);
}

function metadataForStatus(kind: KindInfo, sent: ObjectMeta, current: ObjectMeta): ObjectMeta {
  const metadata = fixedMetadata(sent, current);
  for (const field of metadataCollections) if (!kind.statusMetadata.includes(field)) keep(metadata, field, current[field]);
  if (kind.statusMetadata.length === 0 || kind.resource === 'pods') keep(metadata, 'deletionTimestamp', current.deletionTimestamp);
  return metadata;
}

/** TK-1: a volume says since when it is in its phase. */
function withPhaseTime(next: KubeObject, current: KubeObject, now: string): KubeObject {
  if (next.status?.phase === current.status?.phase) return next;
  const { lastPhaseTransitionTime: time } = next.status ?? {};
  if (time !== undefined && time !== current.status?.lastPhaseTransitionTime) return next;
  return { ...next, status: { ...next.status, lastPhaseTransitionTime: now } };
}
