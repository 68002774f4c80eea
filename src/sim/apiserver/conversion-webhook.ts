import { deepEqual, type JsonValue, type KubeObject, type ObjectMeta } from '../etcd/object.js';
import { callWebhook } from './admission/webhook.js';
import { goTypeOf } from './decode-fault.js';
import { inKeyOrder, invalidValue } from './field-errors.js';
import { isObject } from './json.js';
import type { KindInfo } from './kinds.js';
import { labelValueFaults, qualifiedNameFaults } from './label-syntax.js';
import type { ApiServer } from './server.js';
import { goQuote, internalWithoutReason } from './status.js';

const timeoutMs = 30_000;
const largestAnnotations = 262_144;
/** Here it is the client's own time that is over, not the request's. */
const tooSlow = 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)';
const reviewGroup = 'apiextensions.k8s.io';

/**
 * An object in another version, by the webhook of its definition (CD-16).
 * @param object in the version that it comes in; one that was read from etcd without its resourceVersion.
 * @throws ApiStatusError 500 without a reason (CD-29, CD-30)
 */
export function convertByWebhook(server: ApiServer, kind: KindInfo, object: KubeObject, apiVersion: string): KubeObject {
  const { clientConfig = {}, conversionReviewVersions = [] } = kind.conversion ?? {};
  const { namespace = '', name = '' } = object.metadata;
  const subject = `conversion webhook for ${object.apiVersion}, Kind=${object.kind}`;
  const failed = (text: string) => internalWithoutReason(`${subject} failed: ${text}`);
  const version = conversionReviewVersions.find((each) => each === 'v1' || each === 'v1beta1');
  if (version === undefined) throw internalWithoutReason('no supported conversion review versions');
  const reviewVersion = `${reviewGroup}/${version}`;
  const uid = server.newUid(kind, namespace, name, true, `conversion to ${apiVersion} of`);
  const review = {
    kind: 'ConversionReview',
    apiVersion: reviewVersion,
    request: { uid, desiredAPIVersion: apiVersion, objects: [inKeyOrder(object) as JsonValue] },
  };
  const request = { verb: 'get', group: kind.group, version: kind.version, resource: kind.plural } as const;
  const called = callWebhook({ server, kind, request, warnings: [], spent: { ms: 0 } }, clientConfig, review, timeoutMs);
  if ('fault' in called) throw failed(called.fault.replace(/^failed to call webhook: /, '').replace(/context deadline exceeded$/, tooSlow));
  const fault = typeFault(called.review, version);
  if (fault !== undefined) throw failed(fault);
  const converted = convertedObjects(called.review as Review, reviewVersion, uid);
  if (typeof converted === 'string') throw failed(converted);
  if (converted.length !== 1) throw internalWithoutReason(`${subject} returned ${converted.length} objects, expected 1`);
  return checked(converted[0] as JsonValue, object, apiVersion, subject);
}

