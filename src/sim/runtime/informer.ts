import type { KubeObject } from '../etcd/object.js';
import type { Host } from '../host.js';
import { type Delta, isWhole, keyOfDelta, type ObjectDelta, type Queue, type WholeDelta } from './delta.js';
import { DeltaFIFO } from './delta-fifo.js';
import { isExpired } from './expired.js';
import type { InformerOptions } from './informer-options.js';
import { Listener } from './listener.js';
import { type ClientGoBehaviour, clientGoProfiles } from './profile.js';
import { RealFIFO } from './real-fifo.js';
import { Reflector, type ReflectorStore } from './reflector.js';
import {
  type Dispatch,
  dispatchAtOnce,
  type Notification,
  type Registration,
  type ResourceEventHandler,
} from './resource-event-handler.js';
import { Indexer, type IndexFunction, keyOf, type Store } from './store.js';
import { DeletedFinalStateUnknown } from './tombstone.js';

export type { InformerOptions } from './informer-options.js';
export type { Registration, ResourceEventHandler } from './resource-event-handler.js';

export interface HandlerOptions {
  /** Absent: the informer's own; 0: never (B28). */
  readonly resyncMs?: number;
  /** Absent: at once. */
  readonly dispatch?: Dispatch;
}

const leastResyncMs = 1000;

/**
 * client-go's SharedIndexInformer: a reflector, a queue of deltas, a store, and the handlers that hear of its changes. In the
 * calm order a handler is called in the same step in which the server's word arrives.
 */
export class SharedInformer {
  private readonly behaviour: ClientGoBehaviour;
  private readonly indexer = new Indexer();
  private readonly listeners: Listener[] = [];
  private transform: InformerOptions['transform'];
  private watchErrorHandler: InformerOptions['watchErrorHandler'];
  /** How often resync ticks come; the smallest period asked for before the start (B28). */
  private resyncCheckMs: number;
  private queue: Queue;
  private reflector: Reflector | undefined;
  private state: 'new' | 'running' | 'stopped' = 'new';
  private processing = false;
  private announcedSync = false;
  /** Handlers that were added while deltas were processed: they begin afterwards. */
  private latecomers: Listener[] = [];

  constructor(
    private readonly host: Host,
    readonly options: InformerOptions,
  ) {
    this.behaviour = clientGoProfiles[options.profile];
    this.resyncCheckMs = options.resyncMs ?? 0;
    this.transform = options.transform;
    this.watchErrorHandler = options.watchErrorHandler;
    this.queue = this.makeQueue();
  }

  get store(): Store {
    return this.indexer;
  }

  /** The version of the newest list, event or bookmark that the store has; empty unless the queue is atomic (B38). */
  storeResourceVersion(): string {
    return this.indexer.resourceVersion;
  }

  /** @throws if the informer has started (B39). */
  setTransform(transform: (object: KubeObject) => KubeObject): void {
    this.mustBeNew();
    this.transform = transform;
    this.queue = this.makeQueue();
  }

  /** @throws if the informer has started (B39). */
  setWatchErrorHandler(handler: (error: Error) => void): void {
    this.mustBeNew();
    this.watchErrorHandler = handler;
  }

  /** @throws if the name is taken, or the informer has stopped (B39). */
  addIndexers(indexers: Readonly<Record<string, IndexFunction>>): void {
    if (this.state === 'stopped') throw new Error('indexer was not added because it has stopped already');
    this.indexer.addIndexers(indexers);
  }

  /** A handler that comes late first hears of everything that the store has (B25). @throws if the informer has stopped (B39). */
  addEventHandler(handler: ResourceEventHandler, options: HandlerOptions = {}): Registration {
    if (this.state === 'stopped') throw new Error('handler was not added to shared informer because it has stopped already');
    const requestedMs = this.admitResync(options.resyncMs ?? this.options.resyncMs ?? 0);
    const listener = new Listener(
      handler,
      options.dispatch ?? dispatchAtOnce,
      requestedMs,
      this.host.nowMs(),
      () => this.hasSynced(),
      (gone) => this.forget(gone),
    );
    listener.resyncMs = this.servedResyncMs(requestedMs);
    if (this.processing) this.latecomers.push(listener);
    else this.admit(listener);
    return listener;
  }

