import { readBody } from '../../../src/sim/apiserver/body.js';
import { decodeContinue } from '../../../src/sim/apiserver/continue.js';
import { duplicateValue, invalidValue, requiredValue, unsupportedValue } from '../../../src/sim/apiserver/field-errors.js';
import { isExchange, readHttp } from '../../../src/sim/apiserver/http.js';
import { parsePath } from '../../../src/sim/apiserver/http-path.js';
import { type KindInfo, Kinds } from '../../../src/sim/apiserver/kinds.js';
import { readListOptions } from '../../../src/sim/apiserver/list-options.js';
import { withManagedFields } from '../../../src/sim/apiserver/managed-fields/shown.js';
import { negotiate } from '../../../src/sim/apiserver/media-types.js';
import { withoutDuplicateOwners } from '../../../src/sim/apiserver/owner-references.js';
import type { StatusCause } from '../../../src/sim/apiserver/request.js';
import { ApiStatusError, invalid } from '../../../src/sim/apiserver/status.js';
import { notFoundValue } from '../../../src/sim/apiserver/validation/checks.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer } from '../../sim/apiserver/a-server.js';
import { file, type Go, type Table } from './data.js';
import { evaluate, withJsonNames } from './go-constants.js';
import { difference, type Row, row } from './row.js';

const files = [
  'requestinfo',
  'negotiate',
  'listoptions-validation',
  'continue-token',
  'handlers-create',
  'handlers-delete',
  'handlers-rest',
  'api-errors',
];

/** Requests before a handler sees them: paths, media types, options, tokens, bodies; and the words of errors. */
export function requestRows(): readonly Row[] {
  return files.flatMap((name) =>
    file(`http-request-info/${name}.json`).tables.flatMap((table) =>
      namedRows(table).flatMap(([id, go]) => {
        const check = checkOf(table, go);
        return check === undefined ? [] : [row(`${table.func}/${table.var}/${id}`, check)];
      }),
    ),
  );
}

function namedRows({ rows }: Table): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(rows)) return Object.entries(rows);
  return rows.map((each, index) => {
    const go = each as Go;
    return [String(go?.name ?? go?.foo ?? index), each] as const;
  });
}

function checkOf({ func, var: name }: Table, each: unknown): (() => string | undefined) | undefined {
  const go = each as Go;
  switch (func) {
    case 'TestGetAPIRequestInfo':
      if (name === 'errorCases') return () => difference(false, parsePath(each as string).type === 'resource');
      return isPlayed(go) ? () => request(go) : undefined;
    case 'TestGetNonAPIRequestInfo':
      return () => difference(go.expected, parsePath(String(go.url)).type === 'resource');
    case 'TestNegotiate':
      return negotiated(go);
    case 'TestValidateListOptions':
      return isSwitchedOn(go) ? () => listOptions(go) : undefined;
    case 'Test_decodeContinue':
      return () => continued(go);
    case 'TestManagerOrUserAgent':
      return () => managerOf(go);
    case 'TestDeleteResourceDeleteOptions':
      return () => difference(go.expectCode, deleteCode(go, true));
    case 'TestDeleteCollectionDeleteOptions':
      return () => difference(go.expectCode, deleteCode(go, false));
    case 'TestDedupOwnerReferences':
      return () => owners(go);
    case 'TestParseYAMLWarnings':
      return () => difference(go.expected ?? [], readBody(String(go.yaml), 'application/yaml', 'create', 'Bar').duplicates);
    case 'TestNewInvalid':
      return () => difference(go.Msg, invalid({ kind: 'Kind', group: '' }, 'name', causesOf(go.Err)).status.message);
    default:
      return undefined;
  }
}

/** See `leftOut`. */
function isPlayed({ method, url }: Go): boolean {
  return evaluate(method) !== 'HEAD' && !String(url).startsWith('/api/v1/proxy/');
}

function request(go: Go): string | undefined {
  const method = String(evaluate(go.method));
  const url = String(go.url);
  const path = parsePath(url.replace(/\?.*/, ''));
  if (path.type !== 'resource') return `is ${path.type}`;
  const { group, version, resource, subresource = '', namespace = '', name = '' } = path;
  // A namespace is in itself for Go's authorizers only.
  const inside = go.expectedResource === 'namespaces' ? '' : (evaluate(go.expectedNamespace, { namespaceAll: '' }) as string);
  const wanted = [go.expectedAPIGroup, go.expectedAPIVersion, go.expectedResource, go.expectedSubresource, inside, go.expectedName];
  const fault = difference(wanted, [group, version, resource, subresource.split('/')[0], namespace, name]);
  // The group `extensions` is served no more.
  if (fault !== undefined || group !== '') return fault;
  const read = readHttp(new AServer().server, {
    method,
    path: url,
    headers: { 'content-type': typeOf(method) },
    ...(method !== 'GET' && { body: '{}' }),
  });
  if (!isExchange(read)) return subresource === 'proxy/subpath' || resource === 'namespaces' ? undefined : read.body;
  return difference(go.expectedVerb, read.request.verb);
}

