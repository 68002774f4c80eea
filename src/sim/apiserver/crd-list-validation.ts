import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from './field-errors.js';
import { ownMember } from './json.js';
import type { StatusCause } from './request.js';
import { itemsOf, type JsonSchema } from './schema/json-schema.js';

const listTypeField = 'x-kubernetes-list-type';
const mapTypeField = 'x-kubernetes-map-type';
const mapKeysField = 'x-kubernetes-list-map-keys';

/** What is wrong with a schema's list type, map type and map keys. */
export function listFaults(schema: JsonSchema, path: string, atomicSets: boolean, sureMapKeys: boolean): StatusCause[] {
  const { type = '', [listTypeField]: listType, [mapTypeField]: mapType, [mapKeysField]: mapKeys = [] } = schema;
  const faults: StatusCause[] = [];
  const wrongType = (wanted: string, extension: string) => {
    const text = `must be ${wanted} if ${extension} is specified`;
    faults.push(type === '' ? requiredValue(`${path}.type`, text) : invalidValue(`${path}.type`, type, text));
  };
  if (mapType !== undefined && type !== 'object') wrongType('object', mapTypeField);
  if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular') {
    faults.push(unsupportedValue(`${path}.${mapTypeField}`, mapType, ['atomic', 'granular']));
  }
  if (listType !== undefined && type !== 'array') wrongType('array', listTypeField);
  else if (atomicSets && listType === 'set') faults.push(...setItemFaults(itemsOf(schema), path));
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    faults.push(unsupportedValue(`${path}.${listTypeField}`, listType, ['atomic', 'set', 'map']));
  }
  if (mapKeys.length > 0 && listType !== 'map') {
    const text = `must be map if ${mapKeysField} is non-empty`;
    const field = `${path}.${listTypeField}`;
    faults.push(listType === undefined ? requiredValue(field, text) : invalidValue(field, listType, text));
  }
  if (listType === 'map') faults.push(...mapFaults(schema, mapKeys, path));
  if (sureMapKeys) faults.push(...listMapKeyFaults(schema, path));
  return faults;
}

function setItemFaults(items: JsonSchema | undefined, path: string): StatusCause[] {
  const text = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items?.[listTypeField];
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalidValue(`${path}.items.${listTypeField}`, listType, text)];
  }
  // The server shows the list type here too.
  if (items?.type === 'object' && items[mapTypeField] !== 'atomic')
    return [invalidValue(`${path}.items.${mapTypeField}`, listType ?? null, text)];
  return [];
}

function mapFaults(schema: JsonSchema, keys: readonly string[], path: string): StatusCause[] {
  const faults: StatusCause[] = [];
  const items = itemsOf(schema);
  if (keys.length === 0) faults.push(requiredValue(`${path}.${mapKeysField}`, 'must not be empty if x-kubernetes-list-type is map'));
  if (schema.items === undefined) {
    faults.push(requiredValue(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
    return faults;
  }
  if (items === undefined) {
    faults.push(invalidValue(`${path}.items`, schema.items, 'must only have a single schema if x-kubernetes-list-type is map'));
    return faults;
  }
  if (items.type !== 'object') {
    faults.push(invalidValue(`${path}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"));
    return faults;
  }
  for (const [index, key] of keys.entries()) {
    const property = ownMember(items.properties, key);
    if (property === undefined) {
      faults.push(invalidValue(`${path}.${mapKeysField}`, keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const text = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      faults.push(invalidValue(`${path}.items.properties[${key}].type`, items.type, text));
    }
    if (keys.indexOf(key) < index) faults.push(invalidValue(`${path}.${mapKeysField}`, keys, 'must not contain duplicate entries'));
  }
  return faults;
}

/** Items of sets and maps may not be null, and the keys of maps must be there. */
export function listMapKeyFaults(schema: JsonSchema, path: string): StatusCause[] {
  const items = itemsOf(schema);
  const listType = schema[listTypeField];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const faults: StatusCause[] = [];
  if (items.nullable)
    faults.push(forbiddenValue(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  if (listType === 'set') return faults;
  for (const key of schema[mapKeysField] ?? []) {
    const property = ownMember(items.properties, key);
    if (property === undefined) continue;
    const at = `${path}.items.properties[${key}]`;
    if (!items.required?.includes(key) && (property.default ?? undefined) === undefined) {
      const text = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      faults.push(requiredValue(`${at}.default`, text));
    }
    if (property.nullable) {
      faults.push(forbiddenValue(`${at}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'));
    }
  }
  return faults;
}
