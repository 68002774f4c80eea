import { type EventHandler, enqueueRequestForObject, enqueueRequestForOwner } from './event-handlers.js';
import { type EventChannel, type EventSource, kindSource } from './event-source.js';
import type { ClientObject, Kind } from './kind.js';
import type { Manager } from './manager.js';
import type { Predicate } from './predicates.js';
import type { RateLimiter } from './rate-limiters.js';
import type { ReconcileFunction, Reconciler } from './reconciler.js';
import type { RequestQueue } from './request-queue.js';

/** Which events of a watched kind count, and how much of its objects is kept. */
export interface WatchOptions {
  /** All must let an event pass; those of `withEventFilter` come first (D10). */
  readonly predicates?: readonly Predicate[];
  /** Watches PartialObjectMetadata, by an informer of its own (D22). */
  readonly onlyMetadata?: boolean;
}

/** As `WatchOptions`, and whose children count. */
export interface OwnsOptions extends WatchOptions {
  /** Also owners whose reference does not say `controller: true` (D13). */
  readonly matchEveryOwner?: boolean;
}

/** How a controller works through its queue: controller-runtime's controller.Options. */
export interface ReconcileOptions {
  /** How many requests are worked on at once, never two of one key. Default 1 (D7). */
  readonly maxConcurrentReconciles?: number;
  /** Default: C22. */
  readonly rateLimiter?: RateLimiter;
  /** Default true; false is client-go's classic queue (C25). */
  readonly usePriorityQueue?: boolean;
  /** Default: what usePriorityQueue says. */
  readonly newQueue?: (name: string, limiter: RateLimiter) => RequestQueue;
  /** Default none. Ends the context alone; the reconcile must return by itself (D5). */
  readonly reconciliationTimeoutMs?: number;
  /** Default true. False: it also runs while another process leads (D39). */
  readonly needLeaderElection?: boolean;
  /** Default true. False: a TypeError, ReferenceError or RangeError ends the process (D6). */
  readonly recoverPanic?: boolean;
}

/** controller-runtime's builder. */
export interface ControllerBuilder {
  named(name: string): ControllerBuilder;
  /** The kind that is reconciled. */
  for<T extends ClientObject>(kind: Kind<T>, options?: WatchOptions): ControllerBuilder;
  /** A kind whose objects have an owner of the reconciled kind. */
  owns<T extends ClientObject>(kind: Kind<T>, options?: OwnsOptions): ControllerBuilder;
  watches<T extends ClientObject>(kind: Kind<T>, handler: EventHandler, options?: WatchOptions): ControllerBuilder;
  /** Requests that the operator itself asks for (D19). */
  watchesChannel(channel: EventChannel, handler: EventHandler): ControllerBuilder;
  /** For the events of all kinds. */
  withEventFilter(predicate: Predicate): ControllerBuilder;
  withOptions(options: ReconcileOptions): ControllerBuilder;
  /** @throws if the controller cannot be made. */
  complete(reconciler: Reconciler | ReconcileFunction): void;
}

/** Begins a controller of this manager; nothing is made before `complete`: controller-runtime's NewControllerManagedBy. */
export function newControllerManagedBy(manager: Manager): ControllerBuilder {
  let name: string | undefined;
  let forKind: Kind | undefined;
  let options: ReconcileOptions = {};
  const filters: Predicate[] = [];
  const sources: (() => EventSource)[] = [];

  const source = (kind: Kind, handler: EventHandler, { predicates = [], onlyMetadata = false }: WatchOptions) =>
    kindSource(kind, { handler, predicates: [...filters, ...predicates], onlyMetadata });

  const builder: ControllerBuilder = {
    named(wanted) {
      name = wanted;
      return builder;
    },
    for(kind, watch = {}) {
      if (forKind !== undefined)
        throw new Error('For(...) should only be called once, could not assign multiple objects for reconciliation');
      forKind = kind;
      sources.unshift(() => source(kind, enqueueRequestForObject(), watch));
      return builder;
    },
    owns(kind, { matchEveryOwner = false, ...watch } = {}) {
      sources.push(() => {
        if (forKind === undefined) throw new Error('Owns() can only be used together with For()');
        return source(kind, enqueueRequestForOwner(forKind, { onlyControllerOwner: !matchEveryOwner }), watch);
      });
      return builder;
    },
    watches(kind, handler, watch = {}) {
      sources.push(() => source(kind, handler, watch));
      return builder;
    },
    watchesChannel(channel, handler) {
      sources.push(() => channel.source({ handler, predicates: filters }));
      return builder;
    },
    withEventFilter(predicate) {
      filters.push(predicate);
      return builder;
    },
    withOptions(wanted) {
      options = wanted;
      return builder;
    },
    complete(reconciler) {
      const controllerName = name ?? forKind?.kind.toLowerCase();
      if (controllerName === undefined) throw new Error('controller must have a name: use named(...) or for(...)');
      if (sources.length === 0) {
        throw new Error(
          'there are no watches configured, controller will never get triggered. Use For(), Owns(), Watches() or WatchesRawSource() to set them up',
        );
      }
      manager.addController({
        name: controllerName,
        sources: sources.map((make) => make()),
        reconcile: typeof reconciler === 'function' ? reconciler : (request, context) => reconciler.reconcile(request, context),
        ...(forKind === undefined ? {} : { forKind }),
        options,
      });
    },
  };
  return builder;
}
