import type { JsonValue, KubeObject } from '../etcd/object.js';
import type { UserInfo } from './user.js';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** The parameters after the `?`; a repeated one is a list (HT-10: mostly only the first counts). */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/**
 * One request as the server's handlers see it, after the path was understood. In-process clients build it directly;
 * `http.ts` builds it from a method, a path and text.
 */
export interface ApiRequest {
  readonly verb: Verb;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural: `pods`. */
  readonly resource: string;
  readonly subresource?: string;
  /** Absent for cluster-scoped kinds and for requests over all namespaces. */
  readonly namespace?: string;
  readonly name?: string;
  readonly query?: Query;
  /** The body as data. It is never changed by the server, which copies what it keeps. */
  readonly body?: unknown;
  /** What field validation has to say of members that the body's text has twice, which data cannot show (CR-14). */
  readonly duplicateFields?: readonly string[];
  /** The body's text, when it is JSON and shows more than the data: members that are there twice, numbers such as 1e3. */
  readonly jsonText?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly userAgent?: string;
  /** Absent: the administrator. */
  readonly user?: UserInfo;
}

/** The API's answer when it is not an object: every error, and the success of a delete (HT-1). */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface ApiResponse {
  /** The HTTP status code. */
  readonly code: number;
  /** An object, a list or a Status; a string is a `text/plain` body (HT-3). */
  readonly body: JsonValue | KubeObject | Status;
  /** Absent: `application/json`. */
  readonly contentType?: string;
  /** Texts of `Warning: 299` headers (HT-5). */
  readonly warnings?: readonly string[];
  /** Whole seconds (HT-4). */
  readonly retryAfterSeconds?: number;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject | Status;
}

/** What one open watch gets from the server: an event, or its end (a clean EOF). */
export interface WatchDelivery {
  readonly watch: number;
  readonly event?: WatchEvent;
  readonly ended?: true;
}

/** Everything that one request caused. Nobody is called back: the network puts the parts into their lanes. */
export interface Answer {
  readonly response: ApiResponse;
  /** The new watch, when the request opened one; its first events are among the deliveries. */
  readonly watch?: number;
  /** Events for open watches, in the order in which each watch must see them. */
  readonly deliveries: readonly WatchDelivery[];
  /** How long webhooks held the request up, in virtual milliseconds; absent: not at all. */
  readonly heldUpMs?: number;
}
