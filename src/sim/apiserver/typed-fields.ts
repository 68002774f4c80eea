import type { JsonValue } from '../etcd/object.js';
import { DecodeFault, goTypeOf, isGoInteger, TypeMismatch } from './decode-fault.js';
import { goFieldType } from './go-field-types.js';
import { isObject, setMember, withoutNulls } from './json.js';
import { writtenLists } from './kind-facts.js';
import type { KindInfo } from './kinds.js';
import { time } from './metadata.js';
import { builtInDefinition, definitionName } from './openapi/built-in.js';
import { type OpenApiSchema, referredName } from './openapi/schema.js';
import { withStringData } from './string-data.js';
import { checkBase64, microTime, quantity } from './typed-scalars.js';
import { isOmitted, writtenFields } from './written-fields.js';

const schemaDefinition = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

/** Only schemas in a CustomResourceDefinition go deep at all. */
const deepestStruct = 500;

type Fields = Readonly<Record<string, JsonValue>>;

/** What an object is decoded from. */
export interface DecodeSource {
  /** Data that Go has decoded before: numbers are made to fit their fields (PA-10). */
  readonly converted?: true;
  /** Numbers in the text that are written otherwise than JavaScript writes them, by path. */
  readonly numbers?: ReadonlyMap<string, string>;
}

/**
 * The fields of a built-in kind beside its metadata, as Go decodes them: unknown ones are dropped, nulls and empty lists are
 * absent, and what does not fit its type is refused (CR-16, TK-3).
 * @param unknownFields receives the paths of fields that the type does not have.
 * @throws DecodeFault
 */
export function decodeTypedFields(kind: KindInfo, fields: Fields, unknownFields: string[], source: DecodeSource = {}): Fields {
  const name = definitionName(kind.group, kind.version, kind.kind);
  if (name === undefined) return withoutNulls(fields);
  const decoded = new Decoder(unknownFields, source).root(fields, name, writtenLists(kind));
  return kind.resource === 'secrets' ? withStringData(decoded) : decoded;
}

/** Goes down into a value and its schema together; it knows where it is, in the words of both kinds of complaint. */
class Decoder {
  readonly #unknown: string[];
  readonly #source: DecodeSource;
  readonly #path: (string | number)[] = [];
  #mismatched: TypeMismatch | undefined;

  constructor(unknownFields: string[], source: DecodeSource) {
    this.#unknown = unknownFields;
    this.#source = source;
  }

  /** @throws DecodeFault the first one, but after all that do not stem from types. */
  root(value: Fields, name: string, written: readonly string[] = []): Fields {
    const decoded = this.struct(value, name, written);
    if (this.#mismatched !== undefined) throw this.#mismatched;
    return decoded;
  }

  /** @param written fields that are kept even when they are empty. */
  struct(value: Fields, name: string, written: readonly string[] = []): Fields {
    if (this.#path.length > deepestStruct) throw new DecodeFault('exceeded max depth');
    const schema = builtInDefinition(name) as OpenApiSchema;
    const { properties = {}, required } = schema;
    const decoded: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) {
      this.#path.push(key);
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const member = value[key] as JsonValue;
      if (property === undefined) this.#unknown.push(this.#shownPath());
      else if (member !== null) {
        const kept = this.#kept(member, property, name);
        if (kept === undefined) continue;
        const isNothing = isEmpty(kept, property)
          ? !required?.includes(key) && !written.includes(key) && !isAWord(name, key)
          : isOmitted(name, key, kept);
        if (!isNothing) setMember(decoded, key, kept);
      }
      this.#path.pop();
    }
    return this.#withWritten(decoded, name);
  }

  /** A text of JSON is read to its end whatever the types of what is in it. */
  #kept(member: JsonValue, property: OpenApiSchema, owner: string): JsonValue | undefined {
    const depth = this.#path.length;
    try {
      return this.#value(member, property, owner);
    } catch (error) {
      if (!(error instanceof TypeMismatch) || this.#source.converted) throw error;
      this.#mismatched ??= error;
      this.#path.length = depth - 1;
      return undefined;
    }
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
        if (schema.format === 'byte' && Array.isArray(value)) return this.#bytes(value, owner);
        if (typeof value !== 'string') throw this.#mismatch(value, schema, owner);
        if (schema.format === 'byte') checkBase64(value);
        return value;
      case 'boolean':
        if (typeof value !== 'boolean') throw this.#mismatch(value, schema, owner);
        return value;
      case 'integer':
        return this.#integer(value, schema, owner);
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

  /** Go reads bytes one by one too. */
  #bytes(list: readonly JsonValue[], owner: string): JsonValue {
    const bytes = list.map((element) => {
      if (element === null || (typeof element === 'number' && Number.isInteger(element) && element >= 0 && element < 256))
        return element ?? 0;
      const field = this.#fieldName(owner);
      throw new TypeMismatch(element, { type: 'uint8', kind: 'int32', ...(field !== undefined && { field }) });
    });
    return Buffer.from(bytes).toString('base64');
  }

  #integer(value: JsonValue, schema: OpenApiSchema, owner: string): JsonValue {
    const literal = this.#literal();
    if (typeof value !== 'number' || !Number.isInteger(value)) throw this.#mismatch(value, schema, owner);
    const bits = schema.format === 'int32' ? 32 : 64;
    if (this.#source.converted) return bits === 32 ? value | 0 : value;
    const fits = bits === 32 ? value >= -(2 ** 31) && value < 2 ** 31 : isGoInteger(value);
    if (!fits || (literal !== undefined && !/^-?\d+$/.test(literal))) throw this.#mismatch(value, schema, owner);
    return value;
  }

  /** How the number at this place is written, where that says more than its value. */
  #literal(): string | undefined {
    return this.#source.numbers?.get(this.#shownPath());
  }

