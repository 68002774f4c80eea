import { type HttpExchange, type HttpRequest, type HttpResponse, isExchange, readHttp } from '../../src/sim/apiserver/http.js';
import type { Answer, ApiRequest, ApiResponse, WatchDelivery, WatchEvent } from '../../src/sim/apiserver/request.js';
import { ApiServer } from '../../src/sim/apiserver/server.js';
import { startGarbageCollector } from '../../src/sim/controllers/garbage-collector.js';
import { startNamespaceController } from '../../src/sim/controllers/namespace.js';
import { Etcd } from '../../src/sim/etcd/etcd.js';
import type { KubeObject } from '../../src/sim/etcd/object.js';
import type { Cancel, Host, ObjectFeed } from '../../src/sim/host.js';
import type { Transport, WatchStream, WireRequest, WireResponse } from './golden/runner.mjs';

/** The recorded etcd began here, so that revisions are told from other numbers in texts. */
const FIRST_REVISION = 1_000_000_000;
const START_MS = Date.UTC(2026, 0, 1);
/** How long the controllers' events and requests are on their way. */
const FEED_MS = 1;
const REQUEST_MS = 1;

/** A cluster of its own for one sequence: the server in process, and a clock that only `sleep` moves. */
export class GoldenWorld implements Transport {
  readonly etcd = new Etcd(FIRST_REVISION);
  readonly server: ApiServer;
  readonly #streams = new Map<number, Stream>();
  readonly #timers: { readonly atMs: number; readonly run: () => void }[] = [];
  readonly #observers: ((resource: string, event: WatchEvent) => void)[] = [];
  #nowMs = START_MS;
  #draws = 0;
  #fed = FIRST_REVISION;