  start(): void {
    if (this.state !== 'new') return;
    this.state = 'running';
    this.reflector = new Reflector(
      this.host,
      this.options,
      this.reflectorStore(),
      (error) => this.reportWatchError(error),
      this.resyncCheckMs,
      this.transform,
    );
    this.reflector.start();
  }

  /** @param returned called once when Run has returned: the reflector is gone, all calls of handlers are over (B40). */
  stop(returned: () => void = () => undefined): void {
    if (this.state === 'stopped') return;
    this.state = 'stopped';
    let left = 1 + this.listeners.length;
    const one = () => {
      if (--left === 0) returned();
    };
    for (const listener of this.listeners) listener.close(one);
    if (this.reflector === undefined) one();
    else this.reflector.stop(one);
  }

  /** The store holds the first contents (B21). Never becomes false again. */
  hasSynced(): boolean {
    return this.state !== 'new' && this.queue.hasSynced();
  }

  lastSyncResourceVersion(): string {
    return this.reflector?.lastSyncResourceVersion ?? '';
  }

  /** True when nothing is queued or undelivered. */
  idle(): boolean {
    return this.queue.empty && this.listeners.every((listener) => listener.idle);
  }

  /** Hands every object of the store to the handlers again, as a resync tick does, whoever is due. */
  resync(): void {
    for (const listener of this.listeners) listener.isSyncing = true;
    this.queue.resync();
    this.process();
  }

  private makeQueue(): Queue {
    const { transform } = this;
    if (this.behaviour.queue === 'DeltaFIFO') return new DeltaFIFO(this.indexer, transform);
    return new RealFIFO({ known: this.indexer, transform, atomic: this.behaviour.atomic });
  }

  private mustBeNew(): void {
    if (this.state !== 'new') throw new Error('informer has already started');
  }

  // B28: a period below the informer's ticks makes these shorter before the start, and is raised to them afterwards.
  private admitResync(wantedMs: number): number {
    if (wantedMs <= 0) return 0;
    const ms = Math.max(wantedMs, leastResyncMs);
    if (ms >= this.resyncCheckMs) return ms;
    if (this.state !== 'new') return this.resyncCheckMs;
    this.resyncCheckMs = ms;
    for (const listener of this.listeners) listener.resyncMs = this.servedResyncMs(listener.requestedResyncMs);
    return ms;
  }

  private servedResyncMs(requestedMs: number): number {
    return requestedMs === 0 || this.resyncCheckMs === 0 ? 0 : Math.max(requestedMs, this.resyncCheckMs);
  }

  private admit(listener: Listener): void {
    this.listeners.push(listener);
    if (this.state === 'new') return;
    for (const object of this.indexer.list()) listener.notify({ type: 'add', object, isInInitialList: true });
  }

  private forget(listener: Listener): void {
    for (const list of [this.listeners, this.latecomers]) {
      const place = list.indexOf(listener);
      if (place >= 0) list.splice(place, 1);
    }
  }

  private reportWatchError(error: Error): void {
    if (this.watchErrorHandler !== undefined) this.watchErrorHandler(error);
    // A38: the default handler has nothing to say about an expired version.
    else if (!isExpired(error)) this.host.note({ kind: 'log', level: 'error', message: `Failed to watch: ${error.message}` });
  }

