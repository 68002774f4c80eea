import type { Commit } from '../etcd/etcd.js';
import { deepEqual, type KubeObject } from '../etcd/object.js';
import type { Spent } from './admission/ask.js';
import { bookmarkObject, nextBookmark } from './bookmark.js';
import { isCached } from './collect.js';
import { EventsOfCommit, eventsAsTheyAre, type Watched } from './commit-events.js';
import { type FirstEvents, firstEvents, firstEventsFrom } from './first-events.js';
import type { KindInfo } from './kinds.js';
import type { ListOptions } from './list-options.js';
import type { Answer, ApiRequest, WatchDelivery, WatchEvent } from './request.js';
import type { ApiServer } from './server.js';
import { ApiStatusError } from './status.js';
import type { Progress, VersionCache } from './version-cache.js';
import { VersionCaches } from './version-caches.js';
import { WatchHistory } from './watch-history.js';
import { readWatchOptions } from './watch-options.js';

/** CD-20: so long after a CRD's change its watches end. */
const CRD_CHANGE_MS = 1_000;
/** CD-27 */
const STALL_MS = 30_000;
const CRDS = 'customresourcedefinitions.apiextensions.k8s.io';

interface OpenWatch extends Watched {
  readonly id: number;
  /** Only events above it are sent; a bookmark must be above it too. */
  readonly start: number;
  endsAtMs: number;
  bookmarkAtMs: number | undefined;
  /** What feeds it, where a webhook converts the objects. */
  readonly cache: VersionCache | undefined;
  /** What comes is stored in a version that is none any more. */
  stalled?: boolean;
}

/**
 * The open watches of a server, and the watch caches' history from which they start. Time moves only through `tick`; what a
 * commit means to a watch is worked out once for all watches of the same version.
 */
export class Watches {
  readonly caches: VersionCaches;
  readonly #server: ApiServer;
  readonly #open = new Map<number, OpenWatch>();
  readonly #byResource = new Map<string, Set<OpenWatch>>();
  readonly #histories = new Map<string, WatchHistory>();
  /** Kinds whose storage is being made anew, and when that is done. */
  readonly #changing = new Map<string, number>();
  #started: number;
  #lastId = 0;
  #nextTickMs: number | undefined;
  /** What caches that went on have brought. */
  #brought: WatchDelivery[] = [];

  constructor(server: ApiServer) {
    this.#server = server;
    this.caches = new VersionCaches(server);
    this.#started = server.etcd.revision;
  }