  constructor() {
    this.server = new ApiServer({ etcd: this.etcd, environment: { nowMs: () => this.#nowMs, random: (name) => this.#random(name) } });
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      this.server.handle({ verb: 'create', group: '', version: 'v1', resource: 'namespaces', body });
    }
    startGarbageCollector(this.#host('garbage-collector'), this.#feed(), this.server.kinds);
    startNamespaceController(this.#host('namespace-controller'), this.#feed(), () =>
      [...this.server.kinds.all()].filter((kind) => kind.namespaced && this.etcd.list(kind.storedAs).length > 0),
    );
  }

  now(): number {
    return this.#nowMs;
  }

  async request(wire: WireRequest): Promise<WireResponse> {
    const read = this.#read(wire);
    const response = isExchange(read) ? read.respond(this.#handle(read)) : read;
    await turn();
    return toWire(response);
  }

  async watch(wire: WireRequest): Promise<WatchStream> {
    const read = this.#read(wire);
    if (!isExchange(read)) return { ...toWire(read), lines: none(), close() {} };
    const answer = this.#serve(read.request);
    const response = toWire(read.respond(answer.response));
    const id = answer.watch;
    if (id === undefined) return { ...response, lines: none(), close() {} };
    const stream = new Stream(read);
    this.#streams.set(id, stream);
    this.#deliver(answer.deliveries);
    await turn();
    return {
      ...response,
      lines: stream,
      close: () => {
        this.server.closeWatch(id);
        this.#streams.delete(id);
        stream.end();
      },
    };
  }

  async sleep(ms: number): Promise<void> {
    const until = this.#nowMs + ms;
    while (true) {
      const next = Math.min(this.#timers[0]?.atMs ?? Number.POSITIVE_INFINITY, this.server.nextTickMs() ?? Number.POSITIVE_INFINITY);
      if (next > until) break;
      this.#nowMs = Math.max(this.#nowMs, next);
      while ((this.#timers[0]?.atMs ?? Number.POSITIVE_INFINITY) <= this.#nowMs) this.#timers.shift()?.run();
      this.#deliver(this.server.tick());
      this.#feedCommits();
    }
    this.#nowMs = until;
    await turn();
  }

  async compact(revision: number): Promise<void> {
    this.etcd.compact(revision);
  }

  /** No webhook is called yet: the addresses only stand in for what the steps name. */
  async hooks({ names }: { names: string[] }): ReturnType<NonNullable<Transport['hooks']>> {
    const endpoints = Object.fromEntries(
      names.map((name, index) => {
        const port = String(9443 + index);
        return [name, { url: `https://127.0.0.1:${port}/${name}`, ca: 'Y2E=', host: `127.0.0.1:${port}`, port }];
      }),
    );
    return { endpoints, down: async () => {}, close: async () => {} };
  }

  #read(wire: WireRequest): HttpExchange | HttpResponse {
    const request: HttpRequest = wire;
    return readHttp(this.server, request);
  }

  #handle(exchange: HttpExchange): ApiResponse {
    const { response, deliveries } = this.#serve(exchange.request);
    this.#deliver(deliveries);
    return response;
  }

  /** The server's answer; what was committed goes to the controllers a little later. */
  #serve(request: ApiRequest): Answer {
    const answer = this.server.handle(request);
    this.#feedCommits();
    return answer;
  }

  #feedCommits(): void {
    if (this.#fed === this.etcd.revision) return;
    const commits = this.etcd.since(this.#fed);
    this.#fed = this.etcd.revision;
    for (const commit of commits) {
      const event: WatchEvent =
        commit.object === undefined
          ? { type: 'DELETED', object: commit.previous as KubeObject }
          : { type: commit.previous === undefined ? 'ADDED' : 'MODIFIED', object: commit.object };
      this.#after(FEED_MS, () => {
        for (const observed of this.#observers) observed(commit.key.resource, event);
      });
    }
  }

  #feed(): ObjectFeed {
    return {
      subscribe: (observed) => {
        this.#observers.push(observed);
        for (const resource of this.etcd.resources())
          for (const object of this.etcd.list(resource)) observed(resource, { type: 'ADDED', object });
      },
    };
  }

  #host(process: string): Host {
    return {
      process,
      nowMs: () => this.#nowMs,
      after: (delayMs, _lane, _what, run) => this.#after(delayMs, run),
      random: (name) => this.#random(name),
      send: (request, done) => {
        let wanted = true;
        this.#after(REQUEST_MS, () => {
          const { response, deliveries } = this.#serve(request);
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

  /** Timers of the same time run in the order in which they were set. */
  #after(delayMs: number, run: () => void): Cancel {
    const timer = { atMs: this.#nowMs + delayMs, run };
    let at = this.#timers.length;
    while (at > 0 && (this.#timers[at - 1] as { readonly atMs: number }).atMs > timer.atMs) at -= 1;
    this.#timers.splice(at, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  #deliver(deliveries: readonly WatchDelivery[]): void {
    for (const { watch, event, ended } of deliveries) {
      const stream = this.#streams.get(watch);
      if (event !== undefined) stream?.push(event);
      if (ended) {
        stream?.end();
        this.#streams.delete(watch);
      }
    }
  }

  /** Chance need not be the same by name here; it only has to be the same every time. */
  #random(name: string): number {
    this.#draws += 1;
    let hash = 2166136261;
    for (const char of `${name}/${this.#draws}`) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 13), 3266489917) >>> 0;
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  }
}

/** The lines of one open watch, for whoever iterates over them. */
class Stream implements AsyncIterable<string> {
  readonly #exchange: HttpExchange;
  readonly #lines: string[] = [];
  #ended = false;
  #wake: () => void = () => {};

  constructor(exchange: HttpExchange) {
    this.#exchange = exchange;
  }

  push(event: NonNullable<WatchDelivery['event']>): void {
    this.#lines.push(this.#exchange.event(event));
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (true) {
      const line = this.#lines.shift();
      if (line !== undefined) yield line;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

async function* none(): AsyncGenerator<string> {}

/** Lets the readers of streams take what has come. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function toWire(response: HttpResponse): WireResponse {
  const headers: WireResponse['headers'] = {};
  for (const [name, value] of Object.entries(response.headers)) headers[name] = typeof value === 'string' ? value : [...value];
  return { status: response.status, headers, body: response.body };
}
