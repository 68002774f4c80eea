import type { Spent } from './admission/ask.js';
import { sentWarnings } from './admission/warnings.js';
import type { Call } from './call.js';
import { create } from './create.js';
import { deleteObject } from './delete.js';
import { deleteCollection } from './delete-collection.js';
import { byStability } from './discovery.js';
import { evict } from './eviction.js';
import { get } from './get.js';
import { deprecations } from './kind-facts.js';
import type { KindInfo } from './kinds.js';
import { list } from './list.js';
import { patch } from './patch.js';
import { bind } from './pod-subresources.js';
import type { Answer, ApiRequest, ApiResponse } from './request.js';
import { isReview, review } from './reviews.js';
import { scale } from './scale.js';
import type { ApiServer } from './server.js';
import { requestToken } from './service-account-token.js';
import { badRequest, methodNotSupported, noMethod, noRoute, notFound, pageNotFound } from './status.js';
import { update } from './update.js';

/** Finds the kind and the handler of a request (HT-6 to HT-8), and lets it answer. @throws ApiStatusError, PlainTextError */
export function dispatch(
  server: ApiServer,
  request: ApiRequest,
  warnings: string[],
  spent: Spent,
  cacheRevision: number | undefined,
): Answer {
  warnings.push(...versionWarnings(server, request));
  const kind = routeOf(server, request);
  if (kind.conversion !== undefined) server.watches.letCachesGoOn(kind);
  const deprecation = deprecations.get(kind.resource);
  if (deprecation !== undefined) warnings.push(deprecation);
  if (request.verb === 'watch') {
    if (!kind.verbs.has('watch')) throw methodNotSupported(kind, 'watch');
    return server.watches.open(kind, request, cacheRevision, spent);
  }
  const response = handle({ server, kind, request, warnings, spent }, cacheRevision);
  return { response: warnings.length === 0 ? response : { ...response, warnings: sentWarnings(warnings) }, deliveries: [] };
}

/** HT-5: what is said of a custom resource's version to whoever uses it, whatever becomes of the request. */
export function versionWarnings(server: ApiServer, { group, version, resource, namespace }: RequestedPlace): readonly string[] {
  const kind = server.kinds.find(group, version, resource);
  if (kind?.definition?.deprecated !== true || (namespace !== undefined && !kind.namespaced)) return [];
  return [deprecationOf(kind)];
}

type RequestedPlace = Pick<ApiRequest, 'group' | 'version' | 'resource' | 'namespace'>;

function deprecationOf({ definition, definitions = [], apiVersion, kind, group, version }: KindInfo): string {
  if (definition?.deprecationWarning !== undefined) return definition.deprecationWarning;
  const better = definitions.filter(({ name, served, deprecated }) => served && !deprecated && byStability(version, name) > 0);
  const [best] = better.map(({ name }) => name).sort(byStability);
  return `${apiVersion} ${kind} is deprecated${best === undefined ? '' : `; use ${group}/${best} ${kind}`}`;
}

function handle(call: Call, cacheRevision: number | undefined): ApiResponse {
  const { kind, request } = call;
  switch (request.subresource) {
    case 'scale':
      return scale(call);
    case 'binding':
      return bind(call);
    case 'eviction':
      return evict(call);
    case 'token':
      return requestToken(call);
  }
  if (isReview(kind)) return review(call);
  switch (request.verb) {
    case 'get':
      return get(call, cacheRevision);
    case 'list':
      return list(call, cacheRevision);
    case 'create':
      return kind.plural === 'bindings' && !kind.custom ? bind(call) : create(call);
    case 'update':
      return update(call);
    case 'patch':
      return patch(call);
    case 'delete':
      return deleteObject(call);
    case 'deletecollection':
      return deleteCollection(call);
    default:
      throw noMethod();
  }
}

/** @throws PlainTextError, ApiStatusError when there is no such route, or not with this verb. */
export function routeOf(server: ApiServer, request: ApiRequest): KindInfo {
  const { group, version, resource, verb, subresource, namespace, name } = request;
  const kind = server.kinds.find(group, version, resource);
  if (kind === undefined) throw server.kinds.hasBuiltInGroup(group) ? noRoute() : pageNotFound();
  if (namespace !== undefined && !kind.namespaced) throw kind.custom ? pageNotFound() : noRoute();
  if (subresource !== undefined) {
    if (!kind.subresources.has(subresource)) {
      // UP-17
      throw kind.custom ? notFound(kind, name ?? '') : noRoute();
    }
    if (!kind.data.subresources?.find((known) => known.name === subresource)?.verbs.includes(verb)) {
      throw kind.custom ? methodNotSupported(kind, verb) : noMethod();
    }
    return kind;
  }
  if (!kind.verbs.has(verb) && verb !== 'watch') throw noMethod();
  switch (verb) {
    case 'create':
      if (name !== undefined && !kind.custom) throw noMethod();
      break;
    case 'update':
    case 'patch':
      if (name === undefined && !kind.custom) throw noMethod();
      if (name === undefined && verb === 'update') throw badRequest('name must be provided');
      break;
    case 'get':
    case 'delete':
      if (name === undefined) throw noMethod();
      break;
  }
  const wantsNamespace = verb !== 'list' && verb !== 'watch';
  if (wantsNamespace && kind.namespaced && namespace === undefined)
    throw kind.custom ? pageNotFound() : name === undefined ? noMethod() : noRoute();
  return kind;
}
