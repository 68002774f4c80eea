import type { ApiRequest, ApiResponse, Status } from '../apiserver/request.js';
import type { ConnectionLoss } from '../host.js';
import { OrdinaryError } from '../kernel/ordinary-error.js';
import { genericStatus } from './generic-status.js';
import { apiVersionOf, type Kind } from './kind.js';

/** An answer that is an error: the server's Status, or one made by the client (a NotFound of the cache, D69). */
export class ApiError extends OrdinaryError {
  constructor(readonly status: Status) {
    super(status.message ?? status.reason ?? 'unknown');
    this.name = 'ApiError';
  }

  /** The HTTP status code. */
  get code(): number {
    return this.status.code ?? 0;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** The connection is gone without an answer. Unless it was refused, a write may have been done (ST-15, A36). */
export class ConnectionLost extends OrdinaryError {
  constructor(
    readonly how: ConnectionLoss,
    request: ApiRequest,
  ) {
    super(`${methodOf(request)} ${JSON.stringify(urlOf(request))}: ${lossTexts[how]}`); // D77
    this.name = 'ConnectionLost';
  }
}

/**
 * The server does not serve the kind: apimachinery's meta.NoKindMatchError, which comes from the RESTMapper of a client before
 * any request. It is no NotFound.
 */
export class NoKindMatchError extends OrdinaryError {
  constructor(kind: Pick<Kind, 'group' | 'version' | 'kind'>) {
    super(`no matches for kind ${JSON.stringify(kind.kind)} in version ${JSON.stringify(apiVersionOf(kind))}`);
    this.name = 'NoKindMatchError';
  }
}

const lossTexts: Readonly<Record<ConnectionLoss, string>> = {
  refused: 'dial tcp: connect: connection refused',
  eof: 'EOF',
  reset: 'read tcp pipe: read: connection reset by peer',
};

/** The error that an answer with a code of 400 or more stands for. A body that is not a Status gets one (D77). */
export function errorOf(request: ApiRequest, response: ApiResponse): ApiError {
  const { body, code } = response;
  if (isStatus(body)) return new ApiError(body.code === undefined ? { ...body, code } : body);
  return new ApiError(genericStatus(request, verbOf(request), code, typeof body === 'string' ? body : JSON.stringify(body)));
}

export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && (body as { kind?: unknown }).kind === 'Status';
}

/** What a cached Get says of a missing object: it names the kind, where the server names the resource (D69). */
export function notFoundInCache(kind: { readonly group: string; readonly kind: string }, name: string): ApiError {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${qualified} ${JSON.stringify(name)} not found`,
    reason: 'NotFound',
    details: { name, kind: kind.kind, ...(kind.group === '' ? {} : { group: kind.group }) },
    code: 404,
  });
}

// The names are those of k8s.io/apimachinery/pkg/api/errors. As there, a wrapped error is looked through, and the code counts
// where the reason is none that is known.
export const isNotFound = (error: unknown): boolean => reasonIs(error, 'NotFound', 404);
export const isAlreadyExists = (error: unknown): boolean => reasonIs(error, 'AlreadyExists');
export const isConflict = (error: unknown): boolean => reasonIs(error, 'Conflict', 409);
export const isInvalid = (error: unknown): boolean => reasonIs(error, 'Invalid', 422);
export const isGone = (error: unknown): boolean => reasonIs(error, 'Gone', 410);
export const isResourceExpired = (error: unknown): boolean => reasonIs(error, 'Expired');
export const isForbidden = (error: unknown): boolean => reasonIs(error, 'Forbidden', 403);
export const isServiceUnavailable = (error: unknown): boolean => reasonIs(error, 'ServiceUnavailable', 503);
export const isTooManyRequests = (error: unknown): boolean => reasonIs(error, 'TooManyRequests') || codeOf(error) === 429;
export const isTimeout = (error: unknown): boolean => reasonIs(error, 'Timeout', 504);
export const isServerTimeout = (error: unknown): boolean => reasonIs(error, 'ServerTimeout');
export const isInternalError = (error: unknown): boolean => reasonIs(error, 'InternalError', 500);
export const isBadRequest = (error: unknown): boolean => reasonIs(error, 'BadRequest', 400);
export const isUnauthorized = (error: unknown): boolean => reasonIs(error, 'Unauthorized', 401);
export const isMethodNotSupported = (error: unknown): boolean => reasonIs(error, 'MethodNotAllowed', 405);
export const isNotAcceptable = (error: unknown): boolean => reasonIs(error, 'NotAcceptable', 406);
export const isUnsupportedMediaType = (error: unknown): boolean => reasonIs(error, 'UnsupportedMediaType', 415);
export const isRequestEntityTooLarge = (error: unknown): boolean => reasonIs(error, 'RequestEntityTooLarge') || codeOf(error) === 413;

/** apimachinery's ReasonForError: the reason of the answer, or an empty text. */
export function reasonForError(error: unknown): string {
  return apiErrorIn(error)?.reason ?? '';
}

/** apimachinery's meta.IsNoMatchError: the cluster does not have the kind. */
export function isNoMatchError(error: unknown): boolean {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 100; inner = inner.cause, depth++)
    if (inner instanceof NoKindMatchError) return true;
  return false;
}

/** controller-runtime's `client.IgnoreNotFound`: `await client.delete(pod).catch(ignoreNotFound)`. @throws any other error */
export function ignoreNotFound(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

/** controller-runtime's `client.IgnoreAlreadyExists`. @throws any other error */
export function ignoreAlreadyExists(error: unknown): undefined {
  if (isAlreadyExists(error)) return undefined;
  throw error;
}

const knownReasons: ReadonlySet<string> = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
]);

/** @param code what counts when the answer gives no reason that is known */
function reasonIs(error: unknown, reason: string, code?: number): boolean {
  const found = apiErrorIn(error);
  if (found === undefined) return false;
  return found.reason === reason || (!knownReasons.has(found.reason) && found.code === code);
}

function codeOf(error: unknown): number | undefined {
  return apiErrorIn(error)?.code;
}

function apiErrorIn(error: unknown): ApiError | undefined {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 100; inner = inner.cause, depth++)
    if (inner instanceof ApiError) return inner;
  return undefined;
}

const methods: Readonly<Record<ApiRequest['verb'], string>> = {
  get: 'Get',
  list: 'Get',
  watch: 'Get',
  create: 'Post',
  update: 'Put',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
};

function methodOf(request: ApiRequest): string {
  return methods[request.verb];
}

function verbOf(request: ApiRequest): string {
  return methodOf(request).toLowerCase();
}

function urlOf(request: ApiRequest): string {
  const root = request.group === '' ? `/api/${request.version}` : `/apis/${request.group}/${request.version}`;
  const namespace = request.namespace === undefined ? '' : `/namespaces/${request.namespace}`;
  const rest = [request.resource, request.name, request.subresource].filter((part) => part !== undefined).join('/');
  const query = Object.entries(request.query ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const text = new URLSearchParams(query.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
  return `${root}${namespace}/${rest}${text === '' ? '' : `?${text}`}`;
}
