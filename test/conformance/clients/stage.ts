import { createHash } from 'node:crypto';
import type { ApiRequest, WatchEvent } from '../../../src/sim/apiserver/request.js';
import type { Cancel, ConnectionLoss, Host, Outcome, WatchSink } from '../../../src/sim/host.js';
import { answerOf, eventsOf } from './answers.js';
import { VirtualClock } from './clock.js';
import { undecodable, WatchDecoder } from './decoder.js';
import type { Journal } from './journal.js';
import { headerOf, lineOf, matches, readable, targetOf } from './request-line.js';
import type { Script, Step } from './script.js';

/** One request and its answer; a watch stays streaming. */
interface Exchange {
  readonly request: ApiRequest;
  readonly target: string;
  /** How it stands for the server. */
  state: 'waiting' | 'streaming' | 'over';
  /** How it stands for the client, who may not have heard yet. */
  heard: 'nothing' | 'opened' | 'end';
  /** Nothing that the server says comes through any more. */
  deaf: boolean;
  readonly decoder: WatchDecoder;
  readonly receiver: { readonly done: (outcome: Outcome) => void } | { readonly sink: WatchSink };
}

export interface StageOptions {
  /** Lost connections are found by pings, as on HTTP/2 (A34). */
  readonly http2?: boolean;
  /** Headers that are recorded with each request. */
  readonly recordHeaders?: readonly string[];
}

const pingAfterMs = 30_000;
const pingTimeoutMs = 15_000;

/** The scripted API server, the network in front of it and the clock: the `Host` of a client under a script. */
export class Stage implements Host {
  readonly process = 'client';
  readonly clock = new VirtualClock();
  private readonly exchanges: Exchange[] = [];
  private readonly asked = new Map<string, number>();
  private arrivals = 0;
  private revision = 1000;
  private refusing = false;
  private lastFrameMs = 0;
  private lossAtMs = 0;

  constructor(
    private readonly script: Script,
    private readonly journal: Journal,
    private readonly options: StageOptions = {},
  ) {}

  // As a host.

  nowMs(): number {
    return this.clock.nowMs;
  }

  after(delayMs: number, _lane: string, _what: string, run: () => void): Cancel {
    return this.clock.after(delayMs, run);
  }

  random(name: string): number {
    const count = (this.asked.get(name) ?? 0) + 1;
    this.asked.set(name, count);
    return createHash('sha256').update(`${this.script.number} ${name} ${count}`).digest().readUInt32BE() / 2 ** 32;
  }

  send(request: ApiRequest, done: (outcome: Outcome) => void): Cancel {
    return this.exchange(request, { done }, (lost) => done({ lost }));
  }

  watch(request: ApiRequest, sink: WatchSink): Cancel {
    return this.exchange(request, { sink }, (lost) => sink.refused({ lost }));
  }

  /** Errors go where client-go's error handlers would put them; the rest is of no interest here. */
  note(event: Parameters<Host['note']>[0]): void {
    if (event.kind === 'log' && event.level === 'error') this.journal.note('reported', event.message);
  }

  // As a server and a network.

  settle(): Promise<void> {
    return this.clock.settle();
  }

