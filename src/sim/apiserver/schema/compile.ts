import type { JsonValue } from '../../etcd/object.js';
import { supportedFormat } from './formats.js';
import { type GoRegExp, goRegExp } from './go-regexp.js';
import { itemsOf, type JsonSchema, someSchema, valuesOf } from './json-schema.js';

/**
 * A schema made ready: what pruning, defaulting and validation ask of it at every object is worked out once. A node belongs to
 * one frozen schema and is found again by it.
 */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** The types that a value may have; empty: any. */
  readonly types: readonly string[];
  /** As error texts name them: `integer,string`. */
  readonly typeText: string;
  readonly nullable: boolean;
  /** Empty when the schema names one that the server does not know. */
  readonly format: string;
  readonly pattern: GoRegExp | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly items: SchemaNode | undefined;
  /** The schema of a map's values. */
  readonly values: SchemaNode | undefined;
  /** `additionalProperties` is there, be it a schema or a boolean. */
  readonly isMap: boolean;
  readonly preservesUnknown: boolean;
  readonly embedded: boolean;
  readonly listType: string | undefined;
  readonly mapKeys: readonly string[];
  /** Undefined and null alike are no default. */
  readonly defaultValue: JsonValue | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  /** Whether there is such a thing here or below: what is nowhere need not be looked for in objects. */
  readonly contains: { readonly defaults: boolean; readonly embedded: boolean; readonly listTypes: boolean; readonly rules: boolean };
}

const nodes = new WeakMap<JsonSchema, SchemaNode>();

/** @param schema frozen: the node is remembered with it. */
export function compileSchema(schema: JsonSchema): SchemaNode {
  let node = nodes.get(schema);
  if (node === undefined) {
    node = compile(schema);
    nodes.set(schema, node);
  }
  return node;
}

function compile(schema: JsonSchema): SchemaNode {
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const types = intOrString ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  return {
    schema,
    types,
    typeText: types.join(','),
    nullable: schema.nullable === true,
    format: supportedFormat(schema.format ?? '', types.length === 1 ? (types[0] as string) : ''),
    pattern: schema.pattern ? goRegExp(schema.pattern) : undefined,
    required: schema.required ?? [],
    properties: new Map(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, compileSchema(property)])),
    items: items && compileSchema(items),
    values: values && compileSchema(values),
    isMap: schema.additionalProperties !== undefined,
    preservesUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: schema['x-kubernetes-embedded-resource'] === true,
    listType: schema['x-kubernetes-list-type'],
    mapKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    defaultValue: schema.default ?? undefined,
    allOf: (schema.allOf ?? []).map(compileSchema),
    anyOf: (schema.anyOf ?? []).map(compileSchema),
    oneOf: (schema.oneOf ?? []).map(compileSchema),
    not: schema.not && compileSchema(schema.not),
    contains: {
      defaults: someSchema(schema, (each) => each.default !== undefined),
      embedded: someSchema(schema, (each) => each['x-kubernetes-embedded-resource'] === true),
      listTypes: someSchema(schema, (each) => ['set', 'map'].includes(each['x-kubernetes-list-type'] ?? '')),
      rules: someSchema(schema, (each) => (each['x-kubernetes-validations']?.length ?? 0) > 0),
    },
  };
}
