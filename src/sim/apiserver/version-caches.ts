import type { Commit } from '../etcd/etcd.js';
import type { KindInfo } from './kinds.js';
import type { ApiServer } from './server.js';
import { type Progress, VersionCache } from './version-cache.js';

/** The watch caches of the kinds that webhooks convert, one for each version; other kinds need none (CD-29). */
export class VersionCaches {
  readonly #server: ApiServer;
  readonly #current = new Map<string, Map<string, VersionCache>>();
  /** Those of a definition that has changed: watches that were open then still hang on them. */
  readonly #retired = new Map<string, readonly VersionCache[]>();

  constructor(server: ApiServer) {
    this.#server = server;
  }

  /** The cache of a version; those of all versions are made and filled when somebody first asks for one. */
  of(kind: KindInfo): VersionCache {
    let caches = this.#current.get(kind.resource);
    if (caches === undefined) {
      caches = new Map();
      this.#current.set(kind.resource, caches);
      for (const each of this.#server.kinds.converted(kind.resource)) caches.set(each.apiVersion, new VersionCache(this.#server, each));
    }
    let cache = caches.get(kind.apiVersion);
    if (cache === undefined) {
      // The version that is stored has one although it may not be served.
      cache = new VersionCache(this.#server, kind);
      caches.set(kind.apiVersion, cache);
    }
    return cache;
  }

  /** Tells the caches of a commit. */
  *take(commit: Commit): Iterable<readonly [VersionCache, Progress]> {
    for (const cache of this.#all(commit.key.resource)) yield [cache, cache.take(commit)];
  }

  /** Lets the caches of a kind go on, if they can. */
  *goOn(kind: KindInfo): Iterable<readonly [VersionCache, Progress]> {
    this.of(kind);
    for (const cache of this.#all(kind.resource)) if (cache.retryAtMs !== undefined) yield [cache, cache.advance()];
  }

  /** Lets those caches go on that have something to try again at this time. */
  *tick(nowMs: number): Iterable<readonly [VersionCache, Progress]> {
    for (const resource of this.#resources()) {
      for (const cache of this.#all(resource)) if ((cache.retryAtMs ?? nowMs + 1) <= nowMs) yield [cache, cache.advance()];
    }
  }

  /** When `tick` has something to do next; infinite: never. */
  nextTickMs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const resource of this.#resources()) for (const { retryAtMs = next } of this.#all(resource)) next = Math.min(next, retryAtMs);
    return next;
  }

  /** CD-20: a definition has changed. What is asked from now on is answered by new caches. */
  retire(resource: string): void {
    const caches = this.#current.get(resource);
    if (caches === undefined) return;
    this.#current.delete(resource);
    this.#retired.set(resource, [...(this.#retired.get(resource) ?? []), ...caches.values()]);
  }

  /** The watches that hang on retired caches have ended. */
  forgetRetired(resource: string): void {
    this.#retired.delete(resource);
  }

  /** All caches are filled anew when they are needed. */
  clear(): void {
    this.#current.clear();
    this.#retired.clear();
  }

  #resources(): Iterable<string> {
    return this.#current.size === 0 && this.#retired.size === 0 ? [] : new Set([...this.#current.keys(), ...this.#retired.keys()]);
  }

  #all(resource: string): readonly VersionCache[] {
    const current = this.#current.get(resource);
    const retired = this.#retired.get(resource);
    return current === undefined && retired === undefined ? none : [...(retired ?? []), ...(current?.values() ?? [])];
  }
}

const none: readonly VersionCache[] = [];
