import type { Answer, ApiRequest, ApiResponse, Status, WatchDelivery, WatchEvent } from './apiserver/request.js';
import type { ApiServer } from './apiserver/server.js';
import { callName, resourceOf } from './call-name.js';
import type { Commit, EtcdKey } from './etcd/etcd.js';
import type { KubeObject } from './etcd/object.js';
import type { Gates } from './faults.js';
import type { Cancel, Outcome, WatchSink } from './host.js';
import type { DecisionName } from './kernel/decisions.js';
import type { Kernel } from './kernel/kernel.js';
import type { Process } from './kernel/process.js';
import type { Latency } from './plan.js';
import { keyOf, type Recorder } from './recorder.js';

/** What the network needs to know about processes that die at one of its gates. */
export interface Undertaker {
  crash(process: Process, restartAfterMs: number): void;
}

interface OpenWatch {
  readonly id: number;
  readonly process: Process;
  readonly sink: WatchSink;
  readonly lane: string;
  readonly resource: string;
  open: boolean;
}

/** An annotation that a person's touch leaves. It means nothing to anybody, so end states are compared without it. */
export const touchedAnnotation = 'seatrial.dev/touched-by';

/** Is told of every commit, by lanes of its own: see `Network.feed`. */
interface Feed {
  readonly process: Process;
  observed(resource: string, event: WatchEvent): void;
}

/**
 * Between the clients and the API server. A request waits in a lane of its own, then the server handles it in one step; its
 * answer and the watch events it caused wait in the lanes of those who get them. Faults happen at the gates between.
 */
export class Network {
  readonly #kernel: Kernel;
  readonly #server: ApiServer;
  readonly #gates: Gates;
  readonly #recorder: Recorder;
  readonly #latency: Latency;
  readonly #undertaker: Undertaker;
  readonly #watches = new Map<number, OpenWatch>();
  readonly #feeds: Feed[] = [];
  #fed: number;
  #tickAtMs = Number.POSITIVE_INFINITY;
  readonly #epochMs: number;

  constructor(parts: {
    readonly kernel: Kernel;
    readonly server: ApiServer;
    readonly gates: Gates;
    readonly recorder: Recorder;
    readonly latency: Latency;
    readonly undertaker: Undertaker;
    readonly epochMs: number;
  }) {
    this.#kernel = parts.kernel;
    this.#server = parts.server;
    this.#gates = parts.gates;
    this.#recorder = parts.recorder;
    this.#latency = parts.latency;
    this.#undertaker = parts.undertaker;
    this.#epochMs = parts.epochMs;
    this.#fed = parts.server.etcd.revision;
  }

  /** Sends a request for a process; `done` is called in a later step, unless the process has died by then. */
  send(process: Process, request: ApiRequest, done: (outcome: Outcome) => void): Cancel {
    const call = this.#call(process, request);
    let wanted = true;
    const finish = (outcome: Outcome): void => {
      const task = () => {
        if (!wanted) return;
        this.#recordAnswer(process, call, outcome);
        done(outcome);
      };
      this.#kernel.enqueue(`replies to ${process.name}: ${call}`, `reply to ${call}`, this.#latency.replyMs, task, { process });
    };
    if (!this.#depart(process, call, request)) return () => {};
    const refused = this.#refusal(call);
    if (refused !== undefined) finish(refused);
    else {
      this.#kernel.enqueue(`requests of ${process.name}: ${call}`, `send ${call}`, this.#latency.requestMs, () => {
        const answer = this.#arrive(process, call, request);
        if (this.#crashAt(process, call, 'after')) return;
        const lost = this.#gates.take('reply-lost', call);
        if (lost === undefined) finish({ response: answer.response });
        else {
          this.#recorder.record({ kind: 'fault', fault: lost });
          finish({ lost: 'eof' });
        }
      });
    }
    return () => {
      wanted = false;
    };
  }

