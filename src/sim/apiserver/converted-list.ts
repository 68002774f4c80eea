import type { Spent } from './admission/ask.js';
import { collect, type Listed, sourceOf } from './collect.js';
import type { KindInfo } from './kinds.js';
import type { ListOptions } from './list-options.js';
import type { ApiServer } from './server.js';
import { inVersion } from './version.js';

/**
 * A list of objects that a webhook converts: as the watch cache of the version has them, where it can tell, else read from etcd
 * and converted anew (CD-29, CD-48).
 * @param cacheRevision the revision of a watch cache that lags (LW-22)
 * @throws ApiStatusError 400, 410, 429, 500, 504
 */
export function listConverted(
  server: ApiServer,
  kind: KindInfo,
  namespace: string | undefined,
  options: ListOptions,
  spent: Spent,
  cacheRevision = server.etcd.revision,
): Listed {
  const { etcd } = server;
  const { limit, resourceVersion, selection } = options;
  const cache = server.watches.caches.of(kind);
  const source = sourceOf(etcd, kind, options, Math.min(cacheRevision, cache.revision));
  const fromEtcd = () => collect(etcd, kind, namespace, options, source, { show: (stored) => inVersion(kind, stored), from: 'etcd' });
  if (source.exact && source.revision < cache.oldest) return fromEtcd();
  if (!cache.isReady) {
    if (limit !== undefined && selection.everything) return fromEtcd();
    throw cache.notReady();
  }
  const consistent = !source.exact && resourceVersion === undefined;
  // A page of what is new enough is one of all that the cache has.
  const newEnough = source.exact || consistent ? source.revision : Number(resourceVersion);
  if (newEnough > cache.revision) {
    const tooFarAhead = cache.tooFarAhead(newEnough, spent);
    if (consistent) return fromEtcd();
    throw tooFarAhead;
  }
  const revision = source.exact ? source.revision : Math.min(source.revision, cache.revision);
  return collect(etcd, kind, namespace, options, { ...source, revision }, { show: (stored) => cache.show(stored), from: 'cache' });
}
