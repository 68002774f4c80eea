import type { KubeObject } from '../etcd/object.js';
import type { Host } from '../host.js';
import type { Delta, Queue } from './delta.js';
import { DeltaFIFO } from './delta-fifo.js';
import { DeltaProcessor } from './delta-processor.js';
import { isExpired } from './expired.js';
import type { InformerOptions } from './informer-options.js';
import type { Listener } from './listener.js';
import { metadataOnlyTransform } from './metadata-only.js';
import { type HandlerOptions, Processor } from './processor.js';
import { type ClientGoBehaviour, clientGoProfiles } from './profile.js';
import { RealFIFO } from './real-fifo.js';
import { Reflector, type ReflectorStore } from './reflector.js';
import type { Registration, ResourceEventHandler } from './resource-event-handler.js';
import { Indexer, type IndexFunction, type Store } from './store.js';

export type { InformerOptions } from './informer-options.js';
export type { Registration, ResourceEventHandler } from './resource-event-handler.js';

/**
 * client-go's SharedIndexInformer: a reflector, a queue of deltas, a store, and the handlers that hear of its changes. In the
 * calm order a handler is called in the same step in which the server's word arrives.
 */
export class SharedInformer {
  private readonly behaviour: ClientGoBehaviour;
  private readonly indexer = new Indexer();
  private readonly processor: Processor;
  private readonly deltas: DeltaProcessor;
  private transform: InformerOptions['transform'];
  private watchErrorHandler: InformerOptions['watchErrorHandler'];
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
    this.processor = new Processor(options.resyncMs ?? 0);
    this.deltas = new DeltaProcessor(this.indexer, this.behaviour, (notification) => this.processor.distribute(notification));
    this.transform = this.completed(options.transform);
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
    this.transform = this.completed(transform);
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
    if (this.state === 'stopped') {
      throw new Error(`handler ${String(handler)} was not added to shared informer because it has stopped already`);
    }
    const listener = this.processor.make(handler, options, this, this.host.nowMs());
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
      this.processor.start(),
      this.transform,
    );
    this.reflector.start();
  }

  /** @param returned called once when Run has returned: the reflector is gone, all calls of handlers are over (B40). */
  stop(returned: () => void = () => undefined): void {
    if (this.state === 'stopped') return;
    this.state = 'stopped';
    let left = 2;
    const one = () => {
      if (--left === 0) returned();
    };
    this.processor.close(one);
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
    return this.queue.empty && this.processor.idle;
  }

  /** Hands every object of the store to the handlers again, as a resync tick does, whoever is due. */
  resync(): void {
    this.processor.flagAllAsSyncing();
    this.queue.resync();
    this.process();
  }

  private makeQueue(): Queue {
    const { transform } = this;
    if (this.behaviour.queue === 'DeltaFIFO') return new DeltaFIFO(this.indexer, transform);
    return new RealFIFO({ known: this.indexer, transform, atomic: this.behaviour.atomic });
  }

  private completed(transform: InformerOptions['transform']): InformerOptions['transform'] {
    return this.options.metadataOnly ? metadataOnlyTransform(transform) : transform;
  }

  private mustBeNew(): void {
    if (this.state !== 'new') throw new Error('informer has already started');
  }

  private admit(listener: Listener): void {
    this.processor.add(listener);
    if (this.state === 'new') return;
    for (const object of this.indexer.list()) listener.notify({ type: 'add', object, isInInitialList: true });
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
        if (this.processor.evaluateResync(this.host.nowMs())) then(() => this.queue.resync());
      },
    };
  }

  /** Pops until nothing is queued. Calls from within a handler only queue; the outer one goes on with it. */
  private process(): void {
    if (this.processing) return;
    this.processing = true;
    const apply = (deltas: readonly Delta[], isInInitialList: boolean) => this.deltas.process(deltas, isInInitialList);
    while (this.state === 'running' && this.queue.pop(apply, this.behaviour.batchSize));
    this.processing = false;
    if (this.state === 'stopped') return;
    for (const listener of this.latecomers.splice(0)) this.admit(listener);
    if (this.announcedSync || !this.hasSynced()) return;
    this.announcedSync = true;
    this.options.onSynced?.();
  }
}
