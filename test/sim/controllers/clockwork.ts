import type { Answer, ApiRequest, WatchDelivery, WatchEvent } from '../../../src/sim/apiserver/request.js';
import type { ApiServer } from '../../../src/sim/apiserver/server.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { type Cancel, type FeedObserver, type Host, isFed, type ObjectFeed } from '../../../src/sim/host.js';

/** How long the controllers' events and requests are on their way. */
const FEED_MS = 1;
const REQUEST_MS = 1;

/**
 * A server and controllers with nothing between them but a little time: what is sent arrives, in the order in which it was
 * sent. The clock moves only in `run`.
 */
export class Clockwork {
  nowMs: number;
  /** Every request of a controller, with the code of its answer. */
  readonly requests: { readonly process: string; readonly request: ApiRequest; readonly code: number }[] = [];
  readonly #server: () => ApiServer;
  readonly #deliver: (deliveries: readonly WatchDelivery[]) => void;
  readonly #timers: { readonly atMs: number; readonly run: () => void }[] = [];
  readonly #observers: ((resource: string, event: WatchEvent) => void)[] = [];
  #fed: number | undefined;
  #lastFeedMs = 0;
  #draws = 0;

  /** @param deliver is given what the open watches get */
  constructor(startMs: number, server: () => ApiServer, deliver: (deliveries: readonly WatchDelivery[]) => void = () => {}) {
    this.nowMs = startMs;
    this.#server = server;
    this.#deliver = deliver;
  }

  /** The server's answer to anybody; what was committed goes to the controllers a little later. */
  serve(request: ApiRequest): Answer {
    const answer = this.#server().handle(request);
    this.#feedCommits();
    return answer;
  }

  /** Lets time pass, with everything that happens in it. */
  run(forMs: number): void {
    const until = this.nowMs + forMs;
    while (true) {
      const next = Math.min(this.#timers[0]?.atMs ?? Number.POSITIVE_INFINITY, this.#server().nextTickMs() ?? Number.POSITIVE_INFINITY);
      if (next > until) break;
      this.nowMs = Math.max(this.nowMs, next);
      while ((this.#timers[0]?.atMs ?? Number.POSITIVE_INFINITY) <= this.nowMs) this.#timers.shift()?.run();
      this.#deliver(this.#server().tick());
      this.#feedCommits();
    }
    this.nowMs = until;
  }

  feed(): ObjectFeed {
    return {
      subscribe: (resources, observed, synced) => {
        const { etcd } = this.#server();
        this.#fed ??= etcd.revision;
        const told: FeedObserver = (resource, event) => {
          if (isFed(resources, resource)) observed(resource, event);
        };
        this.#observers.push(told);
        for (const resource of etcd.resources()) for (const object of etcd.list(resource)) told(resource, { type: 'ADDED', object });
        synced?.();
      },
    };
  }

  host(process: string): Host {
    return {
      process,
      nowMs: () => this.nowMs,
      after: (delayMs, _lane, _what, run) => this.#after(delayMs, run),
      random: (name) => this.random(name),
      send: (request, done) => {
        let wanted = true;
        this.#after(REQUEST_MS, () => {
          const { response, deliveries } = this.serve(request);
          this.requests.push({ process, request, code: response.code });
          this.#deliver(deliveries);
          this.#after(REQUEST_MS, () => wanted && done({ response }));
        });
        return () => {
          wanted = false;
        };
      },
      watch: () => {
        throw new Error('the controllers of this cluster learn by the feed');
      },
      note: () => {},
    };
  }

  /** Chance need not be the same by name here; it only has to be the same every time. */
  random(name: string): number {
    this.#draws += 1;
    let hash = 2166136261;
    for (const char of `${name}/${this.#draws}`) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 13), 3266489917) >>> 0;
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  }

  #feedCommits(): void {
    const { etcd } = this.#server();
    if (this.#fed === undefined || this.#fed === etcd.revision) return;
    const commits = etcd.since(this.#fed);
    this.#fed = etcd.revision;
    // What one request writes is written one after the other, and is heard of so.
    for (const [index, commit] of commits.entries()) {
      this.#lastFeedMs = Math.max(this.nowMs + FEED_MS, this.#lastFeedMs + Math.sign(index));
      const event: WatchEvent =
        commit.object === undefined
          ? { type: 'DELETED', object: commit.previous as KubeObject }
          : { type: commit.previous === undefined ? 'ADDED' : 'MODIFIED', object: commit.object };
      this.#after(this.#lastFeedMs - this.nowMs, () => {
        for (const observed of this.#observers) observed(commit.key.resource, event);
      });
    }
  }

  /** Timers of the same time run in the order in which they were set. */
  #after(delayMs: number, run: () => void): Cancel {
    const timer = { atMs: this.nowMs + delayMs, run };
    let at = this.#timers.length;
    while (at > 0 && (this.#timers[at - 1] as { readonly atMs: number }).atMs > timer.atMs) at -= 1;
    this.#timers.splice(at, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }
}
