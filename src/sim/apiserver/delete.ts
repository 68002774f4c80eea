import { deepEqual, type KubeObject, type ObjectMeta } from '../etcd/object.js';
import { deleteAttributes } from './admission/attributes.js';
import { askMutating } from './admission/mutating.js';
import { seenStored } from './admission/seen-object.js';
import { validate } from './admission/validating.js';
import type { Call } from './call.js';
import { markCrd } from './crd.js';
import { type DeleteOptions, deleteOptions } from './delete-options.js';
import { isCrd, type KindInfo, keyOf } from './kinds.js';
import { ownersOfObject } from './managed-fields/owners.js';
import { rfc3339 } from './metadata.js';
import { admitDelete, isNamespace } from './namespace.js';
import type { ApiResponse } from './request.js';
import { afterNoWrite, removeStored, type Start, startingFrom, unchanged } from './start-state.js';
import { conflict, deleteSuccess, notFound, preconditionConflict } from './status.js';
import { sharingOwners, store, withMetadata } from './store.js';
import { inVersion, stored } from './version.js';

/** DELETE of one object. @throws ApiStatusError */
export function deleteObject(call: Call): ApiResponse {
  const { server, request } = call;
  const options = deleteOptions(request, server.kinds);
  warnOfOrphans(call, options);
  return deleteNamed(call, request.namespace, request.name ?? '', options, admission(call, options));
}

/** DE-4: who deletes Jobs without a word about their pods is told what becomes of them. */
export function warnOfOrphans({ kind, warnings }: Call, { propagation }: DeleteOptions): void {
  if (kind.defaultPropagation !== 'Orphan' || kind.group !== 'batch' || propagation !== undefined) return;
  warnings.push(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  );
}

/** AD-7: webhooks and policies are asked about what a client deletes. In a deletecollection nothing has a name (AD-11). */
export function admission(call: Call, options: DeleteOptions): (existing: KubeObject) => void {
  return (existing) => {
    const attributes = () => deleteAttributes(call, options, call.request.name ?? '', seenStored(inVersion(call.kind, existing)));
    askMutating(call, attributes);
    validate(call, 'DELETE', attributes);
  };
}

/**
 * The delete of one object, alone or as a part of a collection.
 * @param admit may refuse it; absent for deletes that the server does of itself (AD-26, CD-18).
 * @throws ApiStatusError
 */
export function deleteNamed(
  call: Call,
  namespace: string | undefined,
  name: string,
  options: DeleteOptions,
  admit?: (existing: KubeObject) => void,
): ApiResponse {
  const { server, kind } = call;
  const key = keyOf(kind, namespace, name);
  const existing = server.etcd.get(key);
  if (existing === undefined) throw notFound(kind, name);
  // It is read before anything else, which fails when a webhook cannot convert it (CD-49).
  if (kind.conversion !== undefined) inVersion(kind, existing);
  checkPreconditions(kind, existing, options);
  admitDelete(kind, name);
  admit?.(existing);
  const nowMs = server.environment.nowMs();

  const steps = isNamespace(kind)
    ? deleteNamespace(existing, options, kind, nowMs)
    : isCrd(kind) && existing.metadata.deletionTimestamp === undefined
      ? { marked: markCrd(withFinalizers(existing, finalizersOf(kind, existing, options)), nowMs), removed: false }
      : plainDelete(kind, existing, options, nowMs);

  if (kind.custom && steps.marked !== undefined) {
    return startingFrom(call, existing, options.dryRun, (start) => markCustom(call, start, options, nowMs));
  }
  let last = existing;
  if (steps.marked !== undefined && !deepEqual(steps.marked, existing)) {
    last = options.dryRun ? sharingOwners(steps.marked, existing) : store(server, key, steps.marked);
  }
  if (!steps.removed) return { code: options.orphanDependentsFalse ? 202 : 200, body: inVersion(kind, last) };
  if (options.dryRun) return { code: 200, body: removedBody(kind, name, last, undefined) };
  const { previous, revision } = removeStored(call, existing);
  return { code: 200, body: removedBody(kind, name, previous, revision) };
}