  /** Opens a watch for a process. */
  watch(process: Process, request: ApiRequest, sink: WatchSink): Cancel {
    const call = this.#call(process, request);
    const resource = resourceOf(request);
    const lane = `watch ${watchText(request)} of ${process.name}`;
    let watch: OpenWatch | undefined;
    let wanted = true;
    const refuse = (outcome: Outcome): void => {
      const task = () => {
        if (!wanted) return;
        this.#recordAnswer(process, call, outcome);
        sink.refused(outcome);
      };
      this.#kernel.enqueue(lane, `reply to ${call}`, this.#latency.replyMs, task, { process });
    };
    if (!this.#depart(process, call, request)) return () => {};
    const refused = this.#refusal(call);
    if (refused !== undefined) refuse(refused);
    else if (this.#take('watch-expired', call)) refuse({ response: { code: 410, body: expired } });
    else {
      this.#kernel.enqueue(`requests of ${process.name}: ${call}`, `send ${call}`, this.#latency.requestMs, () => {
        if (!wanted) return;
        const answer = this.#arrive(process, call, request, (id) => {
          watch = { id, process, sink, lane, resource, open: true };
          this.#watches.set(id, watch);
          const opened = watch;
          const task = () => {
            if (!opened.open) return;
            this.#recordAnswer(process, call, { response: answer.response });
            sink.opened();
          };
          this.#kernel.enqueue(lane, `reply to ${call}`, this.#latency.replyMs, task, { process });
        });
        if (this.#crashAt(process, call, 'after')) return;
        if (answer.watch === undefined) refuse({ response: answer.response });
      });
    }
    return () => {
      wanted = false;
      if (watch !== undefined) this.#close(watch);
    };
  }

  /**
   * Tells a process of every object of the cluster, each resource in order and with a lag of its own: what the informers
   * of a controller that watches everything would see. Resources begin to be told of when their first object appears.
   */
  feed(process: Process, observed: (resource: string, event: WatchEvent) => void): void {
    const feed: Feed = { process, observed };
    // Commits are counted as told only while somebody listens.
    if (this.#feeds.length === 0) this.#fed = this.#server.etcd.revision;
    this.#feeds.push(feed);
    for (const resource of this.#server.etcd.resources())
      for (const object of this.#server.etcd.list(resource)) this.#tell(feed, keyOf(resource, object), { type: 'ADDED', object });
  }

  /** A request that somebody makes at the server itself, in this very step: a person with kubectl, a racing writer. */
  immediately(actor: string, request: ApiRequest): Answer {
    const call = this.#kernel.decisions.name(callName(request, actor));
    return this.#handle(actor, call, request, {});
  }

  /** The process has died: its connections are closed. */
  disconnect(process: Process): void {
    for (const watch of [...this.#watches.values()]) if (watch.process === process) this.#close(watch);
    const rest = this.#feeds.filter((feed) => feed.process !== process);
    this.#feeds.splice(0, this.#feeds.length, ...rest);
  }

  #call(process: Process, request: ApiRequest): DecisionName {
    return this.#kernel.decisions.name(callName(request, process.name));
  }

  /** @returns false when the process died before it could send. */
  #depart(process: Process, call: DecisionName, request: ApiRequest): boolean {
    if (this.#crashAt(process, call, 'before')) return false;
    this.#recorder.record({ kind: 'sent', call, process: process.name, request });
    return true;
  }

  #crashAt(process: Process, call: DecisionName, when: 'before' | 'after'): boolean {
    if (!process.alive) return false;
    const fault = this.#gates.take('crash', call, (each) => each.when === when);
    if (fault === undefined) return false;
    this.#recorder.record({ kind: 'fault', fault });
    this.#undertaker.crash(process, fault.restartAfterMs);
    return true;
  }

  /** What a fault at the gate before the server makes of a call. */
  #refusal(call: DecisionName): Outcome | undefined {
    if (this.#take('request-lost', call)) return { lost: 'eof' };
    const rejected = this.#gates.take('rejected', call);
    if (rejected === undefined) return undefined;
    this.#recorder.record({ kind: 'fault', fault: rejected });
    return { response: rejections[rejected.code] };
  }

  #take(kind: 'request-lost' | 'watch-expired' | 'watch-ended' | 'watch-reset', name: DecisionName): boolean {
    const fault = this.#gates.take(kind, name);
    if (fault !== undefined) this.#recorder.record({ kind: 'fault', fault });
    return fault !== undefined;
  }

  #arrive(process: Process, call: DecisionName, request: ApiRequest, opened?: (watch: number) => void): Answer {
    const conflict = this.#gates.take('conflict', call);
    if (conflict !== undefined) {
      this.#recorder.record({ kind: 'fault', fault: conflict });
      this.touch('somebody', request);
    }
    const stale = this.#gates.take('stale-read', call);
    if (stale !== undefined) this.#recorder.record({ kind: 'fault', fault: stale });
    const behind = stale === undefined ? {} : { cacheRevision: Math.max(0, this.#server.etcd.revision - stale.revisions) };
    return this.#handle(process.name, call, request, behind, opened);
  }

  /** A person's harmless edit of an object: one more annotation, so a new resourceVersion. */
  touch(actor: string, at: Pick<ApiRequest, 'group' | 'version' | 'resource' | 'namespace' | 'name'>): boolean {
    if (at.name === undefined) return false;
    const place = {
      group: at.group,
      version: at.version,
      resource: at.resource,
      name: at.name,
      ...(at.namespace === undefined ? {} : { namespace: at.namespace }),
    };
    const body = { metadata: { annotations: { [touchedAnnotation]: `${actor} ${this.#server.etcd.revision}` } } };
    const answer = this.immediately(actor, { verb: 'patch', ...place, contentType: 'application/merge-patch+json', body });
    return answer.response.code === 200;
  }

  #handle(
    actor: string,
    call: DecisionName,
    request: ApiRequest,
    options: { cacheRevision?: number },
    opened?: (watch: number) => void,
  ): Answer {
    const before = this.#server.etcd.revision;
    const answer = this.#server.handle(request, options);
    const commits = this.#server.etcd.revision === before ? none : this.#server.etcd.since(before);
    this.#recorder.record({ kind: 'handled', call, process: actor, request, response: answer.response, commits });
    if (answer.watch !== undefined) opened?.(answer.watch);
    this.#deliver(answer.deliveries);
    if (this.#feeds.length > 0) this.#feedCommits();
    if (answer.watch !== undefined) this.#tickLater();
    return answer;
  }

  #deliver(deliveries: readonly WatchDelivery[]): void {
    for (const { watch: id, event, ended } of deliveries) {
      const watch = this.#watches.get(id);
      if (watch === undefined) continue;
      if (event !== undefined) this.#bring(watch, event);
      if (ended)
        this.#kernel.enqueue(watch.lane, `end ${watch.resource} of ${watch.process.name}`, 0, () => this.#end(watch, 'eof'), {
          process: watch.process,
        });
    }
  }

  #bring(watch: OpenWatch, event: WatchEvent): void {
    const { resource, process } = watch;
    const object = event.object as KubeObject;
    const key = event.type === 'ERROR' ? { resource, namespace: '', name: '' } : keyOf(resource, object);
    const periodic = event.type === 'BOOKMARK' && object.metadata.annotations === undefined;
    const what = event.type === 'BOOKMARK' || event.type === 'ERROR' ? event.type.toLowerCase() : targetText(key);
    const task = this.#kernel.enqueue(
      watch.lane,
      `deliver ${resource} ${what} to ${process.name}`,
      this.#latency.watchMs,
      () => this.#arriveAt(watch, event, key, task.decision),
      { process, periodic },
    );
  }

  /** A watch event comes to its client, unless a fault of the watch comes instead. */
  #arriveAt(watch: OpenWatch, event: WatchEvent, key: EtcdKey, decision: DecisionName): void {
    if (!watch.open) return;
    const { process, resource } = watch;
    const expires = this.#take('watch-expired', decision);
    if (expires) watch.sink.event({ type: 'ERROR', object: expired });
    const how = this.#take('watch-reset', decision) ? 'reset' : expires || this.#take('watch-ended', decision) ? 'eof' : undefined;
    if (how !== undefined) {
      this.#end(watch, how);
      return;
    }
    const revision = event.type === 'ERROR' ? 0 : Number((event.object as KubeObject).metadata.resourceVersion ?? 0);
    if (event.type !== 'BOOKMARK')
      this.#recorder.record({ kind: 'delivered', process: process.name, resource, key, type: event.type, revision });
    watch.sink.event(event);
  }

  #end(watch: OpenWatch, how: 'eof' | 'reset'): void {
    if (!watch.open) return;
    this.#close(watch);
    this.#recorder.record({ kind: 'watch-ended', process: watch.process.name, resource: watch.resource, how });
    watch.sink.ended(how);
  }

  #close(watch: OpenWatch): void {
    watch.open = false;
    this.#watches.delete(watch.id);
    this.#server.closeWatch(watch.id);
  }

  #feedCommits(): void {
    const commits = this.#server.etcd.since(this.#fed);
    this.#fed = this.#server.etcd.revision;
    for (const commit of commits) for (const feed of this.#feeds) this.#tell(feed, commit.key, eventOf(commit));
  }

  #tell(feed: Feed, key: EtcdKey, event: WatchEvent): void {
    const { process } = feed;
    this.#kernel.enqueue(
      `watch ${key.resource} of ${process.name}`,
      `deliver ${key.resource} ${targetText(key)} to ${process.name}`,
      this.#latency.watchMs,
      () => feed.observed(key.resource, event),
      { process },
    );
  }

  /** Bookmarks and the ends of watches come by the server's clock. */
  #tickLater(): void {
    const next = this.#server.nextTickMs();
    if (next === undefined) return;
    const atMs = next - this.#epochMs;
    if (atMs >= this.#tickAtMs && this.#tickAtMs > this.#kernel.nowMs) return;
    this.#tickAtMs = atMs;
    const task = () => {
      if (this.#tickAtMs !== atMs) return;
      this.#tickAtMs = Number.POSITIVE_INFINITY;
      this.#deliver(this.#server.tick());
      this.#tickLater();
    };
    this.#kernel.enqueue('the clock of the API server', 'tick of the API server', atMs - this.#kernel.nowMs, task, {
      timer: true,
      periodic: true,
    });
  }

  #recordAnswer(process: Process, call: DecisionName, outcome: Outcome): void {
    const what = 'lost' in outcome ? { lost: outcome.lost } : { code: outcome.response.code };
    this.#recorder.record({ kind: 'answered', call, process: process.name, ...what });
  }
}

