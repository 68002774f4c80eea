import type { KubeObject } from '../etcd/object.js';
import type { Host } from '../host.js';
import type { Cache } from './cache.js';
import type { EventHandler, HandlerContext } from './event-handlers.js';
import type { Kind } from './kind.js';
import type { Predicate } from './predicates.js';
import { keyOfRequest } from './reconciler.js';
import type { RequestQueue } from './request-queue.js';
import type { Registration, ResourceEventHandler } from './resource-event-handler.js';
import { DeletedFinalStateUnknown } from './tombstone.js';

/** Events of a kind on their way to a queue: informer -> predicates -> handler (D10). */
export interface EventSource {
  readonly kind: Kind;
  readonly handler: EventHandler;
  /** All must let an event pass; the first refusal ends it. */
  readonly predicates: readonly Predicate[];
}

/** Lets the events of a source flow into a queue. */
export function feed(source: EventSource, queue: RequestQueue, cache: Cache, host: Host): Registration {
  const context: HandlerContext = {
    enqueue: (request, priority) => queue.addWithOpts({ priority }, keyOfRequest(request)),
    logError: (message) => host.note({ kind: 'log', level: 'error', message }),
    knows: (apiVersion, kind) => cache.scheme.find(apiVersion, kind) !== undefined,
  };
  return cache.informer(source.kind).addEventHandler(filtered(source, context));
}

/** The predicates and the handler of a source as one handler of an informer. */
export function filtered({ handler, predicates }: EventSource, context: HandlerContext): ResourceEventHandler {
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