  /**
   * Starts a watch (section 2 of the rules on lists and watches). The first events are among the deliveries; what is wrong
   * with the revision comes as an ERROR event and an end (LW-16).
   * @param cacheRevision the revision of a watch cache that lags (LW-22)
   * @param spent how long the request is held up
   * @throws ApiStatusError 400, 422, 429, 500
   */
  open(kind: KindInfo, request: ApiRequest, cacheRevision: number | undefined, spent: Spent): Answer {
    const { options, asked } = readWatchOptions(kind, request.query);
    this.#lastId += 1;
    const id = this.#lastId;
    const wanted = { kind, namespace: request.namespace, options, asked };
    const cache = kind.conversion === undefined ? undefined : this.caches.of(kind);
    const first: FirstEvents =
      cache === undefined
        ? firstEvents(this.#server, this.#history(kind.storedAs), wanted, cacheRevision)
        : firstEventsFrom(cache, this.#server, wanted, spent);
    const response = { code: 200, body: null };
    if ('error' in first) {
      const event: WatchEvent = { type: 'ERROR', object: first.error.status };
      return {
        response,
        watch: id,
        deliveries: [
          { watch: id, event },
          { watch: id, ended: true },
        ],
      };
    }
    const deliveries: WatchDelivery[] = first.events.map((event) => ({ watch: id, event }));
    if ((options.timeoutSeconds ?? 0) < 0) return { response, watch: id, deliveries: [...deliveries, { watch: id, ended: true }] };
    this.#keep(this.#opened(id, kind, request.namespace, options, first.start, cache));
    return { response, watch: id, deliveries };
  }

  /** Tells the watches of commits, in the order of their revisions. */
  publish(commits: readonly Commit[]): readonly WatchDelivery[] {
    const nowMs = this.#server.environment.nowMs();
    const deliveries: WatchDelivery[] = [];
    for (const commit of commits) {
      const { resource } = commit.key;
      this.#history(resource).push(commit, nowMs);
      const watches = this.#byResource.get(resource);
      if (watches !== undefined) {
        const shared = new EventsOfCommit(commit);
        for (const watch of watches) {
          if (commit.revision <= watch.start || watch.stalled || watch.cache !== undefined) continue;
          const event = this.#eventFor(watch, shared, nowMs);
          if (event !== undefined) deliveries.push({ watch: watch.id, event });
        }
      }
      for (const [cache, progress] of this.caches.take(commit)) deliveries.push(...this.#passOn(cache, progress));
      if (resource === CRDS) deliveries.push(...this.#crdChanged(commit, nowMs));
    }
    return deliveries;
  }

  /** Lets the caches of a kind that a webhook converts go on, if they can (CD-48); what that brings is told with the next commits. */
  letCachesGoOn(kind: KindInfo): void {
    for (const [cache, progress] of this.caches.goOn(kind)) this.#brought.push(...this.#passOn(cache, progress));
  }

  /** What caches that went on have brought since the last time. */
  brought(): readonly WatchDelivery[] {
    if (this.#brought.length === 0) return this.#brought;
    const brought = this.#brought;
    this.#brought = [];
    return brought;
  }

  #passOn(cache: VersionCache, { events, ended }: Progress): readonly WatchDelivery[] {
    this.#nextTickMs = undefined;
    const deliveries: WatchDelivery[] = [];
    for (const watch of [...(this.#byResource.get(cache.kind.storedAs) ?? [])]) {
      if (watch.cache !== cache) continue;
      for (const commit of events) {
        const event = commit.revision <= watch.start ? undefined : eventsAsTheyAre(commit).forWatch(watch);
        if (event !== undefined) deliveries.push({ watch: watch.id, event });
      }
      if (!ended) continue;
      this.close(watch.id);
      deliveries.push({ watch: watch.id, ended: true });
    }
    return deliveries;
  }

  /** CD-27: at the first event that cannot be shown in a watch's version it falls silent, and ends half a minute later. */
  #eventFor(watch: OpenWatch, shared: EventsOfCommit, nowMs: number): WatchEvent | undefined {
    try {
      return shared.forWatch(watch);
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
      watch.stalled = true;
      watch.bookmarkAtMs = undefined;
      watch.endsAtMs = Math.min(watch.endsAtMs, nowMs + STALL_MS);
      this.#nextTickMs = undefined;
      return undefined;
    }
  }

  /** Nothing more is delivered to this watch. */
  close(id: number): void {
    const watch = this.#open.get(id);
    if (watch === undefined) return;
    this.#open.delete(id);
    this.#byResource.get(watch.kind.storedAs)?.delete(watch);
    this.#nextTickMs = undefined;
  }

  /** Bookmarks (LW-14) and ends (LW-15) whose time has come. */
  tick(nowMs: number): readonly WatchDelivery[] {
    const deliveries: WatchDelivery[] = [];
    for (const [resource, atMs] of this.#changing) {
      if (atMs > nowMs) continue;
      this.#changing.delete(resource);
      deliveries.push(...this.restart(resource));
    }
    for (const [cache, progress] of this.caches.tick(nowMs)) deliveries.push(...this.#passOn(cache, progress));
    for (const watch of this.#open.values()) {
      if (watch.bookmarkAtMs !== undefined && watch.bookmarkAtMs <= nowMs) {
        watch.bookmarkAtMs = nextBookmark(nowMs, watch.endsAtMs);
        const revision = watch.cache?.revision ?? this.#history(watch.kind.storedAs).last;
        if (revision > watch.start) {
          deliveries.push({ watch: watch.id, event: { type: 'BOOKMARK', object: bookmarkObject(watch.kind, revision, false) } });
        }
      }
      if (watch.endsAtMs <= nowMs) {
        this.close(watch.id);
        deliveries.push({ watch: watch.id, ended: true });
      }
    }
    this.#nextTickMs = undefined;
    return deliveries;
  }

  /** When `tick` has something to do next; undefined: never. */
  nextTickMs(): number | undefined {
    if (this.#nextTickMs === undefined) {
      let next = this.caches.nextTickMs();
      for (const atMs of this.#changing.values()) next = Math.min(next, atMs);
      for (const watch of this.#open.values()) next = Math.min(next, watch.endsAtMs, watch.bookmarkAtMs ?? next);
      this.#nextTickMs = next;
    }
    return this.#nextTickMs === Number.POSITIVE_INFINITY ? undefined : this.#nextTickMs;
  }

  /**
   * The cache of a kind, or of every kind, is filled anew: its watches end, and history starts now (LW-17). What a restart of
   * the server does to all.
   */
  restart(resource?: string): readonly WatchDelivery[] {
    const deliveries: WatchDelivery[] = [];
    if (resource === undefined) {
      this.#histories.clear();
      this.#changing.clear();
      this.caches.clear();
      this.#started = this.#server.etcd.revision;
    } else {
      this.#histories.set(resource, new WatchHistory(this.#server.etcd.revision));
      this.caches.forgetRetired(resource);
    }
    for (const watch of [...(resource === undefined ? this.#open.values() : (this.#byResource.get(resource) ?? []))]) {
      this.close(watch.id);
      deliveries.push({ watch: watch.id, ended: true });
    }
    return deliveries;
  }

  #opened(
    id: number,
    kind: KindInfo,
    namespace: string | undefined,
    options: ListOptions,
    start: number,
    cache: VersionCache | undefined,
  ): OpenWatch {
    const { environment } = this.#server;
    const nowMs = environment.nowMs();
    // LW-15: 30 to 60 minutes when the client names no time.
    const timeoutMs = (options.timeoutSeconds || 1800 * (1 + environment.random(`watch ${id} time-out`))) * 1000;
    const endsAtMs = nowMs + Math.floor(timeoutMs);
    const bookmarks = options.allowWatchBookmarks && isCached(kind);
    const bookmarkAtMs = bookmarks ? nextBookmark(nowMs, endsAtMs) : undefined;
    return { id, kind, namespace, selection: options.selection, start, endsAtMs, bookmarkAtMs, cache };
  }

  #keep(watch: OpenWatch): void {
    this.#open.set(watch.id, watch);
    const { storedAs } = watch.kind;
    let watches = this.#byResource.get(storedAs);
    if (watches === undefined) {
      watches = new Set();
      this.#byResource.set(storedAs, watches);
    }
    watches.add(watch);
    this.#nextTickMs = undefined;
  }

  /** Of a kind that nobody has asked about, the cache was filled when the server started. */
  #history(resource: string): WatchHistory {
    let history = this.#histories.get(resource);
    if (history === undefined) {
      history = new WatchHistory(this.#started);
      this.#histories.set(resource, history);
    }
    return history;
  }

  /** CD-20: a new CRD's cache is filled at once; a changed spec or new names make the storage anew; a removed kind's watches end. */
  #crdChanged(commit: Commit, nowMs: number): readonly WatchDelivery[] {
    const { object, previous, key } = commit;
    if (object === undefined) {
      this.caches.retire(key.name);
      return this.restart(key.name);
    }
    if (previous === undefined) {
      this.#histories.set(key.name, new WatchHistory(commit.revision));
      return [];
    }
    const same = deepEqual(object.spec, previous.spec) && deepEqual(object.status?.acceptedNames, previous.status?.acceptedNames);
    if (!same && isEstablished(previous)) {
      this.caches.retire(key.name);
      this.#changing.set(key.name, nowMs + CRD_CHANGE_MS);
      this.#nextTickMs = undefined;
    }
    return [];
  }
}

function isEstablished(crd: KubeObject): boolean {
  const conditions: readonly { readonly type: string; readonly status: string }[] = crd.status?.conditions ?? [];
  return conditions.some((condition) => condition.type === 'Established' && condition.status === 'True');
}
