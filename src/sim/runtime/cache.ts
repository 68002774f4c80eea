import type { Host } from '../host.js';
import { SharedInformer } from './informer.js';
import { apiVersionOf, type ClientObject, type Kind } from './kind.js';
import type { ClientGoProfile } from './profile.js';
import type { Scheme } from './scheme.js';

/** The values of one field under which an object is to be found (D24). */
export type IndexerFunc<T extends ClientObject> = (object: T) => readonly string[];

interface Waiter {
  readonly ready: () => boolean;
  readonly then: () => void;
}

/** One informer for every kind that is watched or read: the process's only knowledge of the cluster that it need not ask for. */
export class Cache {
  readonly #informers = new Map<string, SharedInformer>();
  #waiters: Waiter[] = [];
  #started = false;

  constructor(
    private readonly host: Host,
    private readonly profile: ClientGoProfile,
    readonly scheme: Scheme,
    private readonly resyncMs = 0,
  ) {}

  get started(): boolean {
    return this.#started;
  }

  /** The kind's informer. A kind that was not known until now gets one, which starts at once if the cache runs (D18). */
  informer(kind: Kind): SharedInformer {
    const name = `${apiVersionOf(kind)} ${kind.kind}`;
    let informer = this.#informers.get(name);
    if (informer === undefined) {
      this.scheme.register(kind);
      informer = new SharedInformer(this.host, { kind, profile: this.profile, resyncMs: this.resyncMs, onSynced: () => this.#progress() });
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

  /** Calls `then`, now or later, once all informers are synced and the condition holds. */
  whenSynced(ready: () => boolean, then: () => void): void {
    this.#wait({ ready: () => this.synced() && ready(), then });
  }

  /** Calls `then`, now or later, once this informer is synced, whatever the others do. */
  whenInformerSynced(informer: SharedInformer, then: () => void): void {
    this.#wait({ ready: () => informer.hasSynced(), then });
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

  #wait(waiter: Waiter): void {
    if (waiter.ready()) waiter.then();
    else this.#waiters.push(waiter);
  }

  #progress(): void {
    const ready = this.#waiters.filter((waiter) => waiter.ready());
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const waiter of ready) waiter.then();
  }
}

/** One index serves lists over all namespaces and within one: the value carries which. */
export function indexName(field: string): string {
  return `field:${field}`;
}

export function indexValue(namespace: string | undefined, value: string): string {
  return `${namespace || '__all_namespaces'}/${value}`;
}