function typeOf(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

function negotiated(go: Go): (() => string | undefined) | undefined {
  const { types = [] } = go.ns as { readonly types?: readonly string[] };
  const headers = (go.req as Go | undefined)?.Header as { readonly Accept?: readonly string[] } | undefined;
  const accept = String(go.accept ?? headers?.Accept?.[0] ?? '');
  if (go.contentType !== 'application/json' || !types.includes('application/json')) return undefined;
  return () => {
    // Of built-in kinds a router before this one takes less.
    const chosen = negotiate(accept, { kind: { ...pods, custom: true }, collection: false, watch: false, tabular: true });
    return chosen instanceof ApiStatusError ? chosen.message : difference({ encoding: 'json' }, chosen);
  };
}

/** The WatchList feature is on in the server. */
function isSwitchedOn({ opts, watchListFeatureEnabled }: Go): boolean {
  return watchListFeatureEnabled === true || (opts as Go).SendInitialEvents === undefined || (opts as Go).Watch === undefined;
}

const pods = new Kinds().find('', 'v1', 'pods') as KindInfo;

function listOptions({ opts, expectErrors = [] }: Go): string | undefined {
  const { watch, ...options } = withJsonNames(evaluate(opts)) as Go;
  const query = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
  let causes: readonly StatusCause[] = [];
  try {
    readListOptions(pods, query, watch === true);
  } catch (error) {
    if (!(error instanceof ApiStatusError)) throw error;
    causes = error.status.details?.causes ?? [];
  }
  return difference(
    expectErrors,
    causes.map(({ field, message }) => `${field}: ${message}`),
  );
}

const tokenFaults: Readonly<Record<string, string>> = {
  ErrEmptyStartKey: 'encoded start key empty',
  ErrGenericInvalidKey: '',
  ErrInvalidStartRV: 'incorrect encoded start resourceVersion',
  ErrUnrecognizedEncodedVersion: 'server does not recognize this encoded version',
};

function continued(go: Go): string | undefined {
  const { continueValue, keyPrefix } = go.args as { readonly continueValue: Go; readonly keyPrefix: string };
  const [v, rv, start] = continueValue.args as readonly unknown[];
  const found = decodeContinue(Buffer.from(JSON.stringify({ v, rv, start })).toString('base64url'));
  const fault = (go.wantErr as Go | undefined)?.$ref;
  if (fault === undefined) {
    return typeof found === 'string' ? found : difference([go.wantRv, go.wantFromKey], [found.revision, `${keyPrefix}${found.start}`]);
  }
  return typeof found === 'string' && found.includes(String(tokenFaults[String(fault)])) ? undefined : JSON.stringify(found);
}

function managerOf({ manager, userAgent, expected }: Go): string | undefined {
  const query = manager === '' ? {} : { fieldManager: String(manager) };
  const body = { metadata: { name: 'a' }, data: { k: 'v' } };
  const { response } = new AServer().do({ verb: 'create', body, query, userAgent: String(userAgent) });
  return difference(expected, (withManagedFields(response.body) as KubeObject).metadata.managedFields?.[0]?.manager);
}

function deleteCode({ body }: Go, one: boolean): number {
  const server = new AServer();
  server.create('a');
  const path = `/api/v1/namespaces/ns/configmaps${one ? '/a' : ''}`;
  const read = readHttp(server.server, { method: 'DELETE', path, headers: { 'content-type': 'application/json' }, body: String(body) });
  return isExchange(read) ? read.respond(server.server.handle(read.request).response).status : read.status;
}

/** The transcription has put the name of a Go constant in the place of the member it is used for. */
function owners({ ownerReferences, expected }: Go): string | undefined {
  const list = (go: unknown) =>
    (withJsonNames(evaluate(go, { falseA: false, falseB: false, trueA: true, trueB: true })) as readonly Go[]).map(({ podA, ...rest }) => ({
      ...rest,
      name: podA,
    }));
  const kept = withoutDuplicateOwners({ metadata: { ownerReferences: list(ownerReferences) as never } }, []);
  return difference(list(expected), kept.metadata.ownerReferences);
}

function causesOf(go: unknown): readonly StatusCause[] {
  if (go === null || go === undefined) return [];
  const { $call, args } = go as { readonly $call: unknown; readonly args: readonly unknown[] };
  const name = typeof $call === 'string' ? $call : String((($call as Go).of as Go).$ref);
  const [path, value, detail] = args;
  const field = String(((path as Go).args as readonly unknown[])[0]);
  switch (name) {
    case 'field.Duplicate':
      return [duplicateValue(field, value)];
    case 'field.Invalid':
      return [invalidValue(field, value, String(detail))];
    case 'field.NotFound':
      return [notFoundValue(field, value)];
    case 'field.NotSupported':
      return [unsupportedValue(field, value, [])];
    default:
      return [requiredValue(field, String(value))];
  }
}
