import { deepFreeze, type KubeObject } from '../etcd/object.js';
import { keyOf } from './store.js';
import { DeletedFinalStateUnknown } from './tombstone.js';

/** What happened to one object (B2): Replaced comes from a list, Sync from a resync. */
export type ObjectDelta =
  | { readonly type: 'Added' | 'Updated' | 'Replaced' | 'Sync'; readonly object: KubeObject }
  | { readonly type: 'Deleted'; readonly object: KubeObject | DeletedFinalStateUnknown };

/** What happened to all of them at once; atomic queues alone have these (B2). */
export type WholeDelta =
  | { readonly type: 'ReplacedAll'; readonly objects: readonly KubeObject[]; readonly resourceVersion: string }
  | { readonly type: 'SyncAll' }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string };

export type Delta = ObjectDelta | WholeDelta;

export function isWhole(delta: Delta): delta is WholeDelta {
  return delta.type === 'ReplacedAll' || delta.type === 'SyncAll' || delta.type === 'Bookmark';
}

export function keyOfDelta({ object }: ObjectDelta): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : keyOf(object);
}

/** What a queue compares with to find out what a list no longer has: the informer's store. */
export interface KnownObjects {
  keys(): Iterable<string>;
  getByKey(key: string): KubeObject | undefined;
}

/** @param isInInitialList the first contents were not yet processed when these were popped (B20) */
export type Process = (deltas: readonly Delta[], isInInitialList: boolean) => void;

/** Changes an object on its way into a queue; must be idempotent (B30). Throwing refuses the object. */
export type Transform = (object: KubeObject) => KubeObject;

/** The transform has refused an object. */
export class TransformError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'TransformError';
  }
}

/** @throws TransformError */
export function transformed(transform: Transform | undefined, object: KubeObject): KubeObject {
  if (transform === undefined) return object;
  try {
    return deepFreeze(transform(object));
  } catch (error) {
    throw new TransformError(error instanceof Error ? error.message : String(error), error);
  }
}

/** The same for an object of new contents, in queues that take these one by one (B30). @throws TransformError */
export function transformedInList(transform: Transform | undefined, object: KubeObject): KubeObject {
  try {
    return transformed(transform, object);
  } catch (error) {
    throw new TransformError(`couldn't enqueue object: ${(error as TransformError).message}`, error);
  }
}

/** What lies between a reflector and an informer's store. */
export interface Queue {
  add(object: KubeObject): void;
  update(object: KubeObject): void;
  delete(object: KubeObject | DeletedFinalStateUnknown): void;
  /** Takes new contents as a whole: a list, or what a stream brought. @throws TransformError */
  replace(objects: readonly KubeObject[], resourceVersion: string): void;
  resync(): void;
  bookmark(resourceVersion: string): void;
  /**
   * Hands the next deltas over; false if there are none.
   * @param most how many objects a batch may have, by default 1; DeltaFIFO has no batches (B13)
   */
  pop(process: Process, most?: number): boolean;
  /** All deltas of the first contents have been processed (B19). */
  hasSynced(): boolean;
  readonly empty: boolean;
}
