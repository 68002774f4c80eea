import { deepCopy, deepEqual, groupVersionOf, type OwnerReference } from '../etcd/object.js';
import { isNotFound } from './api-errors.js';
import type { Client } from './client.js';
import { asJson, replaceContents } from './json-body.js';
import type { ClientObject } from './kind.js';
import { mergeFrom } from './patch-builder.js';

/** What createOrUpdate or createOrPatch has done. */
export type OperationResult = 'unchanged' | 'created' | 'updated' | 'updatedStatus' | 'updatedStatusOnly';

/** Another controller owns the object already (D34). */
export class AlreadyOwnedError extends Error {
  constructor(object: ClientObject, owner: OwnerReference) {
    const { namespace, name } = object.metadata;
    super(`Object ${namespace ?? ''}/${name ?? ''} is already owned by another ${owner.kind} controller ${owner.name}`);
    this.name = 'AlreadyOwnedError';
  }
}

/**
 * Reads the object, lets `mutate` change it in place, and creates or updates it if that made a difference (D32). It reads from
 * where the client reads: with a manager's client a stale cache gives AlreadyExists or Conflict. It never writes `/status`.
 * @param object the wanted object; what was found is put into it before `mutate` is called
 */
export async function createOrUpdate<T extends ClientObject>(
  client: Client,
  object: T,
  mutate: () => void | Promise<void>,
): Promise<OperationResult> {
  const existing = await readInto(client, object);
  await mutateKeepingKey(object, mutate);
  if (existing === undefined) {
    await client.create(object);
    return 'created';
  }
  if (deepEqual(asJson(existing), asJson(object))) return 'unchanged';
  await client.update(object);
  return 'updated';
}

/**
 * As createOrUpdate, with merge patches without a lock: one to the object if anything but its status changed, one to `/status` if
 * that did (D33).
 */
export async function createOrPatch<T extends ClientObject>(
  client: Client,
  object: T,
  mutate: () => void | Promise<void>,
): Promise<OperationResult> {
  const existing = await readInto(client, object);
  await mutateKeepingKey(object, mutate);
  if (existing === undefined) {
    await client.create(object);
    return 'created';
  }
  const before = asJson(existing) as T & { status?: unknown };
  const wanted = asJson(object) as T & { status?: unknown };
  const statusChanged = !deepEqual(before.status, wanted.status);
  const restChanged = !deepEqual({ ...before, status: undefined }, { ...wanted, status: undefined });
  if (restChanged) await client.patch(object, mergeFrom(existing));
  if (statusChanged) {
    // The first answer has overwritten the wanted status. What is left of it is its resourceVersion, and so a lock after all.
    if (restChanged) (object as { status?: unknown }).status = wanted.status;
    await client.status().patch(object, mergeFrom(existing));
  }
  if (restChanged) return statusChanged ? 'updatedStatus' : 'updated';
  return statusChanged ? 'updatedStatusOnly' : 'unchanged';
}

/**
 * Makes the owner the object's controller, in memory (D34). A reference to something of the same group, kind and name is
 * replaced, whatever its uid. @throws AlreadyOwnedError; Error when the scopes do not fit
 */
export function setControllerReference(
  owner: ClientObject,
  object: ClientObject,
  options: { readonly blockOwnerDeletion?: boolean } = {},
): void {
  checkScopes(owner, object);
  const reference = { ...referenceTo(owner), controller: true, blockOwnerDeletion: options.blockOwnerDeletion ?? true };
  const controller = controllerOf(object);
  if (controller !== undefined && !sameOwner(controller, reference)) throw new AlreadyOwnedError(object, controller);
  upsert(object, reference);
}

/** Adds a plain reference to an owner, in memory (D35). A controlling reference to the same owner loses its flags (D72). */
export function setOwnerReference(
  owner: ClientObject,
  object: ClientObject,
  options: { readonly blockOwnerDeletion?: boolean } = {},
): void {
  checkScopes(owner, object);
  const { blockOwnerDeletion } = options;
  upsert(object, { ...referenceTo(owner), ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }) });
}

