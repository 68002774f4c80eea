import type { KindInfo } from './kinds.js';
import type { ApiRequest, ApiResponse } from './request.js';
import type { ApiServer } from './server.js';

/** LIST: the objects of a kind, of one namespace or of all. */
export function list(server: ApiServer, kind: KindInfo, request: ApiRequest, _cacheRevision: number | undefined): ApiResponse {
  const items = server.etcd
    .list(kind.storedAs)
    .filter((object) => request.namespace === undefined || object.metadata.namespace === request.namespace);
  const metadata = { resourceVersion: String(server.etcd.revision) };
  return { code: 200, body: { kind: `${kind.kind}List`, apiVersion: kind.apiVersion, metadata, items } };
}
