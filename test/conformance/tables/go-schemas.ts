import type { JsonSchema } from '../../../src/sim/apiserver/schema/json-schema.js';
import type { Go } from './data.js';

const extensions: Readonly<Record<string, string>> = {
  XEmbeddedResource: 'x-kubernetes-embedded-resource',
  XIntOrString: 'x-kubernetes-int-or-string',
  XListMapKeys: 'x-kubernetes-list-map-keys',
  XListType: 'x-kubernetes-list-type',
  XMapType: 'x-kubernetes-map-type',
  XPreserveUnknownFields: 'x-kubernetes-preserve-unknown-fields',
};

/** A schema as Go holds it, in one of its two structures, as a definition writes it. */
export function schemaOfGo(go: unknown): JsonSchema {
  const schema: Record<string, unknown> = {};
  if (go === null || typeof go !== 'object' || Array.isArray(go)) return schema;
  if ('$schema' in go) return (go as { readonly $schema: JsonSchema }).$schema;
  for (const [name, value] of Object.entries(go as Go)) {
    if (name === '$type') continue;
    if (name === 'Generic' || name === 'Extensions' || name === 'ValueValidation' || name === 'ValidationExtensions')
      Object.assign(schema, schemaOfGo(value));
    else if (extensions[name] !== undefined) schema[extensions[name]] = value;
    else if (name === 'XValidations') {
      schema['x-kubernetes-validations'] = (value as readonly Go[]).map((rule) => lowered(rule));
    } else schema[lower(name)] = memberOfGo(name, value);
  }
  return schema;
}

function memberOfGo(name: string, value: unknown): unknown {
  const go = value as Go & { readonly args?: readonly unknown[] };
  switch (name) {
    case 'Properties':
      return Object.fromEntries(Object.entries(go).map(([property, each]) => [property, schemaOfGo(each)]));
    case 'Items':
      return schemaOfGo(go.Schema ?? go);
    case 'AdditionalProperties':
      return go.Bool ?? schemaOfGo(go.Structural ?? go.Schema);
    case 'AllOf':
    case 'AnyOf':
    case 'OneOf':
      return (value as readonly unknown[]).map(schemaOfGo);
    case 'Default':
      return go.Object;
    default:
      return go !== null && typeof value === 'object' && '$call' in go ? go.args?.[0] : value;
  }
}

function lowered(go: Go): Go {
  return Object.fromEntries(Object.entries(go).map(([name, value]) => [lower(name), value]));
}

function lower(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}
