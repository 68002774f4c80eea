import type { Commit } from './etcd/etcd.js';
import { deepEqual, type KubeObject } from './etcd/object.js';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Whether a commit says no more than "still alive": nothing has changed but times in the object's status, or a Lease, or an Event
 * has gone. Operators that do so from time to time are at rest all the same.
 */
export function isHeartbeat({ key, object, previous }: Commit): boolean {
  // An Event that ends has only become old.
  if (object === undefined) return key.resource === 'events';
  if (previous === undefined) return false;
  if (key.resource === 'leases.coordination.k8s.io') return true;
  if (!deepEqual(withoutStatus(object), withoutStatus(previous))) return false;
  return deepEqual(timeless(object.status), timeless(previous.status));
}

/** What is the same as long as nobody says anything but how it is. */
function withoutStatus({ status: _, ...object }: KubeObject): unknown {
  const { resourceVersion: __, managedFields: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function timeless(value: unknown): unknown {
  if (typeof value === 'string') return timestamp.test(value) ? 'a time' : value;
  if (Array.isArray(value)) return value.map(timeless);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, timeless(inner)]));
}
