import { type Etcd, type EtcdKey, pathOf } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import { isCached, tooLarge } from './collect.js';
import { keyOf } from './kinds.js';
import { parseRevision } from './list-options.js';
import { parameter } from './query.js';
import type { ApiRequest, ApiResponse } from './request.js';
import { internalWithoutReason, notFound } from './status.js';
import { inVersion } from './version.js';

/**
 * GET of one object: from etcd, or with a resourceVersion from the watch cache, which may lag (LW-22).
 * @throws ApiStatusError 404, 500 (LW-2, CD-29), 504 (LW-4)
 */
export function get({ server, kind, request, spent }: Call, cacheRevision: number | undefined): ApiResponse {
  const name = request.name ?? '';
  const key = keyOf(kind, request.namespace, name);
  const wanted = wantedRevision(server.etcd, isCached(kind), request);
  const cache = kind.conversion === undefined || wanted === undefined ? undefined : server.watches.caches.of(kind);
  if (cache?.isReady) {
    if ((wanted as number) > cache.revision) throw cache.tooFarAhead(wanted as number, spent);
    const known = cache.at(key);
    if (known === undefined) throw notFound(kind, name);
    return { code: 200, body: known.shown };
  }
  const lagging = wanted === undefined || cacheRevision === undefined ? undefined : Math.max(wanted, cacheRevision);
  const object = objectAt(server.etcd, key, lagging);
  if (object === undefined) throw notFound(kind, name);
  return { code: 200, body: inVersion(kind, object) };
}

/** How new the object has to be at least; undefined: as new as can be. @throws ApiStatusError 500, 504 */
function wantedRevision(etcd: Etcd, cached: boolean, request: ApiRequest): number | undefined {
  const text = parameter(request.query, 'resourceVersion') || undefined;
  if (text === undefined) return undefined;
  const revision = parseRevision(text);
  if (typeof revision !== 'number') throw internalWithoutReason(revision.fault);
  if (revision > etcd.revision) throw tooLarge(cached, revision, etcd.revision);
  return revision;
}

/** @param revision undefined for the newest. */
function objectAt(etcd: Etcd, key: EtcdKey, revision: number | undefined): KubeObject | undefined {
  if (revision === undefined || revision >= etcd.revision) return etcd.get(key);
  const path = pathOf(key);
  // No cache lags behind the compaction.
  const later = etcd.since(Math.max(revision, etcd.compactedRevision));
  const next = later.find((commit) => commit.key.resource === key.resource && pathOf(commit.key) === path);
  return next === undefined ? etcd.get(key) : next.previous;
}
