import type { JsonValue, KubeObject, ManagedFieldsEntry } from '../etcd/object.js';
import { apply, applyPatchType } from './apply.js';
import { UnreadableBody } from './body.js';
import type { Call } from './call.js';
import { checkNamespace } from './create.js';
import { type Decoded, decodeObject } from './decode.js';
import { DecodeFault, goTypeOf, inConversion } from './decode-fault.js';
import { goJson, inKeyOrder, invalidValue } from './field-errors.js';
import { isWrittenByGo, textsOf } from './go-json.js';
import { goPrint } from './go-print.js';
import { isObject, ownJsonToKeep, setMember, TooDeepError } from './json.js';
import { applyJsonPatch, decodeOperations, type Operation, PatchOperationFailed, PatchUndecodable, unknownMembers } from './json-patch.js';
import { inWrittenOrder, withSortedMaps } from './key-order.js';
import { keyOf } from './kinds.js';
import { managedFieldsOf } from './managed-fields/owners.js';
import { withManagedFields } from './managed-fields/shown.js';
import { applyMergePatch } from './merge-patch.js';
import { patchFieldsOf, patchRoot } from './openapi/patch-fields.js';
import { type WriteOptions, writeOptions } from './options.js';
import { withoutDuplicateOwners } from './owner-references.js';
import { checkBuiltInType, checkCustomType, isBlank } from './patched-type.js';
import type { ApiResponse } from './request.js';
import { type Start, startingFrom } from './start-state.js';
import {
  type ApiStatusError,
  badRequest,
  goQuote,
  internalWithoutReason,
  invalid,
  notFound,
  requestEntityTooLarge,
  unprocessablePatch,
  unsupportedMediaType,
  unsupportedPatchType,
} from './status.js';
import { mergeStrategically, StrategicPatchError } from './strategic-merge-patch.js';
import { checkName, replace } from './update.js';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicPatchType = 'application/strategic-merge-patch+json';
const customPatchTypes = [jsonPatchType, mergePatchType, applyPatchType];
/** ST-11 */
const maximumOperations = 10_000;

/** PATCH of an object or of its status (PA-28 for the order). @throws ApiStatusError */
export function patch(call: Call): ApiResponse {
  const { server, kind, request } = call;
  const type = patchType(call);
  if (request.name === undefined) throw badRequest('name must be provided');
  if (type === applyPatchType) return apply(call);
  const options = writeOptions(request, 'PatchOptions', type);
  const name = request.name ?? '';
  const existing = server.etcd.get(keyOf(kind, request.namespace, name));
  if (existing === undefined) throw notFound(kind, name);
  return startingFrom(call, existing, options.dryRun, (start) => patchFrom(call, type, options, start));
}

function patchFrom(call: Call, type: string, options: WriteOptions, start: Start): ApiResponse {
  const { request } = call;
  const { existing, current } = start;
  const document = namesOwners(request.body) ? withManagedFields(current) : current;
  const patched = applyPatch(call, type, document as unknown as JsonValue, options);
  const object = decodePatched(call, { ...patched, owners: () => managedFieldsOf(existing) }, options);
  checkName(request.name ?? '', object.metadata);
  checkNamespace(call, object.metadata);
  return replace(call, options, start, withoutDuplicateOwners(object, call.warnings, true));
}

/** PA-1: the text before the semicolon is compared exactly. @throws ApiStatusError 415 (HT-12) */
export function patchType({ kind, request }: Call): string {
  const type = (request.contentType ?? '').split(';')[0] as string;
  if (type === jsonPatchType || type === mergePatchType || type === applyPatchType) return type;
  if (type === strategicPatchType && !kind.custom) return type;
  throw kind.custom ? unsupportedMediaType(customPatchTypes) : unsupportedPatchType();
}

/** Whether a patch may look at or change who owns what: only then it gets to see that. */
function namesOwners(body: unknown): boolean {
  if (!Array.isArray(body)) return isObject(body) && isObject(body.metadata) && Object.hasOwn(body.metadata, 'managedFields');
  return body.some((operation: unknown) => {
    const paths = isObject(operation) ? [operation.path, operation.from] : [];
    return paths.some((path) => typeof path === 'string' && /^[^/]*($|\/metadata($|\/managedFields))/.test(path));
  });
}

