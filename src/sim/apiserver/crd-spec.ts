import type { JsonValue, KubeObject } from '../etcd/object.js';
import { deepEqual } from '../etcd/object.js';
import type { CrdNames } from './crd.js';
import type { CustomVersion } from './kinds.js';
import type { JsonSchema } from './schema/json-schema.js';

export interface PrinterColumn {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
}

/** A version as its author wrote it: anything may be missing or wrong. */
export interface SentVersion extends Partial<Omit<CustomVersion, 'additionalPrinterColumns' | 'selectableFields' | 'subresources'>> {
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly subresources?: { readonly status?: object; readonly scale?: Readonly<Record<string, string | undefined>> };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: { readonly name?: string; readonly namespace?: string; readonly path?: string; readonly port?: number };
  readonly caBundle?: string;
}

export interface Conversion {
  readonly strategy?: string;
  readonly webhook?: { readonly clientConfig?: WebhookClientConfig; readonly conversionReviewVersions?: readonly string[] };
}

/**
 * A definition's spec in the server's internal form, in which its checks are made and its faults are named (CD-25): what is
 * the same in all versions stands at the top, and is taken away from them.
 */
export interface InternalSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: Partial<CrdNames>;
  readonly preserveUnknownFields: boolean;
  readonly conversion: Conversion | undefined;
  /** The name of the first version. */
  readonly version: string;
  /** Undefined: there is no such field; as in Go, that is not the same as an empty list. */
  readonly versions: readonly SentVersion[] | undefined;
  /** What all versions have in common. */
  readonly shared: Pick<SentVersion, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;
}

const sharable = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

export function internalSpec(crd: KubeObject): InternalSpec {
  const { group = '', scope = '', names = {}, preserveUnknownFields = false, conversion, versions } = crd.spec ?? {};
  const sent = versions as readonly SentVersion[] | undefined;
  const first = sent?.[0];
  const equal = sharable.filter((field) => sent?.every((version) => deepEqual(version[field], first?.[field])));
  const shared = Object.fromEntries(equal.flatMap((field) => (first?.[field] === undefined ? [] : [[field, first[field]]])));
  const own = sent?.map((version) => Object.fromEntries(Object.entries(version).filter(([field]) => !equal.includes(field as never))));
  return { group, scope, names, preserveUnknownFields, conversion, version: first?.name ?? '', versions: own as never, shared };
}

/** The schema that a version has, be it its own or everybody's. */
export function schemaOfVersion(spec: InternalSpec, version: SentVersion): JsonSchema | undefined {
  return (version.schema ?? spec.shared.schema)?.openAPIV3Schema;
}

/** A version as Go's encoder prints the internal type. */
export function printedVersion(version: SentVersion): JsonValue {
  return {
    Name: version.name ?? '',
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema === undefined ? null : { OpenAPIV3Schema: printedSchema(version.schema.openAPIV3Schema) },
    Subresources: version.subresources === undefined ? null : printedSubresources(version.subresources),
    AdditionalPrinterColumns:
      version.additionalPrinterColumns?.map((column) => ({
        Name: column.name ?? '',
        Type: column.type ?? '',
        Format: column.format ?? '',
        Description: column.description ?? '',
        Priority: column.priority ?? 0,
        JSONPath: column.jsonPath ?? '',
      })) ?? null,
    SelectableFields: version.selectableFields?.map(({ jsonPath = '' }) => ({ JSONPath: jsonPath })) ?? null,
  };
}

function printedSubresources({ status, scale }: NonNullable<SentVersion['subresources']>): JsonValue {
  return {
    Status: status === undefined ? null : {},
    Scale:
      scale === undefined
        ? null
        : {
            SpecReplicasPath: scale.specReplicasPath ?? '',
            StatusReplicasPath: scale.statusReplicasPath ?? '',
            LabelSelectorPath: scale.labelSelectorPath ?? null,
          },
  };
}

/** A rule as Go's encoder prints it. */
export function printedRule(rule: NonNullable<JsonSchema['x-kubernetes-validations']>[number]): JsonValue {
  return {
    Rule: rule.rule ?? '',
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

/** The fields of a schema in Go's order: its name there, ours, and what stands there when there is none. */
export const schemaFields: readonly (readonly [string, keyof JsonSchema, JsonValue])[] = [
  ['ID', 'id', ''],
  ['Schema', '$schema', ''],
  ['Ref', '$ref', null],
  ['Description', 'description', ''],
  ['Type', 'type', ''],
  ['Nullable', 'nullable', false],
  ['Format', 'format', ''],
  ['Title', 'title', ''],
  ['Default', 'default', null],
  ['Maximum', 'maximum', null],
  ['ExclusiveMaximum', 'exclusiveMaximum', false],
  ['Minimum', 'minimum', null],
  ['ExclusiveMinimum', 'exclusiveMinimum', false],
  ['MaxLength', 'maxLength', null],
  ['MinLength', 'minLength', null],
  ['Pattern', 'pattern', ''],
  ['MaxItems', 'maxItems', null],
  ['MinItems', 'minItems', null],
  ['UniqueItems', 'uniqueItems', false],
  ['MultipleOf', 'multipleOf', null],
  ['Enum', 'enum', null],
  ['MaxProperties', 'maxProperties', null],
  ['MinProperties', 'minProperties', null],
  ['Required', 'required', null],
  ['Items', 'items', null],
  ['AllOf', 'allOf', null],
  ['OneOf', 'oneOf', null],
  ['AnyOf', 'anyOf', null],
  ['Not', 'not', null],
  ['Properties', 'properties', null],
  ['AdditionalProperties', 'additionalProperties', null],
  ['PatternProperties', 'patternProperties', null],
  ['Dependencies', 'dependencies', null],
  ['AdditionalItems', 'additionalItems', null],
  ['Definitions', 'definitions', null],
  ['ExternalDocs', 'externalDocs', null],
  ['Example', 'example', null],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false],
  ['XIntOrString', 'x-kubernetes-int-or-string', false],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', null],
  ['XListType', 'x-kubernetes-list-type', null],
  ['XMapType', 'x-kubernetes-map-type', null],
  ['XValidations', 'x-kubernetes-validations', null],
];

/** A schema as Go's encoder prints the internal type. */
export function printedSchema(schema: JsonSchema | undefined): JsonValue {
  if (schema === undefined) return null;
  return Object.fromEntries(
    schemaFields.map(([name, field, none]) => [name, schema[field] === undefined ? none : printedField(field, schema[field])]),
  );
}

function printedField(field: keyof JsonSchema, value: unknown): JsonValue {
  const schemas = (list: unknown) => (list as readonly JsonSchema[]).map(printedSchema);
  switch (field) {
    case 'items':
      return Array.isArray(value)
        ? { Schema: null, JSONSchemas: schemas(value) }
        : { Schema: printedSchema(value as JsonSchema), JSONSchemas: null };
    case 'allOf':
    case 'oneOf':
    case 'anyOf':
      return schemas(value);
    case 'not':
      return printedSchema(value as JsonSchema);
    case 'additionalProperties':
    case 'additionalItems':
      return typeof value === 'boolean' ? { Allows: value, Schema: null } : { Allows: true, Schema: printedSchema(value as JsonSchema) };
    case 'properties':
    case 'patternProperties':
    case 'definitions':
      return Object.fromEntries(
        Object.entries(value as Readonly<Record<string, JsonSchema>>)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, each]) => [name, printedSchema(each)]),
      );
    case 'x-kubernetes-validations':
      return (value as Parameters<typeof printedRule>[0][]).map(printedRule);
    default:
      return value as JsonValue;
  }
}
