import { type EventHandler, enqueueRequestForObject, enqueueRequestForOwner } from './event-handlers.js';
import type { EventSource } from './event-source.js';
import type { ClientObject, Kind } from './kind.js';
import type { Manager } from './manager.js';
import type { Predicate } from './predicates.js';
import type { RateLimiter } from './rate-limiters.js';
import type { ReconcileFunction, Reconciler } from './reconciler.js';

export interface WatchOptions {
  /** All must let an event pass; those of `withEventFilter` come first (D10). */
  readonly predicates?: readonly Predicate[];
}

export interface OwnsOptions extends WatchOptions {
  /** Also owners whose reference does not say `controller: true` (D13). */
  readonly matchEveryOwner?: boolean;
}

export interface ReconcileOptions {
  /** How many requests are worked on at once, never two of one key. Default 1 (D7). */
  readonly maxConcurrentReconciles?: number;
  /** Default: C22. */
  readonly rateLimiter?: RateLimiter;
  /** Default true; false is client-go's classic queue (C25). */
  readonly usePriorityQueue?: boolean;
  /** Default none. Ends the context alone; the reconcile must return by itself (D5). */
  readonly reconciliationTimeoutMs?: number;
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
  /** For the events of all kinds. */
  withEventFilter(predicate: Predicate): ControllerBuilder;
  withOptions(options: ReconcileOptions): ControllerBuilder;
  /** @throws if the controller cannot be made. */
  complete(reconciler: Reconciler | ReconcileFunction): void;
}

export function newControllerManagedBy(manager: Manager): ControllerBuilder {
  let name: string | undefined;
  let forKind: Kind | undefined;
  let options: ReconcileOptions = {};
  const filters: Predicate[] = [];
  const sources: ((owner: Kind | undefined) => EventSource)[] = [];

  const builder: ControllerBuilder = {
    named(wanted) {
      name = wanted;
      return builder;
    },
    for(kind, { predicates = [] } = {}) {
      if (forKind !== undefined)
        throw new Error('For(...) should only be called once, could not assign multiple objects for reconciliation');
      forKind = kind;
      sources.unshift(() => ({ kind, handler: enqueueRequestForObject(), predicates }));
      return builder;
    },
    owns(kind, { predicates = [], matchEveryOwner = false } = {}) {
      sources.push((owner) => {
        if (owner === undefined) throw new Error('Owns() can only be used together with For()');
        return { kind, handler: enqueueRequestForOwner(owner, { onlyControllerOwner: !matchEveryOwner }), predicates };
      });
      return builder;
    },
    watches(kind, handler, { predicates = [] } = {}) {
      sources.push(() => ({ kind, handler, predicates }));
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
        sources: sources.map((source) => {
          const { predicates, ...rest } = source(forKind);
          return { ...rest, predicates: [...filters, ...predicates] };
        }),
        reconcile: typeof reconciler === 'function' ? reconciler : (request, context) => reconciler.reconcile(request, context),
        ...(forKind === undefined ? {} : { forKind }),
        options,
      });
    },
  };
  return builder;
}
