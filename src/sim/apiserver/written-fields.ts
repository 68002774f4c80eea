import type { JsonValue } from '../etcd/object.js';
import { omittedFieldsText, writtenFieldsText } from './data/omitted-fields.js';
import { builtInDefinition } from './openapi/built-in.js';
import { type OpenApiSchema, referredName } from './openapi/schema.js';

let omitted: ReadonlyMap<string, ReadonlySet<string>> | undefined;
let named: ReadonlyMap<string, ReadonlySet<string>> | undefined;
const written = new Map<string, readonly WrittenField[]>();
const nothing: ReadonlySet<string> = new Set();

/** A field that Go always writes: with its zero, or as an empty struct of the named definition. */
export type WrittenField = readonly [name: string, zero: string | number | boolean | null];

/** TK-3: whether Go leaves the field out because of its value. @param definition such as `io.k8s.api.core.v1.EnvVar`. */
export function isOmitted(definition: string, field: string, value: JsonValue): boolean {
  if (value !== '' && value !== 0 && value !== false) return false;
  omitted ??= parsed(omittedFieldsText);
  return (omitted.get(shortened(definition)) ?? nothing).has(field);
}

export function writtenFields(definition: string): readonly WrittenField[] {
  let fields = written.get(definition);
  if (fields === undefined) {
    fields = [...fieldsOf(definition, builtInDefinition(definition) ?? {})];
    written.set(definition, fields);
  }
  return fields;
}

function* fieldsOf(definition: string, { properties = {}, required = [] }: OpenApiSchema): Iterable<WrittenField> {
  // The definitions of custom resources have defaults of their own.
  if (definition.startsWith('io.k8s.apiextensions')) return;
  named ??= parsed(writtenFieldsText);
  const always = named.get(shortened(definition)) ?? nothing;
  for (const name of Object.keys(properties)) {
    const property = properties[name] as OpenApiSchema;
    const struct = referredName(property);
    // The metadata of an object is decoded elsewhere.
    if (name === 'metadata' && properties.kind !== undefined && properties.apiVersion !== undefined) continue;
    if (struct !== undefined && isEmptyObject(property.default)) yield [name, struct];
    else if (!required.includes(name) && !always.has(name)) continue;
    else if (property.type === 'array' || property.type === 'object' || struct?.endsWith('Time')) yield [name, null];
    else if (struct !== undefined) continue;
    else yield [name, zeroOf(property.type)];
  }
}

function zeroOf(type: string | undefined): string | number | boolean {
  return type === 'boolean' ? false : type === 'integer' || type === 'number' ? 0 : '';
}

function isEmptyObject(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** `core.v1.PodSpec` of `io.k8s.api.core.v1.PodSpec`. */
function shortened(definition: string): string {
  return definition.startsWith('io.k8s.api.') ? definition.slice('io.k8s.api.'.length) : definition;
}

function parsed(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const types = JSON.parse(text) as Readonly<Record<string, string>>;
  return new Map(Object.entries(types).map(([type, fields]) => [type, new Set(fields.split(' '))]));
}
