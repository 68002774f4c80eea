import { deepEqual } from '../../etcd/object.js';
import { forbiddenValue, invalidValue, requiredValue } from '../field-errors.js';
import type { StatusCause } from '../request.js';
import { GoRegExpError, goRegExp } from './go-regexp.js';
import { itemsOf, type JsonSchema, someSchema, valuesOf } from './json-schema.js';
import { completenessFaults } from './structural-completeness.js';

type Level = 'root' | 'item' | 'field';

/** What makes a schema impossible to read as a structural one: the first reason, in the server's words. */
export function notStructural(schema: JsonSchema): string | undefined {
  const unsupported = (name: string) => `OpenAPIV3Schema '${name}' is not supported`;
  let reason: string | undefined;
  someSchema(schema, (each) => {
    if (each.id) reason = unsupported('id');
    else if (each.$schema) reason = unsupported('schema');
    else if (each.$ref) reason = unsupported('$ref');
    else if (Object.keys(each.patternProperties ?? {}).length > 0) reason = unsupported('patternProperties');
    else if (Object.keys(each.dependencies ?? {}).length > 0) reason = unsupported('dependencies');
    else if (each.additionalItems !== undefined) reason = unsupported('additionalItems');
    else if (Object.keys(each.definitions ?? {}).length > 0) reason = unsupported('definitions');
    else if (each['x-kubernetes-preserve-unknown-fields'] === false) {
      reason = "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    } else if (Array.isArray(each.items)) reason = "OpenAPIV3Schema 'items' must be a schema, but is an array";
    return reason !== undefined;
  });
  return reason;
}

/** Where a schema breaks the rules of structural schemas (CD-6, CD-36), sorted by text. */
export function structuralFaults(schema: JsonSchema, path: string): StatusCause[] {
  const faults = [...invariantFaults(schema, 'root', path), ...completenessFaults(schema, path)];
  const text = ({ field, message }: StatusCause) => `${field}: ${message}`;
  return faults.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

function invariantFaults(schema: JsonSchema, level: Level, path: string): StatusCause[] {
  const faults: StatusCause[] = [];
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  const properties = schema.properties ?? {};
  const { type = '' } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const isMap = schema.additionalProperties !== undefined;
  const typePath = `${path}.type`;

  if (type === 'array' && items === undefined) faults.push(requiredValue(`${path}.items`, 'must be specified'));
  if (items !== undefined) faults.push(...invariantFaults(items, 'item', `${path}.items`));
  for (const [name, property] of Object.entries(properties)) {
    faults.push(...invariantFaults(property, 'field', `${path}.properties[${name}]`));
  }
  if (isMap && level === 'root') faults.push(forbiddenValue(`${path}.additionalProperties`, 'must not be used at the root'));
  if (values !== undefined) faults.push(...invariantFaults(values, 'field', `${path}.additionalProperties`));
  const conflict = (extension: string) => invalidValue(`${path}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true');
  if (intOrString && preserves) faults.push(conflict('x-kubernetes-preserve-unknown-fields'));
  if (intOrString && embedded) faults.push(conflict('x-kubernetes-embedded-resource'));

  // The two ways in which an int-or-string may say so itself.
  faults.push(...valueFaults(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), path));

  if (embedded && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    faults.push(type === '' ? requiredValue(typePath, text) : invalidValue(typePath, type, text));
  } else if (type === '' && !intOrString && !preserves) {
    const where = { root: 'at the root', item: 'for specified array items', field: 'for specified object fields' }[level];
    faults.push(requiredValue(typePath, `must not be empty ${where}`));
  }
  if (embedded && isMap) {
    faults.push(forbiddenValue(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'));
  }
  if (level === 'root' && type !== '' && type !== 'object') faults.push(invalidValue(typePath, type, 'must be object at the root'));
  faults.push(...metadataFaults(properties, level === 'root' || embedded, level === 'root', path));
  if (embedded && !preserves && Object.keys(properties).length === 0) {
    const text = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    faults.push(requiredValue(`${path}.properties`, text));
  }
  return faults;
}

/** CD-36 */
function metadataFaults(
  properties: Readonly<Record<string, JsonSchema>>,
  isResource: boolean,
  isRoot: boolean,
  path: string,
): StatusCause[] {
  const faults: StatusCause[] = [];
  for (const name of ['kind', 'apiVersion'] as const) {
    const property = properties[name];
    if (property === undefined || !isResource || property.type === 'string') continue;
    faults.push(invalidValue(`${path}.properties[${name}].type`, property.type ?? '', 'must be string'));
  }
  const { metadata } = properties;
  if (metadata === undefined) return faults;
  const at = `${path}.properties[metadata]`;
  if (isResource && metadata.type !== 'object') faults.push(invalidValue(`${at}.type`, metadata.type ?? '', 'must be object'));
  if (isRoot) {
    const { type: _type, default: _default, properties: own = {}, ...rest } = metadata;
    const onlyNames = Object.keys(own).every((name) => name === 'name' || name === 'generateName');
    const empty = Object.values(rest).every((value) => value === undefined || value === false || value === '');
    if (!onlyNames || !empty) {
      faults.push(forbiddenValue(at, 'must not specify anything other than name and generateName, but metadata is implicitly specified'));
    }
  }
  return faults;
}

function isIntOrString(anyOf: readonly JsonSchema[] | undefined): boolean {
  return deepEqual(anyOf, [{ type: 'integer' }, { type: 'string' }]);
}

function valueFaults(schema: JsonSchema, skipAnyOf: boolean, skipFirstAllOf: boolean, path: string): StatusCause[] {
  const faults: StatusCause[] = [];
  if (!skipAnyOf) {
    for (const [index, branch] of (schema.anyOf ?? []).entries()) faults.push(...nestedFaults(branch, false, `${path}.anyOf[${index}]`));
  }
  for (const [index, branch] of (schema.allOf ?? []).entries()) {
    faults.push(...nestedFaults(branch, skipFirstAllOf && index === 0, `${path}.allOf[${index}]`));
  }
  for (const [index, branch] of (schema.oneOf ?? []).entries()) faults.push(...nestedFaults(branch, false, `${path}.oneOf[${index}]`));
  if (schema.not !== undefined) faults.push(...nestedFaults(schema.not, false, `${path}.not`));
  if (schema.pattern) {
    try {
      goRegExp(schema.pattern);
    } catch (error) {
      if (!(error instanceof GoRegExpError)) throw error;
      faults.push(invalidValue(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${error.message}`));
    }
  }
  return faults;
}

