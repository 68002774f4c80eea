import type { JsonValue, KubeObject, ObjectMeta } from '../etcd/object.js';
import { UnreadableBody } from './body.js';
import type { Call } from './call.js';
import { shapeSent } from './custom-resource.js';
import { DecodeFault, goTypeOf, TypeMismatch } from './decode-fault.js';
import { withDefaults } from './defaults.js';
import { type JsonNotes, membersOf, parseGoJson, type Shadowed } from './go-json.js';
import { isObject, isTooDeepToKeep, ownJson, ownJsonToKeep, setMember, TooDeepError } from './json.js';
import { goPackage, type KindInfo } from './kinds.js';
import { decodeMetadata } from './metadata.js';
import type { WriteOptions } from './options.js';
import { type ApiStatusError, badRequest, goQuote } from './status.js';
import { type DecodeSource, decodeTypedFields } from './typed-fields.js';

type JsonObject = Readonly<Record<string, JsonValue>>;

/** A decoded object and what was not understood of it. */
export interface Decoded {
  readonly object: KubeObject;
  readonly unknownFields: readonly string[];
}

/**
 * The object in the body of a POST or PUT, as the server's own data. A custom resource keeps the kind that was sent until
 * validation refuses it (CD-19). @throws ApiStatusError 400 (CR-4, CR-14 to CR-16)
 */
export function decodeBody(call: Call, options: WriteOptions): KubeObject {
  const { kind, request } = call;
  const notes = jsonNotes(request.jsonText);
  const sent = readBody(kind, request.body);
  const body = kind.custom || notes === undefined ? sent : withShadowed(sent, notes.shadowed);
  const versionless = kind.custom && (body.apiVersion ?? '') === '';
  if (versionless && body.apiVersion === null) {
    const fault = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
    throw badRequest(`${kind.kind} in version "" cannot be handled as a ${kind.kind}: ${fault}`);
  }
  checkType(call, body);
  const subject = `${kind.kind} in version ${goQuote(kind.version)} cannot be handled as a ${kind.kind}`;
  const source: DecodeSource = notes === undefined ? {} : { numbers: notes.numbers };
  let decoded: Decoded;
  try {
    if (!kind.custom) checkShadowed(kind, body, notes);
    decoded = decodeObject(kind, versionless ? { ...body, apiVersion: '' } : body, source);
  } catch (error) {
    throw error instanceof DecodeFault ? badRequest(`${subject}: ${error.message}`) : error;
  }
  const found = complaints(kind, request, decoded.unknownFields);
  if (found.length > 0 && options.fieldValidation === 'Strict')
    throw badRequest(`${subject}: strict decoding error: ${strictText(request, found)}`);
  if (options.fieldValidation === 'Warn') call.warnings.push(...found);
  if (kind.custom && decoded.object.apiVersion !== kind.apiVersion) throw otherVersion(kind, decoded.object.apiVersion as string);
  return decoded.object;
}

function otherVersion(kind: KindInfo, sent: string): ApiStatusError {
  return badRequest(`the API version in the data (${sent}) does not match the expected API version (${kind.apiVersion})`);
}

/** The object that JSON stands for, in the kind's own form. @throws DecodeFault */
export function decodeObject(kind: KindInfo, body: JsonObject, source: DecodeSource = {}): Decoded {
  const unknownFields: string[] = [];
  const { apiVersion: sentVersion, kind: sentKind, metadata: sentMetadata, ...fields } = body;
  const metadata = metadataIn(kind, body, unknownFields, source);
  const apiVersion = kind.custom && typeof sentVersion === 'string' ? sentVersion : kind.apiVersion;
  const name = kind.custom && typeof sentKind === 'string' ? sentKind : kind.kind;
  if (kind.custom) {
    const object: KubeObject = { apiVersion, kind: name, metadata, ...fields };
    return { object: shapeSent(kind, object, unknownFields), unknownFields };
  }
  const ofFields: string[] = [];
  const object: KubeObject = { apiVersion, kind: name, metadata, ...decodeTypedFields(kind, fields, ofFields, source) };
  // Go reads from the beginning to the end, and sorts what it finds in data.
  const at = Object.keys(body).indexOf('metadata');
  const isBefore = (path: string) => Object.keys(body).findIndex((key) => path === key || /^[.[]/.test(path.slice(key.length))) < at;
  const before = ofFields.filter(isBefore);
  const inOrder = [...before, ...unknownFields, ...ofFields.slice(before.length)];
  if (isTooDeepToKeep(object as unknown as JsonValue)) throw new DecodeFault('exceeded max depth');
  return { object: withDefaults(kind, object), unknownFields: source.converted ? inOrder.sort() : inOrder };
}

/** The first of two faults counts, wherever it is. @throws DecodeFault */
function metadataIn(kind: KindInfo, body: JsonObject, unknown: string[], source: DecodeSource): ObjectMeta {
  try {
    return decodeMetadata(body.metadata, kind.kind, kind.custom ? 'ObjectMeta' : 'ObjectMeta.metadata', unknown);
  } catch (error) {
    if (kind.custom) throw error;
    const members = Object.entries(body);
    const before = members.slice(0, Object.keys(body).indexOf('metadata')).filter(([key]) => key !== 'apiVersion' && key !== 'kind');
    decodeTypedFields(kind, Object.fromEntries(before), [], source);
    if (error instanceof TypeMismatch) checkAllButTypes(kind, body, source);
    throw error;
  }
}

/** That a type does not fit is told when all has been read, unless something else is found. @throws DecodeFault */
function checkAllButTypes(
  kind: KindInfo,
  { metadata: _, apiVersion: _version, kind: _kind, ...fields }: JsonObject,
  source: DecodeSource,
): void {
  try {
    decodeTypedFields(kind, fields, [], source);
  } catch (error) {
    // Bytes that are none wait for the end too.
    const waits = error instanceof TypeMismatch || (error instanceof DecodeFault && error.message.startsWith('illegal base64'));
    if (!waits) throw error;
  }
}

function jsonNotes(text: string | undefined): JsonNotes | undefined {
  const read = text === undefined ? undefined : parseGoJson(text);
  return read === undefined || 'fault' in read ? undefined : read.notes;
}

/** Go decodes into what it has: an object that comes twice is one with the members of both. */
function withShadowed(body: JsonObject, shadowed: readonly Shadowed[]): JsonObject {
  return shadowed
    .toReversed()
    .reduce<JsonObject>(
      (whole, { path, value }) => changedAt(whole, path, (winner) => merged(value as JsonValue, winner)) as JsonObject,
      body,
    );
}

function merged(earlier: JsonValue, later: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(earlier) || !isObject(later)) return later;
  const all: Record<string, JsonValue> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    setMember(all, key, (Object.hasOwn(all, key) ? merged(all[key] as JsonValue, value) : value) as JsonValue);
  }
  return all;
}

