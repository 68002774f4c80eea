import { type JsonNotes, parseGoJson } from './go-json.js';
import { parseGoYaml } from './go-yaml.js';
import { JSON_TYPE, mediaType, PROTOBUF_TYPE, YAML_TYPE } from './media-types.js';
import { type ApiStatusError, badRequest } from './status.js';

/**
 * A request's text that is no object: it stands in the place of the body until the handler, which has earlier things to
 * check, comes to read it.
 */
export class UnreadableBody {
  constructor(readonly error: ApiStatusError) {}
}

/** A text as data, with the members that it has twice. */
export interface ReadBody {
  readonly body: unknown;
  readonly duplicates: readonly string[];
  /** The text is JSON and says more than the data. */
  readonly saysMore?: boolean;
}

/** Reads the text of a POST, PUT, PATCH or DELETE. Faults are kept in the place of the body (CR-15, DE-1). */
export function readBody(text: string, contentType: string, verb: string, kind: string): ReadBody {
  const type = mediaType(contentType) || JSON_TYPE;
  if (verb === 'delete' || verb === 'deletecollection') return readOptions(text, type);
  if (verb === 'patch') return readPatch(text, type);
  const unrecognized = (fault: string) =>
    new UnreadableBody(badRequest(`the object provided is unrecognized (must be of type ${kind}): ${fault} (${summary(text)})`));
  if (type === PROTOBUF_TYPE) {
    const fault = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';
    return { body: unrecognized(fault), duplicates: [] };
  }
  const read: ReadText = type === YAML_TYPE ? parseGoYaml(text) : readJson(text);
  if ('fault' in read) return { body: unrecognized(read.fault), duplicates: [] };
  const { value, duplicates, saysMore } = read;
  const shape = shapeOf(value);
  if (shape !== 'object' && shape !== 'null') {
    const fault = `json: cannot unmarshal ${shape} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
    return { body: unrecognized(`couldn't get version/kind; json parse error: ${fault}`), duplicates: [] };
  }
  return { body: value, duplicates, ...(saysMore && { saysMore }) };
}

type ReadText =
  | { readonly value: unknown; readonly duplicates: readonly string[]; readonly saysMore?: boolean }
  | { readonly fault: string };

function readJson(text: string): ReadText {
  const read = parseGoJson(text);
  if ('fault' in read) return { fault: `couldn't get version/kind; json parse error: ${read.fault}` };
  return { value: read.value, duplicates: read.notes.duplicates.map(duplicateField), saysMore: saysMore(read.notes) };
}

function saysMore({ duplicates, numbers }: JsonNotes): boolean {
  return duplicates.length > 0 || numbers.size > 0;
}

function duplicateField(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`;
}

function readOptions(text: string, type: string): ReadBody {
  if (text === '') return { body: undefined, duplicates: [] };
  const read: ReadText = type === YAML_TYPE ? parseGoYaml(text) : readJson(text);
  return 'fault' in read ? { body: new UnreadableBody(badRequest(read.fault)), duplicates: [] } : { body: read.value, duplicates: [] };
}

/** The texts of a patch's own faults need the patch as it came, so that a handler must be able to see it. */
function readPatch(text: string, type: string): ReadBody {
  if (type === 'application/apply-patch+yaml') {
    const read = parseGoYaml(text);
    if ('fault' in read)
      return { body: new UnreadableBody(badRequest(`error decoding YAML: error converting YAML to JSON: ${read.fault}`)), duplicates: [] };
    return { body: read.value, duplicates: read.duplicates };
  }
  const read = parseGoJson(text);
  if ('fault' in read) return { body: new UnreadableBody(badRequest(read.fault)), duplicates: [] };
  // A JSON patch compares texts.
  const more = saysMore(read.notes) || (type === 'application/json-patch+json' && /[<>&\u2028\u2029\\]/.test(text));
  return { body: read.value, duplicates: read.notes.duplicates.map(duplicateField), saysMore: more };
}

function shapeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** The first 30 bytes, in hexadecimal unless it looks like an object. */
function summary(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, 30);
  const shown = text.startsWith('{') ? start.toString() : start.toString('hex');
  return bytes.length > 30 ? `${shown} ...` : shown;
}
