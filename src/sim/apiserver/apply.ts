import type { JsonValue, KubeObject } from '../etcd/object.js';
import { UnreadableBody } from './body.js';
import type { Call } from './call.js';
import { checkNamespace, createObject } from './create.js';
import { defaultedOnly } from './custom-resource.js';
import { decodeObject } from './decode.js';
import { DecodeFault, goTypeOf, inConversion } from './decode-fault.js';
import { isObject, ownJsonToKeep, TooDeepError } from './json.js';
import { keyOf } from './kinds.js';
import { type AppliedObject, applyConfiguration, groupVersionKind, nameAndKind } from './managed-fields/apply.js';
import { nobody } from './managed-fields/entries.js';
import { knownOwners, managedOf } from './managed-fields/owners.js';
import type { ObjectValue } from './managed-fields/typing.js';
import { decodeMetadata, rfc3339 } from './metadata.js';
import { type WriteOptions, writeOptions } from './options.js';
import { withoutDuplicateOwners } from './owner-references.js';
import { emptyIn } from './read-back.js';
import type { ApiResponse } from './request.js';
import { type Start, startingFrom } from './start-state.js';
import { badRequest, conflict, internalWithoutReason, notFound } from './status.js';
import { checkName, replace } from './update.js';

export const applyPatchType = 'application/apply-patch+yaml';

/** Server-side apply of an object or of its status: a PATCH that may create (PA-2). @throws ApiStatusError */
export function apply(call: Call): ApiResponse {
  const { server, kind, request } = call;
  const options = writeOptions(request, 'PatchOptions', applyPatchType);
  const name = request.name ?? '';
  const existing = server.etcd.get(keyOf(kind, request.namespace, name));
  // UP-14: a status too.
  if (existing === undefined && request.subresource !== undefined && !kind.createdOnUpdate) throw notFound(kind, name);
  const config = configurationOf(request.body);
  if (existing === undefined) return applyFrom(call, options, config, undefined);
  return startingFrom(call, existing, options.dryRun, (start) => applyFrom(call, options, config, start));
}

/** @param start undefined: there is no object yet. */
function applyFrom(call: Call, options: WriteOptions, config: ObjectValue, start: Start | undefined): ApiResponse {
  const { server, kind, request } = call;
  const name = request.name ?? '';
  const result = applyConfiguration({
    endpoint: { kind, subresource: request.subresource ?? '' },
    live: start?.current,
    managed: start === undefined ? nobody : managedOf(start.existing),
    config,
    manager: options.fieldManager,
    force: options.force,
    time: rfc3339(server.environment.nowMs()),
  });
  complain(call, options);
  const object = decodeApplied(call, config, result);
  if (start === undefined && object.metadata.uid !== undefined) {
    // PA-5
    const text = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
    throw conflict(kind, name, text);
  }
  checkNamespace(call, object.metadata);
  checkName(name, object.metadata);
  if (start === undefined) return createObject(call, object, options, { byPut: true, owners: knownOwners(result.managed) });
  return replace(call, options, start, withoutDuplicateOwners(object, call.warnings, true), knownOwners(result.managed));
}

/** What is applied, as it came. @throws ApiStatusError 400 (PA-24) */
export function configurationOf(body: unknown): ObjectValue {
  if (body instanceof UnreadableBody) throw body.error;
  let config: JsonValue;
  try {
    config = body === undefined ? null : ownJsonToKeep(body);
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    throw badRequest('error decoding YAML: error converting YAML to JSON: yaml: exceeded max depth of 10000');
  }
  if (config === null) return {};
  if (!isObject(config)) {
    const fault = `json: cannot unmarshal ${goTypeOf(config)} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${fault}`);
  }
  return config;
}

/** PA-64: an apply knows no unknown fields, only keys that its text has twice. @throws ApiStatusError 400 */
export function complain({ request, warnings }: Call, { fieldValidation }: WriteOptions): void {
  const found = request.duplicateFields ?? [];
  if (found.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Warn') {
    warnings.push(...found);
    return;
  }
  const lines = found.map((text) => `  ${text}`).join('\n');
  throw badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`);
}

/** @throws ApiStatusError 500: the schema allows it, the kind does not (PA-24). */
export function decodeApplied({ kind }: Call, config: ObjectValue, { value }: AppliedObject): KubeObject {
  try {
    if (kind.custom) {
      // PA-58: nulls stay, for defaults or validation to deal with; what is empty in the metadata stays as far as etcd.
      const metadata = { ...decodeMetadata(value.metadata, kind.kind, 'ObjectMeta', []), ...emptyIn(value.metadata) };
      return defaultedOnly(kind, { ...value, metadata } as KubeObject);
    }
    return decodeObject(kind, value as Readonly<Record<string, JsonValue>>, { converted: true }).object;
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error;
    throw internalWithoutReason(
      `failed to convert new object (${nameAndKind(config)}) to proper version: unable to convert unstructured object to ${groupVersionKind(kind)}: ${inConversion(error)}`,
    );
  }
}
