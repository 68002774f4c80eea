import { isNotFound } from './api-errors.js';
import type { Client } from './client.js';
import type { Context } from './context.js';
import type { ClientObject, Kind } from './kind.js';
import type { ReconcileFunction, Result } from './reconciler.js';

/**
 * controller-runtime's `reconcile.AsReconciler`: the object is read first, from where the client reads; of one that is gone
 * the function hears nothing, and that counts as success (D9).
 */
export function asReconciler<T extends ClientObject>(
  client: Client,
  kind: Kind<T>,
  // biome-ignore lint/suspicious/noConfusingVoidType: as in ReconcileFunction.
  reconcile: (object: T, context: Context) => Promise<Result | void>,
): ReconcileFunction {
  return async (request, context) => {
    let object: T;
    try {
      object = await client.get(kind, request);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
    return reconcile(object, context);
  };
}
