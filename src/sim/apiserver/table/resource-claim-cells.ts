import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { age } from './ages.js';
import { nameOf } from './cell-text.js';

/** What `kubectl get resourceclaims` shows. */
export function resourceClaimCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), stateOf(object), age(object, nowMs)];
}

function stateOf({ metadata, status }: KubeObject): string {
  const deleted = metadata.deletionTimestamp !== undefined;
  const allocated = status?.allocation !== undefined;
  const reserved = allocated && (status.reservedFor ?? []).length > 0;
  const states = [deleted && 'deleted', !deleted && !allocated && 'pending', allocated && 'allocated', reserved && 'reserved'];
  return states.filter((state) => state !== false).join(',');
}

/** What `kubectl get resourceslices` shows. */
export function resourceSliceCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { nodeName = '', driver = '', pool } = object.spec ?? {};
  return [nameOf(object), nodeName, driver, pool?.name ?? '', age(object, nowMs)];
}