  private reflectorStore(): ReflectorStore {
    const then = (enqueue: () => void) => {
      enqueue();
      this.process();
    };
    return {
      add: (object) => then(() => this.queue.add(object)),
      update: (object) => then(() => this.queue.update(object)),
      delete: (object) => then(() => this.queue.delete(object)),
      bookmark: (resourceVersion) => then(() => this.queue.bookmark(resourceVersion)),
      replace: (objects, resourceVersion) => {
        try {
          this.queue.replace(objects, resourceVersion);
        } finally {
          // What was queued before the transform refused an object is processed all the same (B30).
          this.process();
        }
      },
      resyncTick: () => {
        const due = this.listeners.map((listener) => listener.evaluateResync(this.host.nowMs()));
        if (due.includes(true)) then(() => this.queue.resync());
      },
    };
  }

  /** Pops until nothing is queued. Calls from within a handler only queue; the outer one goes on with it. */
  private process(): void {
    if (this.processing) return;
    this.processing = true;
    const handle = (deltas: readonly Delta[], initial: boolean) => this.handle(deltas, initial);
    while (this.state === 'running' && this.queue.pop(handle, this.behaviour.batchSize));
    this.processing = false;
    for (const listener of this.latecomers.splice(0)) this.admit(listener);
    if (this.announcedSync || !this.hasSynced()) return;
    this.announcedSync = true;
    this.options.onSynced?.();
  }

  private handle(deltas: readonly Delta[], isInInitialList: boolean): void {
    const only = deltas[0]!;
    if (isWhole(only)) {
      this.handleWhole(only, isInInitialList);
      return;
    }
    // A batch of RealFIFO changes the store in one step before the first call (B13); DeltaFIFO goes delta by delta.
    if (deltas.length === 1 || this.behaviour.queue === 'DeltaFIFO') {
      for (const delta of deltas) this.distribute(this.apply(delta as ObjectDelta, isInInitialList));
      return;
    }
    const notifications = deltas.map((delta) => this.apply(delta as ObjectDelta, isInInitialList));
    for (const notification of notifications) this.distribute(notification);
  }

  // B15: what a delta means depends on the store, not on its verb.
  private apply(delta: ObjectDelta, isInInitialList: boolean): Notification {
    const { object } = delta;
    const key = keyOfDelta(delta);
    if (this.behaviour.atomic && !(object instanceof DeletedFinalStateUnknown)) {
      this.indexer.resourceVersion = object.metadata.resourceVersion ?? '';
    }
    if (delta.type === 'Deleted') {
      this.indexer.delete(key);
      return { type: 'delete', object: delta.object };
    }
    const old = this.indexer.put(key, delta.object);
    if (old === undefined) return { type: 'add', object: delta.object, isInInitialList };
    return { type: 'update', old, object: delta.object };
  }

  private handleWhole(delta: WholeDelta, isInInitialList: boolean): void {
    switch (delta.type) {
      case 'Bookmark':
        this.indexer.resourceVersion = delta.resourceVersion;
        break;
      case 'SyncAll':
        for (const object of this.indexer.list()) this.distribute({ type: 'update', old: object, object }); // B12
        break;
      case 'ReplacedAll':
        this.replaceAll(delta.objects, delta.resourceVersion, isInInitialList);
        break;
    }
  }

  // B11
  private replaceAll(objects: readonly KubeObject[], resourceVersion: string, isInInitialList: boolean): void {
    const before = new Map(this.indexer.list().map((object) => [keyOf(object), object]));
    this.indexer.replace(objects, resourceVersion);
    for (const [key, object] of before) {
      if (!this.indexer.has(key)) this.distribute({ type: 'delete', object: new DeletedFinalStateUnknown(key, object) });
    }
    for (const object of objects) {
      const old = before.get(keyOf(object));
      if (old === undefined) this.distribute({ type: 'add', object, isInInitialList });
      else this.distribute({ type: 'update', old, object });
    }
  }

  private distribute(notification: Notification): void {
    const unchanged = notification.type === 'update' && versionOf(notification.old) === versionOf(notification.object);
    for (const listener of this.listeners.length === 1 ? this.listeners : [...this.listeners]) {
      if (!unchanged || listener.isSyncing) listener.notify(notification); // B27
    }
  }
}

function versionOf(object: KubeObject): string | undefined {
  return object.metadata.resourceVersion;
}
