import type { Answer, ApiRequest, ApiResponse, Status } from './apiserver/request.js';
import { callName, resourceOf } from './call-name.js';
import type { Commit } from './etcd/etcd.js';
import type { Cancel, Outcome, WatchSink } from './host.js';
import type { DecisionName } from './kernel/decisions.js';
import type { Process } from './kernel/process.js';
import type { Latency } from './plan.js';
import { expired, laneOf, type Stream, type StreamParts, Streams } from './streams.js';
import type { WebhookCalls } from './webhook-calls.js';

/** What the network needs to know about processes that die at one of its gates. */
export interface Undertaker {
  crash(process: Process, restartAfterMs: number): void;
}

/** The parts of the world that the network connects. */
export type NetworkParts = Omit<StreamParts, 'watchMs'> & {
  readonly latency: Latency;
  readonly undertaker: Undertaker;
  readonly webhooks: WebhookCalls;
};

/** An annotation that a person's touch leaves. It means nothing to anybody, so end states are compared without it. */
export const touchedAnnotation = 'seatrial.dev/touched-by';

/**
 * Between the clients and the API server. A request waits in a lane of its own, then the server handles it in one step; its
 * answer and the watch events it caused wait in the lanes of those who get them. Faults happen at the gates between.
 */
export class Network {
  readonly #parts: NetworkParts;
  readonly #streams: Streams;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
    this.#streams = new Streams({ ...parts, watchMs: parts.latency.watchMs });
  }

  /** Sends a request for a process; `done` is called in a later step, unless the process has died by then. */
  send(process: Process, request: ApiRequest, done: (outcome: Outcome) => void): Cancel {
    const call = this.#callOf(process, request);
    let wanted = true;
    const reply = (outcome: Outcome, heldUpMs = 0): void =>
      this.#reply(
        process,
        call,
        `replies to ${process.name}: ${call}`,
        outcome,
        () => wanted,
        () => done(outcome),
        heldUpMs,
      );
    this.#depart(process, call, request, reply, () => {
      const { response, heldUpMs } = this.#arrive(process, call, request);
      if (this.#crashAt(process, call, 'after')) return;
      reply(this.#take('reply-lost', call) ? { lost: 'eof' } : { response }, heldUpMs);
    });
    return () => {
      wanted = false;
    };
  }

  /** Opens a watch for a process. */
  watch(process: Process, request: ApiRequest, sink: WatchSink): Cancel {
    const call = this.#callOf(process, request);
    const lane = laneOf(request, process);
    let stream: Stream | undefined;
    let wanted = true;
    const refuse = (outcome: Outcome): void =>
      this.#reply(
        process,
        call,
        lane,
        outcome,
        () => wanted,
        () => sink.refused(outcome),
      );
    this.#depart(process, call, request, refuse, () => {
      if (!wanted) return;
      if (this.#take('watch-expired', call)) {
        refuse({ response: { code: 410, body: expired } });
        return;
      }
      const accepted = (id: number, response: ApiResponse): void => {
        const opened: Stream = { id, process, sink, lane, resource: resourceOf(request), open: true };
        stream = opened;
        this.#streams.open(opened);
        this.#reply(
          process,
          call,
          lane,
          { response },
          () => opened.open,
          () => sink.opened(),
        );
      };
      const answer = this.#arrive(process, call, request, accepted);
      if (!this.#crashAt(process, call, 'after') && answer.watch === undefined) refuse({ response: answer.response });
    });
    return () => {
      wanted = false;
      if (stream?.open) this.#streams.close(stream);
    };
  }

  /** See `Streams.feed`. */
  feed(...subscription: Parameters<Streams['feed']>): void {
    this.#streams.feed(...subscription);
  }

  /** The process has died: its connections are closed. */
  disconnect(process: Process): void {
    this.#streams.disconnect(process);
  }

  /** A request that somebody makes at the server itself, in this very step: a person with kubectl, a racing writer. */
  immediately(actor: string, request: ApiRequest): Answer {
    return this.#handle(actor, this.#parts.kernel.decisions.name(callName(request, actor)), request, {});
  }

  /** A person's harmless edit of an object: one more annotation, so a new resourceVersion. @returns whether it was done. */
  touch(actor: string, { group, version, resource, namespace, name }: ApiRequest): boolean {
    if (name === undefined) return false;
    const body = { metadata: { annotations: { [touchedAnnotation]: `${actor}, at revision ${this.#parts.server.etcd.revision}` } } };
    const place = { group, version, resource, name, ...(namespace === undefined ? {} : { namespace }) };
    const answer = this.immediately(actor, { verb: 'patch', ...place, contentType: 'application/merge-patch+json', body });
    return answer.response.code === 200;
  }

  #callOf(process: Process, request: ApiRequest): DecisionName {
    return this.#parts.kernel.decisions.name(callName(request, process.name));
  }

  /** The call leaves its process, and comes to the server unless a fault at one of the gates before it says otherwise. */
  #depart(process: Process, call: DecisionName, request: ApiRequest, refuse: (outcome: Outcome) => void, arrive: () => void): void {
    const { kernel, recorder, gates, latency } = this.#parts;
    if (this.#crashAt(process, call, 'before')) return;
    recorder.record({ kind: 'sent', call, process: process.name, request });
    const rejected = gates.take('rejected', call);
    if (rejected !== undefined) {
      recorder.record({ kind: 'fault', fault: rejected });
      refuse({ response: rejections[rejected.code] });
    } else if (this.#take('request-lost', call)) refuse({ lost: 'eof' });
    else kernel.enqueue(`requests of ${process.name}: ${call}`, `send ${call}`, latency.requestMs, arrive);
  }

  /**
   * The answer goes back to the process.
   * @param wanted whether the client still waits for it
   * @param heldUpMs how long webhooks held the request up, in virtual milliseconds
   */
  #reply(
    process: Process,
    call: DecisionName,
    lane: string,
    outcome: Outcome,
    wanted: () => boolean,
    take: () => void,
    heldUpMs = 0,
  ): void {
    const { kernel, recorder, latency } = this.#parts;
    const arrive = (): void => {
      if (!wanted()) return;
      const what = 'lost' in outcome ? { lost: outcome.lost } : { code: outcome.response.code };
      recorder.record({ kind: 'answered', call, process: process.name, ...what });
      take();
    };
    kernel.enqueue(lane, `reply to ${call}`, latency.replyMs + heldUpMs, arrive, { process });
  }

  #crashAt(process: Process, call: DecisionName, when: 'before' | 'after'): boolean {
    const fault = process.alive ? this.#parts.gates.take('crash', call, (each) => each.when === when) : undefined;
    if (fault === undefined) return false;
    this.#parts.recorder.record({ kind: 'fault', fault });
    this.#parts.undertaker.crash(process, fault.restartAfterMs);
    return true;
  }

  #take(kind: 'request-lost' | 'reply-lost' | 'watch-expired', name: DecisionName): boolean {
    const fault = this.#parts.gates.take(kind, name);
    if (fault !== undefined) this.#parts.recorder.record({ kind: 'fault', fault });
    return fault !== undefined;
  }

  #arrive(process: Process, call: DecisionName, request: ApiRequest, accepted?: (watch: number, response: ApiResponse) => void): Answer {
    const { gates, recorder, server } = this.#parts;
    const conflict = gates.take('conflict', call);
    if (conflict !== undefined) {
      recorder.record({ kind: 'fault', fault: conflict });
      this.touch('somebody', request);
    }
    const stale = gates.take('stale-read', call);
    if (stale !== undefined) recorder.record({ kind: 'fault', fault: stale });
    const behind = stale === undefined ? {} : { cacheRevision: Math.max(0, server.etcd.revision - stale.revisions) };
    return this.#handle(process.name, call, request, behind, accepted);
  }

  #handle(
    actor: string,
    call: DecisionName,
    request: ApiRequest,
    options: { readonly cacheRevision?: number },
    accepted?: (watch: number, response: ApiResponse) => void,
  ): Answer {
    const { server, recorder, webhooks } = this.#parts;
    // What goes by itself is nobody's doing.
    const expired = server.expireEvents();
    if (expired.length > 0) this.#streams.deliver(expired);
    const before = server.etcd.revision;
    const answer = webhooks.during(actor, request, () => server.handle(request, options));
    const commits = server.etcd.revision === before ? none : server.etcd.since(before);
    recorder.record({ kind: 'handled', call, process: actor, request, response: answer.response, commits });
    if (answer.watch !== undefined) accepted?.(answer.watch, answer.response);
    this.#streams.deliver(answer.deliveries);
    return answer;
  }
}

const none: readonly Commit[] = [];

function failure(code: number, message: string, reason?: string): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, ...(reason === undefined ? {} : { reason }), code };
}

/** What a server says that refuses without doing: OV-1 (429), ST-12 (500 without a reason), OV-3 (503). */
const rejections: Readonly<Record<429 | 500 | 503, ApiResponse>> = {
  429: { code: 429, contentType: 'text/plain; charset=utf-8', body: 'Too many requests, please try again later.\n', retryAfterSeconds: 1 },
  500: { code: 500, body: failure(500, 'etcdserver: leader changed') },
  503: { code: 503, body: failure(503, 'apiserver is shutting down', 'ServiceUnavailable'), retryAfterSeconds: 1 },
};
