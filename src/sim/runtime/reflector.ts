import type { ApiRequest } from '../apiserver/request.js';
import type { KubeObject } from '../etcd/object.js';
import type { Cancel, Host } from '../host.js';
import { type ApiError, ConnectionLost, isTooManyRequests } from './api-errors.js';
import { ReflectorBackoff } from './backoff.js';
import { type Transform, TransformError } from './delta.js';
import { isExpired, isTooLargeResourceVersion } from './expired.js';
import type { InformerOptions } from './informer-options.js';
import { type ListResult, listPages } from './list-pages.js';
import { partialKind } from './metadata-only.js';
import { clientGoProfiles } from './profile.js';
import { reflectorName, requestOf } from './reflector-requests.js';
import { RestClient } from './rest.js';
import { TemporaryStore } from './temporary-store.js';
import { type WatchEnd, WatchSession, type WatchTarget } from './watch-session.js';

/** Where a reflector puts what it sees: the queue of an informer. */
export interface ReflectorStore {
  add(object: KubeObject): void;
  update(object: KubeObject): void;
  delete(object: KubeObject): void;
  bookmark(resourceVersion: string): void;
  /** @throws TransformError */
  replace(objects: readonly KubeObject[], resourceVersion: string): void;
  /** A resync tick has come. */
  resyncTick(): void;
}

const pageSize = 500;
const leastWatchSeconds = 300;

/**
 * Keeps a store equal to what the server has. It repeats {pass; wait} until it is stopped; a pass brings the first contents
 * (a list, or a stream) and then watches (A1). At any time exactly one thing is awaited: a timer, a list or a watch.
 */
export class Reflector implements WatchTarget {
  /** The newest version seen; empty before the first contents. */
  lastSyncResourceVersion = '';
  private readonly rest: RestClient;
  private readonly backoff: ReflectorBackoff;
  private readonly listRequest: ApiRequest;
  private readonly watchRequest: ApiRequest;
  private readonly name: string;
  private readonly expectedKinds: readonly string[];
  /** The server no longer, or not yet, has the last version: ask for the most recent one (A7). */
  private lastVersionUnavailable = false;
  /** The very first list came in pages: so will all others (A9). */
  private pagesEverAfter = false;
  private awaited: Cancel = () => undefined;
  private cancelResync: Cancel = () => undefined;
  private stopped = false;
  /** Set while a wait runs that does not look at the stop signal (A29). */
  private deafWait = false;
  private whenReturned: (() => void) | undefined;

  constructor(
    private readonly host: Host,
    private readonly options: InformerOptions,
    private readonly store: ReflectorStore,
    private readonly report: (error: Error) => void,
    private readonly resyncMs: number,
    private readonly transform: Transform | undefined,
  ) {
    this.rest = new RestClient(host);
    this.backoff = new ReflectorBackoff(host.nowMs());
    this.name = reflectorName(options);
    // A server that is asked in process answers with whole objects, whatever the Accept header says.
    this.expectedKinds = options.metadataOnly ? [partialKind, options.kind.kind] : [options.kind.kind];
    this.listRequest = requestOf(options, 'list');
    this.watchRequest = requestOf(options, 'watch');
  }

  start(): void {
    this.pass();
  }

  /** @param returned called when the reflector has given up all it was doing */
  stop(returned: () => void): void {
    this.stopped = true;
    this.cancelResync();
    if (this.deafWait) {
      this.whenReturned = returned;
      return;
    }
    this.awaited();
    returned();
  }

  private pass(): void {
    if (clientGoProfiles[this.options.profile].firstContents === 'stream') this.stream();
    else this.list();
  }

  /** A1: every pass is followed by a wait, whatever its end. Only an error reaches the handler (A5). */
  private endPass(error?: Error): void {
    this.cancelResync();
    if (error !== undefined) this.report(error);
    if (!this.stopped) this.wait(() => this.pass());
  }

  private wait(then: () => void): void {
    const now = this.host.nowMs();
    const delayMs = this.backoff.next(now, this.host.random(`backoff of ${this.name}`));
    this.awaited = this.host.after(delayMs, this.name, `retry of ${this.name}`, then);
  }

  // The classic list.

  private list(): void {
    const resourceVersion = this.lastVersionUnavailable ? '' : this.lastSyncResourceVersion || '0'; // A6
    const specific = resourceVersion !== '' && resourceVersion !== '0';
    const limit = specific && !this.pagesEverAfter ? 0 : pageSize; // A9
    this.listAt(resourceVersion, limit, (result) => {
      if (!(result instanceof Error) || !(isExpired(result) || isTooLargeResourceVersion(result))) {
        this.listed(result, resourceVersion);
        return;
      }
      // A7: again at once, most recent, with the page size of the first.
      this.lastVersionUnavailable = true;
      this.listAt('', limit, (second) => this.listed(second, resourceVersion));
    });
  }

  private listAt(resourceVersion: string, limit: number, done: (result: ListResult | Error) => void): void {
    this.awaited = listPages(this.rest, { request: this.listRequest, resourceVersion, limit }, done);
  }

