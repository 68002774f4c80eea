import { type OpenApiSchema, referredName } from '../openapi/schema.js';
import {
  type Atom,
  deducedAtom,
  deducedName,
  type ListType,
  type MapType,
  type Relationship,
  type Scalar,
  Schema,
  type StructField,
  type TypeRef,
  untypedAtom,
  untypedName,
} from './schema.js';

/** The types of OpenAPI definitions. @param find the definition of a name, asked once for each. */
export function schemaOf(find: (name: string) => OpenApiSchema | undefined): Schema {
  return new Schema((name) => {
    switch (name) {
      case untypedName:
      case 'io.k8s.apimachinery.pkg.runtime.RawExtension':
        return untypedAtom;
      case deducedName:
        return deducedAtom;
      case 'io.k8s.apimachinery.pkg.api.resource.Quantity':
        return { scalar: 'untyped' };
    }
    const definition = find(name);
    return definition === undefined ? undefined : atomOf(definition, false);
  });
}

/** @param preserve whether something above keeps what is not declared. */
function atomOf(schema: OpenApiSchema, preserve: boolean): Atom {
  const preserves = preserve || schema['x-kubernetes-preserve-unknown-fields'] === true;
  switch (schema.type) {
    case undefined:
    case '':
      return { scalar: 'untyped', list: listOf(schema, preserves), map: mapOf(schema, preserves) };
    case 'object':
      return { map: mapOf(schema, preserves) };
    case 'array':
      return { list: listOf(schema, preserves) };
    default:
      return { scalar: scalarOf(schema.type, schema.format ?? '') };
  }
}

function scalarOf(type: string, format: string): Scalar {
  switch (type) {
    case 'integer':
    case 'number':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    case 'string':
      return format === '' || format === 'byte' ? 'string' : 'untyped';
    default:
      return 'untyped';
  }
}

function typeOf(schema: OpenApiSchema, preserve: boolean): TypeRef {
  const name = referredName(schema);
  if (name === undefined) return { inlined: atomOf(schema, preserve) };
  const relationship = mapRelationship(schema);
  return relationship === undefined ? { name } : { name, relationship };
}

function mapOf(schema: OpenApiSchema, preserve: boolean): MapType {
  const fields = new Map<string, StructField>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    fields.set(name, { type: typeOf(property, preserve), ...(property.default !== undefined && { default: property.default }) });
  }
  const elementType = elementTypeOf(schema, preserve, fields.size);
  return { fields, relationship: mapRelationship(schema) ?? 'separable', ...(elementType !== undefined && { elementType }) };
}

function elementTypeOf(schema: OpenApiSchema, preserve: boolean, fieldCount: number): TypeRef | undefined {
  const additional = schema.additionalProperties;
  if (additional === undefined) return preserve || fieldCount === 0 ? { name: deducedName } : undefined;
  if (typeof additional !== 'boolean') return typeOf(additional, preserve);
  return additional ? { name: deducedName } : undefined;
}

function listOf(schema: OpenApiSchema, preserve: boolean): ListType {
  const elementType = schema.items === undefined ? { name: untypedName } : typeOf(schema.items, preserve);
  return { elementType, ...listRelationship(schema) };
}

/** PA-22; where no list type is said the patch strategy tells. */
function listRelationship(schema: OpenApiSchema): { readonly relationship: Relationship; readonly keys: readonly string[] } {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return { relationship: 'associative', keys: [] };
    case 'map':
      return { relationship: 'associative', keys: schema['x-kubernetes-list-map-keys'] ?? [] };
    case undefined:
      break;
    default:
      return { relationship: 'atomic', keys: [] };
  }
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return { relationship: 'atomic', keys: [] };
  const key = schema['x-kubernetes-patch-merge-key'];
  return { relationship: 'associative', keys: key === undefined ? [] : [key] };
}

function mapRelationship(schema: OpenApiSchema): Relationship | undefined {
  switch (schema['x-kubernetes-map-type']) {
    case 'atomic':
      return 'atomic';
    case 'granular':
      return 'separable';
    default:
      return undefined;
  }
}
