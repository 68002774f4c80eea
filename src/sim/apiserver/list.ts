import { CompactedError, type Etcd, pathOf } from '../etcd/etcd.js';
import type { JsonValue, KubeObject } from '../etcd/object.js';
import { decodeContinue, encodeContinue } from './continue.js';
import type { KindInfo } from './kinds.js';
import { type ListOptions, parseRevision, readListOptions } from './list-options.js';
import type { ApiRequest, ApiResponse } from './request.js';
import type { ApiServer } from './server.js';
import { ApiStatusError, badRequest, expired, failure, tooLargeResourceVersion, tooManyRequests } from './status.js';
import { inCache, inVersion } from './version.js';

/** What a list holds, before it is put into a version. */
export interface Listed {
  /** As stored, in key order (LW-6). */
  readonly objects: readonly KubeObject[];
  readonly revision: number;
  readonly continueToken?: string;
  readonly remainingItemCount?: number;
}

/** LIST: the objects of a kind, of one namespace or of all. @throws ApiStatusError 400, 410, 422, 504 */
export function list(server: ApiServer, kind: KindInfo, request: ApiRequest, cacheRevision: number | undefined): ApiResponse {
  const options = readListOptions(kind, request.query, false);
  const listed = collect(server.etcd, kind, request.namespace, options, cacheRevision);
  // Pages come from etcd.
  return { code: 200, body: listBody(kind, listed, options.limit === undefined && options.continueToken === undefined) };
}

/** A list as the API shows it: items of built-in kinds have no kind and apiVersion, those of custom ones have both (LW-25). */
export function listBody(kind: KindInfo, listed: Listed, fromCache = false): JsonValue {
  const metadata = {
    resourceVersion: String(listed.revision),
    ...(listed.continueToken !== undefined ? { continue: listed.continueToken } : kind.custom && { continue: '' }),
    ...(listed.remainingItemCount !== undefined && { remainingItemCount: listed.remainingItemCount }),
  };
  const show = fromCache ? cached : inVersion;
  const items = listed.objects.map((object) => (kind.custom ? show(kind, object) : withoutType(show(kind, object))));
  return { kind: `${kind.kind}List`, apiVersion: kind.apiVersion, metadata, items: items as unknown as JsonValue[] };
}

/** CD-29: a cache that cannot be filled has nothing to show. @throws ApiStatusError 429 */
export function cached(kind: KindInfo, object: KubeObject): KubeObject {
  try {
    return inCache(kind, object);
  } catch (error) {
    if (!(error instanceof ApiStatusError)) throw error;
    const cause = `failed to list ${kind.apiVersion}, Kind=${kind.kind}: ${error.message}`;
    throw tooManyRequests(`storage is (re)initializing: ${cause}`, 1);
  }
}

/**
 * Finds what a list or a deletecollection asks for, at the revision and with the page that the options name (section 1.1 of
 * the rules on lists).
 * @param cacheRevision the revision of a watch cache that lags (LW-22)
 */
export function collect(
  etcd: Etcd,
  kind: KindInfo,
  namespace: string | undefined,
  options: ListOptions,
  cacheRevision = etcd.revision,
): Listed {
  const cached = isCached(kind);
  // No cache lags behind the compaction.
  const source = readAt(etcd, cached, options, Math.max(cacheRevision, etcd.compactedRevision));
  // LW-26: only a first page is narrowed to the namespace that a field selector names, so its token misleads the second.
  const place = namespace ?? (source.start === undefined ? options.selection.namespace : undefined);
  let objects: readonly KubeObject[];
  try {
    objects = etcd.listAt(kind.storedAs, source.revision);
  } catch (error) {
    throw error instanceof CompactedError ? tooOld(options, source.start) : error;
  }
  const { start } = source;
  const inRange = objects.filter(
    (object) =>
      (place === undefined || (object.metadata.namespace ?? '') === place) &&
      (options.selection.name === undefined || object.metadata.name === options.selection.name) &&
      (start === undefined || relativeKey(object, place) >= start),
  );
  return page(inRange, source, options, place, cached);
}

