import type { Answer, ApiRequest } from '../../../src/sim/apiserver/request.js';
import { ApiServer } from '../../../src/sim/apiserver/server.js';
import { Etcd } from '../../../src/sim/etcd/etcd.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import type { Cancel, Host, Outcome, ProcessEvent, WatchSink } from '../../../src/sim/host.js';
import { VirtualClock } from '../../conformance/clients/clock.js';

/** A host with a real simulated API server behind a calm network: every message takes one millisecond. */
export class ServedHost implements Host {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly requests: ApiRequest[] = [];
  readonly notes: ProcessEvent[] = [];
  /** Gives the next requests this fate instead. */
  readonly fates: ((request: ApiRequest) => Outcome | undefined)[] = [];
  /** Nothing of watches comes through while it is true. */
  holdWatches = false;
  readonly #sinks: Map<number, WatchSink>;
  readonly #held: (() => void)[] = [];

  /** @param beside another process on the same cluster */
  constructor(
    readonly process = 'operator',
    beside?: ServedHost,
  ) {
    this.clock = beside?.clock ?? new VirtualClock();
    this.#sinks = beside === undefined ? new Map() : beside.#sinks;
    const environment = { nowMs: () => this.nowMs(), random: (name: string) => this.random(name) };
    this.server = beside?.server ?? new ApiServer({ etcd: new Etcd(), environment });
  }

  nowMs(): number {
    return this.clock.nowMs;
  }

  after(delayMs: number, _lane: string, _what: string, run: () => void): Cancel {
    return this.clock.after(delayMs, run);
  }

  random(name: string): number {
    return ((name.length * 7919) % 1000) / 1000;
  }

  send(request: ApiRequest, done: (outcome: Outcome) => void): Cancel {
    let wanted = true;
    const cancel = this.clock.after(1, () => {
      this.requests.push(request);
      const fate = this.fates.shift()?.(request);
      const outcome = fate ?? { response: this.#handle(request).response };
      this.clock.after(1, () => wanted && done(outcome));
    });
    return () => {
      wanted = false;
      cancel();
    };
  }

  watch(request: ApiRequest, sink: WatchSink): Cancel {
    let id: number | undefined;
    const cancel = this.clock.after(1, () => {
      const answer = this.server.handle(request);
      id = answer.watch;
      if (id === undefined) this.clock.after(1, () => sink.refused({ response: answer.response }));
      else {
        this.#sinks.set(id, sink);
        this.clock.after(1, () => sink.opened());
      }
      this.#deliver(answer);
    });
    return () => {
      cancel();
      if (id !== undefined) this.#sinks.delete(id);
    };
  }

  note(event: ProcessEvent): void {
    this.notes.push(event);
  }

  /** What others do: at once, without any network. */
  create(object: KubeObject): KubeObject {
    return this.#do({ ...this.#target(object), verb: 'create', body: object });
  }

  patch(object: KubeObject, patch: object): KubeObject {
    const name = object.metadata.name as string;
    return this.#do({ ...this.#target(object), verb: 'patch', name, body: patch, contentType: 'application/merge-patch+json' });
  }

  delete(object: KubeObject): void {
    this.#do({ ...this.#target(object), verb: 'delete', name: object.metadata.name as string });
  }

  /** The objects of a resource as they are stored now. */
  stored(resource: string): readonly KubeObject[] {
    return this.server.etcd.list(resource);
  }

  releaseWatches(): void {
    this.holdWatches = false;
    for (const deliver of this.#held.splice(0)) this.clock.after(1, deliver);
  }

  advance(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Texts of the notes of one kind, for short comparisons. */
  reconciles(): string[] {
    return this.notes.flatMap((event) => {
      if (event.kind === 'reconcile-start') return [`start ${event.key}`];
      return event.kind === 'reconcile-end'
        ? [`end ${event.key}: ${event.result}${event.error === undefined ? '' : `: ${event.error}`}`]
        : [];
    });
  }

  #target(object: KubeObject) {
    const [group, version] = object.apiVersion?.includes('/')
      ? (object.apiVersion.split('/') as [string, string])
      : ['', object.apiVersion as string];
    const info = this.server.kinds.findKind(group, version, object.kind as string);
    if (info === undefined) throw new Error(`the server does not know ${object.kind}`);
    const { namespace } = object.metadata;
    return { group, version, resource: info.plural, ...(namespace === undefined ? {} : { namespace }) };
  }

  #do(request: ApiRequest): KubeObject {
    const { response } = this.#handle(request);
    if (response.code >= 400) throw new Error(JSON.stringify(response.body));
    return response.body as KubeObject;
  }

  #handle(request: ApiRequest): Answer {
    const answer = this.server.handle(request);
    this.#deliver(answer);
    return answer;
  }

  #deliver(answer: Answer): void {
    for (const { watch, event, ended } of answer.deliveries) {
      const deliver = () => {
        const sink = this.#sinks.get(watch);
        if (event !== undefined) sink?.event(event);
        if (ended) sink?.ended('eof');
      };
      if (this.holdWatches) this.#held.push(deliver);
      else this.clock.after(2, deliver);
    }
  }
}
