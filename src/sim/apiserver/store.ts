import type { EtcdKey } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import { type Owners, ownersOfObject, recordOwners } from './managed-fields/owners.js';
import type { ApiServer } from './server.js';

/**
 * Commits an object, and who owns its fields: those who owned them before unless something else is said (PA-49).
 * @param keptOtherwise etcd's text is not what its readers would write (ST-5).
 * @returns the object as it is stored.
 */
export function store(server: ApiServer, key: EtcdKey, object: KubeObject, owners?: Owners, keptOtherwise = false): KubeObject {
  const { object: stored, previous } = server.etcd.put(key, object);
  recordOwners(stored, owners ?? ownersOfObject(previous));
  if (keptOtherwise) inOtherWords.add(stored);
  return stored;
}

const inOtherWords = new WeakSet<KubeObject>();

/** Whether etcd has a stored object in other words than its readers would write it in: then no write to it is a no-op (ST-5). */
export function wasKeptOtherwise(object: KubeObject): boolean {
  return inOtherWords.has(object);
}

/** An object that is answered with and not stored, with the owners of a stored one. */
export function sharingOwners(object: KubeObject, stored: KubeObject): KubeObject {
  const shown = { ...object, metadata: { ...object.metadata } };
  recordOwners(shown, ownersOfObject(stored));
  return shown;
}

/** A stored object with other metadata than it is stored with, such as the revision of its delete. */
export function withMetadata(object: KubeObject, changes: Partial<KubeObject['metadata']>): KubeObject {
  return sharingOwners({ ...object, metadata: { ...object.metadata, ...changes } }, object);
}
