import { namedTypesText } from './data/named-types.js';
import type { GoKind, GoPlace } from './decode-fault.js';
import { builtInDefinition } from './openapi/built-in.js';
import { type OpenApiSchema, referredName } from './openapi/schema.js';

let named: Readonly<Record<string, string>> | undefined;
const namesOf = new Map<string, ReadonlyMap<string, string>>();

/**
 * The Go type of a field, or of what is in it.
 * @param owner the definition of the struct, such as `io.k8s.api.core.v1.PodSpec`.
 * @param inside how many lists and maps deep the value is in the field.
 */
export function goFieldType(owner: string, field: string, inside: number, schema: OpenApiSchema): Pick<GoPlace, 'type' | 'kind'> {
  let type = namedTypes(owner).get(field);
  for (let level = 0; level < inside; level++) type = type?.replace(/^(\[\]|map\[[^\]]*\])/, '');
  return { type: type ?? goTypeOfSchema(schema), kind: goKindOfSchema(schema) };
}

function namedTypes(owner: string): ReadonlyMap<string, string> {
  let types = namesOf.get(owner);
  if (types === undefined) {
    named ??= JSON.parse(namedTypesText) as Readonly<Record<string, string>>;
    const short = owner.startsWith('io.k8s.api.') ? owner.slice('io.k8s.api.'.length) : owner;
    const text = Object.hasOwn(named, short) ? (named[short] as string) : '';
    types = new Map(text.split(' ').map((entry) => entry.split('=') as [string, string]));
    namesOf.set(owner, types);
  }
  return types;
}

function goTypeOfSchema(schema: OpenApiSchema): string {
  const name = referredName(schema);
  if (name !== undefined) return name.split('.').slice(-2).join('.');
  switch (schema.type) {
    case 'integer':
      return schema.format ?? 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'array':
      return `[]${goTypeOfSchema(schema.items ?? {})}`;
    case 'object':
      return `map[string]${typeof schema.additionalProperties === 'object' ? goTypeOfSchema(schema.additionalProperties) : 'interface {}'}`;
    default:
      return schema.format === 'byte' ? '[]uint8' : 'string';
  }
}

function goKindOfSchema(schema: OpenApiSchema): GoKind {
  const name = referredName(schema);
  const definition = name === undefined ? schema : (builtInDefinition(name) ?? schema);
  if (definition.properties !== undefined) return 'struct';
  switch (definition.type) {
    case 'integer':
      return definition.format === 'int32' ? 'int32' : 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'array':
      return 'slice';
    case 'object':
      return 'map';
    default:
      return definition.format === 'byte' ? 'slice' : 'string';
  }
}