/** A patched document, and what field validation has to say about the patch itself. */
export interface Patched {
  readonly document: JsonValue;
  readonly complaints: readonly string[];
  /** What the patch has gone into. */
  readonly reached?: JsonValue;
  /** What a refusal quotes: of a strategic patch Go's print of it, else the patched document (PA-10). */
  readonly shown?: string;
  /** The owners of the object before the patch, for the quotation. */
  readonly owners?: () => readonly ManagedFieldsEntry[];
}

/** @throws ApiStatusError 400, 413, 422 (PA-7, PA-8) */
export function applyPatch(call: Call, type: string, document: JsonValue, options: WriteOptions): Patched {
  const lenient = options.fieldValidation === 'Ignore';
  const undecodable = (fault: string) => badRequest(lenient ? fault : `error decoding patch: ${fault}`);
  switch (type) {
    case strategicPatchType:
      return strategicPatched(call, document, patchBody(call.request.body, badRequest));
    case jsonPatchType:
      return jsonPatched(call, document, patchBody(call.request.body, undecodable), lenient, undecodable);
    default:
      return mergePatched(call, document, patchBody(call.request.body, undecodable), lenient, undecodable);
  }
}

/** PA-32: kind and apiVersion are the server's, whatever the patch says. @throws ApiStatusError 400, 500 (PA-46) */
function strategicPatched({ kind, request: { duplicateFields } }: Call, document: JsonValue, body: JsonValue): Patched {
  const patch = body ?? {};
  if (!isObject(patch)) throw badRequest(`json: cannot unmarshal ${goTypeOf(patch)} into Go value of type map[string]interface {}`);
  try {
    const type = patchRoot(kind.apiVersion, kind.kind);
    const { merged, left } = mergeStrategically(document as Readonly<Record<string, JsonValue>>, patch, type, patchFieldsOf);
    const complaints = [...(duplicateFields ?? [])];
    return { document: { ...merged, apiVersion: kind.apiVersion, kind: kind.kind }, complaints, shown: goPrint(left) };
  } catch (error) {
    if (!(error instanceof StrategicPatchError)) throw error;
    throw error.code === 400 ? badRequest(error.message) : internalWithoutReason(error.message);
  }
}

function patchBody(sent: unknown, undecodable: (fault: string) => ApiStatusError): JsonValue {
  if (sent instanceof UnreadableBody) throw undecodable(sent.error.message);
  if (sent === undefined) throw undecodable('unexpected end of JSON input');
  try {
    return ownJsonToKeep(sent);
  } catch (error) {
    throw error instanceof TooDeepError ? undecodable(error.message) : error;
  }
}

