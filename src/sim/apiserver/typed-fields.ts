import type { JsonValue } from '../etcd/object.js';
import { goJson } from './field-errors.js';
import { isObject, setMember, withoutNulls } from './json.js';
import { writtenLists } from './kind-facts.js';
import type { KindInfo } from './kinds.js';
import { DecodeFault, goTypeOf, rfc3339, time } from './metadata.js';
import { builtInDefinition, definitionName } from './openapi/built-in.js';
import { type OpenApiSchema, referredName } from './openapi/schema.js';
import { parseQuantity, QuantityError, quantityText } from './quantity.js';
import { isOmitted, writtenFields } from './written-fields.js';

const schemaDefinition = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * The fields of a built-in kind beside its metadata, as Go decodes them: unknown ones are dropped, nulls and empty lists are
 * absent, and what does not fit its type is refused (CR-16, TK-3).
 * @param unknownFields receives the paths of fields that the type does not have.
 * @throws DecodeFault
 */
export function decodeTypedFields(kind: KindInfo, fields: Fields, unknownFields: string[]): Fields {
  const name = definitionName(kind.group, kind.version, kind.kind);
  if (name === undefined) return withoutNulls(fields);
  const decoded = new Decoder(unknownFields).struct(fields, name, writtenLists(kind));
  return kind.resource === 'secrets' ? withStringData(decoded) : decoded;
}

/** Goes down into a value and its schema together; it knows where it is, in the words of both kinds of complaint. */
class Decoder {
  readonly #unknown: string[];
  readonly #path: (string | number)[] = [];

  constructor(unknownFields: string[]) {
    this.#unknown = unknownFields;
  }

  /** @param written fields that are kept even when they are empty. */
  struct(value: Fields, name: string, written: readonly string[] = []): Fields {
    const schema = builtInDefinition(name) as OpenApiSchema;
    const { properties = {}, required } = schema;
    const decoded: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) {
      this.#path.push(key);
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const member = value[key] as JsonValue;
      if (property === undefined) this.#unknown.push(this.#shownPath());
      else if (member !== null) {
        const kept = this.#value(member, property, name);
        const isNothing = isEmpty(kept, property) ? !required?.includes(key) && !written.includes(key) : isOmitted(name, key, kept);
        if (!isNothing) setMember(decoded, key, kept);
      }
      this.#path.pop();
    }
    return this.#withWritten(decoded, name);
  }

  /** TK-3: structs that are no pointers are there, and so are fields that Go does not leave out. */
  #withWritten(decoded: Record<string, JsonValue>, name: string): Fields {
    for (const [key, zero] of writtenFields(name)) {
      if (decoded[key] === undefined) decoded[key] = typeof zero === 'string' && zero !== '' ? this.struct({}, zero) : zero;
    }
    return decoded;
  }

  /** @param owner the definition of the struct that the value belongs to. */
  #value(value: JsonValue, schema: OpenApiSchema, owner: string): JsonValue {
    const name = referredName(schema);
    if (name !== undefined) return this.#referred(value, name, owner);
    switch (schema.type) {
      case 'string':
        if (typeof value !== 'string') throw this.#mismatch(value, schema, owner);
        if (schema.format === 'byte') checkBase64(value);
        return value;
      case 'boolean':
        if (typeof value !== 'boolean') throw this.#mismatch(value, schema, owner);
        return value;
      case 'integer':
        if (typeof value !== 'number' || !fitsInteger(value, schema.format)) throw this.#mismatch(value, schema, owner);
        return value;
      case 'number':
        if (typeof value !== 'number') throw this.#mismatch(value, schema, owner);
        return value;
      case 'array':
        if (!Array.isArray(value)) throw this.#mismatch(value, schema, owner);
        return value.map((element: JsonValue, index) => {
          this.#path.push(index);
          const decoded = element === null ? zeroOf(schema.items) : this.#value(element, schema.items as OpenApiSchema, owner);
          this.#path.pop();
          return decoded;
        });
      case 'object':
        return this.#map(value, schema, owner);
      default:
        return value;
    }
  }

  #referred(value: JsonValue, name: string, owner: string): JsonValue {
    switch (shortName(name)) {
      case 'Quantity':
        return quantity(value);
      case 'Time':
        return time(value);
      case 'MicroTime':
        return microTime(value);
      case 'JSONSchemaPropsOrArray':
      case 'JSONSchemaPropsOrBool':
      case 'JSONSchemaPropsOrStringArray':
        return schemaOr(shortName(name), value);
    }
    const definition = builtInDefinition(name);
    if (definition === undefined) return value;
    if (definition.format === 'int-or-string') {
      if (typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))) return value;
      throw this.#mismatch(value, { $ref: name }, owner);
    }
    if (definition.properties === undefined) return definition.type === 'string' ? this.#value(value, definition, owner) : value;
    if (!isObject(value)) throw this.#mismatch(value, { $ref: name }, owner);
    return this.struct(value, name);
  }

  #map(value: JsonValue, schema: OpenApiSchema, owner: string): JsonValue {
    if (!isObject(value)) throw this.#mismatch(value, schema, owner);
    const { additionalProperties } = schema;
    if (typeof additionalProperties !== 'object') return value;
    const decoded: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) {
      const entry = value[key] as JsonValue;
      this.#path.push(key);
      setMember(decoded, key, entry === null ? zeroOf(additionalProperties) : this.#mapEntry(entry, additionalProperties, owner));
      this.#path.pop();
    }
    return decoded;
  }

  /** Go names a map's field, not the entry, when an entry does not fit. */
  #mapEntry(entry: JsonValue, schema: OpenApiSchema, owner: string): JsonValue {
    if (referredName(schema) !== undefined || schema.type === 'object' || schema.type === 'array') return this.#value(entry, schema, owner);
    const key = this.#path.pop() as string;
    const decoded = this.#value(entry, schema, owner);
    this.#path.push(key);
    return decoded;
  }

  #mismatch(value: JsonValue, schema: OpenApiSchema, owner: string): DecodeFault {
    const exact =
      typeof value === 'number' && (schema.type === 'integer' || schema.type === 'number') ? `number ${value}` : goTypeOf(value);
    const path = this.#path.filter((part) => typeof part === 'string').join('.');
    return new DecodeFault(
      `json: cannot unmarshal ${exact} into Go struct field ${shortName(owner)}.${path} of type ${goTypeOfSchema(schema)}`,
    );
  }

  /** `spec.containers[0].image` */
  #shownPath(): string {
    return this.#path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
  }
}