/** What comes twice has to fit both times. @throws DecodeFault */
function checkShadowed(kind: KindInfo, body: JsonObject, notes: JsonNotes | undefined): void {
  for (const { path, value } of notes?.shadowed ?? []) {
    decodeObject(kind, changedAt(body, path, () => value as JsonValue) as JsonObject);
  }
}

function changedAt(
  whole: JsonValue | undefined,
  [key, ...rest]: readonly (string | number)[],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return change(whole);
  if (Array.isArray(whole)) return whole.map((item, index) => (index === key ? (changedAt(item, rest, change) as JsonValue) : item));
  if (!isObject(whole) || !Object.hasOwn(whole, key)) return whole;
  const copy = { ...whole };
  setMember(copy, String(key), changedAt(whole[key], rest, change) as JsonValue);
  return copy;
}

/** What field validation has to say, in the order of the text (CR-14). What is in an unknown field is not looked at. */
function complaints(kind: KindInfo, { duplicateFields = [], jsonText }: Call['request'], unknown: readonly string[]): readonly string[] {
  const unknownTexts = unknown.map((name) => `unknown field ${goQuote(name)}`);
  if (duplicateFields.length === 0) return unknownTexts;
  if (kind.custom || jsonText === undefined) return [...duplicateFields, ...unknownTexts];
  const isUnknown = (path: string) =>
    unknown.some((name) => path === name || (path.startsWith(name) && /^[.[]/.test(path.slice(name.length))));
  const found = membersOf(jsonText).flatMap(({ path, again }) => {
    if (unknown.includes(path)) return [`unknown field ${goQuote(path)}`];
    return again && !isUnknown(path) ? [`duplicate field ${goQuote(path)}`] : [];
  });
  return [...new Set(found)];
}

/** What Go's reader of YAML has found is one fault with many lines. */
function strictText({ duplicateFields = [], jsonText }: Call['request'], found: readonly string[]): string {
  if (duplicateFields.length === 0 || jsonText !== undefined) return found.join(', ');
  const lines = duplicateFields.map((text) => `\n  ${text}`).join('');
  return [`yaml: unmarshal errors:${lines}`, ...found.slice(duplicateFields.length)].join(', ');
}

/** CR-15 */
function readBody(kind: KindInfo, sent: unknown): JsonObject {
  const unrecognized = (fault: string, text: string) =>
    badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${fault} (${excerpt(text)})`);
  if (sent instanceof UnreadableBody) throw sent.error;
  if (sent === undefined) throw unrecognized("couldn't get version/kind; json parse error: unexpected end of JSON input", '');
  let body: JsonValue;
  try {
    body = kind.custom ? ownJsonToKeep(sent) : ownJson(sent);
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
  for (const member of ['kind', 'apiVersion']) {
    const value = body[member] ?? '';
    if (typeof value === 'string') continue;
    const fault = new TypeMismatch(value, { field: `.${member}`, type: 'string', kind: 'string' });
    throw unrecognized(`couldn't get version/kind; json parse error: ${fault.message}`, JSON.stringify(body));
  }
  if (kind.custom && (body.kind ?? '') === '') {
    const text = JSON.stringify(body);
    throw unrecognized(`Object 'Kind' is missing in '${text}'`, text);
  }
  return body;
}

/** CR-4 */
function checkType({ kind, server }: Call, body: JsonObject): void {
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
  // What is custom is refused once it is decoded.
  if (kind.custom) return;
  const subject = `${name} in version ${goQuote(version)} cannot be handled as a ${kind.kind}`;
  // Go decodes it as what it says it is, and only then sees that it is something else.
  const other = server.kinds.findKind(group, version, name);
  if (other !== undefined && !other.custom) {
    try {
      decodeObject(other, body);
    } catch (error) {
      throw error instanceof DecodeFault ? badRequest(`${subject}: ${error.message}`) : error;
    }
  }
  const list = name.endsWith('List') ? name.slice(0, -4) : name;
  const known = isKnown(server.kinds, group, version, name) || isKnown(server.kinds, group, version, list);
  if (!known) {
    throw badRequest(
      `${subject}: no kind ${goQuote(name)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (name === kind.kind && (group === kind.group || kind.kind === 'Event' || kind.kind === 'Scale')) throw otherVersion(kind, apiVersion);
  throw badRequest(`${subject}: converting (${version}.${name}) to (${goPackage(kind.group)}.${kind.kind}): unknown conversion`);
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