/** What a branch of an allOf, anyOf, oneOf or not must not say, since it says nothing about the shape. */
function nestedFaults(schema: JsonSchema, skipAnyOf: boolean, path: string): StatusCause[] {
  const faults = valueFaults(schema, skipAnyOf, false, path);
  const items = itemsOf(schema);
  if (items !== undefined) faults.push(...nestedFaults(items, false, `${path}.items`));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    faults.push(...nestedFaults(property, false, `${path}.properties[${name}]`));
  }
  const forbid = (name: keyof JsonSchema, text: string) => faults.push(forbiddenValue(`${path}.${name}`, `${text} to be structural`));
  if (schema.type) forbid('type', 'must be empty');
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
    forbid('additionalProperties', 'must be undefined');
  if ((schema.default ?? undefined) !== undefined) forbid('default', 'must be undefined');
  if (schema.title) forbid('title', 'must be empty');
  if (schema.description) forbid('description', 'must be empty');
  if (schema.nullable) forbid('nullable', 'must be false');
  for (const flag of ['preserve-unknown-fields', 'embedded-resource', 'int-or-string'] as const) {
    if (schema[`x-kubernetes-${flag}`]) forbid(`x-kubernetes-${flag}`, 'must be false');
  }
  if (schema['x-kubernetes-list-map-keys']?.length) forbid('x-kubernetes-list-map-keys', 'must be empty');
  if (schema['x-kubernetes-list-type'] !== undefined) forbid('x-kubernetes-list-type', 'must be undefined');
  if (schema['x-kubernetes-map-type'] !== undefined) forbid('x-kubernetes-map-type', 'must be undefined');
  if (schema['x-kubernetes-validations']?.length) forbid('x-kubernetes-validations', 'must be empty');
  if (schema.properties?.metadata !== undefined) {
    faults.push(forbiddenValue(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return faults;
}
