import { type KindInfo, keyOf } from './kinds.js';
import type { ApiRequest, ApiResponse } from './request.js';
import type { ApiServer } from './server.js';
import { notFound } from './status.js';
import { inVersion } from './version.js';

/** GET of one object. */
export function get(server: ApiServer, kind: KindInfo, request: ApiRequest, _cacheRevision: number | undefined): ApiResponse {
  const name = request.name ?? '';
  const object = server.etcd.get(keyOf(kind, request.namespace, name));
  if (object === undefined) throw notFound(kind, name);
  return { code: 200, body: inVersion(kind, object) };
}
