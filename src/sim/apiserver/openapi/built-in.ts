import type { JsonValue } from '../../etcd/object.js';
import { schemaText } from '../data/schemas.js';
import { setMember } from '../json.js';
import type { OpenApiSchema } from './schema.js';

/** A schema as the data file has it: the number of a definition, `type:format`, a list in brackets, an object, or one of these with more said. */
type Packed = number | string | readonly [Packed] | PackedObject | PackedMore;
interface PackedObject {
  readonly p?: Readonly<Record<string, Packed>>;
  readonly a?: Packed;
  readonly q?: readonly string[];
}
interface PackedMore {
  readonly t: Packed;
  readonly d?: JsonValue;
  readonly l?: string;
  readonly k?: readonly string[];
  readonly m?: string;
  readonly s?: string;
  readonly y?: string;
}

interface Data {
  readonly names: readonly string[];
  readonly definitions: readonly Packed[];
  /** By `group/version/kind`. */
  readonly kinds: Readonly<Record<string, number>>;
}

let data: Data | undefined;
let numbers: ReadonlyMap<string, number> | undefined;
const unpackedDefinitions = new Map<number, OpenApiSchema>();

function loaded(): Data {
  data ??= JSON.parse(schemaText) as Data;
  return data;
}

/** The definition of a name such as `io.k8s.api.apps.v1.Deployment`. */
export function builtInDefinition(name: string): OpenApiSchema | undefined {
  numbers ??= new Map(loaded().names.map((known, number) => [known, number]));
  const number = numbers.get(name);
  if (number === undefined) return undefined;
  let definition = unpackedDefinitions.get(number);
  if (definition === undefined) {
    definition = unpacked(loaded().definitions[number] as Packed);
    unpackedDefinitions.set(number, definition);
  }
  return definition;
}

/** The name of a built-in kind's definition. */
export function definitionName(group: string, version: string, kind: string): string | undefined {
  const number = loaded().kinds[`${group}/${version}/${kind}`];
  return number === undefined ? undefined : loaded().names[number];
}

function unpacked(packed: Packed): OpenApiSchema {
  if (typeof packed === 'number') return { $ref: `#/components/schemas/${loaded().names[packed]}` };
  if (typeof packed === 'string') {
    const [type = '', format] = packed.split(':');
    return { ...(type !== '' && { type }), ...(format !== undefined && { format }) };
  }
  if (isList(packed)) return { type: 'array', items: unpacked(packed[0]) };
  if ('t' in packed) return unpackedMore(packed);
  return {
    type: 'object',
    ...(packed.p && { properties: unpackedProperties(packed.p) }),
    ...(packed.a !== undefined && { additionalProperties: unpacked(packed.a) }),
    ...(packed.q && { required: packed.q }),
  };
}

function unpackedProperties(packed: Readonly<Record<string, Packed>>): Record<string, OpenApiSchema> {
  const properties: Record<string, OpenApiSchema> = {};
  for (const name of Object.keys(packed)) setMember(properties, name, unpacked(packed[name] as Packed));
  return properties;
}

function unpackedMore(packed: PackedMore): OpenApiSchema {
  return {
    ...unpacked(packed.t),
    ...(packed.d !== undefined && { default: packed.d }),
    ...(packed.l !== undefined && { 'x-kubernetes-list-type': packed.l }),
    ...(packed.k !== undefined && { 'x-kubernetes-list-map-keys': packed.k }),
    ...(packed.m !== undefined && { 'x-kubernetes-map-type': packed.m }),
    ...(packed.s !== undefined && { 'x-kubernetes-patch-strategy': packed.s }),
    ...(packed.y !== undefined && { 'x-kubernetes-patch-merge-key': packed.y }),
  };
}

function isList(packed: Packed): packed is readonly [Packed] {
  return Array.isArray(packed);
}
