import { type Etcd, type EtcdKey, pathOf } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import { type KindInfo, keyOf } from './kinds.js';
import { isCached, tooLarge } from './list.js';
import { parseRevision } from './list-options.js';
import { parameter } from './query.js';
import type { ApiRequest, ApiResponse } from './request.js';
import type { ApiServer } from './server.js';
import { internalWithoutReason, notFound } from './status.js';
import { inVersion } from './version.js';

/**
 * GET of one object: from etcd, or with a resourceVersion from the watch cache, which may lag (LW-22).
 * @throws ApiStatusError 404, 500 (LW-2), 504 (LW-4)
 */
export function get(server: ApiServer, kind: KindInfo, request: ApiRequest, cacheRevision: number | undefined): ApiResponse {
  const name = request.name ?? '';
  const key = keyOf(kind, request.namespace, name);
  const object = objectAt(server.etcd, key, wantedRevision(server.etcd, isCached(kind), request, cacheRevision));
  if (object === undefined) throw notFound(kind, name);
  return { code: 200, body: inVersion(kind, object) };
}

/** The revision at which the object is to be read; undefined for the newest. */
function wantedRevision(etcd: Etcd, cached: boolean, request: ApiRequest, cacheRevision: number | undefined): number | undefined {
  const text = parameter(request.query, 'resourceVersion') || undefined;
  if (text === undefined) return undefined;
  const revision = parseRevision(text);
  if (typeof revision !== 'number') throw internalWithoutReason(revision.fault);
  if (revision > etcd.revision) throw tooLarge(cached, revision, etcd.revision);
  return cacheRevision === undefined ? undefined : Math.max(revision, cacheRevision);
}

function objectAt(etcd: Etcd, key: EtcdKey, revision: number | undefined): KubeObject | undefined {
  if (revision === undefined || revision >= etcd.revision) return etcd.get(key);
  const path = pathOf(key);
  // No cache lags behind the compaction.
  const later = etcd.since(Math.max(revision, etcd.compactedRevision));
  const next = later.find((commit) => commit.key.resource === key.resource && pathOf(commit.key) === path);
  return next === undefined ? etcd.get(key) : next.previous;
}
