import { OrdinaryError } from '../kernel/ordinary-error.js';
import { sentWarnings } from './admission/warnings.js';
import type { ApiResponse, Status, StatusCause, StatusDetails } from './request.js';

/** The parts of a kind that error texts name. Every `KindInfo` is one. */
export interface NamedKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** The qualified plural. */
  readonly resource: string;
}

/** A refusal of the server: thrown anywhere inside a handler, and answered as it stands. */
export class ApiStatusError extends OrdinaryError {
  constructor(readonly status: Status) {
    super(status.message ?? 'unknown');
    this.name = 'ApiStatusError';
  }
}

/** A refusal that is plain text (HT-3, third shape). */
export class PlainTextError extends OrdinaryError {
  constructor(
    readonly code: number,
    readonly text: string,
  ) {
    super(text);
    this.name = 'PlainTextError';
  }
}

/** HT-6: the path is none that the server knows. */
export function pageNotFound(): PlainTextError {
  return new PlainTextError(404, '404 page not found\n');
}

/** HT-4: `Retry-After` is the Status' own number. */
export function toResponse(error: ApiStatusError | PlainTextError, warnings: readonly string[] = []): ApiResponse {
  if (error instanceof PlainTextError) return { code: error.code, body: error.text, contentType: 'text/plain; charset=utf-8' };
  const retryAfterSeconds = error.status.details?.retryAfterSeconds ?? 0;
  return {
    code: error.status.code ?? 500,
    body: error.status,
    ...(warnings.length > 0 && { warnings: sentWarnings(warnings) }),
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  };
}

/** HT-1: reason and details are left out when there are none. */
export function failure(code: number, reason: string, message: string, details?: StatusDetails): ApiStatusError {
  return new ApiStatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason !== '' && { reason }),
    ...(details !== undefined && { details }),
    code,
  });
}

function namingResource(kind: NamedKind, name: string): StatusDetails {
  return { ...(name !== '' && { name }), ...(kind.group !== '' && { group: kind.group }), kind: kind.plural };
}

function namingKind(kind: { readonly kind: string; readonly group: string }, name: string): StatusDetails {
  return {
    ...(name !== '' && { name }),
    ...(kind.group !== '' && { group: kind.group }),
    ...(kind.kind !== '' && { kind: kind.kind }),
  };
}

export function notFound(kind: NamedKind, name: string): ApiStatusError {
  return failure(404, 'NotFound', `${kind.resource} ${goQuote(name)} not found`, namingResource(kind, name));
}

