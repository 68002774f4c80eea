import { deepEqual, type KubeObject } from '../etcd/object.js';
import { OrdinaryError } from '../kernel/ordinary-error.js';
import type { Call } from './call.js';
import { type KindInfo, keyOf } from './kinds.js';
import { ownersOfObject, recordOwners } from './managed-fields/owners.js';
import type { ApiResponse } from './request.js';
import { ApiStatusError } from './status.js';
import { inVersion, stored } from './version.js';
import type { Known } from './version-cache.js';

/** What a write of an object starts from. */
export interface Start {
  /** As it is stored. */
  readonly existing: KubeObject;
  /** The same in the version of the request. */
  readonly current: KubeObject;
  /** What `current` comes to in etcd, where it is what a cache has: a webhook need not give back what it was given. */
  readonly encoded?: KubeObject;
}

/** A write would change nothing of what a cache has, but something of what is stored. */
class StartOutdated extends OrdinaryError {}

/**
 * Lets a write be worked out. Where a webhook converts, it starts from what the watch cache of its version has, and only when
 * that does not lead to a write it is asked once more what is stored; a dry run starts from that at once (CD-16).
 * @param write may be called a second time.
 * @throws ApiStatusError
 */
export function startingFrom(call: Call, existing: KubeObject, dryRun: boolean, write: (start: Start) => ApiResponse): ApiResponse {
  const { kind, server } = call;
  const fresh = (): Start => ({ existing, current: inVersion(kind, existing) });
  if (kind.conversion === undefined || dryRun) return write(fresh());
  const { namespace, name = '' } = existing.metadata;
  const known = server.watches.caches.of(kind).at(keyOf(kind, namespace, name));
  if (known === undefined) return write(fresh());
  const encoded = encodedAgain(kind, known);
  if (known.stored !== existing) return write(fresh());
  try {
    return write({ existing, current: known.shown, encoded });
  } catch (error) {
    if (error instanceof StartOutdated) return write(fresh());
    // The server looks whether it is its cache that is at fault.
    if (error instanceof ApiStatusError) inVersion(kind, existing);
    throw error;
  }
}

/** What a cache has of an object, as it would be stored. @throws ApiStatusError 500 */
function encodedAgain(kind: KindInfo, { shown, stored: existing }: Known): KubeObject {
  const owners = ownersOfObject(existing);
  const encoded = stored(kind, shown, () => owners);
  recordOwners(encoded, owners);
  return encoded;
}

/** What stands in etcd if a write from this start changes nothing (ST-5). */
export function unchanged({ existing, encoded }: Start): KubeObject {
  return encoded ?? existing;
}

/** The answer to a write that changes nothing. @throws ApiStatusError 500 */
export function afterNoWrite({ kind }: Call, { existing, current, encoded }: Start): ApiResponse {
  if (kind.conversion === undefined) return { code: 200, body: current };
  if (encoded !== undefined && !deepEqual(encoded, existing)) throw new StartOutdated('the start of a write is outdated');
  return { code: 200, body: inVersion(kind, existing) };
}

/**
 * Takes an object out of etcd. What a webhook converts is converted on the way, and once more when it has gone (CD-16).
 * @throws ApiStatusError 500, in the second case too late
 */
export function removeStored(call: Call, existing: KubeObject): { readonly previous: KubeObject; readonly revision: number } {
  const { kind, server } = call;
  const { namespace, name = '' } = existing.metadata;
  const key = keyOf(kind, namespace, name);
  if (kind.conversion === undefined) return server.etcd.delete(key);
  const known = server.watches.caches.of(kind).at(key);
  const encoded = known && encodedAgain(kind, known);
  const gone = server.etcd.delete(key);
  inVersion(kind, known?.stored === existing && encoded !== undefined ? encoded : existing);
  return gone;
}
