import type { Webhooks } from '../../src/sim/apiserver/admission/webhook.js';
import { type HttpExchange, type HttpResponse, isExchange, readHttp } from '../../src/sim/apiserver/http.js';
import type { WatchDelivery } from '../../src/sim/apiserver/request.js';
import { ApiServer } from '../../src/sim/apiserver/server.js';
import type { UserInfo } from '../../src/sim/apiserver/user.js';
import { type ControllerName, controllerNames, controllers as start } from '../../src/sim/controllers/controllers.js';
import { calmFates } from '../../src/sim/controllers/fates.js';
import { Etcd } from '../../src/sim/etcd/etcd.js';
import { Clockwork } from '../sim/controllers/clockwork.js';
import type { Transport, WatchStream, WireRequest, WireResponse } from './golden/runner.mjs';

/** The recorded etcd began here, so that revisions are told from other numbers in texts. */
const FIRST_REVISION = 1_000_000_000;
const START_MS = Date.UTC(2026, 0, 1);
/** Whose certificate a webhook of a sequence has. */
const CA = Buffer.from('-----BEGIN CERTIFICATE-----\n').toString('base64');
/** Who the recorded requests came from. */
const GOLDEN: UserInfo = { username: 'golden', uid: 'golden', groups: ['system:masters', 'system:authenticated'] };

/** Who ran when the sequences of all other groups were recorded. */
const alwaysThere: readonly ControllerName[] = ['garbage-collector', 'namespace-controller'];
/** There was neither a kubelet nor what stands between it and pods: the scripts played them. */
const playedByScripts: readonly ControllerName[] = [
  'persistentvolume-binder-controller',
  'node-lifecycle-controller',
  'scheduler',
  'kubelet',
];

type HookHandler = Parameters<NonNullable<Transport['hooks']>>[1];

/** A cluster of its own for one sequence: the server in process, and a clock that only `sleep` moves. */
export class GoldenWorld implements Transport {
  readonly #etcd = new Etcd(FIRST_REVISION);
  readonly #clockwork: Clockwork;
  readonly #server: ApiServer;
  readonly #streams = new Map<number, Stream>();
  #webhooks: Webhooks = () => ({ delayMs: 0, failure: 'refused' });

  /**
   * @param controllers whether the garbage collector and the namespace controller run, as they did when the recordings were made
   * @param workloads whether the other controllers run too
   */
  constructor({ controllers = true, workloads = false } = {}) {
    const clockwork = new Clockwork(
      START_MS,
      () => this.#server,
      (deliveries) => this.#deliver(deliveries),
    );
    const environment = { nowMs: () => clockwork.nowMs, random: (name: string) => clockwork.random(name) };
    this.#clockwork = clockwork;
    this.#server = new ApiServer({ etcd: this.#etcd, environment, webhooks: (call) => this.#webhooks(call) });
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      this.#server.handle({ verb: 'create', group: '', version: 'v1', resource: 'namespaces', body });
    }
    if (!controllers) return;
    const names = controllerNames.filter((name) => !playedByScripts.includes(name));
    const cluster = { server: this.#server, fates: calmFates };
    for (const name of workloads ? names : alwaysThere) start[name](clockwork.host(name), clockwork.feed(), cluster);
  }

  now(): number {
    return this.#clockwork.nowMs;
  }

  async request(wire: WireRequest): Promise<WireResponse> {
    const read = readHttp(this.#server, wire);
    if (!isExchange(read)) return toWire(read);
    const { response, deliveries, heldUpMs = 0 } = this.#clockwork.serve({ ...read.request, user: userOf(wire) });
    this.#deliver(deliveries);
    this.#clockwork.run(heldUpMs);
    await turn();
    return toWire(read.respond(response));
  }

  async watch(wire: WireRequest): Promise<WatchStream> {
    const read = readHttp(this.#server, wire);
    if (!isExchange(read)) return { ...toWire(read), lines: none(), close() {} };
    const { response, watch: id, deliveries, heldUpMs = 0 } = this.#clockwork.serve({ ...read.request, user: userOf(wire) });
    const answer = toWire(read.respond(response));
    this.#clockwork.run(heldUpMs);
    if (id === undefined) return { ...answer, lines: none(), close() {} };
    const stream = new Stream(read);
    this.#streams.set(id, stream);
    this.#deliver(deliveries);
    await turn();
    return {
      ...answer,
      lines: stream,
      close: () => {
        this.#server.closeWatch(id);
        this.#streams.delete(id);
        stream.end();
      },
    };
  }

  async sleep(ms: number): Promise<void> {
    this.#clockwork.run(ms);
    await turn();
  }

  async compact(revision: number): Promise<void> {
    this.#etcd.compact(revision);
  }

  /** The webhooks of a sequence are plain functions: which one is meant is told by the port. */
  async hooks({ names }: { names: string[] }, handle: HookHandler): ReturnType<NonNullable<Transport['hooks']>> {
    const endpoints = Object.fromEntries(
      names.map((name, index) => {
        const port = String(9443 + index);
        return [name, { url: `https://127.0.0.1:${port}/${name}`, ca: CA, host: `127.0.0.1:${port}`, port }];
      }),
    );
    const down = new Set<string>();
    this.#webhooks = ({ url, caBundle, review }) => {
      const { port, pathname, search } = new URL(url);
      const name = names[Number(port) - 9443];
      if (name === undefined || down.has(name)) return { delayMs: 0, failure: 'refused' };
      if (caBundle !== CA) return { delayMs: 0, failure: 'untrusted' };
      const { delayMs, close, status, headers, body } = handle(name, { path: `${pathname}${search}`, review: structuredClone(review) });
      return close ? { delayMs, failure: 'closed' } : { delayMs, status, headers, body };
    };
    return {
      endpoints,
      down: async (name, isDown) => {
        if (isDown) down.add(name);
        else down.delete(name);
      },
      close: async () => {},
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
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

async function* none(): AsyncGenerator<string> {}

/** Whoever it is that a request is sent for. */
function userOf({ headers }: WireRequest): UserInfo {
  const username = headers['impersonate-user'];
  if (username === undefined) return GOLDEN;
  const extra = Object.entries(headers).filter(([name]) => name.startsWith('impersonate-extra-'));
  return {
    username,
    ...(headers['impersonate-uid'] !== undefined && { uid: headers['impersonate-uid'] }),
    groups: [...(headers['impersonate-group']?.split(',') ?? []), 'system:authenticated'],
    ...(extra.length > 0 && {
      extra: Object.fromEntries(extra.map(([name, value]) => [decodeURIComponent(name.slice('impersonate-extra-'.length)), [value]])),
    }),
  };
}

/** Lets the readers of streams take what has come. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function toWire(response: HttpResponse): WireResponse {
  const headers: WireResponse['headers'] = {};
  for (const [name, value] of Object.entries(response.headers)) headers[name] = typeof value === 'string' ? value : [...value];
  return { status: response.status, headers, body: response.body };
}
