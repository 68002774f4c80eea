import type { Host } from '../host.js';
import { acceptFor } from './encodings.js';
import { SharedInformer } from './informer.js';
import { apiVersionOf, type ClientObject, type Kind } from './kind.js';
import type { ClientGoProfile } from './profile.js';
import type { Scheme } from './scheme.js';

/** The values of one field under which an object is to be found (D24). */
export type IndexerFunc<T extends ClientObject> = (object: T) => readonly string[];

interface Waiter {
  readonly sinceMs: number;
  readonly ready: () => boolean;
  readonly then: () => void;
  /** It has seen that it is ready, and goes on at its next look. */
  looking: boolean;
}

/** Whoever waits for a cache looks this often (D73). */
const pollMs = 100;

/** One informer for every kind that is watched or read: the process's only knowledge of the cluster that it need not ask for. */
export class Cache {
  readonly #informers = new Map<string, SharedInformer>();
  #waiters: Waiter[] = [];
  #started = false;

  constructor(
    private readonly host: Host,
    private readonly profile: ClientGoProfile,
    readonly scheme: Scheme,
    private readonly syncPeriodMs = 0,
  ) {}

  get started(): boolean {
    return this.#started;
  }

  /** Whether the kind has an informer, without making one. */
  has(kind: Kind): boolean {
    return this.#informers.has(nameOf(kind, false));
  }

  /** The kind's informer. A kind that was not known until now gets one, which starts at once if the cache runs (D18). */
  informer(kind: Kind, onlyMetadata = false): SharedInformer {
    const name = nameOf(kind, onlyMetadata);
    let informer = this.#informers.get(name);
    if (informer === undefined) {
      this.scheme.register(kind);
      // D26: a tenth of the period either way, for each informer.
      const resyncMs = this.syncPeriodMs === 0 ? 0 : this.syncPeriodMs * (0.9 + 0.2 * this.host.random(`resync ${name}`));
      informer = new SharedInformer(this.host, {
        kind,
        profile: this.profile,
        resyncMs,
        metadataOnly: onlyMetadata,
        accept: acceptFor(kind),
        onSynced: () => this.#progress(),
      });
      this.#informers.set(name, informer);
      if (this.#started) informer.start();
    }
    return informer;
  }

  indexField<T extends ClientObject>(kind: Kind<T>, field: string, valuesOf: IndexerFunc<T>): void {
    this.informer(kind).addIndexers({
      [indexName(field)]: (object) =>
        valuesOf(object as unknown as T).flatMap((value) => [
          indexValue(undefined, value),
          ...(object.metadata.namespace ? [indexValue(object.metadata.namespace, value)] : []),
        ]),
    });
  }

  start(): void {
    this.#started = true;
    for (const informer of this.#informers.values()) informer.start();
  }

  stop(): void {
    for (const informer of this.#informers.values()) informer.stop();
  }

  /** Calls `then` once all informers are synced and the condition holds: never at once, as Go's listeners need a moment to hear. */
  whenSynced(ready: () => boolean, then: () => void): void {
    this.#waiters.push({ sinceMs: this.host.nowMs(), ready: () => this.synced() && ready(), then, looking: false });
    this.#progress();
  }

  /** Calls `then`, now or at a later look, once all informers that are known now are synced (D39). */
  whenKnownSynced(then: () => void): void {
    const known = [...this.#informers.values()];
    this.#wait(() => known.every((informer) => informer.hasSynced()), then);
  }

  /** Calls `then`, now or at a later look, once this informer is synced, whatever the others do (D18). */
  whenInformerSynced(informer: SharedInformer, then: () => void): void {
    this.#wait(() => informer.hasSynced(), then);
  }

  synced(): boolean {
    for (const informer of this.#informers.values()) if (!informer.hasSynced()) return false;
    return true;
  }

  idle(): boolean {
    for (const informer of this.#informers.values()) if (!informer.idle()) return false;
    return this.#waiters.length === 0;
  }

  /** Hands every object to every handler again. */
  resync(): void {
    for (const informer of this.#informers.values()) informer.resync();
  }

  #wait(ready: () => boolean, then: () => void): void {
    if (ready()) then();
    else this.#waiters.push({ sinceMs: this.host.nowMs(), ready, then, looking: false });
  }

  /** Something may have become ready: its waiter sees it at its next look. */
  #progress(): void {
    for (const waiter of this.#waiters) {
      if (waiter.looking || !waiter.ready()) continue;
      waiter.looking = true;
      const waitedMs = this.host.nowMs() - waiter.sinceMs;
      const nextLookMs = (Math.floor(waitedMs / pollMs) + 1) * pollMs;
      this.host.after(nextLookMs - waitedMs, 'cache', 'see that caches are synced', () => this.#look(waiter));
    }
  }

  #look(waiter: Waiter): void {
    waiter.looking = false;
    if (!waiter.ready()) return;
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    waiter.then();
    this.#progress();
  }
}

function nameOf(kind: Kind, onlyMetadata: boolean): string {
  return `${apiVersionOf(kind)} ${kind.kind}${onlyMetadata ? ' metadata' : ''}`;
}

/** One index serves lists over all namespaces and within one: the value carries which. */
export function indexName(field: string): string {
  return `field:${field}`;
}

export function indexValue(namespace: string | undefined, value: string): string {
  return `${namespace || '__all_namespaces'}/${value}`;
}
