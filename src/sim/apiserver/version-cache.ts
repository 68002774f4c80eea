import { type Commit, type EtcdKey, pathOf } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import type { Spent } from './admission/ask.js';
import type { KindInfo } from './kinds.js';
import type { ApiServer } from './server.js';
import { ApiStatusError, tooLargeResourceVersion, tooManyRequests } from './status.js';
import { inVersion } from './version.js';
import { WatchHistory } from './watch-history.js';

/** CD-48: so long an event that cannot be converted is tried again. */
const PATIENCE_MS = 30_000;
/** A failure so long after the last one begins a new patience; before, it uses up what is left. */
const FORGIVEN_MS = 60_000;
const RETRY_MS = 1_000;
/** How long a request waits for a cache that is behind. */
const WAIT_MS = 3_000;
/** LW-23: how the time to come back grows with the time that a cache is not ready. */
const RETRY_AFTER_GROWTH = 0.06;
const LONGEST_RETRY_AFTER = 30;

/** An object in a cache: as it is stored, and as it was converted. */
export interface Known {
  readonly stored: KubeObject;
  readonly shown: KubeObject;
}

/** What came of letting a cache go on. */
export interface Progress {
  /** Commits whose objects are as the cache shows them, in order. */
  readonly events: readonly Commit[];
  /** The watches that the cache feeds have come to their end. */
  readonly ended: boolean;
}

/**
 * The watch cache of one version of a kind whose objects a webhook converts: each object is converted when it comes, and kept so
 * (CD-29). At the first event that cannot be converted it stalls, and half a minute later it is filled anew, if it can be (CD-48).
 */
export class VersionCache {
  readonly kind: KindInfo;
  readonly #server: ApiServer;
  /** What is stored, by path, as far as the cache has come. */
  #present = new Map<string, KubeObject>();
  /** What was made of each stored object, the older ones included that a watch may start from. */
  #shown = new WeakMap<KubeObject, KubeObject>();
  #history: WatchHistory;
  /** What has not been converted yet. */
  #waiting: Commit[] = [];
  #unready: { readonly sinceMs: number; readonly cause?: string; readonly causeMs?: number } | undefined;
  #retryAtMs: number | undefined;
  #firstFailureMs = Number.NEGATIVE_INFINITY;
  #lastFailureMs = Number.NEGATIVE_INFINITY;

  constructor(server: ApiServer, kind: KindInfo) {
    this.#server = server;
    this.kind = kind;
    this.#history = new WatchHistory(server.etcd.revision);
    this.#fill(server.environment.nowMs());
  }

  /** When the cache has something to try again; undefined: all is well. */
  get retryAtMs(): number | undefined {
    return this.#retryAtMs;
  }

  /** How far the cache has come. */
  get revision(): number {
    const [next] = this.#waiting;
    return next === undefined ? this.#server.etcd.revision : next.revision - 1;
  }

  /** The oldest revision that it can show, and that a watch may start from. */
  get oldest(): number {
    return this.#history.oldest;
  }

  get isReady(): boolean {
    return this.#unready === undefined;
  }

  /** LW-23, CD-29 */
  notReady(): ApiStatusError {
    const nowMs = this.#server.environment.nowMs();
    const { sinceMs, cause, causeMs = nowMs } = this.#unready ?? { sinceMs: nowMs };
    // Nobody gets to know the cause while the first attempt is being made.
    const text =
      cause === undefined || causeMs === nowMs ? '' : `: failed to list ${this.kind.apiVersion}, Kind=${this.kind.kind}: ${cause}`;
    const seconds = Math.floor(Math.exp((RETRY_AFTER_GROWTH * (nowMs - sinceMs)) / 1000));
    return tooManyRequests(`storage is (re)initializing${text}`, Math.min(LONGEST_RETRY_AFTER, seconds));
  }

  /** What is answered after a vain wait for the cache to come so far (LW-4). */
  tooFarAhead(revision: number, spent: Spent): ApiStatusError {
    spent.ms += WAIT_MS;
    return tooLargeResourceVersion(revision, this.revision);
  }

