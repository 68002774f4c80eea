import type { Commit, Etcd } from '../etcd/etcd.js';
import type { Webhooks } from './admission/webhook.js';
import { convertByWebhook } from './conversion-webhook.js';
import { keepRegistered } from './crd.js';
import { settleCrds } from './crd-controller.js';
import { dispatch } from './dispatch.js';
import { EventLeases } from './event-leases.js';
import { type KindInfo, Kinds } from './kinds.js';
import type { Answer, ApiRequest, WatchDelivery } from './request.js';
import { ApiStatusError, PlainTextError, toResponse } from './status.js';
import { uuid } from './uid.js';
import { Watches } from './watch.js';

/** What the server needs from the world: a clock, and chance by name. */
export interface ServerEnvironment {
  /** Virtual milliseconds since 1970. */
  nowMs(): number;
  /** A number in [0, 1) that depends on the run's seed and this name alone. */
  random(name: string): number;
}

export interface HandleOptions {
  /** The revision that a lagging watch cache has reached (LW-22); absent: it is up to date. */
  readonly cacheRevision?: number;
}

/**
 * The simulated kube-apiserver: a request in, a response and the watch events that it caused out, in one synchronous step.
 * All its lasting state is in etcd; the kinds it serves and the open watches are made from that.
 */
export class ApiServer {
  readonly etcd: Etcd;
  readonly environment: ServerEnvironment;
  readonly kinds: Kinds;
  readonly watches: Watches;
  /** Absent: nobody listens where configurations say that webhooks are. */
  readonly webhooks: Webhooks | undefined;
  /** How often each decision has been asked for. */
  readonly #decisions = new Map<string, number>();
  readonly #leases = new EventLeases();
  #published: number;

  constructor(options: { readonly etcd: Etcd; readonly environment: ServerEnvironment; readonly webhooks?: Webhooks }) {
    this.etcd = options.etcd;
    this.environment = options.environment;
    this.webhooks = options.webhooks;
    this.kinds = new Kinds((kind, object, apiVersion) => convertByWebhook(this, kind, object, apiVersion));
    this.watches = new Watches(this);
    this.#published = this.etcd.revision;
    keepRegistered(this.kinds, this.etcd);
  }

  /** Never throws for a bad request: what a client can send is answered. */
  handle(request: ApiRequest, options: HandleOptions = {}): Answer {
    const warnings: string[] = [];
    const spent = { ms: 0 };
    const held = () => spent.ms > 0 && { heldUpMs: spent.ms };
    const expired = this.expireEvents();
    try {
      const answer = dispatch(this, request, warnings, spent, options.cacheRevision);
      const deliveries = [...expired, ...this.#publish()];
      if (deliveries.length === 0 && spent.ms === 0) return answer;
      return { ...answer, deliveries: [...answer.deliveries, ...deliveries], ...held() };
    } catch (error) {
      if (!(error instanceof ApiStatusError || error instanceof PlainTextError)) throw error;
      return { response: toResponse(error, warnings), deliveries: [...expired, ...this.#publish()], ...held() };
    }
  }

  /** The client has gone away: nothing more is delivered to this watch. */
  closeWatch(id: number): void {
    this.watches.close(id);
  }

  /** Bookmarks, time-outs and the ends of Events that are due. */
  tick(): readonly WatchDelivery[] {
    return [...this.expireEvents(), ...this.watches.tick(this.environment.nowMs())];
  }

  /** Deletes the Events whose time is over (EV-1). It is seen to with every request, and on time wherever the server's clock is kept. */
  expireEvents(): readonly WatchDelivery[] {
    const nowMs = this.#leases.nextMs === Number.POSITIVE_INFINITY ? 0 : this.environment.nowMs();
    if (nowMs < this.#leases.nextMs) return none;
    for (const key of this.#leases.due(nowMs)) this.etcd.delete(key);
    return this.#publish();
  }

  /** When `tick` has something to do next, in virtual milliseconds since 1970; undefined: never. */
  nextTickMs(): number | undefined {
    const nextMs = Math.min(this.watches.nextTickMs() ?? Number.POSITIVE_INFINITY, this.#leases.nextMs);
    return nextMs === Number.POSITIVE_INFINITY ? undefined : nextMs;
  }

  /** A new object's uid. A dry run's is thrown away, and must not change the next real one. */
  newUid(kind: KindInfo, namespace: string, name: string, dryRun: boolean, what = 'uid'): string {
    const decision = this.#nameOf(what, kind, namespace, name, dryRun);
    return uuid((part) => this.environment.random(`${decision}/${part}`));
  }

  /** A number in [0, 1) for a decision about an object: `name pods ns/web- #3` the third time. */
  randomFor(what: string, kind: KindInfo, namespace: string, name: string, dryRun: boolean): number {
    return this.environment.random(this.#nameOf(what, kind, namespace, name, dryRun));
  }

  #nameOf(what: string, kind: KindInfo, namespace: string, name: string, dryRun: boolean): string {
    const subject = `${what} ${kind.resource} ${namespace === '' ? name : `${namespace}/${name}`}`;
    if (dryRun) return `${subject} #dry`;
    const count = (this.#decisions.get(subject) ?? 0) + 1;
    this.#decisions.set(subject, count);
    return `${subject} #${count}`;
  }

  /** What was committed since the last time goes to the kinds and to the watches; before it comes what had been held back. */
  #publish(): readonly WatchDelivery[] {
    const brought = this.watches.brought();
    if (this.etcd.revision === this.#published) return brought;
    settleCrds(this, this.etcd.since(this.#published));
    const commits: readonly Commit[] = this.etcd.since(this.#published);
    this.#published = this.etcd.revision;
    this.#leases.note(commits, this.environment.nowMs());
    return [...brought, ...this.watches.publish(commits)];
  }
}

const none: readonly WatchDelivery[] = [];
