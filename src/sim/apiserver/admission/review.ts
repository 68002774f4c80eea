import type { JsonValue } from '../../etcd/object.js';
import { DecodeFault, goTypeOf } from '../decode-fault.js';
import { isObject } from '../json.js';
import type { KindInfo } from '../kinds.js';
import type { Attributes, GroupVersionKind } from './attributes.js';
import type { Hook } from './hooks.js';

/** The versions of AdmissionReview that the server speaks, in its own words. */
const spoken: ReadonlySet<string> = new Set(['v1', 'v1beta1']);

/** AD-11: the question, in the first version that the webhook understands. */
export function admissionReview(
  hook: Hook,
  attributes: Attributes,
  seenAs: KindInfo,
  uid: string,
  object: JsonValue,
  oldObject: JsonValue,
): Record<string, JsonValue> {
  const version = hook.admissionReviewVersions.find((each) => spoken.has(each)) ?? 'v1';
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: admissionRequest(attributes, seenAs, uid, object, oldObject),
  };
}

/** What a review, and an expression, is told about a request. */
export function admissionRequest(
  attributes: Attributes,
  seenAs: KindInfo,
  uid: string,
  object: JsonValue,
  oldObject: JsonValue,
): Record<string, JsonValue> {
  const { kind, subresource, name, namespace, operation, user, dryRun, options, objectKind } = attributes;
  return {
    uid,
    kind: { ...kindIn(attributes, seenAs) },
    resource: { group: seenAs.group, version: seenAs.version, resource: seenAs.plural },
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: { ...objectKind },
    requestResource: { group: kind.group, version: kind.version, resource: kind.plural },
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: { ...user } as unknown as JsonValue,
    object,
    oldObject,
    dryRun,
    options,
  };
}

/** The objects' kind in the version of the rule; a Scale is the same in all. */
function kindIn({ kind, objectKind }: Attributes, seenAs: KindInfo): GroupVersionKind {
  if (seenAs === kind || objectKind.group !== kind.group) return objectKind;
  return { group: seenAs.group, version: seenAs.version, kind: objectKind.kind };
}

/** What a webhook has said, once it has been understood. */
export interface Verdict {
  readonly allowed: boolean;
  readonly status: Readonly<Record<string, JsonValue>>;
  /** Base64 decoded; empty when there is none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

/**
 * The verdict in an answer, or what is wrong with its envelope (AD-30).
 * @throws DecodeFault when a member is of another type.
 */
export function verdictOf(
  answer: Readonly<Record<string, JsonValue>>,
  asked: Record<string, JsonValue>,
  mutating: boolean,
): Verdict | string {
  const response = answer.response;
  if (response === undefined || response === null) return 'webhook response was absent';
  if (!isObject(response)) throw mismatch(response, 'AdmissionReview.response', 'v1.AdmissionResponse');
  const uid = member(response, 'uid', 'string', 'types.UID') ?? '';
  const allowed = member(response, 'allowed', 'boolean', 'bool') ?? false;
  const status = statusMember(response.status ?? response.result);
  const patch = decodedPatch(response.patch);
  const patchType = member(response, 'patchType', 'string', 'v1.PatchType');
  const warnings = listOfText(response.warnings);
  const request = asked.request as Record<string, JsonValue>;
  const verdict = { allowed, status, patch, patchType: patchType ?? '', warnings };
  if (asked.apiVersion === 'admission.k8s.io/v1beta1') return { ...verdict, patchType: patch === '' ? '' : 'JSONPatch' };
  if (uid !== request.uid) return `expected response.uid=${JSON.stringify(request.uid)}, got ${JSON.stringify(uid)}`;
  const kind = text(answer.kind);
  const apiVersion = text(answer.apiVersion);
  if (kind !== 'AdmissionReview' || apiVersion !== 'admission.k8s.io/v1') {
    const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
    return `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${shown}, Kind=${kind}`;
  }
  if (!mutating) {
    if (patch !== '') return 'validating webhook may not return response.patch';
    if (patchType !== undefined) return 'validating webhook may not return response.patchType';
    return verdict;
  }
  if (patch !== '' && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (patch === '' && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  if (patchType === '') return 'webhook returned invalid response.patchType of ""';
  return verdict;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function mismatch(value: JsonValue, field: string, goType: string): DecodeFault {
  return new DecodeFault(`json: cannot unmarshal ${goTypeOf(value)} into Go struct field ${field} of type ${goType}`);
}

type Typed = { readonly string: string; readonly boolean: boolean };

function member<T extends keyof Typed>(from: Record<string, JsonValue>, name: string, type: T, goType: string): Typed[T] | undefined {
  const value = from[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== type) throw mismatch(value, `AdmissionResponse.response.${name}`, goType);
  return value as Typed[T];
}

function statusMember(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw mismatch(value, 'AdmissionResponse.response.status', 'v1.Status');
  const { code } = value;
  if (code !== undefined && code !== null && typeof code !== 'number') throw mismatch(code, 'Status.response.status.code', 'int32');
  for (const name of ['message', 'reason']) {
    const given = value[name];
    if (given !== undefined && given !== null && typeof given !== 'string') {
      throw mismatch(given, `Status.response.status.${name}`, name === 'reason' ? 'v1.StatusReason' : 'string');
    }
  }
  return value;
}

/** @throws DecodeFault */
function decodedPatch(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw mismatch(value, 'AdmissionResponse.response.patch', '[]uint8');
  const bad = value.replace(/[\r\n]/g, '').search(/[^A-Za-z0-9+/=]/);
  if (bad >= 0) throw new DecodeFault(`illegal base64 data at input byte ${bad}`);
  return Buffer.from(value, 'base64').toString('utf8');
}

function listOfText(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw mismatch(value, 'AdmissionResponse.response.warnings', '[]string');
  return value.map((each: JsonValue) => {
    if (typeof each !== 'string') throw mismatch(each, 'AdmissionResponse.response.warnings', 'string');
    return each;
  });
}
