import type { KubeObject } from '../etcd/object.js';
import type { ClientGoProfile } from './profile.js';

export interface InformerOptions {
  readonly kind: {
    /** Empty for the core group. */
    readonly group: string;
    readonly version: string;
    readonly plural: string;
    readonly kind: string;
    readonly namespaced: boolean;
  };
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
  /** The Accept header of lists and watches of whole objects (A40). */
  readonly accept?: string;
  /** Called when a pass ends with an error (A5). Absent: the error is logged (A38). */
  readonly watchErrorHandler?: (error: Error) => void;
  /** Called once, when the store holds the first contents (B21). */
  readonly onSynced?: () => void;
}
