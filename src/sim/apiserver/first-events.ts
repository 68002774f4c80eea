import { type Commit, CompactedError } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import type { Spent } from './admission/ask.js';
import { bookmarkObject } from './bookmark.js';
import { collect, isCached, sourceOf, tooLarge } from './collect.js';
import { EventsOfCommit, eventsAsTheyAre } from './commit-events.js';
import type { KindInfo } from './kinds.js';
import { cached as fromCache } from './list.js';
import type { ListOptions } from './list-options.js';
import type { WatchEvent } from './request.js';
import type { ApiServer } from './server.js';
import { type ApiStatusError, expired } from './status.js';
import type { VersionCache } from './version-cache.js';
import type { WatchHistory } from './watch-history.js';

/** What a new watch gets at once, and the revision above which it gets more; or the news that it cannot start there (LW-16). */
export type FirstEvents = { readonly events: readonly WatchEvent[]; readonly start: number } | { readonly error: ApiStatusError };

/** What a watch asks for. */
export interface Wanted {
  readonly kind: KindInfo;
  /** Undefined: of all namespaces. */
  readonly namespace: string | undefined;
  readonly options: ListOptions;
  /** The revision to start from; 0: any. */
  readonly asked: number;
}

/**
 * The first events of a watch on what needs no webhook: the present state (LW-12), or everything above a revision.
 * @param cacheRevision the revision of a watch cache that lags (LW-22)
 */
export function firstEvents(server: ApiServer, history: WatchHistory, wanted: Wanted, cacheRevision: number | undefined): FirstEvents {
  const { etcd } = server;
  const { kind, namespace, options, asked } = wanted;
  const cached = isCached(kind);
  // RV "0" is content with what the cache has; an unset one waits for the newest.
  const present = cached && options.resourceVersion === '0' ? (cacheRevision ?? etcd.revision) : etcd.revision;
  const replay = (revision: number) => replayed(server, history, wanted, revision);
  if (options.sendInitialEvents !== true) {
    if (options.resourceVersion === undefined) return { events: [], start: etcd.revision };
    if (asked === 0 && present === etcd.revision) return { events: [], start: present };
    return replay(asked === 0 ? present : asked);
  }
  if (asked > etcd.revision) return { error: tooLarge(cached, asked, etcd.revision) };
  const at = cached && asked > 0 ? Math.max(asked, cacheRevision ?? etcd.revision) : present;
  const everything = { selection: options.selection, resourceVersion: '0', allowWatchBookmarks: false };
  const { objects, revision } = collect(etcd, kind, namespace, everything, sourceOf(etcd, kind, everything, at));
  const shown = objects.map((object) => fromCache(kind, object));
  const events = stateEvents(wanted, shown, revision);
  if (revision === etcd.revision) return { events, start: revision };
  const later = replay(revision);
  return 'error' in later ? later : { events: [...events, ...later.events], start: later.start };
}

/**
 * The first events of a watch on objects that a webhook converts, as far as the cache of the version has come (CD-48).
 * @throws ApiStatusError 429
 */
export function firstEventsFrom(cache: VersionCache, server: ApiServer, wanted: Wanted, spent: Spent): FirstEvents {
  const { etcd } = server;
  const { kind, namespace, options, asked } = wanted;
  if (!cache.isReady) throw cache.notReady();
  if (options.sendInitialEvents !== true) {
    return asked === 0 ? { events: [], start: cache.revision } : eventsAbove(cache, wanted, asked, eventsAsTheyAre);
  }
  if (asked > etcd.revision) return { error: tooLarge(true, asked, etcd.revision) };
  const newEnough = options.resourceVersion === undefined ? etcd.revision : asked;
  if (newEnough > cache.revision) return { error: cache.tooFarAhead(newEnough, spent) };
  const everything = { selection: options.selection, allowWatchBookmarks: false };
  const source = { revision: cache.revision };
  const { objects, revision } = collect(etcd, kind, namespace, everything, source, { show: (stored) => cache.show(stored) });
  return { events: stateEvents(wanted, objects, revision), start: revision };
}

/** LW-12: in key order, each with its own revision. */
function stateEvents({ kind, options }: Wanted, objects: readonly KubeObject[], revision: number): readonly WatchEvent[] {
  const events: WatchEvent[] = objects.map((object) => ({ type: 'ADDED', object }));
  if (options.allowWatchBookmarks) events.push({ type: 'BOOKMARK', object: bookmarkObject(kind, revision, true) });
  return events;
}

/** Everything above a revision, or the news that it is too old. A revision from the future is waited for in silence (LW-18). */
function replayed(server: ApiServer, history: WatchHistory, wanted: Wanted, revision: number): FirstEvents {
  if (isCached(wanted.kind)) return eventsAbove(history, wanted, revision, (commit) => new EventsOfCommit(commit));
  // Events have no cache: their history is etcd's (LW-16).
  try {
    const commits = server.etcd.since(revision).filter((commit) => commit.key.resource === wanted.kind.storedAs);
    return { events: eventsOf(commits, wanted, (commit) => new EventsOfCommit(commit)), start: Math.max(revision, 0) };
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    return { error: expired('The resourceVersion for the provided watch is too old.') };
  }
}

function eventsAbove(
  history: Pick<WatchHistory, 'since' | 'oldest'>,
  wanted: Wanted,
  revision: number,
  look: (commit: Commit) => EventsOfCommit,
): FirstEvents {
  const commits = history.since(revision);
  if (commits === undefined) return { error: expired(`too old resource version: ${revision} (${history.oldest})`) };
  return { events: eventsOf(commits, wanted, look), start: Math.max(revision, 0) };
}

function eventsOf(commits: readonly Commit[], wanted: Wanted, look: (commit: Commit) => EventsOfCommit): readonly WatchEvent[] {
  const watched = { kind: wanted.kind, namespace: wanted.namespace, selection: wanted.options.selection };
  return commits.map((commit) => look(commit).forWatch(watched)).filter((event) => event !== undefined);
}