/** Takes the reference to an owner out, in memory; the uid is not compared (D35). @throws if there is none */
export function removeOwnerReference(owner: ClientObject, object: ClientObject): void {
  const references = object.metadata.ownerReferences ?? [];
  if (references.length === 0) throw new Error(`${object.kind} does not have any owner references`);
  const left = references.filter((reference) => !sameOwner(reference, referenceTo(owner)));
  if (left.length === references.length) throw new Error(`${object.kind} does not have an owner reference for ${owner.kind}`);
  object.metadata.ownerReferences = left;
}

/** Takes the controlling reference out, in memory (D35). @throws if there is none, or the owner is not the controller */
export function removeControllerReference(owner: ClientObject, object: ClientObject): void {
  const controller = controllerOf(object);
  if (controller === undefined) throw new Error(`${object.kind} does not have a owner reference with controller equals true`);
  if (!sameOwner(controller, referenceTo(owner))) throw new Error(`${owner.kind} owner is not the controller reference for ${object.kind}`);
  removeOwnerReference(owner, object);
}

/** True if a reference has the owner's group, kind and name; the uid is not compared (D72). */
export function hasOwnerReference(object: ClientObject, owner: ClientObject): boolean {
  return (object.metadata.ownerReferences ?? []).some((reference) => sameOwner(reference, referenceTo(owner)));
}

/** True if anything controls the object (D72). */
export function hasControllerReference(object: ClientObject): boolean {
  return controllerOf(object) !== undefined;
}

/** True if the controlling reference has the owner's uid, which alone counts (D72). */
export function isControlledBy(object: ClientObject, owner: ClientObject): boolean {
  const controller = controllerOf(object);
  return controller !== undefined && controller.uid === owner.metadata.uid;
}

/** The reference with `controller: true`. */
export function controllerOf(object: ClientObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Adds it in memory, to a terminating object too; the caller must write (D36). Returns whether it was missing. */
export function addFinalizer(object: ClientObject, finalizer: string): boolean {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer)) return false;
  object.metadata.finalizers = [...finalizers, finalizer];
  return true;
}

/** Removes all of that name in memory; the caller must write (D36). Returns whether there were any. */
export function removeFinalizer(object: ClientObject, finalizer: string): boolean {
  const finalizers = object.metadata.finalizers ?? [];
  const left = finalizers.filter((present) => present !== finalizer);
  if (left.length === finalizers.length) return false;
  object.metadata.finalizers = left;
  return true;
}

/** Whether the object has the finalizer. */
export function containsFinalizer(object: ClientObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

async function readInto<T extends ClientObject>(client: Client, object: T): Promise<T | undefined> {
  const { namespace, name = '' } = object.metadata;
  try {
    const found = await client.get(client.scheme.kindOf(object), { namespace, name });
    replaceContents(object, found);
    return deepCopy(found) as T;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function mutateKeepingKey(object: ClientObject, mutate: () => void | Promise<void>): Promise<void> {
  const { namespace, name } = object.metadata;
  await mutate();
  if (object.metadata.namespace !== namespace || object.metadata.name !== name) {
    throw new Error('MutateFn cannot mutate object name and/or object namespace');
  }
}

function checkScopes(owner: ClientObject, object: ClientObject): void {
  const ownerNamespace = owner.metadata.namespace;
  if (!ownerNamespace) return;
  const { namespace } = object.metadata;
  if (!namespace) throw new Error(`cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`);
  if (namespace !== ownerNamespace) {
    throw new Error(`cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`);
  }
}

function referenceTo(owner: ClientObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (!apiVersion || !kind)
    throw new Error(`owner ${JSON.stringify(metadata.name ?? '')} says no apiVersion or no kind: a reference to it needs both`);
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' };
}

/** Group, kind and name: neither version nor uid (D34). */
function sameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return a.kind === b.kind && a.name === b.name && groupVersionOf(a.apiVersion).group === groupVersionOf(b.apiVersion).group;
}

function upsert(object: ClientObject, reference: OwnerReference): void {
  const references = object.metadata.ownerReferences ?? [];
  const index = references.findIndex((present) => sameOwner(present, reference));
  object.metadata.ownerReferences = index < 0 ? [...references, reference] : references.with(index, reference);
}
