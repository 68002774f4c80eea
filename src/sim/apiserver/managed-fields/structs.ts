import { deepFreeze, type JsonValue } from '../../etcd/object.js';
import { isObject, setMember } from '../json.js';
import { builtInDefinition } from '../openapi/built-in.js';
import { type OpenApiSchema, referredName } from '../openapi/schema.js';

/**
 * A built-in object as Go's type for it shows it: a struct that is held by value is there even when it is empty (PA-65), an
 * empty list or map is not, save for lists at the root and for what must be given. The same value when nothing is different.
 */
export function withStructs(value: JsonValue, schema: OpenApiSchema, isRoot = false): JsonValue {
  const definition = resolved(schema);
  if (definition === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = definition;
    if (items === undefined) return value;
    const elements = value.map((element: JsonValue) => withStructs(element, items));
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  }
  if (!isObject(value)) return value;
  return withMemberStructs(value, definition, isRoot);
}

function withMemberStructs(value: Readonly<Record<string, JsonValue>>, definition: OpenApiSchema, isRoot: boolean): JsonValue {
  const { properties, additionalProperties, required = [] } = definition;
  let copy: Record<string, JsonValue> | undefined;
  const set = (name: string, member: JsonValue) => {
    copy ??= { ...value };
    setMember(copy, name, member);
  };
  for (const name of Object.keys(value)) {
    const property = properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (property === undefined) continue;
    const member = withStructs(value[name] as JsonValue, property);
    if (!isRoot && !required.includes(name) && isEmpty(member, property)) {
      copy ??= { ...value };
      delete copy[name];
    } else if (member !== value[name]) set(name, member);
  }
  for (const [name, empty] of emptyStructs(definition)) if (!Object.hasOwn(value, name)) set(name, empty);
  return copy ?? value;
}

const structsOf = new WeakMap<OpenApiSchema, readonly (readonly [string, JsonValue])[]>();

/** The fields that Go holds by value, each as it is when nothing has been said of it. They are worked out once. */
function emptyStructs(definition: OpenApiSchema): readonly (readonly [string, JsonValue])[] {
  let structs = structsOf.get(definition);
  if (structs === undefined) {
    const held = Object.entries(definition.properties ?? {}).filter(([, property]) => isStruct(property));
    structs = held.map(([name, property]) => [name, deepFreeze(withStructs({}, property))] as const);
    structsOf.set(definition, structs);
  }
  return structs;
}

/**
 * An object of a built-in kind that nothing has been said of, as Go makes it: what a create is compared with (PA-65). It has
 * the fields that Go always writes: those with a default, those that must be given, and those that stand empty in the object.
 */
export function zeroValue(schema: OpenApiSchema, object: JsonValue | undefined): JsonValue {
  const definition = resolved(schema);
  const value: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(definition?.properties ?? {})) {
    const given = isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
    if (isStruct(property)) setMember(value, name, zeroValue(property, given));
    else if (isZero(property.default)) setMember(value, name, property.default);
    else if (given === null || (definition?.required?.includes(name) && property['x-kubernetes-list-type'] !== 'set')) {
      // A set that must be given is left out while it is empty.
      setMember(value, name, null);
    }
  }
  return value;
}

/** An empty list, or an empty map of members that nobody has declared. */
function isEmpty(value: JsonValue, schema: OpenApiSchema): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0 && resolved(schema)?.additionalProperties !== undefined;
}

/** A default that is no choice: what Go writes of a field that nobody has set. */
function isZero(value: JsonValue | undefined): value is JsonValue {
  return value === '' || value === 0 || value === false;
}

/** A field that Go holds by value has an empty object for its default. */
function isStruct(schema: OpenApiSchema): boolean {
  return isObject(schema.default) && Object.keys(schema.default).length === 0 && resolved(schema)?.properties !== undefined;
}

function resolved(schema: OpenApiSchema): OpenApiSchema | undefined {
  const name = referredName(schema);
  return name === undefined ? schema : builtInDefinition(name);
}
