import { type HttpExchange, isExchange, readHttp } from '../../../src/sim/apiserver/http.js';
import type { WatchDelivery } from '../../../src/sim/apiserver/request.js';
import { ApiServer } from '../../../src/sim/apiserver/server.js';
import { controllers as start } from '../../../src/sim/controllers/controllers.js';
import { calmFates } from '../../../src/sim/controllers/fates.js';
import { Etcd } from '../../../src/sim/etcd/etcd.js';
import type { KubeObject, OwnerReference } from '../../../src/sim/etcd/object.js';
import { Clockwork } from '../../sim/controllers/clockwork.js';

/** Any JSON that a server answers: the cases look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: what is in there depends on the request.
export type Json = any;

export interface Reply {
  readonly code: number;
  readonly body: Json;
  readonly text: string;
  readonly warnings: readonly string[];
}

export interface Stream {
  readonly code: number;
  readonly events: { readonly type: string; readonly object: Json }[];
  ended: boolean;
  close(): void;
}

export interface SendOptions {
  /** The body's media type. */
  readonly type?: string;
  readonly accept?: string;
  readonly agent?: string;
}

export const core = '/api/v1/namespaces/ns';
export const configMaps = `${core}/configmaps`;
export const pods = `${core}/pods`;
export const deployments = '/apis/apps/v1/namespaces/ns/deployments';

/** A cluster that is spoken to over the wire, with the namespaces `ns` and `other`; its clock moves only in `run`. */
export class Cluster {
  readonly etcd = new Etcd();
  readonly clockwork: Clockwork;
  readonly server: ApiServer;
  readonly #streams = new Map<number, { readonly stream: Stream; readonly exchange: HttpExchange }>();

  /** @param controllers whether the garbage collector and the namespace controller run */
  constructor({ controllers = false } = {}) {
    this.clockwork = new Clockwork(
      Date.UTC(2026, 0, 1),
      () => this.server,
      (deliveries) => this.#deliver(deliveries),
    );
    const environment = { nowMs: () => this.clockwork.nowMs, random: (name: string) => this.clockwork.random(name) };
    this.server = new ApiServer({ etcd: this.etcd, environment });
    if (controllers) {
      const cluster = { server: this.server, fates: calmFates };
      for (const name of ['garbage-collector', 'namespace-controller'] as const)
        start[name](this.clockwork.host(name), this.clockwork.feed(), cluster);
    }
    for (const name of ['ns', 'other']) this.post('/api/v1/namespaces', { metadata: { name } });
  }

  get(path: string, options?: SendOptions): Reply {
    return this.send('GET', path, undefined, options);
  }

  post(path: string, body: unknown, options?: SendOptions): Reply {
    return this.send('POST', path, body, options);
  }

  put(path: string, body: unknown, options?: SendOptions): Reply {
    return this.send('PUT', path, body, options);
  }

  delete(path: string, body?: unknown): Reply {
    return this.send('DELETE', path, body);
  }

  /** A merge patch, or what `type` says: `json`, `strategic-merge`. */
  patch(path: string, body: unknown, type = 'merge'): Reply {
    return this.send('PATCH', path, body, { type: `application/${type}-patch+json` });
  }

  /** A server-side apply. */
  apply(path: string, body: unknown, manager: string | undefined, query = ''): Reply {
    const parameters = [manager === undefined ? '' : `fieldManager=${encodeURIComponent(manager)}`, query].filter((part) => part !== '');
    return this.send('PATCH', `${path}?${parameters.join('&')}`, body, { type: 'application/apply-patch+yaml' });
  }

  send(method: string, path: string, body?: unknown, { type = 'application/json', accept, agent = 'test' }: SendOptions = {}): Reply {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'content-type': type, accept, 'user-agent': agent };
    const read = readHttp(this.server, { method, path, headers, ...(text !== undefined && { body: text }) });
    if (!isExchange(read)) return replyOf(read);
    const { response, deliveries } = this.clockwork.serve(read.request);
    this.#deliver(deliveries);
    return replyOf(read.respond(response));
  }

  watch(path: string, options: SendOptions = {}): Stream {
    const target = `${path}${path.includes('?') ? '&' : '?'}watch=1`;
    const read = readHttp(this.server, { method: 'GET', path: target, headers: { accept: options.accept } });
    if (!isExchange(read)) return { ...replyOf(read), events: [], ended: true, close() {} };
    const { response, watch, deliveries } = this.clockwork.serve(read.request);
    const { code } = replyOf(read.respond(response));
    if (watch === undefined) return { code, events: [{ type: 'refused', object: response.body }], ended: true, close() {} };
    const close = () => {
      this.server.closeWatch(watch);
      this.#streams.delete(watch);
      stream.ended = true;
    };
    const stream: Stream = { code, events: [], ended: false, close };
    this.#streams.set(watch, { stream, exchange: read });
    this.#deliver(deliveries);
    return stream;
  }

  /** Lets time pass, in ms. */
  run(ms: number): void {
    this.clockwork.run(ms);
  }

  get revision(): string {
    return String(this.etcd.revision);
  }

  #deliver(deliveries: readonly WatchDelivery[]): void {
    for (const { watch, event, ended } of deliveries) {
      const open = this.#streams.get(watch);
      if (open === undefined) continue;
      if (event !== undefined) open.stream.events.push(JSON.parse(open.exchange.event(event)));
      if (ended) open.stream.ended = true;
    }
  }
}

function replyOf({
  status,
  headers,
  body,
}: {
  status: number;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: string;
}): Reply {
  const json = body.startsWith('{') || body.startsWith('[');
  return { code: status, body: json ? JSON.parse(body) : body, text: body, warnings: [headers.warning ?? []].flat() };
}

/** `ADDED a`, `BOOKMARK`, `ERROR 410`: what a watch has told. */
export function told({ events }: Stream): string[] {
  return events.map(({ type, object }) =>
    [type, type === 'ERROR' ? object.code : object.metadata.name].filter((part) => part !== undefined).join(' '),
  );
}

export function names(list: Json): string[] {
  return list.items.map(({ metadata }: KubeObject) => metadata.name);
}

export function rv({ body }: Reply): string {
  return body.metadata.resourceVersion;
}

export function ref(owner: Json, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid, ...more };
}

export function pod(name: string, more: Json = {}): Json {
  const { metadata, spec, ...rest } = more;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    ...rest,
  };
}

export function deployment(name: string, more: Json = {}): Json {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...more,
    },
  };
}

export function configMap(name: string, data: Json = {}): Json {
  return { metadata: { name }, data };
}

export function withConfigMaps(...wanted: readonly string[]): Cluster {
  const cluster = new Cluster();
  for (const name of wanted) cluster.post(configMaps, configMap(name));
  return cluster;
}
