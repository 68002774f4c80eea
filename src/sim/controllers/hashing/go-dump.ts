import { goQuantity } from './go-quantity.js';
import { goStructsText } from './go-structs.js';

interface Field {
  readonly name: string;
  /** Its name in JSON; absent: the fields of the field are the object's own. */
  readonly json?: string;
  readonly type: string;
}

type Declared = readonly Field[] | string;

let declarations: ReadonlyMap<string, Declared> | undefined;

/** What a type is made from: the fields of a struct, or another type. */
function declared(type: string): Declared | undefined {
  declarations ??= new Map(
    Object.entries(JSON.parse(goStructsText) as Record<string, string>).map(([name, text]) => [
      name,
      text.startsWith('{') ? text.slice(1).split('|').map(fieldOf) : text,
    ]),
  );
  return declarations.get(type);
}

function fieldOf(text: string): Field {
  const [name = '', json = '', type = ''] = text.split(' ');
  return { name, type, ...(json !== '-' && { json }) };
}

/**
 * A value as Go's spew prints it for hashes, with the types of all fields: `(v1.EndpointPort){Name:(*string)http ...}`.
 * @param type such as `core/v1.PodTemplateSpec`, whose package is printed without its path.
 * @param value as JSON has it: what is absent or empty is Go's zero value.
 */
export function goDump(type: string, value: unknown): string {
  if (!type.startsWith('*')) return `(${printed(type)})${bare(type, value)}`;
  const inner = type.slice(1);
  return value === undefined || value === null ? `(${printed(type)})<nil>` : `(*${printed(inner)})${bare(inner, value)}`;
}

function printed(type: string): string {
  return type.replace(/[a-z]+\/(?=v1\.)/g, '');
}

function bare(type: string, value: unknown): string {
  if (type.startsWith('[]')) return list(type.slice(2), value as readonly unknown[] | undefined);
  if (type.startsWith('map[')) return map(type.slice(type.indexOf(']') + 1), value as Readonly<Record<string, unknown>> | undefined);
  switch (type) {
    case 'meta/v1.Time':
      return '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';
    case 'resource.Quantity':
      return goQuantity(value === undefined || value === null ? undefined : String(value));
    case 'intstr.IntOrString':
      return intOrString(value as number | string | undefined);
    case 'bool':
      return String(value ?? false);
    case 'string':
    case 'types.UID':
      return String(value ?? '');
  }
  const declaration = declared(type);
  if (declaration === undefined) return String(value ?? 0);
  return typeof declaration === 'string' ? bare(declaration, value) : struct(declaration, value as Readonly<Record<string, unknown>>);
}

function struct(fields: readonly Field[], value: Readonly<Record<string, unknown>> = {}): string {
  const texts = fields.map(({ name, json, type }) => `${name}:${goDump(type, json === undefined ? value : own(value, json))}`);
  return `{${texts.join(' ')}}`;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function list(type: string, values: readonly unknown[] | null | undefined): string {
  if (values === undefined || values === null || values.length === 0) return '<nil>';
  return `[${values.map((value) => bare(type, value)).join(' ')}]`;
}

function map(type: string, values: Readonly<Record<string, unknown>> | null | undefined): string {
  const entries = Object.entries(values ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? '<nil>' : `map[${entries.map(([key, value]) => `${key}:${bare(type, value)}`).join(' ')}]`;
}

function intOrString(value: number | string | undefined): string {
  const isText = typeof value === 'string';
  return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : (value ?? 0)} StrVal:(string)${isText ? value : ''}}`;
}