  advance(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Carries out a step of the server, the network or the clock; false if it is none of these. */
  async do(step: Step): Promise<boolean> {
    if (typeof step.answer === 'string') this.reply(this.find(step.answer, 'waiting'), step);
    else if (typeof step.send === 'string') this.sendEvents(this.find(step.send, 'streaming'), step);
    else if (typeof step.end === 'string') this.end(this.find(step.end, 'streaming'));
    else if (typeof step.cut === 'string') this.cut(this.findOpen(step.cut), step.how as 'eof' | 'reset');
    else if (typeof step.refuse === 'boolean') this.refuse(step.refuse);
    else if (step.blackHole) this.blackHole();
    else if (typeof step.advanceMs === 'number') await this.clock.advance(step.advanceMs);
    else if (Array.isArray(step.await)) await this.awaitRequest(step.await as [number, number]);
    else return false;
    return true;
  }

  private exchange(request: ApiRequest, receiver: Exchange['receiver'], lost: (how: ConnectionLoss) => void): Cancel {
    let cancelled = false;
    if (this.refusing) {
      this.clock.post(() => {
        if (!cancelled) lost('refused');
      });
      return () => {
        cancelled = true;
      };
    }
    const deaf = this.clock.nowMs < this.lossAtMs;
    const exchange: Exchange = {
      request,
      target: targetOf(request),
      state: 'waiting',
      heard: 'nothing',
      deaf,
      decoder: new WatchDecoder(),
      receiver,
    };
    this.clock.post(() => {
      if (!cancelled) this.arrive(exchange);
    });
    return () => {
      cancelled = true;
      exchange.deaf = true;
      exchange.heard = 'end';
      if (this.exchanges.includes(exchange)) this.seeClosed(exchange);
    };
  }

  /** The server sees that the client has gone. */
  private seeClosed(exchange: Exchange): void {
    if (exchange.state === 'over') return;
    exchange.state = 'over';
    this.journal.note('closedByClient', exchange.target);
  }

  private arrive(exchange: Exchange): void {
    this.exchanges.push(exchange);
    this.journal.note('requests', this.record(exchange.request));
    this.arrivals++;
    const standing = this.script.standing?.find((step) => matches(exchange.target, String(step.answer)));
    if (standing !== undefined) this.reply(exchange, standing);
  }

  private record(request: ApiRequest): unknown {
    const headers = this.options.recordHeaders ?? [];
    if (request.body === undefined && headers.length === 0) return lineOf(request);
    const body = { contentType: request.contentType ?? 'application/json', body: readable(request.body, this.clock.nowMs) };
    return {
      request: lineOf(request),
      ...(request.body === undefined ? {} : body),
      ...Object.fromEntries(headers.map((name) => [name.toLowerCase(), headerOf(request, name)])),
    };
  }

  /** The oldest waiting request, or the newest open watch. */
  private find(name: string, state: Exchange['state']): Exchange {
    const found = this.exchanges.filter((exchange) => exchange.state === state && matches(exchange.target, name));
    const exchange = state === 'waiting' ? found[0] : found.at(-1);
    if (exchange !== undefined) return exchange;
    const open = this.exchanges.filter((other) => other.state !== 'over').map((other) => `${other.state} ${other.target}`);
    throw new Error(`no ${state} request is ${JSON.stringify(name)}; there are ${JSON.stringify(open)}`);
  }

  private findOpen(name: string): Exchange {
    const streaming = this.exchanges.some((exchange) => exchange.state === 'streaming' && matches(exchange.target, name));
    return this.find(name, streaming ? 'streaming' : 'waiting');
  }

  /** Something comes through to the client, unless it has gone or hears nothing. */
  private deliver(exchange: Exchange, heard: Exchange['heard'], run: () => void): void {
    this.clock.post(() => {
      if (exchange.deaf) return;
      exchange.heard = heard;
      this.lastFrameMs = this.clock.nowMs;
      run();
    });
  }

  private reply(exchange: Exchange, step: Step): void {
    const { receiver, request } = exchange;
    if ('sink' in receiver && step.events !== undefined) {
      exchange.state = 'streaming';
      this.deliver(exchange, 'opened', () => receiver.sink.opened());
      this.sendEvents(exchange, step);
      return;
    }
    exchange.state = 'over';
    const response = answerOf(request, step, () => String(++this.revision));
    this.deliver(exchange, 'end', () => ('sink' in receiver ? receiver.sink.refused({ response }) : receiver.done({ response })));
  }

  private sendEvents(exchange: Exchange, step: Step): void {
    if (!('sink' in exchange.receiver)) return;
    const { sink } = exchange.receiver;
    const events: WatchEvent[] =
      typeof step.text === 'string'
        ? exchange.decoder.feed(step.text)
        : eventsOf(exchange.request, step).map((event) => exchange.decoder.decode(event));
    for (const event of events) this.deliver(exchange, 'opened', () => sink.event(event));
  }

  private end(exchange: Exchange): void {
    exchange.state = 'over';
    const { receiver } = exchange;
    this.deliver(exchange, 'end', () => 'sink' in receiver && receiver.sink.ended('eof'));
  }

  private cut(exchange: Exchange, how: 'eof' | 'reset'): void {
    const { receiver, state } = exchange;
    exchange.state = 'over';
    this.deliver(exchange, 'end', () => {
      if (!('sink' in receiver)) receiver.done({ lost: how });
      else if (state === 'waiting') receiver.sink.refused({ lost: how });
      else receiver.sink.ended('reset');
    });
  }

  private refuse(refusing: boolean): void {
    this.refusing = refusing;
    if (!refusing) return;
    for (const exchange of this.exchanges.filter(({ state }) => state !== 'over')) {
      // The server sees its connection end and takes it for the client's doing.
      this.journal.note('closedByClient', exchange.target);
      this.cut(exchange, 'eof');
    }
  }

  private blackHole(): void {
    for (const exchange of this.exchanges) exchange.deaf = true;
    if (!this.options.http2) return;
    const pings = Math.floor((this.clock.nowMs - this.lastFrameMs) / pingAfterMs);
    this.lossAtMs = this.lastFrameMs + pings * pingAfterMs + pingAfterMs + pingTimeoutMs;
    this.clock.after(this.lossAtMs - this.clock.nowMs, () => {
      for (const exchange of this.exchanges.filter(({ deaf, heard }) => deaf && heard !== 'end')) this.loseByPing(exchange);
    });
  }

  private loseByPing(exchange: Exchange): void {
    const { receiver, heard } = exchange;
    exchange.heard = 'end';
    this.seeClosed(exchange);
    if (!('sink' in receiver)) receiver.done({ lost: 'reset' });
    else if (heard === 'opened') receiver.sink.event(undecodable('http2: client connection lost'));
    else receiver.sink.refused({ lost: 'reset' });
  }

  /** Lets time pass until the next request comes, and checks that the wait lies in the bounds. */
  private async awaitRequest([least, most]: readonly [number, number]): Promise<void> {
    this.arrivals = 0;
    const start = this.clock.nowMs;
    await this.clock.advanceUntil(() => this.arrivals > 0, 2 * most + 1000);
    const waited = Math.floor(this.clock.nowMs - start);
    if (this.arrivals === 0) this.journal.note('awaited', 'nothing came');
    else if (waited >= least && waited <= most) this.journal.note('awaited', `within ${least}..${most} ms`);
    else this.journal.note('awaited', `OUT OF BOUNDS ${waited} ms`);
  }
}