/** A custom resource is marked in the version of the request, and stored as by any other write (CD-3). */
function markCustom(call: Call, start: Start, options: DeleteOptions, nowMs: number): ApiResponse {
  const { kind, server } = call;
  const { existing, current } = start;
  const { marked = current } = plainDelete(kind, current, options, nowMs);
  const toStore = stored(kind, marked, () => ownersOfObject(existing));
  const code = options.orphanDependentsFalse ? 202 : 200;
  if (deepEqual(toStore, unchanged(start))) return { ...afterNoWrite(call, start), code };
  const { namespace, name = '' } = existing.metadata;
  const last = options.dryRun ? sharingOwners(toStore, existing) : store(server, keyOf(kind, namespace, name), toStore);
  return { code, body: inVersion(kind, last) };
}

/** DE-9 */
function removedBody(kind: KindInfo, name: string, last: KubeObject, revision: number | undefined): ApiResponse['body'] {
  if (!kind.deletedObjectReturned) return deleteSuccess(kind, name, last.metadata.uid);
  const shown = inVersion(kind, last);
  return revision === undefined ? shown : withMetadata(shown, { resourceVersion: String(revision) });
}

/** DE-3, NS-1 @throws ApiStatusError 409 */
function checkPreconditions(kind: KindInfo, existing: KubeObject, { uid, resourceVersion }: DeleteOptions): void {
  const { name = '', uid: liveUid, resourceVersion: liveVersion } = existing.metadata;
  const check = (sent: string | undefined, live: string | undefined, what: string, plainText: string, consequence: string) => {
    if (sent === undefined || sent === live) return;
    if (isNamespace(kind)) {
      throw conflict(kind, name, `Precondition failed: ${what} in precondition: ${sent}, ${what} in object meta: ${live}`);
    }
    const text = `the ${plainText} in the precondition (${sent}) does not match the ${plainText} in record (${live}). The object might have been ${consequence}`;
    throw preconditionConflict(kind, name, text);
  };
  check(uid, liveUid, 'UID', 'UID', 'deleted and then recreated');
  check(resourceVersion, liveVersion, 'ResourceVersion', 'ResourceVersion', 'modified');
}

/** What a delete does to the stored object: a last update, or its removal, or both (a pod without grace). */
interface Steps {
  readonly marked?: KubeObject;
  readonly removed: boolean;
}

function plainDelete(kind: KindInfo, existing: KubeObject, options: DeleteOptions, nowMs: number): Steps {
  const grace: Grace = kind.resource === 'pods' ? podGrace(existing, options, nowMs) : { state: 'none' };
  if (grace.state === 'running') return { removed: false };
  const graceful = grace.state === 'begun' ? { ...existing, metadata: grace.metadata } : existing;
  const finalizers = finalizersOf(kind, existing, options);
  if (finalizers.length > 0) {
    const held = withFinalizers(graceful, finalizers);
    return { marked: grace.state === 'begun' ? held : marked(held, nowMs), removed: false };
  }
  // DE-5: without grace the policy's finalizers go together with the object, and nobody sees them go.
  if (grace.state !== 'begun') return { removed: true };
  return { marked: withFinalizers(graceful, finalizers), removed: grace.metadata.deletionGracePeriodSeconds === 0 };
}

/** NS-1 */
function deleteNamespace(existing: KubeObject, options: DeleteOptions, kind: KindInfo, nowMs: number): Steps {
  if (existing.metadata.deletionTimestamp !== undefined) {
    return (existing.spec?.finalizers ?? []).length > 0 ? { removed: false } : plainDelete(kind, existing, options, nowMs);
  }
  const held = withFinalizers(existing, finalizersOf(kind, existing, options));
  const metadata = { ...held.metadata, deletionTimestamp: rfc3339(nowMs) };
  return { marked: { ...held, metadata, status: { ...held.status, phase: 'Terminating' } }, removed: false };
}

