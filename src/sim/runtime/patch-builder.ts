import { deepEqual } from '../etcd/object.js';
import { asJson, isMap, setField } from './json-body.js';
import type { ClientObject } from './kind.js';
import { strategicPatch } from './strategic-patch.js';

/** The four kinds of patch that the server knows. */
export type PatchType = 'merge' | 'json' | 'strategic' | 'apply';

/** What a patch request carries; its data may depend on the object that it is sent for. */
export interface Patch {
  readonly type: PatchType;
  /** @throws if the patch cannot be built for this object. */
  data(object: ClientObject): unknown;
}

const contentTypes: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** The media type that a patch is sent as. */
export function contentTypeOf(type: PatchType): string {
  return contentTypes[type];
}

/** How a patch made from a difference is guarded. */
export interface MergeFromOptions {
  /** Adds the base's resourceVersion: the patch fails with a Conflict if the object has changed since. */
  readonly optimisticLock?: boolean;
}

/**
 * The JSON merge patch that turns `base` into the object: controller-runtime's MergeFrom (D30, D31). Lists are sent whole, so
 * one that others have changed meanwhile is overwritten, unless the optimistic lock is on.
 * @param base the object as it was read; it is copied now
 */
export function mergeFrom(base: ClientObject, options: MergeFromOptions = {}): Patch {
  return difference('merge', mergePatch, base, options);
}

/** As mergeFrom, with the merge keys that the lists of built-in kinds have; the server refuses it for custom ones (D30, PA-1). */
export function strategicMergeFrom(base: ClientObject, options: MergeFromOptions = {}): Patch {
  return difference('strategic', (before, after) => strategicPatch({ ...before }, { ...after }), base, options);
}

function difference(
  type: PatchType,
  between: (before: object, after: object) => Record<string, unknown>,
  base: ClientObject,
  { optimisticLock = false }: MergeFromOptions,
): Patch {
  const before = asJson(base);
  return {
    type,
    data(object) {
      const patch = between(before, asJson(object));
      if (!optimisticLock) return patch;
      const { resourceVersion, namespace, name } = before.metadata;
      if (!resourceVersion) {
        const shown = namespace ? `${namespace}/${name}` : name;
        throw new Error(`cannot use OptimisticLock, object ${shown} does not have any resource version we can use`);
      }
      return { ...patch, metadata: { ...(patch.metadata as object | undefined), resourceVersion } };
    },
  };
}

/** A patch as it stands: controller-runtime's RawPatch. */
export function rawPatch(type: PatchType, data: unknown): Patch {
  return { type, data: () => data };
}

/** The smallest merge patch from one JSON object to another (RFC 7396): what is gone becomes null. */
export function mergePatch(before: object, after: object): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  const old = before as Record<string, unknown>;
  const new_ = after as Record<string, unknown>;
  for (const field of Object.keys(new_)) {
    const is = new_[field];
    if (!Object.hasOwn(old, field)) setField(patch, field, is);
    else if (isMap(old[field]) && isMap(is)) {
      const inner = mergePatch(old[field], is);
      if (Object.keys(inner).length > 0) setField(patch, field, inner);
    } else if (!deepEqual(old[field], is)) setField(patch, field, is);
  }
  for (const field of Object.keys(old)) if (!Object.hasOwn(new_, field)) setField(patch, field, null);
  return patch;
}
