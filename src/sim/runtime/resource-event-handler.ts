import type { KubeObject } from '../etcd/object.js';
import type { DeletedFinalStateUnknown } from './tombstone.js';

export interface ResourceEventHandler {
  onAdd(object: KubeObject, isInInitialList: boolean): void;
  onUpdate(old: KubeObject, new_: KubeObject): void;
  onDelete(object: KubeObject | DeletedFinalStateUnknown): void;
}

/** One call that a handler is owed. */
export type Notification =
  | { readonly type: 'add'; readonly object: KubeObject; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly old: KubeObject; readonly object: KubeObject }
  | { readonly type: 'delete'; readonly object: KubeObject | DeletedFinalStateUnknown };

export interface Registration {
  /** The first contents are in the store, and the handler has returned from every initial OnAdd (B21). */
  hasSynced(): boolean;
  /** The handler gets nothing more (B25). Removing twice does nothing. */
  remove(): void;
}

/** The calls that wait for one handler. */
export interface Deliveries {
  /** Calls the handler with the oldest notification. What it throws comes through; that notification is then lost (B26). */
  call(): void;
  /** Says that the handler has returned from that call; true if another one waits. */
  returned(): boolean;
}

/**
 * Decides when a handler hears what waits for it (B22): it is called when something begins to wait, and must then `call`
 * and say `returned`, now or later, until nothing waits.
 */
export type Dispatch = (deliveries: Deliveries) => void;

/** The calm order: at once. */
export const dispatchAtOnce: Dispatch = (deliveries) => {
  do deliveries.call();
  while (deliveries.returned());
};
