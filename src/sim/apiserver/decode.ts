import type { JsonValue, KubeObject } from '../etcd/object.js';
import { UnreadableBody } from './body.js';
import type { Call } from './call.js';
import { shapeSent } from './custom-resource.js';
import { withDefaults } from './defaults.js';
import { invalidValue } from './field-errors.js';
import { isObject, ownJson, TooDeepError } from './json.js';
import type { KindInfo } from './kinds.js';
import { DecodeFault, decodeMetadata, goTypeOf } from './metadata.js';
import type { WriteOptions } from './options.js';
import { badRequest, goQuote, invalid } from './status.js';
import { decodeTypedFields } from './typed-fields.js';

/** A decoded object and what was not understood of it. */
export interface Decoded {
  readonly object: KubeObject;
  readonly unknownFields: readonly string[];
}

/**
 * The object in the body of a POST or PUT, as the server's own data. @throws ApiStatusError 400, or 422 for another kind of
 * custom resource (CR-4, CR-14 to CR-16, CD-19)
 */
export function decodeBody(call: Call, options: WriteOptions): KubeObject {
  const { kind, request } = call;
  const body = readBody(kind, request.body);
  checkType(call, body);
  const subject = `${kind.kind} in version ${goQuote(kind.version)} cannot be handled as a ${kind.kind}`;
  let decoded: Decoded;
  try {
    decoded = decodeObject(kind, body);
  } catch (error) {
    throw error instanceof DecodeFault ? badRequest(`${subject}: ${error.message}`) : error;
  }
  const unknown = [...(request.duplicateFields ?? []), ...decoded.unknownFields.map((name) => `unknown field ${goQuote(name)}`)];
  if (unknown.length > 0 && options.fieldValidation === 'Strict')
    throw badRequest(`${subject}: strict decoding error: ${unknown.join(', ')}`);
  if (options.fieldValidation === 'Warn') call.warnings.push(...unknown);
  checkCustomType(kind, decoded.object);
  return decoded.object;
}

/** The object that JSON stands for, in the kind's own form. @throws DecodeFault */
export function decodeObject(kind: KindInfo, body: Readonly<Record<string, JsonValue>>): Decoded {
  const unknownFields: string[] = [];
  const metadata = decodeMetadata(body.metadata, kind.kind, kind.custom ? 'ObjectMeta' : 'ObjectMeta.metadata', unknownFields);
  const { apiVersion: sentVersion, kind: sentKind, metadata: _, ...fields } = body;
  const apiVersion = kind.custom && typeof sentVersion === 'string' ? sentVersion : kind.apiVersion;
  const name = kind.custom && typeof sentKind === 'string' ? sentKind : kind.kind;
  const rest = kind.custom ? fields : decodeTypedFields(kind, fields, unknownFields);
  const object: KubeObject = { apiVersion, kind: name, metadata, ...rest };
  return { object: kind.custom ? shapeSent(kind, object, unknownFields) : withDefaults(kind, object), unknownFields };
}

/** CD-19: a custom resource keeps the kind that was sent until validation refuses it. @throws ApiStatusError 422 */
export function checkCustomType(kind: KindInfo, object: KubeObject): void {
  if (!kind.custom) return;
  const causes = [];
  if (object.apiVersion !== kind.apiVersion) {
    causes.push(invalidValue('apiVersion', object.apiVersion, `must be ${kind.apiVersion}`));
  }
  if (object.kind !== kind.kind) causes.push(invalidValue('kind', object.kind, `must be ${kind.kind}`));
  if (causes.length > 0) throw invalid({ kind: object.kind as string, group: kind.group }, object.metadata.name ?? '', causes);
}

/** CR-15 */
function readBody(kind: KindInfo, sent: unknown): Readonly<Record<string, JsonValue>> {
  const unrecognized = (fault: string, text: string) =>
    badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${fault} (${excerpt(text)})`);
  if (sent instanceof UnreadableBody) throw sent.error;
  if (sent === undefined) throw unrecognized("couldn't get version/kind; json parse error: unexpected end of JSON input", '');
  let body: JsonValue;
  try {
    body = ownJson(sent);
  } catch (error) {
    throw error instanceof TooDeepError ? unrecognized(`couldn't get version/kind; json parse error: ${error.message}`, '') : error;
  }
  if (body === null) {
    if (kind.custom) throw unrecognized("Object 'Kind' is missing in 'null'", 'null');
    return {};
  }
  if (!isObject(body)) {
    const fault = `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(body)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
    throw unrecognized(fault, JSON.stringify(body));
  }
  if (kind.custom && (body.kind === undefined || body.kind === '' || body.apiVersion === undefined || body.apiVersion === '')) {
    const text = JSON.stringify(body);
    const missing = body.kind === undefined || body.kind === '' ? 'Kind' : 'apiVersion';
    throw unrecognized(`Object '${missing}' is missing in '${text}'`, text);
  }
  return body;
}

/** CR-4 */
function checkType({ kind, server }: Call, body: Readonly<Record<string, JsonValue>>): void {
  const apiVersion = typeof body.apiVersion === 'string' && body.apiVersion !== '' ? body.apiVersion : kind.apiVersion;
  const name = typeof body.kind === 'string' && body.kind !== '' ? body.kind : kind.kind;
  if (apiVersion === kind.apiVersion && name === kind.kind) return;
  const parts = apiVersion.split('/');
  if (parts.length > 2) {
    const text = JSON.stringify(body);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): unexpected GroupVersion string: ${apiVersion} (${excerpt(text)})`,
    );
  }
  const [group, version] = parts.length === 2 ? (parts as [string, string]) : ['', apiVersion];
  const otherVersion = badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${kind.apiVersion})`,
  );
  if (kind.custom) {
    if (apiVersion !== kind.apiVersion) throw otherVersion;
    return;
  }
  const subject = `${name} in version ${goQuote(version)} cannot be handled as a ${kind.kind}`;
  const list = name.endsWith('List') ? name.slice(0, -4) : name;
  const known = isKnown(server.kinds, group, version, name) || isKnown(server.kinds, group, version, list);
  if (!known) {
    throw badRequest(
      `${subject}: no kind ${goQuote(name)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (name === kind.kind && (group === kind.group || kind.kind === 'Event' || kind.kind === 'Scale')) throw otherVersion;
  throw badRequest(
    `${subject}: converting (${version}.${name}) to (${kind.group === '' ? 'core' : kind.group.split('.')[0]}.${kind.kind}): unknown conversion`,
  );
}

/** Old versions of workloads and leases are still decoded, though not served; so is a Deployment under `v1`'s name. */
function isKnown(kinds: Call['server']['kinds'], group: string, version: string, kind: string): boolean {
  if (kinds.findKind(group, version, kind) !== undefined) return true;
  for (const other of kinds.all()) {
    if (other.custom || other.kind !== kind) continue;
    if (other.group === group && /^v\d+(alpha|beta)\d+$/.test(version)) return true;
  }
  return group === 'extensions' && version === 'v1beta1' && kind === 'Scale';
}

/** The beginning of a body as the decoder quotes it: text when it may be JSON, else hexadecimal. */
export function excerpt(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length === 0) return '<empty>';
  const head = bytes.subarray(0, 30);
  const shown = text.startsWith('{') ? head.toString('utf8') : head.toString('hex');
  return bytes.length > 30 ? `${shown} ...` : shown;
}
