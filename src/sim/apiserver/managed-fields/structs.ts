import type { JsonValue } from '../../etcd/object.js';
import { isObject, setMember } from '../json.js';
import { builtInDefinition } from '../openapi/built-in.js';
import { type OpenApiSchema, referredName } from '../openapi/schema.js';

/**
 * A built-in object as Go's type for it shows it: a struct that is held by value is there even when it is empty (PA-65).
 * The same value when nothing is missing.
 */
export function withStructs(value: JsonValue, schema: OpenApiSchema): JsonValue {
  const definition = resolved(schema);
  if (definition === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = definition;
    if (items === undefined) return value;
    const elements = value.map((element: JsonValue) => withStructs(element, items));
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  }
  if (!isObject(value)) return value;
  return withMemberStructs(value, definition);
}

function withMemberStructs(value: Readonly<Record<string, JsonValue>>, { properties, additionalProperties }: OpenApiSchema): JsonValue {
  let copy: Record<string, JsonValue> | undefined;
  const set = (name: string, member: JsonValue) => {
    copy ??= { ...value };
    setMember(copy, name, member);
  };
  for (const name of Object.keys(value)) {
    const property = properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (property === undefined) continue;
    const member = withStructs(value[name] as JsonValue, property);
    if (member !== value[name]) set(name, member);
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (isStruct(property) && !Object.hasOwn(value, name)) set(name, withStructs({}, property));
  }
  return copy ?? value;
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
    else if (property.default !== undefined || definition?.required?.includes(name) || given === null) {
      setMember(value, name, property.default ?? null);
    }
  }
  return value;
}

/** A field that Go holds by value has an empty object for its default. */
function isStruct(schema: OpenApiSchema): boolean {
  return isObject(schema.default) && Object.keys(schema.default).length === 0 && resolved(schema)?.properties !== undefined;
}

function resolved(schema: OpenApiSchema): OpenApiSchema | undefined {
  const name = referredName(schema);
  return name === undefined ? schema : builtInDefinition(name);
}
