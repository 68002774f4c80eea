import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../etcd/object.js';
import { DecodeFault, type GoKind, TypeMismatch } from './decode-fault.js';
import { isObject, setMember } from './json.js';
import { goQuote } from './status.js';

/** The Go types of metadata's fields that are no struct and no list or map of one. */
const kinds: Readonly<Record<string, GoKind>> = {
  string: 'string',
  bool: 'bool',
  int64: 'int64',
  'types.UID': 'string',
  'v1.ManagedFieldsOperationType': 'string',
};

function mismatch(value: unknown, field: string | undefined, type: string): TypeMismatch {
  const kind = kinds[type] ?? (type.startsWith('[]') ? 'slice' : type.startsWith('map[') ? 'map' : 'struct');
  return new TypeMismatch(value, { type, kind, ...(field !== undefined && { field }) });
}

/**
 * Typed metadata, in Go's order of fields: nulls and empty values are absent, unknown members are dropped.
 * `selfLink` is never kept.
 * @param path Go's name of the place: `ObjectMeta.metadata` in built-in kinds, `ObjectMeta` in custom resources.
 * @param unknown receives the names of members that metadata does not have.
 * @throws DecodeFault
 */
export function decodeMetadata(raw: unknown, owner: string, path: string, unknown: string[]): ObjectMeta {
  if (raw === undefined || raw === null) return {};
  if (!isObject(raw)) {
    throw mismatch(raw, path === 'ObjectMeta' ? undefined : `${owner}.metadata`, 'v1.ObjectMeta');
  }
  const metadata: ObjectMeta = {};
  for (const name of textFields) {
    const value = raw[name];
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') throw mismatch(value, `${path}.${name}`, name === 'uid' ? 'types.UID' : 'string');
    metadata[name] = value;
  }
  for (const name of ['generation', 'deletionGracePeriodSeconds'] as const) {
    const value = raw[name];
    if (value === undefined || value === null || (name === 'generation' && value === 0)) continue;
    if (typeof value !== 'number' || !Number.isInteger(value)) throw mismatch(value, `${path}.${name}`, 'int64');
    metadata[name] = value;
  }
  for (const name of ['creationTimestamp', 'deletionTimestamp'] as const) {
    const value = raw[name];
    if (value === undefined || value === null || value === '') continue;
    metadata[name] = time(value, `${path}.${name}`);
  }
  for (const name of ['labels', 'annotations'] as const) {
    const value = raw[name];
    if (value === undefined || value === null) continue;
    const map = stringMap(value, `${path}.${name}`);
    if (map !== undefined) metadata[name] = map;
  }
  if (raw.ownerReferences !== undefined && raw.ownerReferences !== null) {
    const owners = ownerReferences(raw.ownerReferences, `${path}.ownerReferences`);
    if (owners.length > 0) metadata.ownerReferences = owners;
  }
  if (raw.finalizers !== undefined && raw.finalizers !== null) {
    const finalizers = stringList(raw.finalizers, `${path}.finalizers`);
    if (finalizers.length > 0) metadata.finalizers = finalizers;
  }
  // PA-18: an empty list resets the owners of a built-in object; in a custom resource it is nothing.
  const noEntries = path === 'ObjectMeta' && Array.isArray(raw.managedFields) && raw.managedFields.length === 0;
  if (raw.managedFields !== undefined && raw.managedFields !== null && !noEntries) {
    metadata.managedFields = managedFieldsEntries(raw.managedFields, `${path}.managedFields`, unknown);
  }
  for (const name of Object.keys(raw)) if (!knownFields.has(name)) unknown.push(`metadata.${name}`);
  return metadata;
}

const textFields = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion'] as const;
const knownFields: ReadonlySet<string> = new Set([
  ...textFields,
  'generation',
  'deletionGracePeriodSeconds',
  'creationTimestamp',
  'deletionTimestamp',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'selfLink',
  'managedFields',
]);

/** RFC 3339 in, whole seconds UTC out. @param field that it stands in. @throws DecodeFault */
export function time(value: unknown, field?: string): string {
  if (typeof value !== 'string') throw new DecodeFault(mismatch(value, field, 'string').message);
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw timeFault(value, '');
  return rfc3339(ms);
}

const timeParts: readonly (readonly [element: string, pattern: RegExp, what?: string, from?: number, to?: number])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, 'month', 1, 12],
  ['-', /^-/],
  ['02', /^\d\d/, 'day', 1, 31],
  ['T', /^T/],
  ['15', /^\d\d?/, 'hour', 0, 23],
  [':', /^:/],
  ['04', /^\d\d/, 'minute', 0, 59],
  [':', /^:/],
  ['05', /^\d\d/, 'second', 0, 59],
];

