import type { KubeObject } from '../etcd/object.js';
import type { Cache } from './cache.js';
import type { EventHandler, HandlerContext } from './event-handlers.js';
import type { Kind } from './kind.js';
import type { Predicate } from './predicates.js';
import type { Registration, ResourceEventHandler } from './resource-event-handler.js';
import { DeletedFinalStateUnknown } from './tombstone.js';

/** Where a controller's requests come from. */
export interface EventSource {
  /** As texts of errors name it. */
  readonly name: string;
  /** The kind whose objects it watches. */
  readonly kind?: Kind;
  start(cache: Cache, context: HandlerContext): StartedSource;
}

export interface StartedSource {
  /** The requests of the first contents are in the queue. */
  hasSynced(): boolean;
}

export interface KindSourceOptions {
  readonly handler: EventHandler;
  /** All must let an event pass; the first refusal ends it (D10). */
  readonly predicates: readonly Predicate[];
  /** Watches PartialObjectMetadata, by an informer of its own (D22). */
  readonly onlyMetadata?: boolean;
}

/** Events of a kind: informer -> predicates -> handler (D10). The handler is added when the informer is synced (D17, D26). */
export function kindSource(kind: Kind, options: KindSourceOptions): EventSource {
  return {
    name: `kind source: ${kind.kind}`,
    kind,
    start(cache, context) {
      const informer = cache.informer(kind, options.onlyMetadata);
      let registration: Registration | undefined;
      cache.whenInformerSynced(informer, () => {
        registration = informer.addEventHandler(filtered(options, context));
      });
      return { hasSynced: () => registration?.hasSynced() ?? false };
    },
  };
}

/** Lets the operator itself ask for reconciles: controller-runtime's source.Channel. Its events are generic ones (D19). */
export interface EventChannel {
  /** Events from before the start wait for it. */
  send(object: KubeObject): void;
  source(options: Omit<KindSourceOptions, 'onlyMetadata'>): EventSource;
}

/** Makes a channel; give it to `watchesChannel` of a builder. */
export function newEventChannel(): EventChannel {
  const waiting: KubeObject[] = [];
  const receivers: ((object: KubeObject) => void)[] = [];
  return {
    send(object) {
      if (receivers.length === 0) waiting.push(object);
      for (const receive of receivers) receive(object);
    },
    source: ({ handler, predicates }) => ({
      name: 'channel source',
      start(_cache, context) {
        const receive = (object: KubeObject) => {
          if (predicates.every((predicate) => predicate.generic?.(object) ?? true)) handler.generic?.(object, context);
        };
        receivers.push(receive);
        for (const object of waiting.splice(0)) receive(object);
        return { hasSynced: () => true };
      },
    }),
  };
}

/** Predicates and a handler as one handler of an informer. */
export function filtered({ handler, predicates }: KindSourceOptions, context: HandlerContext): ResourceEventHandler {
  return {
    onAdd(object, isInInitialList) {
      if (predicates.every((predicate) => predicate.create?.(object) ?? true)) handler.create?.(object, isInInitialList, context);
    },
    onUpdate(old, new_) {
      if (predicates.every((predicate) => predicate.update?.(old, new_) ?? true)) handler.update?.(old, new_, context);
    },
    onDelete(deleted) {
      const stateUnknown = deleted instanceof DeletedFinalStateUnknown;
      const object: KubeObject | undefined = stateUnknown ? deleted.object : deleted;
      if (object === undefined) return; // D11
      if (predicates.every((predicate) => predicate.delete?.(object) ?? true)) handler.delete?.(object, stateUnknown, context);
    },
  };
}
