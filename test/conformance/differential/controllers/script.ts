import type { Json, JsonObject } from '../kinds.js';

/** The kinds of a script's namespace that are compared, with where they are. */
export const collections = {
  deployments: '/apis/apps/v1',
  replicasets: '/apis/apps/v1',
  statefulsets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
  jobs: '/apis/batch/v1',
  pods: '/api/v1',
  controllerrevisions: '/apis/apps/v1',
  persistentvolumeclaims: '/api/v1',
  events: '/api/v1',
} as const;

export type Plural = keyof typeof collections;

/** What is compared unless more is asked for. */
export const withoutEvents: readonly Plural[] = (Object.keys(collections) as Plural[]).filter((plural) => plural !== 'events');

/** What a kubelet would tell of a pod. */
export type PodTurn = 'ready' | 'unready' | 'pending' | 'failed' | 'succeeded' | 'restarted';

/** What is done to an object that is there; a pod is bound to the node that it is meant for, or else to the one that is named. */
export type Act =
  | { readonly patch: JsonObject; readonly subresource?: 'status' }
  | { readonly delete: JsonObject }
  | { readonly bind: string }
  | { readonly turn: PodTurn; readonly exitCode?: number };

/**
 * Something is made, or time passes, or something is done to some of the objects that were there at the last rest. Objects are
 * told by the beginning of their names, as the rest may have been drawn, and are taken in an order in which those names have no
 * say.
 */
export type PlainEdit =
  | { readonly create: Plural; readonly body: JsonObject }
  | { readonly waitMs: number }
  | { readonly each: Plural; readonly of: string; readonly from: 'first' | 'last'; readonly count: number; readonly act: Act };

/** One step: an edit, or several, one right after the other. */
export type Edit = PlainEdit | { readonly atOnce: readonly PlainEdit[] };

/** What one user does in one namespace; after each step the controllers come to rest. */
export type EditScript = readonly Edit[];

/** The objects of a namespace by plural, as a server lists them. */
export type Listed = Readonly<Partial<Record<Plural, readonly JsonObject[]>>>;

/** A member of an object that is one itself. */
export function memberOf(object: JsonObject, member: string): JsonObject {
  return (object[member] ?? {}) as JsonObject;
}

/** The name of an object. */
export function nameOf(object: JsonObject): string {
  return String(memberOf(object, 'metadata').name as Json);
}