/** NoRoute: the group is known, the version, resource or subresource is not (HT-6). */
export function noRoute(): ApiStatusError {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(kind: NamedKind, name: string, prefix = ''): ApiStatusError {
  return failure(409, 'AlreadyExists', `${prefix}${kind.resource} ${goQuote(name)} already exists`, namingResource(kind, name));
}

/** CR-5, CR-9: the name was generated, or could have been. */
export function generateNameConflict(kind: NamedKind, name: string, prefix = ''): ApiStatusError {
  return failure(
    409,
    'AlreadyExists',
    `${prefix}${kind.resource} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...namingResource(kind, name), retryAfterSeconds: 1 },
  );
}

export function conflict(kind: NamedKind, name: string, text: string): ApiStatusError {
  return failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${kind.resource} ${goQuote(name)}: ${text}`,
    namingResource(kind, name),
  );
}

/** UP-5 */
export const modifiedText = 'the object has been modified; please apply your changes to the latest version and try again';

/** DE-3: preconditions of a delete name the Kind where other conflicts name the plural. */
export function preconditionConflict(kind: NamedKind, name: string, text: string): ApiStatusError {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return failure(409, 'Conflict', `Operation cannot be fulfilled on ${qualified} ${goQuote(name)}: ${text}`, namingKind(kind, name));
}

/**
 * Invalid (422). The causes keep repetitions, the message has each text once (FE-3).
 * @param kind `{ kind, group }` of the object at fault; options are objects too (`DeleteOptions.meta.k8s.io`).
 */
export function invalid(
  kind: { readonly kind: string; readonly group: string },
  name: string,
  causes: readonly StatusCause[],
): ApiStatusError {
  const texts = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  const aggregate = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  // EV-3: both Event APIs are one kind here.
  const group = kind.group === 'events.k8s.io' ? '' : kind.group;
  const qualified = group === '' ? kind.kind : `${kind.kind}.${group}`;
  const message =
    causes.length === 0 ? `${qualified} ${goQuote(name)} is invalid` : `${qualified} ${goQuote(name)} is invalid: ${aggregate}`;
  return failure(422, 'Invalid', message, { ...namingKind({ kind: kind.kind, group }, name), ...(causes.length > 0 && { causes }) });
}

/** PA-7: the text says nothing, and neither do the details. */
export function unprocessablePatch(): ApiStatusError {
  return failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

/** The name is left out of the text when it is empty. */
export function forbidden(kind: NamedKind, name: string, text: string, causes?: readonly StatusCause[]): ApiStatusError {
  return failure(403, 'Forbidden', `${kind.resource}${name === '' ? '' : ` ${goQuote(name)}`} is forbidden: ${text}`, {
    ...namingResource(kind, name),
    ...(causes && { causes }),
  });
}

export function badRequest(message: string): ApiStatusError {
  return failure(400, 'BadRequest', message);
}

/** NoMethod: a route of a built-in kind (HT-7). */
export function noMethod(): ApiStatusError {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** MethodNotSupported: routes of custom resources, and handlers (HT-7). */
export function methodNotSupported(kind: NamedKind, verb: string): ApiStatusError {
  return failure(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind ${goQuote(kind.resource)}`, {
    ...(kind.group !== '' && { group: kind.group }),
    kind: kind.plural,
  });
}

/** HT-11, and HT-12 for custom resources. */
export function unsupportedMediaType(accepted: readonly string[]): ApiStatusError {
  return failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

/** HT-12: a patch of a built-in kind. */
export function unsupportedPatchType(): ApiStatusError {
  return failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** HT-13: the plain list of media types is the text of custom resources, `406: ...` with empty details that of built-in kinds. */
export function notAcceptable(message: string, builtIn: boolean): ApiStatusError {
  return failure(406, 'NotAcceptable', message, builtIn ? {} : undefined);
}

export function expired(message: string, continueToken?: string): ApiStatusError {
  const error = failure(410, 'Expired', message);
  return continueToken === undefined ? error : new ApiStatusError({ ...error.status, metadata: { continue: continueToken } });
}

/** ST-11 */
export function requestEntityTooLarge(text: string): ApiStatusError {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${text}`);
}

export function tooManyRequests(message: string, retryAfterSeconds: number, causes?: readonly StatusCause[]): ApiStatusError {
  return failure(429, 'TooManyRequests', message, { ...(causes && { causes }), ...(retryAfterSeconds > 0 && { retryAfterSeconds }) });
}

export function internalError(text: string): ApiStatusError {
  return failure(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] });
}

/** HT-3, second shape: a Go error that is no API status. */
export function internalWithoutReason(message: string): ApiStatusError {
  return failure(500, '', message);
}

/** A resourceVersion in a write that is no number (UP-5). */
export function unreadableRevision(sent: string): ApiStatusError {
  return internalWithoutReason(`strconv.ParseUint: parsing ${goQuote(sent)}: invalid syntax`);
}

/** ST-14: without a number the details are empty. */
export function timeout(text: string, retryAfterSeconds = 0): ApiStatusError {
  return failure(504, 'Timeout', `Timeout: ${text}`, retryAfterSeconds > 0 ? { retryAfterSeconds } : {});
}

/** LW-4: the client has seen a revision that this server has not. */
export function tooLargeResourceVersion(requested: number, current: number): ApiStatusError {
  return failure(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** The success of a delete that left nothing (DE-9): it has no code. */
export function deleteSuccess(kind: NamedKind, name: string, uid: string | undefined): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(kind.group !== '' && { group: kind.group }), kind: kind.plural, ...(uid !== undefined && { uid }) },
  };
}

/** A string as Go's `%q` prints it. */
export function goQuote(text: string): string {
  if (!/[^\x20-\x7e]|["\\]/.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (character === '"' || character === '\\') quoted += `\\${character}`;
    else if (code >= 0x20 && code < 0x7f) quoted += character;
    else if (escapes[character] !== undefined) quoted += escapes[character];
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) quoted += character;
    else quoted += code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return `${quoted}"`;
}

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
