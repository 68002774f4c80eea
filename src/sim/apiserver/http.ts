import { readBody } from './body.js';
import { discover } from './discovery.js';
import { routeOf, versionWarnings } from './dispatch.js';
import { parsePath } from './http-path.js';
import { ownMember, setMember } from './json.js';
import { inWrittenOrder } from './key-order.js';
import type { KindInfo } from './kinds.js';
import { withManagedFields } from './managed-fields/shown.js';
import { errorEncoding, JSON_TYPE, mediaType, type Negotiation, negotiate, PROTOBUF_TYPE, YAML_TYPE } from './media-types.js';
import { flag, parameter } from './query.js';
import type { ApiRequest, ApiResponse, Query, Verb, WatchEvent } from './request.js';
import type { ApiServer } from './server.js';
import {
  ApiStatusError,
  badRequest,
  methodNotSupported,
  noMethod,
  PlainTextError,
  pageNotFound,
  requestEntityTooLarge,
  toResponse,
  unsupportedMediaType,
  unsupportedPatchType,
} from './status.js';
import { checkIncludeObject, hasTable } from './table/table.js';
import { type Form, transform, WatchTransform } from './transform.js';
import { readWatchOptions } from './watch-options.js';
import { yamlText } from './yaml-text.js';

export interface HttpRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** A request that the handlers can take, and how to write what they answer. */
export interface HttpExchange {
  readonly request: ApiRequest;
  respond(response: ApiResponse): HttpResponse;
  /** One line of a watch's stream, its end of line included. */
  event(event: WatchEvent): string;
}

const LARGEST_BODY = 3_145_728;
const BODY_TYPES = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

/**
 * Understands an HTTP request. What fails before a handler would see it (the route, media types, the size of the body) and
 * what needs no handler (discovery) is answered at once.
 */
export function readHttp(server: ApiServer, http: HttpRequest): HttpExchange | HttpResponse {
  const accept = http.headers.accept ?? '';
  const [path = '', search = ''] = splitAt(http.path, '?');
  const query = parseQuery(search);
  try {
    checkTimeout(query);
    const read = readRequest(server, http, path, query);
    return http.method === 'HEAD' ? withoutBody(read) : read;
  } catch (error) {
    if (!(error instanceof ApiStatusError || error instanceof PlainTextError)) throw error;
    const parts = parsePath(path);
    const warnings = parts.type === 'resource' && error instanceof ApiStatusError ? versionWarnings(server, parts) : [];
    const refusal = write(toResponse(error, warnings), errorEncoding(accept), prettyOf(query, http));
    return http.method === 'HEAD' ? { ...refusal, body: '' } : refusal;
  }
}

function withoutBody(read: HttpExchange | HttpResponse): HttpExchange | HttpResponse {
  if (!isExchange(read)) return { ...read, body: '' };
  return { ...read, respond: (response) => ({ ...read.respond(response), body: '' }) };
}

export function isExchange(read: HttpExchange | HttpResponse): read is HttpExchange {
  return 'respond' in read;
}

function readRequest(server: ApiServer, http: HttpRequest, path: string, query: Query): HttpExchange | HttpResponse {
  const { headers } = http;
  const accept = headers.accept ?? '';
  const pretty = prettyOf(query, http);
  const parts = parsePath(path);
  if (parts.type !== 'resource') {
    if (parts.type === 'unknown') throw pageNotFound();
    if (http.method !== 'GET') throw noMethod();
    const { body, contentType } = discover(server.kinds, parts, accept);
    return write({ code: 200, body, ...(contentType !== undefined && { contentType }) }, errorEncoding(accept), pretty);
  }

  const { type: _type, watch: watchPath, ...where } = parts;
  const watchesName = watchPath === true && where.name !== undefined;
  const verb = verbOf(http.method, where, watchPath === true || flag(query, 'watch'), watchPath === true);
  const bare: ApiRequest = {
    verb,
    group: where.group,
    version: where.version,
    resource: where.resource,
    query: watchesName ? narrowed(query, where.name as string) : query,
    ...(where.namespace !== undefined && { namespace: where.namespace }),
    ...(where.name !== undefined && !watchesName && { name: where.name }),
    ...(where.subresource !== undefined && { subresource: where.subresource }),
    ...(headers['user-agent'] !== undefined && { userAgent: headers['user-agent'] }),
    ...(headers['content-type'] !== undefined && { contentType: headers['content-type'] }),
    ...(accept !== '' && { accept }),
  };
  const kind = routeOf(server, bare);
  // Only custom resources know HEAD; of other methods they do not know the verb.
  if (http.method === 'HEAD' ? !kind.custom : !METHODS.includes(http.method)) {
    throw kind.custom ? methodNotSupported(kind, '') : noMethod();
  }
  // HT-12: a patch's own type is looked at before what the client accepts; elsewhere it is the other way round.
  if (verb === 'patch') checkContentType(kind, bare);
  const wanted: Negotiation = {
    kind,
    collection: where.name === undefined && http.method === 'GET',
    watch: verb === 'watch',
    tabular: hasTable(kind, where.subresource),
  };
  const representation = negotiate(accept, wanted);
  if (representation instanceof ApiStatusError) {
    // That it cannot be streamed is seen after the watch was opened.
    if (wanted.watch && !(negotiate(accept, { ...wanted, watch: false }) instanceof ApiStatusError)) readWatchOptions(kind, bare.query);
    throw representation;
  }
  const { as, encoding } = representation;
  const includeObject = parameter(query, 'includeObject');
  // What a watch shows is settled before it begins; all else is done before anybody looks.
  if (as?.kind === 'Table' && verb === 'watch') checkIncludeObject(includeObject);
  if (verb !== 'patch' && http.body !== undefined && hasBody(verb)) checkContentType(kind, bare);
  if (http.body !== undefined && Buffer.byteLength(http.body) > LARGEST_BODY) throw requestEntityTooLarge(`limit is ${LARGEST_BODY}`);
  const formOf = (wanted: Form['as']): Form => ({
    as: wanted,
    nowMs: server.environment.nowMs(),
    ...(includeObject !== undefined && { includeObject }),
  });
  const inWatch = as === undefined ? undefined : new WatchTransform(kind, () => formOf(as));
  return {
    request: hasBody(verb) ? withBody(bare, http.body ?? '', kind) : bare,
    respond: (response) => {
      if (response.code >= 300) return write(response, errorEncoding(accept), pretty);
      if (verb === 'watch') return { status: response.code, headers: { 'content-type': JSON_TYPE }, body: '' };
      const formed = as === undefined ? response : transformed(kind, formOf(as), response);
      const shown = { ...formed, body: withManagedFields(formed.body) };
      return write(shown, shown.code >= 300 ? errorEncoding(accept) : encoding, pretty);
    },
    event: (event) => {
      const { type, object } = inWatch === undefined ? event : inWatch.event(event);
      return `${JSON.stringify({ type, object: inWrittenOrder(withManagedFields(object)) })}\n`;
    },
  };
}

