import { deepEqual } from '../etcd/object.js';
import { listMapKeyFaults } from './crd-list-validation.js';
import type { SchemaExpectations } from './crd-schema-validation.js';
import { type InternalSpec, schemaOfVersion } from './crd-spec.js';
import { compileSchema } from './schema/compile.js';
import { defaultFaults } from './schema/default-validation.js';
import { itemsOf, type JsonSchema, someSchema } from './schema/json-schema.js';
import { notStructural, structuralFaults } from './schema/structural.js';

const jsonTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** What is asked of a new schema; what an old one has been let through with is not asked of its successor. */
export function schemaExpectations(spec: InternalSpec, before: InternalSpec | undefined): SchemaExpectations {
  const old = before === undefined ? [] : schemasOf(before);
  const never = (wrong: (schema: JsonSchema) => boolean) => !old.some((schema) => someSchema(schema, wrong));
  const unchanged = (spec.versions ?? []).flatMap((version) => {
    const previous = before?.versions?.find(({ name }) => name === version.name);
    if (before === undefined || previous === undefined) return [];
    return deepEqual(schemaOfVersion(spec, version), schemaOfVersion(before, previous)) ? [version.name ?? ''] : [];
  });
  return {
    validTypes: never(({ type }) => Boolean(type) && !jsonTypes.includes(type as string)),
    prunedDefaults: !old.some(hasUnprunedDefaults),
    atomicSets: never(isSetOfGranular),
    sureMapKeys: never((schema) => listMapKeyFaults(schema, '').length > 0),
    unchangedVersions: new Set(unchanged),
  };
}

function schemasOf(spec: InternalSpec): readonly JsonSchema[] {
  return (spec.versions ?? []).map((version) => schemaOfVersion(spec, version)).filter((schema) => schema !== undefined);
}

function hasUnprunedDefaults(schema: JsonSchema): boolean {
  if (!compileSchema(schema).contains.defaults || notStructural(schema) !== undefined || structuralFaults(schema, '').length > 0)
    return false;
  return defaultFaults(schema, '', true).some(({ message }) => message?.endsWith('must not have unknown fields'));
}

/** A set whose items could be merged in part. */
function isSetOfGranular(schema: JsonSchema): boolean {
  const items = itemsOf(schema);
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined) return false;
  if (items.type === 'array') return (items['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic';
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic';
}
