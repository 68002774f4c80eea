import { deepEqual, type JsonValue, type ObjectMeta } from '../../etcd/object.js';
import { DecodeFault } from '../decode-fault.js';
import { inKeyOrder, invalidValue, requiredValue } from '../field-errors.js';
import { isObject, setMember } from '../json.js';
import { decodeMetadata } from '../metadata.js';
import { metadataSyntaxFaults } from '../metadata-validation.js';
import { dns1035LabelFaults, nameFaults } from '../names.js';
import type { StatusCause } from '../request.js';
import type { SchemaNode } from './compile.js';

/**
 * A value whose embedded resources (CD-40) have typed metadata. The same value when nothing changes.
 * @param manner `strict` for what a client sends; `lenient` for what is stored: what does not fit is dropped there.
 * @param unknown receives the paths of members that metadata does not have.
 * @throws DecodeFault
 */
export function coerceEmbedded(value: JsonValue, node: SchemaNode, manner: 'strict' | 'lenient', unknown: string[], path = ''): JsonValue {
  if (!node.contains.embedded) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return value;
    const coerced = value.map((item, index) => coerceEmbedded(item, items, manner, unknown, `${path}[${index}]`));
    return coerced.some((item, index) => item !== value[index]) ? coerced : value;
  }
  if (!isObject(value)) return value;
  let changed = false;
  const kept: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = value[key] as JsonValue;
    const at = path === '' ? key : `${path}.${key}`;
    let next: JsonValue | undefined = member;
    if (node.embedded) next = coerceMember(key, member, manner, unknown, at);
    const property = node.properties.get(key);
    if (next !== undefined && property !== undefined) next = coerceEmbedded(next, property, manner, unknown, at);
    else if (next !== undefined && node.values !== undefined) next = coerceEmbedded(next, node.values, manner, unknown, `${path}[${key}]`);
    if (next !== member) changed = true;
    if (next !== undefined) setMember(kept, key, next);
  }
  return changed ? kept : value;
}

function coerceMember(
  key: string,
  member: JsonValue,
  manner: 'strict' | 'lenient',
  unknown: string[],
  path: string,
): JsonValue | undefined {
  if (key === 'apiVersion' || key === 'kind') {
    if (typeof member === 'string') return member;
    if (manner === 'lenient') return undefined;
    throw new DecodeFault(inWords(invalidValue(path, inKeyOrder(member), 'must be a string')));
  }
  if (key !== 'metadata') return member;
  const strangers: string[] = [];
  try {
    const metadata = embeddedMetadata(member, strangers);
    for (const stranger of strangers) unknown.push(`${path}.${stranger.slice('metadata.'.length)}`);
    return deepEqual(metadata, member) ? member : (metadata as JsonValue);
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error;
    if (manner === 'strict') throw new DecodeFault(inWords(invalidValue(path, inKeyOrder(member), error.message)));
    return isObject(member) ? fittingMembers(member) : member;
  }
}

/** Unlike an object's own metadata, that of an embedded resource keeps managedFields and selfLink as they are. */
function embeddedMetadata(raw: JsonValue, unknown: string[]): object {
  const { managedFields: _, ...metadata }: Record<string, unknown> = { ...decodeMetadata(raw, '', 'ObjectMeta', unknown) };
  if (!isObject(raw)) return metadata;
  if (Array.isArray(raw.managedFields) && raw.managedFields.length > 0) metadata.managedFields = raw.managedFields;
  if (typeof raw.selfLink === 'string' && raw.selfLink !== '') metadata.selfLink = raw.selfLink;
  return metadata;
}

function fittingMembers(raw: Readonly<Record<string, JsonValue>>): JsonValue {
  const kept: Record<string, JsonValue> = {};
  for (const key of Object.keys(raw)) {
    try {
      Object.assign(kept, embeddedMetadata({ [key]: raw[key] as JsonValue }, []));
    } catch (error) {
      if (!(error instanceof DecodeFault)) throw error;
    }
  }
  return kept;
}

function inWords({ field, message }: StatusCause): string {
  return `${field}: ${message}`;
}

/** What is wrong with the embedded resources of a value. */
export function embeddedFaults(value: JsonValue, node: SchemaNode, path = ''): StatusCause[] {
  if (!node.contains.embedded) return [];
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined ? [] : value.flatMap((item, index) => embeddedFaults(item, items, `${path}[${index}]`));
  }
  if (!isObject(value)) return [];
  const causes = node.embedded ? resourceFaults(value, path) : [];
  for (const key of Object.keys(value)) {
    const property = node.properties.get(key);
    if (property !== undefined) causes.push(...embeddedFaults(value[key] as JsonValue, property, path === '' ? key : `${path}.${key}`));
    else if (node.values !== undefined) causes.push(...embeddedFaults(value[key] as JsonValue, node.values, `${path}[${key}]`));
  }
  return causes;
}

function resourceFaults(resource: Readonly<Record<string, JsonValue>>, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const name of ['apiVersion', 'kind']) if (!Object.hasOwn(resource, name)) causes.push(requiredValue(at(name)));
  for (const name of ['apiVersion', 'kind'] as const) {
    const value = resource[name];
    if (value === undefined) continue;
    const fault = (detail: string) => causes.push(invalidValue(at(name), inKeyOrder(value), detail));
    if (typeof value !== 'string') fault('must be a string');
    else if (value === '') fault('must not be empty');
    else if (name === 'apiVersion') {
      if (value.split('/').length > 2) fault(`unexpected GroupVersion string: ${value}`);
    } else {
      const faults = dns1035LabelFaults(value.toLowerCase());
      if (faults.length > 0) fault(`may have mixed case, but should otherwise match: ${faults.join(',')}`);
    }
  }
  const { metadata } = resource;
  if (metadata !== undefined) causes.push(...embeddedMetadataFaults(metadata, at('metadata')));
  return causes;
}

function embeddedMetadataFaults(raw: JsonValue, path: string): StatusCause[] {
  let metadata: ObjectMeta;
  try {
    metadata = decodeMetadata(raw, '', 'ObjectMeta', []);
  } catch (error) {
    if (error instanceof DecodeFault) return [invalidValue(path, inKeyOrder(raw), error.message)];
    throw error;
  }
  const faults = [
    ...(metadata.generateName === undefined ? [] : nameOrPrefixFaults('generateName', metadata.generateName)),
    ...(metadata.name === undefined ? [] : nameOrPrefixFaults('name', metadata.name)),
    ...(metadata.namespace === undefined ? [] : namespaceFaults(metadata.namespace)),
    ...metadataSyntaxFaults(metadata),
  ];
  return faults.map((cause) => ({ ...cause, field: cause.field?.replace(/^metadata/, path) ?? path }));
}

function namespaceFaults(namespace: string): StatusCause[] {
  return nameFaults('label', namespace).map((fault) => invalidValue('metadata.namespace', namespace, fault));
}

function nameOrPrefixFaults(field: 'name' | 'generateName', value: string): StatusCause[] {
  return nameFaults('path segment', value)
    .filter((fault) => field === 'name' || fault.startsWith('may not contain'))
    .map((fault) => invalidValue(`metadata.${field}`, value, fault));
}