  private listed(result: ListResult | Error, askedVersion: string): void {
    if (result instanceof Error) {
      const type = `*${this.options.kind.version}.${this.expectedKinds[0]}`;
      this.endPass(new Error(`failed to list ${type}: ${result.message}`, { cause: result })); // A38
      return;
    }
    if (askedVersion === '0' && result.paginated) this.pagesEverAfter = true;
    this.lastVersionUnavailable = false;
    const error = this.replace(result.items, result.resourceVersion, 'unable to sync list result');
    if (this.stopped) return;
    if (error !== undefined) this.endPass(error);
    else this.startWatching();
  }

  /** A12: the version of new contents counts even if it is lower than the last one. */
  private replace(objects: readonly KubeObject[], resourceVersion: string, failure: string): Error | undefined {
    if (this.lastSyncResourceVersion !== '') {
      this.host.note({ kind: 'relist', resource: this.options.kind.plural, resourceVersion });
    }
    try {
      this.store.replace(objects, resourceVersion);
    } catch (error) {
      if (!(error instanceof TransformError)) throw error;
      return new Error(`${failure}: ${error.message}`, { cause: error });
    }
    this.lastSyncResourceVersion = resourceVersion;
    return undefined;
  }

  // The stream of first contents.

  private stream(): void {
    const resourceVersion = this.lastVersionUnavailable ? '' : this.lastSyncResourceVersion;
    const request = this.watchWith({
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: 'true',
      ...(resourceVersion === '' ? {} : { resourceVersion }),
    });
    const contents = new TemporaryStore(this.transform);
    let streaming = true;
    const session = new WatchSession(this.host, this.rest, request, this.expectedKinds, contents, {
      refused: (error) => this.streamFailed(error),
      initialEventsEnd: (version) => {
        if (!streaming) return;
        streaming = false;
        this.streamed(session, contents, version);
      },
      // A31
      ended: (end) => {
        if (!streaming) this.watchEnded(end);
        else if (end === 'closed') this.stream();
        else if (end === 'very-short') this.list();
        else this.streamFailed(end);
      },
    });
    this.awaited = () => session.cancel();
  }

  private streamed(session: WatchSession, contents: TemporaryStore, resourceVersion: string): void {
    this.lastVersionUnavailable = false;
    const error = this.replace(contents.list(), resourceVersion, 'unable to sync watch-list result');
    if (this.stopped) return;
    if (error === undefined) {
      session.continueInto(this);
      this.startResync();
    } else {
      session.cancel();
      this.list();
    }
  }

  // A29
  private streamFailed(error: ApiError | ConnectionLost): void {
    if (isRetriable(error)) this.waitDeaf(() => this.stream());
    else if (isExpired(error) || isTooLargeResourceVersion(error)) {
      this.lastVersionUnavailable = true;
      this.stream();
    } else this.list();
  }

  private waitDeaf(then: () => void): void {
    this.deafWait = true;
    this.wait(() => {
      this.deafWait = false;
      if (this.stopped) this.whenReturned?.();
      else then();
    });
  }

  // The watch.

  private startWatching(): void {
    this.startResync();
    this.watch();
  }

  private watch(): void {
    const resourceVersion = this.lastSyncResourceVersion;
    const request = this.watchWith(resourceVersion === '' ? {} : { resourceVersion });
    const session = new WatchSession(this.host, this.rest, request, this.expectedKinds, this, {
      // A17
      refused: (error) => {
        if (isRetriable(error)) this.wait(() => this.watch());
        else this.endPass(error);
      },
      initialEventsEnd: () => undefined,
      ended: (end) => this.watchEnded(end),
    });
    this.awaited = () => session.cancel();
  }

  /** Goes on at once after a clean end (A16) and after a wait if told so (A20); all else ends the pass without error (A18, A22, A23). */
  private watchEnded(end: WatchEnd): void {
    if (end === 'closed') this.watch();
    else if (end !== 'very-short' && isTooManyRequests(end)) this.wait(() => this.watch());
    else this.endPass();
  }

  private watchWith(query: Record<string, string>): ApiRequest {
    const seconds = Math.floor(leastWatchSeconds * (1 + this.host.random(`timeoutSeconds of ${this.name}`))); // A15
    return {
      ...this.watchRequest,
      query: { ...this.watchRequest.query, allowWatchBookmarks: 'true', timeoutSeconds: String(seconds), watch: 'true', ...query },
    };
  }

  // What the watch brings.

  add(object: KubeObject): void {
    this.store.add(object);
  }

  update(object: KubeObject): void {
    this.store.update(object);
  }

  delete(object: KubeObject): void {
    this.store.delete(object);
  }

  bookmark(resourceVersion: string): void {
    this.store.bookmark(resourceVersion);
  }

  /** A25: versions are never compared. */
  seen(resourceVersion: string): void {
    this.lastSyncResourceVersion = resourceVersion;
  }

  // A33: the timer starts with the watch phase and ends with the pass.
  private startResync(): void {
    if (this.resyncMs === 0) return;
    const tick = () => {
      this.store.resyncTick();
      if (!this.stopped) arm();
    };
    const arm = () => {
      this.cancelResync = this.host.after(this.resyncMs, `resync of ${this.name}`, `resync of ${this.name}`, tick, true);
    };
    arm();
  }
}

/** Connection refused or 429 (A17). */
function isRetriable(error: Error): boolean {
  return (error instanceof ConnectionLost && error.how === 'refused') || isTooManyRequests(error);
}