function transformed(kind: KindInfo, form: Form, response: ApiResponse): ApiResponse {
  try {
    if (form.as.kind === 'Table') checkIncludeObject(form.includeObject);
    return { ...response, body: transform(kind, form, response.body) };
  } catch (error) {
    if (error instanceof ApiStatusError) return toResponse(error);
    throw error;
  }
}

function verbOf(
  method: string,
  where: { readonly name?: string; readonly subresource?: string },
  watch: boolean,
  watchPath: boolean,
): Verb {
  const collection = where.name === undefined;
  switch (method) {
    case 'GET':
      // LW-27: a watch is of a collection; on an object the parameter means nothing.
      if (watchPath) return 'watch';
      return collection ? (watch ? 'watch' : 'list') : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return collection ? 'deletecollection' : 'delete';
    default:
      // The route is looked at before the method.
      return collection ? 'list' : 'get';
  }
}

/** LW-27: `/watch/.../name` is a watch for that name. @throws ApiStatusError 400 */
function narrowed(query: Query, name: string): Query {
  const given = parameter(query, 'fieldSelector') ?? '';
  if (given !== '' && given !== `metadata.name=${name}`) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return { ...query, fieldSelector: `metadata.name=${name}` };
}

function hasBody(verb: Verb): boolean {
  return verb !== 'get' && verb !== 'list' && verb !== 'watch';
}

function withBody(request: ApiRequest, text: string, kind: KindInfo): ApiRequest {
  const { body, duplicates, saysMore } = readBody(text, request.contentType ?? '', request.verb, kind.kind);
  return {
    ...request,
    ...(body !== undefined && { body }),
    ...(duplicates.length > 0 && { duplicateFields: duplicates }),
    ...(saysMore && { jsonText: text }),
  };
}

/** @throws ApiStatusError 415 (HT-11, HT-12) */
function checkContentType(kind: KindInfo, request: ApiRequest): void {
  const type = mediaType(request.contentType ?? '');
  if (request.verb !== 'patch') {
    if (type !== '' && (type === undefined || !BODY_TYPES.includes(type))) throw unsupportedMediaType(BODY_TYPES);
    return;
  }
  const accepted = kind.custom ? PATCH_TYPES.filter((each) => !each.includes('strategic')) : PATCH_TYPES;
  if (type !== undefined && accepted.includes(type)) return;
  throw kind.custom ? unsupportedMediaType(accepted) : unsupportedPatchType();
}

/** ST-14: this comes before everything else. @throws ApiStatusError 400 */
function checkTimeout(query: Query): void {
  const text = parameter(query, 'timeout');
  if (text === undefined || text === '' || text === '0' || flag(query, 'watch')) return;
  if (!/^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) {
    throw badRequest(`invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(text)}`);
  }
}

/** HT-18 */
function prettyOf(query: Query, http: HttpRequest): boolean {
  const asked = parameter(query, 'pretty');
  if (asked !== undefined) return asked === '1' || asked === 'true';
  return /^(curl|Wget|Mozilla\/5\.0)/.test(http.headers['user-agent'] ?? '');
}

function write(response: ApiResponse, encoding: 'json' | 'yaml', pretty: boolean): HttpResponse {
  const plain = typeof response.body === 'string' && response.contentType !== undefined;
  const contentType = response.contentType ?? (encoding === 'yaml' ? YAML_TYPE : JSON_TYPE);
  return {
    status: response.code,
    headers: {
      'content-type': contentType,
      // HT-5
      ...(response.warnings &&
        response.warnings.length > 0 && { warning: response.warnings.map((text) => `299 - ${JSON.stringify(text)}`) }),
      // HT-4
      ...(response.retryAfterSeconds !== undefined && { 'retry-after': String(response.retryAfterSeconds) }),
    },
    body: plain ? (response.body as string) : encode(inWrittenOrder(response.body), encoding, pretty),
  };
}

function encode(body: unknown, encoding: 'json' | 'yaml', pretty: boolean): string {
  if (encoding === 'yaml') return yamlText(body);
  return `${JSON.stringify(body, null, pretty ? 2 : undefined)}\n`;
}

function parseQuery(text: string): Query {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const given = ownMember(query, name);
    if (typeof given === 'object') given.push(value);
    else setMember<string | string[]>(query, name, given === undefined ? value : [given, value]);
  }
  return query;
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