  /** The object at a key, as it is stored and as the cache shows it; a cache that is not ready still has what it had. */
  at(key: EtcdKey): Known | undefined {
    const stored = this.#present.get(pathOf(key));
    return stored === undefined ? undefined : { stored, shown: this.show(stored) };
  }

  /** A stored object that the cache has seen, as it was converted then. @throws ApiStatusError 500 */
  show(stored: KubeObject): KubeObject {
    return this.#shown.get(stored) ?? inVersion(this.kind, stored);
  }

  /** Commits above a revision as the cache shows them; undefined: some of them are forgotten. */
  since(revision: number): readonly Commit[] | undefined {
    return this.#history.since(revision);
  }

  /** Tells the cache of a commit. */
  take(commit: Commit): Progress {
    if (this.#unready !== undefined) return nothing;
    this.#waiting.push(commit);
    return this.#waiting.length > 1 ? nothing : this.advance();
  }

  /** Lets the cache go on, if it can. */
  advance(): Progress {
    const nowMs = this.#server.environment.nowMs();
    if (this.#unready !== undefined) {
      if (this.#retryAtMs === undefined || this.#retryAtMs > nowMs) return nothing;
      this.#fill(nowMs);
      return { events: [], ended: true };
    }
    const events: Commit[] = [];
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const event = this.#converted(next);
      if (event === undefined) {
        this.#fail(nowMs);
        return { events, ended: false };
      }
      this.#waiting.shift();
      this.#history.push(event, nowMs);
      events.push(event);
    }
    this.#retryAtMs = undefined;
    return { events, ended: false };
  }

  #fill(nowMs: number): void {
    const { etcd } = this.#server;
    const present = new Map<string, KubeObject>();
    const shown = new WeakMap<KubeObject, KubeObject>();
    try {
      for (const object of etcd.list(this.kind.storedAs)) {
        shown.set(object, inVersion(this.kind, object));
        present.set(pathOf({ namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }), object);
      }
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
      const { sinceMs = nowMs, causeMs = nowMs } = this.#unready ?? {};
      this.#unready = { sinceMs, cause: error.message, causeMs };
      this.#retryAtMs = nowMs + RETRY_MS;
      return;
    }
    this.#present = present;
    this.#shown = shown;
    this.#history = new WatchHistory(etcd.revision);
    this.#unready = undefined;
    this.#retryAtMs = undefined;
    this.#firstFailureMs = Number.NEGATIVE_INFINITY;
    this.#lastFailureMs = Number.NEGATIVE_INFINITY;
  }

  /** The commit as the cache shows it; undefined: it cannot be converted now. */
  #converted({ key, object, previous, revision }: Commit): Commit | undefined {
    const before = previous && this.#shown.get(previous);
    const path = pathOf(key);
    try {
      // What is gone is converted too, although watches get it as the cache had it.
      const shown = inVersion(this.kind, object ?? (previous as KubeObject));
      if (object === undefined) {
        this.#present.delete(path);
        return { key, revision, previous: before ?? shown };
      }
      this.#shown.set(object, shown);
      this.#present.set(path, object);
      return { key, revision, object: shown, ...(before !== undefined && { previous: before }) };
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
      return undefined;
    }
  }

  #fail(nowMs: number): void {
    if (nowMs - this.#lastFailureMs >= FORGIVEN_MS) this.#firstFailureMs = nowMs;
    this.#lastFailureMs = nowMs;
    const lastAtMs = this.#firstFailureMs + PATIENCE_MS;
    if (nowMs <= lastAtMs) {
      this.#retryAtMs = Math.min(nowMs + RETRY_MS, lastAtMs + 1);
      return;
    }
    this.#waiting = [];
    this.#unready = { sinceMs: nowMs };
    this.#retryAtMs = nowMs + RETRY_MS;
  }
}

const nothing: Progress = { events: [], ended: false };
