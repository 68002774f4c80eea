import type { ApiRequest } from '../../../src/sim/apiserver/request.js';

const methods: Readonly<Record<ApiRequest['verb'], string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** The name by which a script means a request: `verb resource[/subresource] [namespace/name]`. */
export function targetOf(request: ApiRequest): string {
  const metadataOnly = request.accept?.includes('as=PartialObjectMetadata') ? ':metadata' : '';
  const subresource = request.subresource ? `/${request.subresource}` : '';
  const object = request.name ? ` ${request.namespace ? `${request.namespace}/` : ''}${request.name}` : '';
  return `${request.verb} ${request.resource}${metadataOnly}${subresource}${object}`;
}

/** A script may leave out the object. */
export function matches(target: string, name: string): boolean {
  return target === name || target.startsWith(`${name} `);
}

/** The request as recorded: the query sorted and readable, without the random time-out of a watch. */
export function lineOf(request: ApiRequest): string {
  const query = { ...request.query };
  const seconds = Number(query.timeoutSeconds);
  if (request.verb === 'watch' && seconds >= 300 && seconds < 600) delete query.timeoutSeconds;
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value}`));
  const path = pathOf(request).replace(timedName, '.TIME');
  return `${methods[request.verb]} ${path}${pairs.length > 0 ? `?${pairs.sort().join('&')}` : ''}`;
}

function pathOf(request: ApiRequest): string {
  const root = request.group === '' ? `/api/${request.version}` : `/apis/${request.group}/${request.version}`;
  const namespace = request.namespace ? `/namespaces/${request.namespace}` : '';
  const rest = [request.resource, request.name, request.subresource].filter((part) => part);
  return `${root}${namespace}/${rest.join('/')}`;
}

/** What of a request's headers the simulator models. */
export function headerOf(request: ApiRequest, name: string): string {
  switch (name.toLowerCase()) {
    case 'accept':
      return request.accept ?? '';
    case 'content-type':
      return request.contentType ?? '';
    case 'user-agent':
      return request.userAgent ?? '';
    default:
      return '';
  }
}

/** A leader's identity as controller-runtime makes it. */
const madeIdentity = /[A-Za-z0-9.-]+_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** The end of a name that carries the time of making, as those of events do. */
const timedName = /\.[0-9a-f]{14,16}$/;

/** A body without what no two plays share: present times, made identities, names that carry the time. */
export function readable(value: unknown, nowMs: number): unknown {
  if (typeof value === 'string') return readableText(value, nowMs);
  if (Array.isArray(value)) return value.map((inner) => readable(inner, nowMs));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readable(inner, nowMs)]));
}

function readableText(text: string, nowMs: number): string {
  const now = new Date(nowMs).toISOString();
  if (text.length === 27 && text.startsWith(now.slice(0, 23)) && text.endsWith('Z')) return 'now (microseconds)';
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && text.slice(0, 4) === now.slice(0, 4) && Date.parse(text) <= nowMs)
    return '(seconds)';
  return text.replace(madeIdentity, 'HOST_UUID').replace(timedName, '.TIME');
}