  #referred(value: JsonValue, name: string, owner: string): JsonValue {
    switch (shortName(name)) {
      case 'Quantity':
        return quantity(typeof value === 'number' ? (this.#literal() ?? value) : value);
      case 'Time':
        return time(value, this.#fieldName(owner));
      case 'MicroTime':
        return microTime(value, this.#fieldName(owner));
      case 'JSONSchemaPropsOrArray':
      case 'JSONSchemaPropsOrBool':
      case 'JSONSchemaPropsOrStringArray':
        return schemaOr(shortName(name), value);
    }
    const definition = builtInDefinition(name);
    if (definition === undefined) return value;
    if (definition.format === 'int-or-string') {
      return typeof value === 'string' ? value : this.#intOrString(value, owner);
    }
    if (definition.properties === undefined) return definition.type === 'string' ? this.#value(value, definition, owner) : value;
    if (!isObject(value)) throw this.#mismatch(value, { $ref: name }, owner);
    return this.struct(value, name);
  }

  /** It decodes itself: also of data that was decoded before it makes a text first. */
  #intOrString(value: JsonValue, owner: string): JsonValue {
    const literal = this.#literal();
    const isInteger = typeof value === 'number' && (value | 0) === value && (literal === undefined || /^-?\d+$/.test(literal));
    if (isInteger) return value;
    const field = this.#fieldName(owner);
    const fault = new TypeMismatch(value, { type: 'int32', kind: 'int32', ...(field !== undefined && { field }) }, literal);
    throw new DecodeFault(fault.message);
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
    if (typeof entry === schema.type || (schema.format === 'byte' && Array.isArray(entry))) return this.#value(entry, schema, owner);
    this.#path.pop();
    throw this.#mismatch(entry, schema, owner, 1);
  }

  #mismatch(value: JsonValue, schema: OpenApiSchema, owner: string, inMap = 0): TypeMismatch {
    const last = this.#path.findLastIndex((part) => typeof part === 'string');
    const place = goFieldType(owner, this.#path[last] as string, this.#path.length - 1 - last + inMap, schema);
    const field = `${shortName(owner)}.${this.#path.filter((part) => typeof part === 'string').join('.')}`;
    return new TypeMismatch(value, { ...place, field }, this.#literal());
  }

  /** Go's name of the place for types that decode themselves; not known when data is converted. */
  #fieldName(owner: string): string | undefined {
    if (this.#source.converted) return undefined;
    return `${shortName(owner)}.${this.#path.filter((part) => typeof part === 'string').join('.')}`;
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
    if (isObject(each)) return new Decoder([], {}).root(each, schemaDefinition);
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

/** The defaults are for rules without a list of policies; who sends an empty one has said something. */
function isAWord(definition: string, field: string): boolean {
  return field === 'policies' && definition === 'io.k8s.api.autoscaling.v2.HPAScalingRules';
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
  }
  const name = schema === undefined ? undefined : referredName(schema);
  if (name === undefined) return null;
  if (shortName(name) === 'Quantity') return '0';
  return builtInDefinition(name)?.properties === undefined ? null : {};
}

/** `Container` of `io.k8s.api.core.v1.Container`. */
function shortName(definition: string): string {
  return definition.slice(definition.lastIndexOf('.') + 1);
}
