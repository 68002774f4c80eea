import type { KubeObject } from '../etcd/object.js';
import type { Host } from '../host.js';
import type { ClientGoProfile } from './profile.js';
import { Indexer, type IndexFunction, type Store } from './store.js';
import type { DeletedFinalStateUnknown } from './tombstone.js';

export interface ResourceKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export interface InformerOptions {
  readonly kind: ResourceKind;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** How often every object is handed to the handlers again, in ms; 0 or absent: never (B28). */
  readonly resyncMs?: number;
  readonly profile: ClientGoProfile;
  /** Must be idempotent (B30). Throwing refuses the object. */
  readonly transform?: (object: KubeObject) => KubeObject;
  /** Asks for PartialObjectMetadata instead of whole objects. */
  readonly metadataOnly?: boolean;
  /** Called when a pass ends with an error (A5). Absent: the error is logged (A38). */
  readonly watchErrorHandler?: (error: Error) => void;
  /** Called once, when `hasSynced` becomes true; the handlers have been called for the first contents unless they have a dispatch of their own. */
  readonly onSynced?: () => void;
}

export interface ResourceEventHandler {
  onAdd(object: KubeObject, isInInitialList: boolean): void;
  onUpdate(old: KubeObject, new_: KubeObject): void;
  onDelete(object: KubeObject | DeletedFinalStateUnknown): void;
}

/**
 * Decides when a handler hears what waits in its buffer (B22). It is called when the buffer stops being empty, and must
 * then call `deliverNext`, now or later, until that returns false.
 */
export type Dispatch = (deliverNext: () => boolean) => void;

export interface HandlerOptions {
  /** Absent: the informer's own; 0: never (B28). */
  readonly resyncMs?: number;
  /** Absent: at once. */
  readonly dispatch?: Dispatch;
}

export interface Registration {
  /** The first contents are in the store, and the handler has returned from every initial OnAdd (B21). */
  hasSynced(): boolean;
  /** The handler gets nothing more (B25). */
  remove(): void;
}

export class SharedInformer {
  private readonly indexer = new Indexer();

  constructor(
    readonly host: Host,
    readonly options: InformerOptions,
  ) {}

  get store(): Store {
    return this.indexer;
  }

  addEventHandler(_handler: ResourceEventHandler, _options: HandlerOptions = {}): Registration {
    throw new Error('not built yet');
  }

  addIndexers(indexers: Readonly<Record<string, IndexFunction>>): void {
    this.indexer.addIndexers(indexers);
  }

  start(): void {}

  /** @param returned called once when Run has returned: all calls of handlers are over (B40). */
  stop(returned?: () => void): void {
    returned?.();
  }

  hasSynced(): boolean {
    return false;
  }

  lastSyncResourceVersion(): string {
    return '';
  }

  /** True when nothing is queued or undelivered. */
  idle(): boolean {
    return true;
  }

  /** What a resync tick does. */
  resync(): void {}
}