function jsonPatched(
  call: Call,
  document: JsonValue,
  body: JsonValue,
  lenient: boolean,
  undecodable: (fault: string) => ApiStatusError,
): Patched {
  try {
    const texts = call.request.jsonText === undefined ? [] : textsOf(call.request.jsonText, 'value');
    const operations = decodeOperations(body, lenient).map((operation, index) =>
      isWrittenByGo(texts[index] ?? '') ? operation : { ...operation, strange: true as const },
    );
    if (operations.length > maximumOperations) {
      throw requestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${maximumOperations}, got ${operations.length}`);
    }
    const complaints = [
      ...unknownMembers(body).map((name) => `json patch unknown field ${goQuote(name)}`),
      ...(call.request.duplicateFields ?? []).map((text) => `json patch ${text}`),
    ];
    return { document: applyJsonPatch(document, operations), complaints, reached: reachedBy(operations) };
  } catch (error) {
    if (error instanceof PatchUndecodable) throw undecodable(error.message);
    if (error instanceof PatchOperationFailed) throw unprocessablePatch();
    throw error;
  }
}

function mergePatched(
  call: Call,
  document: JsonValue,
  body: JsonValue,
  lenient: boolean,
  undecodable: (fault: string) => ApiStatusError,
): Patched {
  if (body === null) throw badRequest('Invalid JSON Patch');
  if (!isObject(body) && !(lenient && Array.isArray(body))) {
    throw undecodable(`json: cannot unmarshal ${goTypeOf(body)} into Go value of type map[string]interface {}`);
  }
  return { document: applyMergePatch(document, body), complaints: call.request.duplicateFields ?? [], reached: body };
}

/** The containers that operations have been in, as objects within each other. */
function reachedBy(operations: readonly Operation[]): JsonValue {
  const root: Record<string, JsonValue> = {};
  for (const place of operations.flatMap(({ path = '', from = '' }) => [path, from])) {
    let reached = root;
    for (const name of place.split('/').slice(1, -1)) {
      if (!Object.hasOwn(reached, name)) setMember(reached, name, {});
      reached = reached[name] as Record<string, JsonValue>;
    }
  }
  return root;
}

/**
 * PA-10, PA-32
 * @param check looks at the decoded object once more, and may throw a DecodeFault.
 * @throws ApiStatusError 422
 */
export function decodePatched(
  call: Call,
  { document, complaints, shown, owners, reached }: Patched,
  options: WriteOptions,
  check?: (object: KubeObject) => void,
): KubeObject {
  const { kind } = call;
  const written = (whole: JsonValue) => inPatchedOrder(inWrittenOrder(withSortedMaps(kind, whole)), reached ?? {});
  const refuse = (fault: string) =>
    invalid({ kind: '', group: '' }, '', [
      invalidValue('patch', shown ?? goJson(kind.custom ? inKeyOrder(quoted(document, owners)) : written(quoted(document, owners))), fault),
    ]);
  if (!isObject(document)) {
    throw refuse(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(document)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  if (kind.custom) checkCustomType(document, () => goJson(inKeyOrder(quoted(document, owners))), refuse);
  else checkBuiltInType(call, document, refuse);
  if (!kind.custom && isBlank(document.apiVersion)) {
    // It is read into the internal form, which knows none of these names.
    const strangers = Object.keys(written(document) as typeof document).filter((key) => key !== 'apiVersion' && key !== 'kind');
    complain(call, options, [...complaints, ...strangers.map((name) => `unknown field ${goQuote(name)}`)], refuse);
    checkName(call.request.name ?? '', {});
  }
  let decoded: Decoded;
  try {
    decoded = decodeObject(kind, document, shown === undefined ? {} : { converted: true });
    // Which of several comes first is told by the order in which Go reads them.
    if (!kind.custom && shown === undefined && decoded.unknownFields.length > 1)
      decoded = decodeObject(kind, written(document) as typeof document);
    check?.(decoded.object);
  } catch (error) {
    // A strategic patch comes to data, not to text, and Go converts that in words of its own.
    throw error instanceof DecodeFault ? refuse(shown === undefined ? error.message : inConversion(error)) : error;
  }
  complain(call, options, [...complaints, ...decoded.unknownFields.map((name) => `unknown field ${goQuote(name)}`)], refuse);
  return decoded.object;
}

/** @throws ApiStatusError 422 */
function complain(call: Call, options: WriteOptions, found: readonly string[], refuse: (fault: string) => ApiStatusError): void {
  if (found.length > 0 && options.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${found.join(', ')}`);
  if (options.fieldValidation === 'Warn') call.warnings.push(...found);
}

/** The document with the owners that a patch which does not name them leaves in it. */
function quoted(document: JsonValue, owners: (() => readonly ManagedFieldsEntry[]) | undefined): JsonValue {
  const entries = owners?.() ?? [];
  if (entries.length === 0 || !isObject(document) || !isObject(document.metadata) || 'managedFields' in document.metadata) return document;
  return { ...document, metadata: { ...document.metadata, managedFields: entries as unknown as JsonValue } };
}

/** As Go writes it: what the patch has gone into is a map with its keys in order, the rest is as it was written before. */
function inPatchedOrder(document: JsonValue, reached: JsonValue | undefined): JsonValue {
  if (!isObject(reached)) return document;
  if (Array.isArray(document)) return document.map((element: JsonValue, index) => inPatchedOrder(element, reached[index]));
  if (!isObject(document)) return document;
  const ordered: Record<string, JsonValue> = {};
  for (const key of Object.keys(document).sort()) {
    const within = Object.hasOwn(reached, key) ? reached[key] : undefined;
    setMember(ordered, key, inPatchedOrder(document[key] as JsonValue, within));
  }
  return ordered;
}
