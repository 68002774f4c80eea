import type { JsonValue, KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import { collect, type Listed, sourceOf } from './collect.js';
import { listConverted } from './converted-list.js';
import type { KindInfo } from './kinds.js';
import { readListOptions } from './list-options.js';
import type { ApiResponse } from './request.js';
import { ApiStatusError, tooManyRequests } from './status.js';
import { inVersion } from './version.js';

/** LIST: the objects of a kind, of one namespace or of all. @throws ApiStatusError 400, 410, 422, 429, 500, 504 */
export function list({ server, kind, request, spent }: Omit<Call, 'warnings'>, cacheRevision: number | undefined): ApiResponse {
  const options = readListOptions(kind, request.query, false);
  if (kind.conversion !== undefined) {
    const listed = listConverted(server, kind, request.namespace, options, spent, cacheRevision);
    return { code: 200, body: listBody(kind, listed, (_, object) => object) };
  }
  const listed = collect(server.etcd, kind, request.namespace, options, sourceOf(server.etcd, kind, options, cacheRevision));
  // Pages come from etcd.
  const fromCache = options.limit === undefined && options.continueToken === undefined;
  return { code: 200, body: listBody(kind, listed, fromCache ? cached : inVersion) };
}

/** A list as the API shows it: items of built-in kinds have no kind and apiVersion, those of custom ones have both (LW-25). */
function listBody(kind: KindInfo, listed: Listed, show: (kind: KindInfo, object: KubeObject) => KubeObject): JsonValue {
  const metadata = {
    resourceVersion: String(listed.revision),
    ...(listed.continueToken !== undefined ? { continue: listed.continueToken } : kind.custom && { continue: '' }),
    ...(listed.remainingItemCount !== undefined && { remainingItemCount: listed.remainingItemCount }),
  };
  const items = listed.objects.map((object) => (kind.custom ? show(kind, object) : withoutType(show(kind, object))));
  return { kind: `${kind.kind}List`, apiVersion: kind.apiVersion, metadata, items: items as unknown as JsonValue[] };
}

/** CD-27: a cache that cannot be filled has nothing to show. @throws ApiStatusError 429 */
export function cached(kind: KindInfo, object: KubeObject): KubeObject {
  try {
    return inVersion(kind, object);
  } catch (error) {
    if (!(error instanceof ApiStatusError)) throw error;
    const cause = `failed to list ${kind.apiVersion}, Kind=${kind.kind}: ${error.message}`;
    throw tooManyRequests(`storage is (re)initializing: ${cause}`, 1);
  }
}

function withoutType(object: KubeObject): Omit<KubeObject, 'kind' | 'apiVersion'> {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}
