import { listFaults } from './crd-list-validation.js';
import { CrdRules } from './crd-rule-validation.js';
import { printedSchema, schemaFields } from './crd-spec.js';
import { forbiddenValue, invalidValue, unsupportedValue } from './field-errors.js';
import type { StatusCause } from './request.js';
import { defaultFaults } from './schema/default-validation.js';
import { itemsOf, type JsonSchema, valuesOf } from './schema/json-schema.js';
import { notStructural, structuralFaults } from './schema/structural.js';

/** What is asked of the schemas of a definition that is being written. */
export interface SchemaExpectations {
  readonly validTypes: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly sureMapKeys: boolean;
  /** Versions whose schema is as it was: the cost of each of their rules is not looked at again. */
  readonly unchangedVersions: ReadonlySet<string>;
}

const rootFields =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';
const allowedAtRoot: ReadonlySet<string> = new Set(rootFields.split(' '));
const jsonTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** What is wrong with the schema of a version (CD-6). */
export function crdSchemaFaults(
  schema: JsonSchema,
  path: string,
  statusEnabled: boolean,
  expectations: SchemaExpectations,
  version: string,
): StatusCause[] {
  const faults: StatusCause[] = [];
  if (statusEnabled) faults.push(...rootFaults(schema, path));
  if (schema.nullable) faults.push(forbiddenValue(`${path}.nullable`, 'nullable cannot be true at the root'));
  const reason = notStructural(schema);
  let rules: CrdRules | undefined;
  if (reason === undefined) {
    const wrong = structuralFaults(schema, path);
    if (wrong.length === 0) wrong.push(...defaultFaults(schema, path, expectations.prunedDefaults));
    faults.push(...wrong);
    if (wrong.length === 0) rules = new CrdRules(schema, expectations.unchangedVersions.has(version));
  }
  const walk = new Walk(expectations, rules);
  walk.visit(schema, path, { isRoot: true, insideMeta: false });
  faults.push(...walk.schemaFaults, ...(rules?.faults ?? []));
  if (faults.length === 0 && reason !== undefined) faults.push(invalidValue(path, '', reason));
  return [...faults, ...(rules?.totalCostFaults(path) ?? [])];
}

/** With a status subresource the root may say only what is not lost when the status is taken out. */
function rootFaults(schema: JsonSchema, path: string): StatusCause[] {
  for (const [name, field] of schemaFields) {
    const value = schema[field];
    if (value === undefined || value === '' || value === false) continue;
    if (name === 'Type') {
      if (value === 'object') continue;
      const text = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalidValue(`${path}.type`, value, text)];
    }
    if (!allowedAtRoot.has(name)) {
      const text = `only [${rootFields}] fields are allowed at the root of the schema if the status subresource is enabled`;
      return [invalidValue(path, printedSchema(schema), text)];
    }
  }
  return [];
}

interface Place {
  readonly isRoot: boolean;
  /** Within apiVersion, kind or metadata of a resource. */
  readonly insideMeta: boolean;
  /** Why there may be no default here. */
  readonly noDefault?: string;
  /** The nearest place above whose parts cannot be told apart from what they were. */
  readonly uncorrelatable?: string;
  /** Within a branch of an allOf or the like, where no rules are. */
  readonly withoutRules?: boolean;
}

/** Looks at every schema of the tree, the inner ones first. */
class Walk {
  readonly schemaFaults: StatusCause[] = [];
  readonly #expectations: SchemaExpectations;
  readonly #rules: CrdRules | undefined;

  constructor(expectations: SchemaExpectations, rules: CrdRules | undefined) {
    this.#expectations = expectations;
    this.#rules = rules;
  }