/** DE-6 */
function marked(object: KubeObject, nowMs: number): KubeObject {
  const { deletionTimestamp, generation = 0 } = object.metadata;
  const metadata: ObjectMeta = { ...object.metadata, deletionGracePeriodSeconds: 0 };
  if (deletionTimestamp === undefined && generation > 0) metadata.generation = generation + 1;
  if (deletionTimestamp === undefined || Date.parse(deletionTimestamp) > nowMs) metadata.deletionTimestamp = rfc3339(nowMs);
  return { ...object, metadata };
}

function withFinalizers(object: KubeObject, finalizers: readonly string[]): KubeObject {
  if (deepEqual(object.metadata.finalizers ?? [], finalizers)) return object;
  const { finalizers: _, ...metadata } = object.metadata;
  return { ...object, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers: [...finalizers] } };
}

/** DE-4, DE-7: the finalizers with those that the propagation policy wants, and without those that it does not. */
function finalizersOf(kind: KindInfo, existing: KubeObject, options: DeleteOptions): readonly string[] {
  const present = existing.metadata.finalizers ?? [];
  const own = present.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  if (kind.defaultPropagation === 'none') return own;
  const wanted = options.propagation ?? presentPropagation(present) ?? kind.defaultPropagation;
  const finalizer = wanted === 'Orphan' ? 'orphan' : wanted === 'Foreground' ? 'foregroundDeletion' : undefined;
  if (finalizer === undefined) return own;
  // The server compares sets: one that is there stays in its place.
  return present.length === own.length + 1 && present.includes(finalizer) ? present : [...own, finalizer];
}

function presentPropagation(present: readonly string[]): 'Orphan' | 'Foreground' | undefined {
  const first = present.find((name) => name === 'orphan' || name === 'foregroundDeletion');
  return first === undefined ? undefined : first === 'orphan' ? 'Orphan' : 'Foreground';
}

type Grace =
  /** The kind has no grace, or its grace is over. */
  | { readonly state: 'none' }
  /** Grace runs and this delete does not shorten it. */
  | { readonly state: 'running' }
  /** This delete has set the end of the grace. */
  | { readonly state: 'begun'; readonly metadata: ObjectMeta };

/** Seconds in milliseconds as Go's Duration holds them: 64 bits of nanoseconds, past which they begin again. */
function durationMs(seconds: number): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);
}

/** DE-8 */
function podGrace(pod: KubeObject, options: DeleteOptions, nowMs: number): Grace {
  const { deletionTimestamp, deletionGracePeriodSeconds: running = 0, generation = 0 } = pod.metadata;
  const asked = options.gracePeriodSeconds === undefined ? undefined : options.gracePeriodSeconds < 0 ? 1 : options.gracePeriodSeconds;
  if (deletionTimestamp !== undefined) {
    if (running === 0) return { state: 'none' };
    if (asked === undefined || asked >= running) return { state: 'running' };
    const end = Date.parse(deletionTimestamp) + durationMs(asked - running);
    const late = end < nowMs;
    return {
      state: 'begun',
      metadata: {
        ...pod.metadata,
        deletionTimestamp: rfc3339(late ? nowMs : end),
        deletionGracePeriodSeconds: late && asked > 0 ? 1 : asked,
      },
    };
  }
  const ended = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  const wanted = asked ?? pod.spec?.terminationGracePeriodSeconds ?? 0;
  const seconds = ended || !pod.spec?.nodeName ? 0 : wanted < 0 ? 1 : wanted;
  return {
    state: 'begun',
    metadata: {
      ...pod.metadata,
      deletionTimestamp: rfc3339(nowMs + durationMs(seconds)),
      deletionGracePeriodSeconds: seconds,
      ...(generation > 0 && { generation: generation + 1 }),
    },
  };
}