/** What Go says of a text that is no time. @param decimals of the layout, which the text must have; else it may have some. */
export function timeFault(text: string, decimals: string): DecodeFault {
  const about = `parsing time ${goQuote(text)}`;
  const cannot = (rest: string, element: string) =>
    new DecodeFault(`${about} as "2006-01-02T15:04:05${decimals}Z07:00": cannot parse ${goQuote(rest)} as "${element}"`);
  let rest = text;
  for (const [element, pattern, what, from = 0, to = 0] of timeParts) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) return cannot(rest, element);
    rest = rest.slice(found.length);
    if (what !== undefined && (Number(found) < from || Number(found) > to)) return new DecodeFault(`${about}: ${what} out of range`);
  }
  const fraction = /^[.,]\d+/.exec(rest)?.[0] ?? '';
  if (decimals !== '' && fraction.length < decimals.length) return cannot(rest, decimals);
  rest = rest.slice(decimals === '' ? fraction.length : decimals.length);
  const zone = /^(Z|[+-]\d\d:\d\d)/.exec(rest)?.[0];
  if (zone === undefined) return cannot(rest, 'Z07:00');
  const extra = rest.slice(zone.length);
  return new DecodeFault(extra === '' ? `${about}: day out of range` : `${about}: extra text: ${goQuote(extra)}`);
}

/** A time in milliseconds since 1970 as Kubernetes writes it: whole seconds, UTC. */
export function rfc3339(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== latest.second) latest = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` };
  return latest.text;
}

/** The text of the last second asked for: a server writes many objects in one. */
let latest = { second: 0, text: '1970-01-01T00:00:00Z' };

/** A `map[string]string`: null values are empty texts (CR-16); undefined when it has no entries. */
export function stringMap(value: unknown, field: string): Record<string, string> | undefined {
  if (!isObject(value)) throw mismatch(value, field, 'map[string]string');
  const map: Record<string, string> = {};
  let entries = 0;
  for (const key of Object.keys(value)) {
    const entry = value[key];
    if (entry !== null && typeof entry !== 'string') throw mismatch(entry, field, 'string');
    setMember(map, key, entry ?? '');
    entries += 1;
  }
  return entries === 0 ? undefined : map;
}

function stringList(value: unknown, field: string): string[] {
  if (!Array.isArray(value)) throw mismatch(value, field, '[]string');
  return value.map((entry: unknown) => {
    if (entry !== null && typeof entry !== 'string') throw mismatch(entry, field, 'string');
    return entry ?? '';
  });
}

function ownerReferences(value: unknown, field: string): OwnerReference[] {
  if (!Array.isArray(value)) throw mismatch(value, field, '[]v1.OwnerReference');
  return value.map((entry: unknown) => {
    if (entry !== null && !isObject(entry)) throw mismatch(entry, field, 'v1.OwnerReference');
    const text = (name: string): string => {
      const part = entry?.[name] ?? '';
      if (typeof part !== 'string') {
        throw mismatch(part, `${field.replace('ObjectMeta', 'OwnerReference')}.${name}`, name === 'uid' ? 'types.UID' : 'string');
      }
      return part;
    };
    const owner: OwnerReference = { apiVersion: text('apiVersion'), kind: text('kind'), name: text('name'), uid: text('uid') };
    for (const name of ['controller', 'blockOwnerDeletion'] as const) {
      const set = entry?.[name] ?? undefined;
      if (set === undefined) continue;
      if (typeof set !== 'boolean') throw mismatch(set, `${field.replace('ObjectMeta', 'OwnerReference')}.${name}`, 'bool');
      owner[name] = set;
    }
    return owner;
  });
}

const entryFields = ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource'] as const;

/** The entries with what is known of them; whether they make sense is for those to say who keep the owners (PA-18). */
function managedFieldsEntries(value: unknown, field: string, unknown: string[]): ManagedFieldsEntry[] {
  if (!Array.isArray(value)) throw mismatch(value, field, '[]v1.ManagedFieldsEntry');
  return value.map((raw: unknown, index) => {
    if (raw !== null && !isObject(raw)) throw mismatch(raw, field, 'v1.ManagedFieldsEntry');
    const entry: { -readonly [Name in keyof ManagedFieldsEntry]: ManagedFieldsEntry[Name] } = {};
    for (const name of Object.keys(raw ?? {})) {
      const member = raw?.[name];
      if (member === null || member === undefined || member === '') continue;
      const place = `${field.replace('ObjectMeta', 'ManagedFieldsEntry')}.${name}`;
      if (name === 'time') entry.time = time(member, place);
      else if (name === 'fieldsV1') entry.fieldsV1 = member;
      else if (!isEntryField(name)) unknown.push(`metadata.managedFields[${index}].${name}`);
      else if (typeof member !== 'string') throw mismatch(member, place, name === 'operation' ? 'v1.ManagedFieldsOperationType' : 'string');
      else entry[name] = member;
    }
    return entry;
  });
}

function isEntryField(name: string): name is (typeof entryFields)[number] {
  return (entryFields as readonly string[]).includes(name);
}
