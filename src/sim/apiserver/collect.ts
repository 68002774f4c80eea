import { CompactedError, type Etcd, pathOf } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import { decodeContinue, encodeContinue } from './continue.js';
import type { KindInfo } from './kinds.js';
import { type ListOptions, parseRevision } from './list-options.js';
import { type ApiStatusError, badRequest, expired, failure, tooLargeResourceVersion } from './status.js';

/** What a list holds, before it is put into a version. */
export interface Listed {
  /** In key order (LW-6). */
  readonly objects: readonly KubeObject[];
  readonly revision: number;
  readonly continueToken?: string;
  readonly remainingItemCount?: number;
}

/** How the objects of a list are looked at, when not as they are stored. */
export interface Seen {
  readonly show: (stored: KubeObject) => KubeObject;
  /** Whose tokens the next page is asked for with (LW-7). */
  readonly from: 'cache' | 'etcd';
}

/**
 * Finds what a list or a deletecollection asks for, with the page that the options name (section 1.1 of the rules on lists).
 * @throws ApiStatusError 410
 */
export function collect(
  etcd: Etcd,
  kind: KindInfo,
  namespace: string | undefined,
  options: ListOptions,
  source: Source,
  { show, from }: Partial<Seen> = {},
): Listed {
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
  return page(inRange, source, options, place, from ?? (isCached(kind) ? 'cache' : 'etcd'), show);
}

/** Events are the only kind without a watch cache. */
export function isCached(kind: KindInfo): boolean {
  return kind.storedAs !== 'events';
}

/** Where in time and place a list is read. */
export interface Source {
  readonly revision: number;
  /** It must be this revision, and no other will do. */
  readonly exact?: boolean;
  /** Undefined: everything in one page. */
  readonly limit?: number;
  /** The first key that is wanted, relative to the place; undefined: from the beginning. */
  readonly start?: string;
}

/**
 * What the options say about revision and page (LW-4, LW-5).
 * @param lagging the revision of a watch cache that lags (LW-22)
 * @throws ApiStatusError 400, 504
 */
export function sourceOf(etcd: Etcd, kind: KindInfo, options: ListOptions, lagging = etcd.revision): Source {
  const cached = isCached(kind);
  // No cache lags behind the compaction.
  const cacheRevision = Math.max(lagging, etcd.compactedRevision);
  const { resourceVersion, match, limit, continueToken } = options;
  const paged = limit === undefined ? {} : { limit };
  const token = continueToken === undefined ? undefined : decodeContinue(continueToken);
  if (typeof token === 'string') throw badRequest(`invalid continue token: ${token}`);
  const asked = resourceVersion === undefined ? undefined : parseRevision(resourceVersion);
  if (typeof asked === 'object') throw badRequest(`invalid resource version: ${asked.fault}`);
  if (token !== undefined) {
    if (asked !== undefined && asked !== 0) throw badRequest('specifying resource version is not allowed when using continue');
    const exact = token.revision >= 0;
    return { revision: exact ? token.revision : etcd.revision, exact, start: token.start, ...paged };
  }
  if (asked === undefined) return { revision: etcd.revision, ...paged };
  if (asked === 0) return cached ? { revision: cacheRevision } : { revision: etcd.revision, ...paged };
  if (asked > etcd.revision) throw tooLarge(cached, asked, etcd.revision);
  if (match === 'Exact' || (match === undefined && limit !== undefined)) return { revision: asked, exact: true, ...paged };
  if (limit !== undefined) return { revision: etcd.revision, limit };
  return { revision: cached ? Math.max(asked, cacheRevision) : etcd.revision };
}

function page(
  inRange: readonly KubeObject[],
  source: Source,
  options: ListOptions,
  place: string | undefined,
  from: 'cache' | 'etcd',
  show: ((stored: KubeObject) => KubeObject) | undefined,
): Listed {
  const { selection } = options;
  const { revision, limit } = source;
  if (limit === undefined) {
    const objects = show === undefined ? inRange : inRange.map(show);
    return { objects: selection.everything ? objects : objects.filter((object) => selection.matches(object)), revision };
  }
  const objects: KubeObject[] = [];
  let index = 0;
  for (; index < inRange.length && objects.length < limit; index++) {
    const stored = inRange[index] as KubeObject;
    const object = show === undefined ? stored : show(stored);
    if (selection.matches(object)) objects.push(object);
  }
  if (index >= inRange.length) return { objects, revision };
  const last = inRange[index - 1] as KubeObject;
  return {
    objects,
    revision,
    continueToken: encodeContinue({ revision, start: `${relativeKey(last, place)}\0` }, from),
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
