import type { JsonValue } from '../../etcd/object.js';

/** `openAPIV3Schema` as a CustomResourceDefinition holds it: Kubernetes' JSONSchemaProps. */
export interface JsonSchema {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  readonly nullable?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalItems?: JsonSchema | boolean;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, JsonSchema | readonly string[]>>;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The schema of all items; the form with one schema for each item is not supported by the server. */
export function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  return Array.isArray(schema.items) ? undefined : (schema.items as JsonSchema | undefined);
}

/** The schema of the values of a map. */
export function valuesOf(schema: JsonSchema): JsonSchema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** Whether some schema, this one or one below it, is as wanted. */
export function someSchema(schema: JsonSchema | undefined, wanted: (schema: JsonSchema) => boolean): boolean {
  if (schema === undefined) return false;
  if (wanted(schema)) return true;
  return childSchemas(schema).some((child) => someSchema(child, wanted));
}

function childSchemas(schema: JsonSchema): readonly JsonSchema[] {
  const { items, allOf = [], anyOf = [], oneOf = [], not, properties = {}, additionalItems, dependencies = {} } = schema;
  const several = (value: unknown): readonly JsonSchema[] =>
    Array.isArray(value) ? value : typeof value === 'object' && value !== null ? [value as JsonSchema] : [];
  return [
    ...several(items),
    ...allOf,
    ...anyOf,
    ...oneOf,
    ...several(not),
    ...Object.values(properties),
    ...several(schema.additionalProperties),
    ...Object.values(schema.patternProperties ?? {}),
    ...several(additionalItems),
    ...Object.values(schema.definitions ?? {}),
    ...Object.values(dependencies).flatMap((dependency) => (Array.isArray(dependency) ? [] : several(dependency))),
  ];
}
