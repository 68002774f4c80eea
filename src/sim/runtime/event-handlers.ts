import type { KubeObject, OwnerReference } from '../etcd/object.js';
import { apiVersionOf, type ClientObject, type Kind, parseApiVersion } from './kind.js';
import { errorText, type ReconcileRequest } from './reconciler.js';

/** Of the requests for the first contents and for objects that did not change (C21). */
export const lowPriority = -100;

/** What a handler may do with an event. */
export interface HandlerContext {
  /** @param priority higher goes first; the classic queue knows none (C21). */
  enqueue(request: ReconcileRequest, priority: number): void;
  logError(message: string): void;
  /** What a RESTMapper would find. */
  knows(apiVersion: string, kind: string): boolean;
}

/** Turns events into requests. A part that is left out ignores its events. */
export interface EventHandler {
  create?(object: KubeObject, isInInitialList: boolean, context: HandlerContext): void;
  update?(old: KubeObject, new_: KubeObject, context: HandlerContext): void;
  /** @param stateUnknown the object is the last that was known, from a tombstone (D11). */
  delete?(object: KubeObject, stateUnknown: boolean, context: HandlerContext): void;
  generic?(object: KubeObject, context: HandlerContext): void;
}

/** Every event asks for its own object; an update for the new one alone (D12). */
export function enqueueRequestForObject(): EventHandler {
  return stockHandler((object) => [requestFor(object)], 'new');
}

/**
 * Every event asks for the owners of that kind; an update for those of the old and of the new object (D13).
 * @param options.onlyControllerOwner looks at the reference with `controller: true` alone
 */
export function enqueueRequestForOwner<T extends ClientObject>(
  owner: Kind<T>,
  options: { readonly onlyControllerOwner?: boolean } = {},
): EventHandler {
  return stockHandler((object, context) => ownersOf(object, owner, options.onlyControllerOwner ?? false, context), 'both');
}

/**
 * Every event asks for what the function says; an update for what it says of the old and of the new object (D14). It may read from
 * the caches, which answer at once; what it rejects with is logged, and the event asks for nothing.
 */
export function enqueueRequestsFromMapFunc<T extends ClientObject = KubeObject>(
  map: (object: T) => readonly ReconcileRequest[] | Promise<readonly ReconcileRequest[]>,
): EventHandler {
  return stockHandler((object) => map(object as unknown as T), 'both');
}

function stockHandler(
  requestsOf: (object: KubeObject, context: HandlerContext) => readonly ReconcileRequest[] | Promise<readonly ReconcileRequest[]>,
  ofUpdate: 'new' | 'both',
): EventHandler {
  const enqueue = (objects: readonly KubeObject[], priority: number, context: HandlerContext) => {
    const seen: ReconcileRequest[] = [];
    const add = (requests: readonly ReconcileRequest[]): void => {
      for (const request of requests) {
        if (seen.some(({ namespace, name }) => namespace === request.namespace && name === request.name)) continue;
        seen.push(request);
        context.enqueue(request, priority);
      }
    };
    for (const object of objects) {
      const requests = requestsOf(object, context);
      if (!(requests instanceof Promise)) add(requests);
      else requests.then(add).catch((error: unknown) => context.logError(`a map function failed: ${errorText(error)}`));
    }
  };
  return {
    create: (object, isInInitialList, context) => enqueue([object], isInInitialList ? lowPriority : 0, context),
    update: (old, new_, context) => {
      const unchanged = old.metadata.resourceVersion === new_.metadata.resourceVersion;
      enqueue(ofUpdate === 'new' ? [new_] : [old, new_], unchanged ? lowPriority : 0, context);
    },
    delete: (object, _stateUnknown, context) => enqueue([object], 0, context),
    generic: (object, context) => enqueue([object], 0, context),
  };
}

/** The uid is not compared, and the version only has to exist (D13). */
function ownersOf(object: KubeObject, owner: Kind, onlyController: boolean, context: HandlerContext): ReconcileRequest[] {
  const requests: ReconcileRequest[] = [];
  for (const reference of referencesOf(object, onlyController)) {
    let group: string;
    try {
      group = parseApiVersion(reference.apiVersion).group;
    } catch (error) {
      context.logError(`Could not parse OwnerReference APIVersion: ${errorText(error)}`);
      return requests;
    }
    if (reference.kind !== owner.kind || group !== owner.group) continue;
    if (reference.apiVersion !== apiVersionOf(owner) && !context.knows(reference.apiVersion, reference.kind)) {
      context.logError(
        `Could not retrieve rest mapping: no matches for kind ${JSON.stringify(reference.kind)} in version ${JSON.stringify(reference.apiVersion)}`,
      );
      return requests;
    }
    requests.push({ namespace: owner.namespaced ? (object.metadata.namespace ?? '') : '', name: reference.name });
  }
  return requests;
}

function referencesOf(object: KubeObject, onlyController: boolean): readonly OwnerReference[] {
  const references = object.metadata.ownerReferences ?? [];
  if (!onlyController) return references;
  const controller = references.find((reference) => reference.controller === true);
  return controller === undefined ? [] : [controller];
}

function requestFor(object: KubeObject): ReconcileRequest {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
}