const none: readonly Commit[] = [];

/** The event that a commit is, as the watch of all objects shows it (DE-10: a delete carries its own revision). */
function eventOf(commit: Commit): WatchEvent {
  if (commit.object !== undefined) return { type: commit.previous === undefined ? 'ADDED' : 'MODIFIED', object: commit.object };
  const last = commit.previous as KubeObject;
  return { type: 'DELETED', object: { ...last, metadata: { ...last.metadata, resourceVersion: String(commit.revision) } } };
}

function targetText(key: EtcdKey): string {
  return key.namespace === '' ? key.name : `${key.namespace}/${key.name}`;
}

/** A watch by what it watches; two informers of one process may watch one kind with different selectors. */
function watchText(request: ApiRequest): string {
  const parts = [resourceOf(request), request.namespace, request.query?.labelSelector, request.query?.fieldSelector];
  return parts.filter((part) => part !== undefined).join(' ');
}

const expired: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'The resourceVersion for the provided watch is too old.',
  reason: 'Expired',
  code: 410,
};

function failure(code: number, message: string, reason?: string): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, ...(reason === undefined ? {} : { reason }), code };
}

/** What a server says that refuses without doing: OV-1 (429), ST-12 (500 without a reason), OV-4 (503). */
const rejections: Readonly<Record<429 | 500 | 503, ApiResponse>> = {
  429: { code: 429, contentType: 'text/plain; charset=utf-8', body: 'Too many requests, please try again later.\n', retryAfterSeconds: 1 },
  500: { code: 500, body: failure(500, 'etcdserver: leader changed') },
  503: { code: 503, body: failure(503, 'apiserver is shutting down', 'ServiceUnavailable'), retryAfterSeconds: 1 },
};
