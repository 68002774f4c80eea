import type { JsonValue, KubeObject } from '../../etcd/object.js';
import type { Webhook } from '../../webhook.js';
import { asJson, isMap } from '../json-body.js';
import { apiVersionOf, type ClientObject, type Kind } from '../kind.js';
import { patchBetween } from './patch-between.js';
import { type AdmissionResponse, atOnce, type Denial, denied, isDenial, shown, wireResponse } from './response.js';

/** What a webhook is asked: the `request` of an AdmissionReview (AD-11). */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Absent on the main endpoint. */
  readonly subResource?: string;
  /** Absent while a name is still to be generated. */
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: { readonly username: string; readonly uid?: string; readonly groups?: readonly string[] };
  /** Null on a DELETE. */
  readonly object: KubeObject | null;
  /** Null on a CREATE. */
  readonly oldObject: KubeObject | null;
  readonly dryRun: boolean;
  readonly options: JsonValue;
}

/** A webhook that is written on reviews themselves, as an `admission.Handler` is: the request in, the response out. */
export function reviewer(review: (request: AdmissionRequest) => AdmissionResponse): Webhook {
  return {
    kind: 'AdmissionReview',
    answer: (request) => wireResponse(review(request as unknown as AdmissionRequest)),
  };
}

/**
 * A mutating webhook that fills in an object, as a `webhook.CustomDefaulter` does: the function changes the object that it is
 * given, which is its own, and answers nothing, or why the object cannot be taken. Of a DELETE it hears nothing.
 */
export function defaulter<T extends ClientObject>(
  kind: Kind<T>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that ends without a return answers void.
  fill: (object: T, request: AdmissionRequest) => Denial | undefined | void,
): Webhook {
  return reviewer((request) => {
    const { operation, object } = request;
    if (operation === 'DELETE' || object === null) return { allowed: true };
    ofKind(kind, request);
    const before = asJson(object);
    const denial = atOnce(fill(object as unknown as T, request));
    if (isDenial(denial)) return denied(denial);
    if (denial !== undefined) throw new TypeError(`it must answer nothing, or why it refuses, and answered ${shown(denial)}`);
    return { allowed: true, patch: patchBetween(before, asJson(object)) };
  });
}

/** What a validating function says: nothing when all is well; why it refuses; or either, with warnings. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that ends without a return answers void.
export type Validation = string | undefined | void | { readonly denied?: Denial | undefined; readonly warnings?: readonly string[] };

/** The functions of a `webhook.CustomValidator`; an operation without one is allowed. */
export interface Validator<T extends ClientObject> {
  readonly validateCreate?: (object: T, request: AdmissionRequest) => Validation;
  readonly validateUpdate?: (oldObject: T, newObject: T, request: AdmissionRequest) => Validation;
  readonly validateDelete?: (object: T, request: AdmissionRequest) => Validation;
}

/** A validating webhook over typed objects. Updates of a terminating object are updates too: its last finalizer goes by one (AD-7). */
export function validator<T extends ClientObject>(kind: Kind<T>, functions: Validator<T>): Webhook {
  return reviewer((request) => {
    ofKind(kind, request);
    const said: unknown = atOnce(validationOf(functions, request));
    if (said === undefined) return { allowed: true };
    if (typeof said === 'string') return denied(said);
    if (!isValidation(said))
      throw new TypeError(`it must answer nothing, why it refuses, or { denied, warnings }, and answered ${shown(said)}`);
    const { denied: denial, warnings = [] } = said;
    return { ...(denial === undefined ? { allowed: true } : denied(denial)), warnings };
  });
}

function validationOf<T extends ClientObject>(functions: Validator<T>, request: AdmissionRequest): Validation {
  const object = request.object as unknown as T;
  const oldObject = request.oldObject as unknown as T;
  switch (request.operation) {
    case 'CREATE':
      return functions.validateCreate?.(object, request);
    case 'UPDATE':
      return functions.validateUpdate?.(oldObject, object, request);
    case 'DELETE':
      return functions.validateDelete?.(oldObject, request);
    case 'CONNECT':
      return undefined;
  }
}

function isValidation(said: unknown): said is { readonly denied?: Denial; readonly warnings?: readonly string[] } {
  if (!isMap(said) || !Object.keys(said).every((field) => field === 'denied' || field === 'warnings')) return false;
  return (said.denied === undefined || isDenial(said.denied)) && (said.warnings === undefined || Array.isArray(said.warnings));
}

/** @throws TypeError when the webhook is asked about objects of another kind */
function ofKind(wanted: Kind, { kind }: AdmissionRequest): void {
  if (kind.kind === wanted.kind && kind.group === wanted.group && kind.version === wanted.version) return;
  const asked = `${kind.kind} of ${apiVersionOf(kind)}`;
  throw new TypeError(
    `it is for ${wanted.kind} of ${apiVersionOf(wanted)} and was asked about ${asked}: see the \`rules\` of its configuration`,
  );
}
