import { deepEqual, type JsonValue } from '../../etcd/object.js';
import { celEquals } from '../cel/equality.js';
import { parseDuration, parseTimestamp } from '../cel/time-library.js';
import { CelError, CelList, type CelMap, type CelObject, type CelValue, typeNameOf } from '../cel/values.js';
import { isObject } from '../json.js';
import { celName } from './cel-names.js';
import { declaresTypeAndName } from './cel-types.js';
import type { SchemaNode } from './compile.js';

/** A JSON value as rules see it. What is below is looked at only when a rule does. @throws CelError */
export function celValue(value: JsonValue, node: SchemaNode, isResource = node.embedded): CelValue {
  if (value === null) {
    if (node.nullable) return null;
    throw new CelError('invalid data, got null for schema with nullable=false');
  }
  if (node.schema['x-kubernetes-int-or-string']) {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
    throw new CelError(`invalid data, expected XIntOrString value to be either a string or integer`);
  }
  switch (node.schema.type) {
    case 'array':
      if (Array.isArray(value) && node.items !== undefined) return listValue(value, node, node.items);
      break;
    case 'object':
      if (!isObject(value)) break;
      if (node.values !== undefined && !isResource) return new JsonMap(value, node.values);
      return new JsonObject(value, node, isResource);
    case 'string':
      if (typeof value === 'string') return textValue(value, node);
      break;
    case 'integer':
      if (typeof value === 'number') return BigInt(Math.trunc(value));
      break;
    default:
      if (typeof value === 'number' || typeof value === 'boolean') return value;
  }
  throw new CelError(`invalid data, expected ${article(node.schema.type)} for the provided schema with type=${node.schema.type}`);
}

function article(type: string | undefined): string {
  return type === 'array' ? 'an array' : type === 'object' ? 'a map' : `a ${type}`;
}

function listValue(list: readonly JsonValue[], node: SchemaNode, items: SchemaNode): CelList {
  const values = list.map((item) => celValue(item, items));
  const { listType } = node;
  return listType === 'set' || listType === 'map' ? new CelList(values, { type: listType, keys: node.mapKeys }) : new CelList(values);
}

function textValue(text: string, node: SchemaNode): CelValue {
  switch (node.schema.format) {
    case 'duration': {
      const duration = parseDuration(text);
      if (duration === undefined) throw new CelError(`invalid duration ${text}: time: invalid duration "${text}"`);
      return duration;
    }
    case 'date': {
      const time = parseTimestamp(`${text}T00:00:00Z`);
      if (time === undefined) throw new CelError(`invalid date formatted string ${text}`);
      return time;
    }
    case 'date-time': {
      const time = parseTimestamp(text.toUpperCase().replace(/(T\d{2}:\d{2}:\d{2}(?:\.\d+)?)$/, '$1Z'));
      if (time === undefined) throw new CelError(`invalid date-time formatted string ${text}`);
      return time;
    }
    case 'byte':
      return new Uint8Array(Buffer.from(text, 'base64'));
    default:
      return text;
  }
}

class JsonMap implements CelMap {
  readonly kind = 'map';
  readonly #raw: Readonly<Record<string, JsonValue>>;
  readonly #values: SchemaNode;

  constructor(raw: Readonly<Record<string, JsonValue>>, values: SchemaNode) {
    this.#raw = raw;
    this.#values = values;
  }

  get size(): number {
    return Object.keys(this.#raw).length;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw new CelError(`unsupported key type: ${typeNameOf(key)}`);
    return Object.hasOwn(this.#raw, key) ? celValue(this.#raw[key] as JsonValue, this.#values) : undefined;
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.#raw);
  }
}

const textNode = { nullable: false, schema: { type: 'string' }, embedded: false } as unknown as SchemaNode;

class JsonObject implements CelObject {
  readonly kind = 'object';
  readonly typeName = 'object';
  readonly raw: Readonly<Record<string, JsonValue>>;
  readonly #node: SchemaNode;
  readonly #isResource: boolean;

  constructor(raw: Readonly<Record<string, JsonValue>>, node: SchemaNode, isResource: boolean) {
    this.raw = raw;
    this.#node = node;
    this.#isResource = isResource && !declaresTypeAndName(node);
  }

  get(field: string): CelValue | undefined {
    if (this.#isResource && (field === 'apiVersion' || field === 'kind')) return this.#text(field);
    if (this.#isResource && field === 'metadata') return isObject(this.raw.metadata) ? new Metadata(this.raw.metadata) : undefined;
    const property = this.#node.properties.has(field) ? field : propertyOf(this.#node, field);
    const value = property !== undefined && Object.hasOwn(this.raw, property) ? this.raw[property] : undefined;
    // A null is as good as nothing where the schema allows it.
    if (property === undefined || value === undefined || (value === null && this.#node.properties.get(property)?.nullable))
      return undefined;
    return celValue(value, this.#node.properties.get(property) as SchemaNode);
  }

  equals(other: CelObject): boolean {
    if (!(other instanceof JsonObject)) return false;
    if (deepEqual(this.raw, other.raw)) return true;
    if (Object.keys(this.raw).length !== Object.keys(other.raw).length) return false;
    // Lists of sets and maps may be in another order; what the schema does not know counts only where both have it.
    for (const name of Object.keys(this.raw)) {
      if (this.#node.properties.has(name) || !Object.hasOwn(other.raw, name)) continue;
      if (!deepEqual(this.raw[name], other.raw[name])) return false;
    }
    for (const name of this.#node.properties.keys()) {
      const [has, hasOther] = [Object.hasOwn(this.raw, name), Object.hasOwn(other.raw, name)];
      if (has !== hasOther) return false;
      if (has && !valuesEqual(this.raw[name] as JsonValue, other.raw[name] as JsonValue, this.#node.properties.get(name) as SchemaNode))
        return false;
    }
    return true;
  }

  #text(field: string): CelValue | undefined {
    return typeof this.raw[field] === 'string' ? celValue(this.raw[field] as JsonValue, textNode) : undefined;
  }
}

/** Of the metadata rules see the two names. */
class Metadata implements CelObject {
  readonly kind = 'object';
  readonly typeName = 'object';
  readonly #raw: Readonly<Record<string, JsonValue>>;

  constructor(raw: Readonly<Record<string, JsonValue>>) {
    this.#raw = raw;
  }

  get(field: string): CelValue | undefined {
    const value = field === 'name' || field === 'generateName' ? this.#raw[field] : undefined;
    return typeof value === 'string' ? value : undefined;
  }

  equals(other: CelObject): boolean {
    return ['name', 'generateName'].every((field) => this.get(field) === other.get(field));
  }
}

function propertyOf(node: SchemaNode, field: string): string | undefined {
  for (const name of node.properties.keys()) if (celName(name) === field) return name;
  return undefined;
}

function valuesEqual(a: JsonValue, b: JsonValue, node: SchemaNode): boolean {
  return a === b || celEquals(celValue(a, node), celValue(b, node));
}
