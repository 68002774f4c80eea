import { selects } from '../apiserver/object-selector.js';
import { pathOf } from '../etcd/etcd.js';
import { deepEqual, type KubeObject } from '../etcd/object.js';
import type { Change, Wake } from './level-controller.js';
import { isReady } from './pod-state.js';
import { controllerOf, controllerReference, pathOfObject } from './references.js';
import { about, type Resource } from './requests.js';
import { answeredWith, type Steps, SyncFailed } from './sync.js';
import type { View } from './view.js';

/** Whether a selector of this owner means the object, in its namespace. */
export function selectedBy(owner: KubeObject, object: KubeObject): boolean {
  return owner.metadata.namespace === object.metadata.namespace && selects(owner.spec?.selector, object.metadata.labels);
}

/** The owner that a reference names, when it is known and has its uid. */
export function resolve(resource: string, kind: string, object: KubeObject, view: View): KubeObject | undefined {
  const reference = controllerOf(object);
  if (reference === undefined || reference.kind !== kind) return undefined;
  const owner = view.get(resource, pathOf({ namespace: object.metadata.namespace ?? '', name: reference.name }));
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}

/**
 * Which owners a change of a dependent concerns: its controller, the one it had before, and when it has none those that
 * select it.
 */
export function ownersConcerned(resource: string, kind: string, { type, object, previous }: Change, view: View): readonly string[] {
  const keys: string[] = [];
  const before = previous === undefined ? undefined : resolve(resource, kind, previous, view);
  const reference = controllerOf(object);
  const handedOver = previous !== undefined && !deepEqual(controllerOf(previous), reference);
  if (handedOver && before !== undefined) keys.push(pathOfObject(before));
  if (reference !== undefined) {
    const owner = resolve(resource, kind, object, view);
    if (owner !== undefined) keys.push(pathOfObject(owner));
    return keys;
  }
  if (type === 'DELETED' || object.metadata.deletionTimestamp !== undefined) return keys;
  if (previous !== undefined && !handedOver && deepEqual(previous.metadata.labels, object.metadata.labels)) return keys;
  for (const owner of view.list(resource, object.metadata.namespace)) if (selectedBy(owner, object)) keys.push(pathOfObject(owner));
  return keys;
}

/**
 * Which owners a change of a pod concerns; when it has just become ready, once more when it is available.
 * @param slackMs how much later than that, in virtual milliseconds
 */
export function ownersOfPod(resource: string, kind: string, change: Change, view: View, slackMs = 0): readonly Wake[] {
  const keys = ownersConcerned(resource, kind, change, view);
  const { object, previous } = change;
  if (previous === undefined || isReady(previous) || !isReady(object)) return keys;
  const later = keys.flatMap((key) => {
    const seconds = Number(view.get(resource, key)?.spec?.minReadySeconds ?? 0);
    return seconds > 0 ? [{ key, afterMs: seconds * 1000 + slackMs }] : [];
  });
  return [...keys, ...later];
}

/** Resources whose objects an owner claims. */
interface Claim {
  readonly owner: KubeObject;
  readonly ownerResource: Resource;
  readonly resource: Resource;
  readonly matches: (object: KubeObject) => boolean;
  /** A finalizer that the object has to have while it is owned. */
  readonly finalizer?: string;
}

/**
 * Adopts what matches and has no controller, and releases what is owned and does not match any more (WL-24, WL-25).
 * @returns what is owned now
 * @throws SyncFailed when some of it could not be done; all of it has been tried
 */
export function* claim(
  candidates: readonly KubeObject[],
  { owner, ownerResource, resource, matches, finalizer }: Claim,
): Steps<readonly KubeObject[]> {
  const claimed: KubeObject[] = [];
  const leaving = owner.metadata.deletionTimestamp !== undefined;
  let failure: unknown;
  let mayAdopt: boolean | undefined;
  for (const object of candidates) {
    const reference = controllerOf(object);
    const { uid } = object.metadata;
    try {
      if (reference !== undefined) {
        if (reference.uid !== owner.metadata.uid) continue;
        if (matches(object)) claimed.push(object);
        else if (!leaving) yield* release(object, owner, resource, finalizer);
        continue;
      }
      if (leaving || !matches(object) || object.metadata.deletionTimestamp !== undefined) continue;
      // The cache may not know yet that the owner is going.
      mayAdopt ??= yield* isStillThere(owner, ownerResource);
      if (!mayAdopt) throw new SyncFailed(`${owner.metadata.name} has just been deleted`);
      const metadata = { uid, ownerReferences: [controllerReference(owner)], ...(finalizer !== undefined && { finalizers: [finalizer] }) };
      yield about('patch', resource, object, { metadata });
      claimed.push(object);
    } catch (error) {
      if (!(error instanceof SyncFailed)) throw error;
      if (!answeredWith(error, 404)) failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return claimed;
}

function* isStillThere(owner: KubeObject, resource: Resource): Steps<boolean> {
  const { metadata } = (yield about('get', resource, owner)).body as KubeObject;
  return metadata.uid === owner.metadata.uid && metadata.deletionTimestamp === undefined;
}

function* release(object: KubeObject, owner: KubeObject, resource: Resource, finalizer: string | undefined): Steps<void> {
  const { uid } = object.metadata;
  const metadata = {
    uid,
    ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid }],
    ...(finalizer !== undefined && { '$deleteFromPrimitiveList/finalizers': [finalizer] }),
  };
  try {
    yield about('patch', resource, object, { metadata });
  } catch (error) {
    // 422: another object has its name by now, or the reference is gone already.
    if (!answeredWith(error, 404, 422)) throw error;
  }
}
