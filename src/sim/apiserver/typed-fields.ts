import type { JsonValue } from '../etcd/object.js';
import { setMember } from './json.js';
import type { KindInfo } from './kinds.js';
import { DecodeFault, goTypeOf, stringMap } from './metadata.js';

type Fields = Readonly<Record<string, JsonValue>>;

/** The two kinds whose every field is known here: those that others keep their data in. */
type FieldType = 'map' | 'boolean' | 'string';

const fieldsOf: ReadonlyMap<string, ReadonlyMap<string, FieldType>> = new Map([
  ['configmaps', new Map<string, FieldType>(Object.entries({ data: 'map', binaryData: 'map', immutable: 'boolean' }))],
  ['secrets', new Map<string, FieldType>(Object.entries({ data: 'map', stringData: 'map', immutable: 'boolean', type: 'string' }))],
]);

/**
 * The fields of a built-in kind beside its metadata. Kinds without a table here are kept as sent.
 * @param raw the fields with their nulls: a null entry of a string map is an empty text (CR-16).
 * @throws DecodeFault
 */
export function decodeTypedFields(kind: KindInfo, fields: Fields, raw: Fields, unknownFields: string[]): Fields {
  if (kind.kind === 'Event') checkEventTimes(fields);
  const known = fieldsOf.get(kind.resource);
  if (known === undefined) return fields;
  const decoded: Record<string, JsonValue> = {};
  for (const name of Object.keys(fields)) {
    const type = known.get(name);
    if (type === undefined) {
      unknownFields.push(name);
      continue;
    }
    const value = fields[name] as JsonValue;
    if (type === 'map') {
      const map = stringMap(raw[name], `${kind.kind}.${name}`);
      if (map !== undefined) setMember(decoded, name, map);
    } else if (typeof value !== type) {
      const goType = type === 'boolean' ? 'bool' : 'string';
      throw new DecodeFault(`json: cannot unmarshal ${goTypeOf(value)} into Go struct field ${kind.kind}.${name} of type ${goType}`);
    } else if (value !== '') decoded[name] = value;
  }
  return kind.resource === 'secrets' ? withStringData(decoded) : decoded;
}

const eventTimes = ['firstTimestamp', 'lastTimestamp', 'deprecatedFirstTimestamp', 'deprecatedLastTimestamp'];

/** @throws DecodeFault */
function checkEventTimes(fields: Fields): void {
  for (const field of eventTimes) {
    const time = fields[field];
    if (typeof time !== 'string' || !Number.isNaN(Date.parse(time))) continue;
    const quoted = JSON.stringify(time);
    throw new DecodeFault(`parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`);
  }
}

/** TK-1: stringData goes into data, where it wins, and vanishes; the type is Opaque unless given. */
function withStringData({ stringData, ...secret }: Fields): Fields {
  const type = secret.type ?? 'Opaque';
  if (stringData === undefined) return { ...secret, type };
  const data: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries((secret.data ?? {}) as Fields)) setMember(data, key, value);
  for (const [key, value] of Object.entries(stringData as Readonly<Record<string, string>>)) {
    setMember(data, key, Buffer.from(value).toString('base64'));
  }
  return { ...secret, data, type };
}