/** @returns a text when the answer is none: what is wrong with it. */
function convertedObjects(review: Review, reviewVersion: string, uid: string): readonly JsonValue[] | string {
  const { apiVersion = '', kind = '', response } = review;
  const strict = reviewVersion.endsWith('/v1');
  if (strict && (apiVersion !== reviewVersion || kind !== 'ConversionReview')) {
    const got = `${String(apiVersion).includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
    return `expected webhook response of ${reviewVersion}, Kind=ConversionReview, got ${got}`;
  }
  if (response === undefined || response === null) return 'no response provided';
  if (strict && (response.uid ?? '') !== uid) return `expected response.uid=${goQuote(uid)}, got ${goQuote(String(response.uid ?? ''))}`;
  const result = response.result ?? {};
  if (result.status !== 'Success') {
    if (typeof result.message === 'string' && result.message !== '') return result.message;
    return `response.result.status was '${result.status ?? ''}', not 'Success'`;
  }
  return response.convertedObjects ?? [];
}

/** The parts of an answer that count, each of its type. */
interface Review {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly response?: {
    readonly uid?: string;
    readonly result?: { readonly status?: string; readonly message?: string };
    readonly convertedObjects?: readonly JsonValue[];
  } | null;
}

type Place = readonly [is: (value: JsonValue) => boolean, struct: string, goType: string];

const isText = (value: JsonValue) => typeof value === 'string';
const places: Readonly<Record<string, Place>> = {
  response: [isObject, 'ConversionReview', 'ConversionResponse'],
  'response.uid': [isText, 'ConversionResponse', 'types.UID'],
  'response.convertedObjects': [Array.isArray, 'ConversionResponse', '[]runtime.RawExtension'],
  'response.result': [isObject, 'ConversionResponse', 'v1.Status'],
  'response.result.status': [isText, 'Status', 'string'],
  'response.result.message': [isText, 'Status', 'string'],
  'response.result.reason': [isText, 'Status', 'v1.StatusReason'],
  'response.result.code': [Number.isInteger, 'Status', 'int32'],
};

/** CD-30: the first member, in the order of the text, that is of another type than Go's, in Go's words. */
function typeFault(value: Readonly<Record<string, JsonValue>>, version: string, at = ''): string | undefined {
  for (const [name, member] of Object.entries(value)) {
    const path = at + name;
    const place = Object.hasOwn(places, path) ? places[path] : undefined;
    if (place === undefined || member === null) continue;
    const [is, struct, goType] = place;
    if (!is(member)) {
      const type = goType === 'ConversionResponse' ? `${version}.${goType}` : goType;
      return `json: cannot unmarshal ${goTypeOf(member)} into Go struct field ${struct}.${path} of type ${type}`;
    }
    const inside = isObject(member) ? typeFault(member, version, `${path}.`) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** CD-30, CD-47 @throws ApiStatusError 500 */
function checked(answer: JsonValue, original: KubeObject, apiVersion: string, subject: string): KubeObject {
  if (answer === null) throw internalWithoutReason('unexpected end of JSON input');
  if (!isObject(answer)) {
    throw internalWithoutReason(`json: cannot unmarshal ${goTypeOf(answer)} into Go value of type map[string]interface {}`);
  }
  // Of an apiVersion that is none Go makes no kind either.
  if (typeof answer.kind !== 'string' || answer.kind === '' || String(answer.apiVersion).split('/').length > 2) {
    throw internalWithoutReason(`Object 'Kind' is missing in '${JSON.stringify(answer)}'`);
  }
  const invalid = (text: string) => internalWithoutReason(`${subject} returned invalid object${text}`);
  const received = typeof answer.apiVersion === 'string' ? answer.apiVersion : '';
  if (received !== apiVersion) throw invalid(` at index 0: invalid groupVersion (expected ${apiVersion}, received ${received})`);
  if (answer.kind !== original.kind) {
    throw invalid(` at index 0: invalid kind (expected ${original.kind}, received ${answer.kind})`);
  }
  const metadata = isObject(answer.metadata) ? answer.metadata : {};
  for (const [field, text] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before, after] = [original.metadata[field] ?? '', typeof metadata[field] === 'string' ? metadata[field] : ''];
    if (before !== after) throw invalid(`: must have the same ${text}: ${before} != ${after}`);
  }
  return { ...answer, metadata: restored(metadata, original.metadata, `${subject} returned invalid metadata: `) } as KubeObject;
}

/** Of the answer's metadata its labels and annotations count; everything else is as it was (CD-47). */
function restored(answer: Readonly<Record<string, JsonValue>>, original: ObjectMeta, prefix: string): ObjectMeta {
  const metadata: ObjectMeta = { ...original };
  for (const field of ['labels', 'annotations'] as const) {
    const sent = answer[field];
    delete metadata[field];
    if (sent === undefined || sent === null) continue;
    if (!isObject(sent)) throw internalWithoutReason(`${prefix}invalid metadata.${field} of type ${goType(sent)} in converted object`);
    for (const [key, value] of Object.entries(sent)) {
      if (typeof value !== 'string') {
        throw internalWithoutReason(`${prefix}metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`);
      }
    }
    const map = sent as unknown as Record<string, string>;
    if (!deepEqual(map, original[field] ?? {})) {
      const faults = field === 'labels' ? labelFaults(map) : annotationFaults(map);
      if (faults.length > 0) throw internalWithoutReason(prefix + (faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`));
    }
    metadata[field] = map;
  }
  return metadata;
}

function labelFaults(labels: Readonly<Record<string, string>>): string[] {
  const at = 'metadata.labels';
  const faults = Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameFaults(key).map((fault) => invalidValue(at, key, fault)),
    ...labelValueFaults(value).map((fault) => invalidValue(at, value, fault)),
  ]);
  return faults.map(({ field, message }) => `${field}: ${message}`);
}

/** The server names the field in the singular. */
function annotationFaults(annotations: Readonly<Record<string, string>>): string[] {
  const faults = Object.keys(annotations).flatMap((key) =>
    qualifiedNameFaults(key.toLowerCase()).map((fault) => `metadata.annotation: ${invalidValue('', key, fault).message}`),
  );
  const size = Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return size > largestAnnotations
    ? [...faults, `metadata.annotation: Too long: may not be more than ${largestAnnotations} bytes`]
    : faults;
}

/** Go's names of what JSON decodes to. */
function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'map[string]interface {}';
  }
}