  visit(schema: JsonSchema, path: string, place: Place): void {
    const before = this.schemaFaults.length;
    this.schemaFaults.push(...keywordFaults(schema, path, place, this.#expectations.validTypes));
    this.#visitMembers(schema, path, place);
    this.#visitBranches(schema, path, place);
    this.#visitItems(schema, path, place);
    if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
      this.schemaFaults.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
    }
    const { atomicSets, sureMapKeys } = this.#expectations;
    this.schemaFaults.push(...listFaults(schema, path, atomicSets, sureMapKeys));
    this.schemaFaults.push(...CrdRules.formFaults(schema, path));
    // A rule is compiled only where the schema that it is about is sound.
    if (place.withoutRules || this.schemaFaults.length > before) return;
    this.#rules?.check(schema, path, place.uncorrelatable);
  }

  #visitMembers(schema: JsonSchema, path: string, place: Place): void {
    const { additionalProperties, properties = {} } = schema;
    const values = valuesOf(schema);
    const inner = { ...place, isRoot: false };
    if (additionalProperties !== undefined && Object.keys(properties).length > 0 && additionalProperties !== true) {
      const text = 'additionalProperties and properties are mutual exclusive';
      this.schemaFaults.push(forbiddenValue(`${path}.additionalProperties`, text));
    }
    if (values !== undefined) {
      const noDefault = place.insideMeta ? { noDefault: 'inside additionalProperties applying to object metadata' } : {};
      this.visit(values, `${path}.additionalProperties`, { ...inner, ...noDefault });
    }
    const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
    for (const [name, property] of Object.entries(properties)) {
      const isMeta = isResource && (name === 'metadata' || name === 'kind' || name === 'apiVersion');
      this.visit(property, `${path}.properties[${name}]`, {
        ...inner,
        ...(isMeta && { insideMeta: true }),
        ...(isMeta && place.isRoot && { noDefault: `in top-level ${name}` }),
      });
    }
  }

  #visitBranches(schema: JsonSchema, path: string, place: Place): void {
    const inner = { ...place, isRoot: false, withoutRules: true };
    if (schema.not !== undefined) this.visit(schema.not, `${path}.not`, inner);
    for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
      for (const [index, branch] of (schema[name] ?? []).entries()) this.visit(branch, `${path}.${name}[${index}]`, inner);
    }
    for (const [name, definition] of Object.entries(schema.definitions ?? {}))
      this.visit(definition, `${path}.definitions[${name}]`, inner);
  }

  #visitItems(schema: JsonSchema, path: string, place: Place): void {
    const fixed = schema['x-kubernetes-list-type'] === 'map' ? {} : { uncorrelatable: place.uncorrelatable ?? path };
    const inner = { ...place, isRoot: false, ...fixed };
    const items = itemsOf(schema);
    if (items !== undefined) this.visit(items, `${path}.items`, inner);
    else if (Array.isArray(schema.items)) {
      for (const [index, item] of (schema.items as readonly JsonSchema[]).entries()) this.visit(item, `${path}.items[${index}]`, inner);
    }
  }
}

function keywordFaults(schema: JsonSchema, path: string, place: Place, validTypes: boolean): StatusCause[] {
  const faults: StatusCause[] = [];
  const { type = '' } = schema;
  if (validTypes && type !== '' && !jsonTypes.includes(type)) faults.push(unsupportedValue(`${path}.type`, type, jsonTypes));
  if ((schema.default ?? undefined) !== undefined && place.noDefault !== undefined) {
    faults.push(forbiddenValue(`${path}.default`, `must not be set ${place.noDefault}`));
  }
  const forbid = (name: keyof JsonSchema) => faults.push(forbiddenValue(`${path}.${name}`, `${name} is not supported`));
  if (schema.id) forbid('id');
  if (schema.additionalItems !== undefined) forbid('additionalItems');
  if (Object.keys(schema.patternProperties ?? {}).length > 0) forbid('patternProperties');
  if (Object.keys(schema.definitions ?? {}).length > 0) forbid('definitions');
  if (schema.dependencies !== undefined) forbid('dependencies');
  if (schema.$ref !== undefined) forbid('$ref');
  if (type === 'null') faults.push(forbiddenValue(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    faults.push(forbiddenValue(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (place.insideMeta && schema['x-kubernetes-embedded-resource']) {
    faults.push(forbiddenValue(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  if (schema.uniqueItems) {
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    faults.push(forbiddenValue(`${path}.uniqueItems`, text));
  }
  return faults;
}
