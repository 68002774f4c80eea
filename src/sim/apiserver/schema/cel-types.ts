import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  type Type,
  timestampType,
} from '../cel/value-types.js';
import { celName } from './cel-names.js';
import type { SchemaNode } from './compile.js';

/** What rules see of a value: its type, and how large it can be, by which their cost is reckoned. */
export interface Declared {
  readonly type: Type;
  /** Of a list, a map or a text, the most that a request could bring. */
  readonly maxElements: number;
  /** The least number of bytes that such a value takes as JSON. */
  readonly minSize: number;
  /** Of an object, by the names that rules use. */
  readonly fields?: ReadonlyMap<string, Declared>;
  readonly elements?: Declared;
  readonly keys?: Declared;
}

const maxRequestBytes = 3 * 1024 * 1024;

const scalar = (type: Type, minSize: number, maxElements = 1): Declared => ({ type, minSize, maxElements });
const anyText = scalar(stringType, 2, maxRequestBytes - 2);

let named = 0;

/**
 * @param isResource apiVersion, kind and the two names of the metadata are there without being declared (CD-36).
 * @returns undefined for what rules cannot see.
 */
export function declaredType(node: SchemaNode, isResource: boolean): Declared | undefined {
  const { schema } = node;
  if (schema['x-kubernetes-int-or-string']) {
    return scalar(dynType, 1, schema.maxLength === undefined ? maxRequestBytes - 2 : atLeastZero(schema.maxLength) * 4);
  }
  switch (schema.type) {
    case 'array':
      return listType(node);
    case 'object':
      return objectOrMap(node, isResource);
    case 'string':
      return textType(node);
    case 'boolean':
      return scalar(boolType, 4, 0);
    case 'number':
      return scalar(doubleType, 1, 0);
    case 'integer':
      return scalar(intType, 1, 0);
    default:
      return undefined;
  }
}

function listType(node: SchemaNode): Declared | undefined {
  const elements = node.items && declaredType(node.items, node.items.embedded);
  if (elements === undefined) return undefined;
  const { maxItems } = node.schema;
  const most = maxItems === undefined ? Math.floor((maxRequestBytes - 2) / (elements.minSize + 1)) : atLeastZero(maxItems);
  return { type: listOf(elements.type), maxElements: most, minSize: 2, elements };
}

function objectOrMap(node: SchemaNode, isResource: boolean): Declared | undefined {
  if (node.values !== undefined && !isResource) {
    const elements = declaredType(node.values, node.values.embedded);
    if (elements === undefined) return undefined;
    const { maxProperties } = node.schema;
    const most = maxProperties === undefined ? Math.floor((maxRequestBytes - 2) / (elements.minSize + 6)) : atLeastZero(maxProperties);
    return { type: mapOf(stringType, elements.type), maxElements: most, minSize: 2, elements, keys: anyText };
  }
  const fields = new Map<string, Declared>();
  let minSize = 2;
  for (const [name, property] of node.properties) {
    const field = declaredType(property, property.embedded);
    if (field === undefined) continue;
    const known = celName(name);
    if (known !== undefined) fields.set(known, field);
    if (node.required.includes(name) && property.defaultValue === undefined) minSize += Buffer.byteLength(name) + field.minSize + 4;
  }
  if (isResource && !declaresTypeAndName(node)) for (const [name, field] of resourceFields()) fields.set(name, field);
  return { type: objectType(fields), maxElements: 0, minSize, fields };
}

function objectType(fields: ReadonlyMap<string, Declared>): Type {
  named += 1;
  return { kind: 'object', name: `object${named}`, fields: new Map([...fields].map(([name, field]) => [name, field.type])) };
}

/** Whether a schema says itself what a resource has; then rules see what it says. */
export function declaresTypeAndName({ properties }: SchemaNode): boolean {
  const isText = (node: SchemaNode | undefined) => node?.schema.type === 'string';
  const metadata = properties.get('metadata');
  const names = [metadata?.properties.get('name'), metadata?.properties.get('generateName')];
  return [properties.get('kind'), properties.get('apiVersion'), ...names].every(isText);
}

function resourceFields(): ReadonlyMap<string, Declared> {
  const names = new Map([
    ['name', anyText],
    ['generateName', anyText],
  ]);
  const metadata = { type: objectType(names), maxElements: 0, minSize: 2, fields: names };
  return new Map<string, Declared>([
    ['kind', anyText],
    ['apiVersion', anyText],
    ['metadata', metadata],
  ]);
}

function textType({ schema }: SchemaNode): Declared {
  const { format, maxLength } = schema;
  switch (format) {
    case 'byte':
      return scalar(bytesType, 2, maxLength === undefined ? maxRequestBytes - 2 : atLeastZero(maxLength));
    case 'duration':
      return scalar(durationType, 3, 32);
    case 'date':
      return scalar(timestampType, 12, 12);
    case 'date-time':
      return scalar(timestampType, 21, 32);
  }
  if (maxLength !== undefined) return scalar(stringType, 2, atLeastZero(maxLength) * 4);
  if (schema.enum !== undefined && schema.enum.length > 0) {
    return scalar(stringType, 2, Math.max(0, ...schema.enum.map((each) => (typeof each === 'string' ? Buffer.byteLength(each) : 0))));
  }
  return anyText;
}

function atLeastZero(value: number): number {
  return Math.max(0, value);
}
