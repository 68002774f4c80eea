import type { JsonValue } from '../../etcd/object.js';
import { isMap, jsonOf } from '../json-body.js';

/** Why a webhook refuses: its words, or as much of a Status as it likes, as an `apierrors` error of a Go webhook is. */
export type Denial = string | DenialStatus;

/** What of a denial's Status reaches the client (AD-4). */
export interface DenialStatus {
  readonly message?: string;
  /** As `Invalid`. */
  readonly reason?: string;
  /** 400 or more. */
  readonly code?: number;
  readonly details?: {
    readonly causes?: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
    readonly retryAfterSeconds?: number;
  };
}

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

/** What a webhook says of a request: the fields of an AdmissionReview's response, the patch as operations. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  /** Why not. */
  readonly status?: DenialStatus;
  /** Only of a mutating webhook. */
  readonly patch?: readonly JsonPatchOperation[];
  readonly warnings?: readonly string[];
}

/** The response as it goes over the wire. @throws TypeError when it is none */
export function wireResponse(answer: AdmissionResponse): Readonly<Record<string, JsonValue>> {
  const response: unknown = atOnce(answer);
  if (!isMap(response) || typeof response.allowed !== 'boolean')
    throw new TypeError(`it must answer { allowed: true } or { allowed: false, status }, and answered ${shown(response)}`);
  const { patch, ...rest } = response;
  if (patch !== undefined && !Array.isArray(patch))
    throw new TypeError(`its \`patch\` must be a list of operations, and is ${shown(patch)}`);
  const fields = jsonOf(rest) as Record<string, JsonValue>;
  if (patch === undefined || patch.length === 0) return fields;
  return { ...fields, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(jsonOf(patch))).toString('base64') };
}

/** A refusal as controller-runtime makes it of an error: 403 and Forbidden unless the error is a Status of its own. */
export function denied(denial: Denial): AdmissionResponse {
  return { allowed: false, status: typeof denial === 'string' ? { code: 403, reason: 'Forbidden', message: denial } : denial };
}

/** Whether a value that a webhook's author gave is a denial. */
export function isDenial(value: unknown): value is Denial {
  return typeof value === 'string' || isMap(value);
}

/** What a function of a webhook has answered. @throws TypeError when it will answer later */
export function atOnce<T>(answer: T): T {
  if (isMap(answer) && typeof answer.then === 'function')
    throw new TypeError('it answered with a promise; the function of a webhook must answer at once, so it cannot be async');
  return answer;
}

/** A value as an error names it. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const text = value === undefined ? undefined : JSON.stringify(value);
  if (text === undefined) return String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