/**
 * Where a schema has a schema or something else, Go decodes it apart from what is around it: unknown fields are not told, and
 * complaints name the inner type. What is neither of the two is nothing.
 */
function schemaOr(or: string, value: JsonValue): JsonValue {
  const schema = (each: JsonValue): JsonValue => {
    if (each === null) return {};
    if (isObject(each)) return new Decoder([]).struct(each, schemaDefinition);
    throw new DecodeFault(`json: cannot unmarshal ${goTypeOf(each)} into Go value of type v1.JSONSchemaProps`);
  };
  if (isObject(value)) return schema(value);
  if (or === 'JSONSchemaPropsOrBool') {
    if (typeof value === 'boolean') return value;
    throw new DecodeFault('boolean or JSON schema expected');
  }
  if (!Array.isArray(value)) return [];
  if (or === 'JSONSchemaPropsOrArray') return value.map(schema);
  return value.map((each: JsonValue) => {
    if (typeof each === 'string' || each === null) return each ?? '';
    throw new DecodeFault(`json: cannot unmarshal ${goTypeOf(each)} into Go value of type string`);
  });
}

function isEmpty(value: JsonValue, schema: OpenApiSchema): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return schema.type === 'object' && schema.additionalProperties !== undefined && isObject(value) && Object.keys(value).length === 0;
}

/** What Go has in a place where a list or a map says null. */
function zeroOf(schema: OpenApiSchema | undefined): JsonValue {
  switch (schema?.type) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return isStruct(schema) ? {} : null;
  }
}

function isStruct(schema: OpenApiSchema | undefined): boolean {
  const name = schema === undefined ? undefined : referredName(schema);
  return name !== undefined && builtInDefinition(name)?.properties !== undefined;
}

/** LE-2: exactly six decimals, in any zone; written in UTC. */
function microTime(value: JsonValue): string {
  const layout = '2006-01-02T15:04:05.000000Z07:00';
  const [whole, decimals, zone] = typeof value === 'string' ? (/^(.{19})\.(\d{6})(Z|[+-]\d{2}:\d{2})$/.exec(value)?.slice(1) ?? []) : [];
  const ms = Date.parse(`${whole}${zone}`);
  if (!Number.isNaN(ms)) return `${rfc3339(ms).slice(0, -1)}.${decimals}Z`;
  const text = goJson(value);
  throw new DecodeFault(`parsing time ${text} as "${layout}": cannot parse ${text} as "2006"`);
}

function fitsInteger(value: number, format: string | undefined): boolean {
  return Number.isInteger(value) && (format !== 'int32' || Math.abs(value) <= 2_147_483_648);
}

/** TK-3: an amount is written in one way only. */
function quantity(value: JsonValue): JsonValue {
  try {
    return quantityText(parseQuantity(typeof value === 'number' || typeof value === 'string' ? String(value) : ''));
  } catch (error) {
    throw error instanceof QuantityError ? new DecodeFault(error.message) : error;
  }
}

function checkBase64(text: string): void {
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return;
  const bad = text.search(/[^A-Za-z0-9+/]/);
  throw new DecodeFault(`illegal base64 data at input byte ${bad < 0 ? text.length - (text.length % 4) : bad}`);
}

/** `Container` of `io.k8s.api.core.v1.Container`. */
function shortName(definition: string): string {
  return definition.slice(definition.lastIndexOf('.') + 1);
}

function goTypeOfSchema(schema: OpenApiSchema): string {
  const name = schema.$ref === undefined ? referredName(schema) : schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (name !== undefined) return name.split('.').slice(-2).join('.');
  switch (schema.type) {
    case 'integer':
      return schema.format ?? 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'array':
      return `[]${goTypeOfSchema(schema.items ?? {})}`;
    case 'object':
      return `map[string]${typeof schema.additionalProperties === 'object' ? goTypeOfSchema(schema.additionalProperties) : 'interface {}'}`;
    default:
      return schema.format === 'byte' ? '[]uint8' : 'string';
  }
}

/** TK-1: stringData goes into data, where it wins, and vanishes; the type is Opaque unless given. */
function withStringData({ stringData, ...secret }: Fields): Fields {
  const type = secret.type || 'Opaque';
  if (stringData === undefined) return { ...secret, type };
  const data: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries((secret.data ?? {}) as Fields)) setMember(data, key, value);
  for (const [key, value] of Object.entries(stringData as Readonly<Record<string, string>>)) {
    setMember(data, key, Buffer.from(value).toString('base64'));
  }
  return { ...secret, data, type };
}