/** Events are the only kind without a watch cache. */
export function isCached(kind: KindInfo): boolean {
  return kind.storedAs !== 'events';
}

interface Source {
  readonly revision: number;
  /** Undefined: everything in one page. */
  readonly limit?: number;
  /** The first key that is wanted, relative to the place; undefined: from the beginning. */
  readonly start?: string;
}

function readAt(etcd: Etcd, cached: boolean, options: ListOptions, cacheRevision: number): Source {
  const { resourceVersion, match, limit, continueToken } = options;
  const paged = limit === undefined ? {} : { limit };
  const token = continueToken === undefined ? undefined : decodeContinue(continueToken);
  if (typeof token === 'string') throw badRequest(`invalid continue token: ${token}`);
  const asked = resourceVersion === undefined ? undefined : parseRevision(resourceVersion);
  if (typeof asked === 'object') throw badRequest(`invalid resource version: ${asked.fault}`);
  if (token !== undefined) {
    if (asked !== undefined && asked !== 0) throw badRequest('specifying resource version is not allowed when using continue');
    return { revision: token.revision < 0 ? etcd.revision : token.revision, start: token.start, ...paged };
  }
  if (asked === undefined) return { revision: etcd.revision, ...paged };
  if (asked === 0) return cached ? { revision: cacheRevision } : { revision: etcd.revision, ...paged };
  if (asked > etcd.revision) throw tooLarge(cached, asked, etcd.revision);
  const exactly = match === 'Exact' || (match === undefined && limit !== undefined);
  if (exactly) return { revision: asked, ...paged };
  if (limit !== undefined) return { revision: etcd.revision, limit };
  return { revision: cached ? Math.max(asked, cacheRevision) : etcd.revision };
}

function page(inRange: readonly KubeObject[], source: Source, options: ListOptions, place: string | undefined, cached: boolean): Listed {
  const { selection } = options;
  const { revision, limit } = source;
  if (limit === undefined) {
    return { objects: selection.everything ? inRange : inRange.filter((object) => selection.matches(object)), revision };
  }
  const objects: KubeObject[] = [];
  let index = 0;
  for (; index < inRange.length && objects.length < limit; index++) {
    const object = inRange[index] as KubeObject;
    if (selection.matches(object)) objects.push(object);
  }
  if (index >= inRange.length) return { objects, revision };
  const last = inRange[index - 1] as KubeObject;
  return {
    objects,
    revision,
    continueToken: encodeContinue({ revision, start: `${relativeKey(last, place)}\0` }, cached ? 'cache' : 'etcd'),
    // LW-7: with a selector nobody knows how many are left.
    ...(selection.everything && { remainingItemCount: inRange.length - index }),
  };
}

function relativeKey(object: KubeObject, place: string | undefined): string {
  const name = object.metadata.name ?? '';
  return place === undefined ? pathOf({ namespace: object.metadata.namespace ?? '', name }) : name;
}

/** LW-8: the rest of a list that was begun too long ago can still be had, at the newest revision. */
function tooOld(options: ListOptions, start: string | undefined): ApiStatusError {
  if (start === undefined || options.continueToken === undefined) {
    return expired('The resourceVersion for the provided list is too old.');
  }
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue({ revision: -1, start }, 'etcd'),
  );
}

/** LW-4: a kind without a cache does not wait, and names no time to come back. */
export function tooLarge(cached: boolean, requested: number, current: number): ApiStatusError {
  const error = tooLargeResourceVersion(requested, current);
  if (cached) return error;
  return failure(504, 'Timeout', error.message, { causes: error.status.details?.causes ?? [] });
}

function withoutType(object: KubeObject): Omit<KubeObject, 'kind' | 'apiVersion'> {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}
