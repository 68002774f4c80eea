/** The type of an expression, as the checker knows it. */
export type Type =
  | { readonly kind: 'simple'; readonly name: SimpleName }
  | { readonly kind: 'list'; readonly of: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'type'; readonly of: Type | undefined }
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly Type[] }
  /** An object with declared fields. Two are the same when they are the same object. */
  | { readonly kind: 'object'; readonly name: string; readonly fields: ReadonlyMap<string, Type> }
  | { readonly kind: 'param'; readonly name: string };

type SimpleName = 'bool' | 'bytes' | 'double' | 'duration' | 'dyn' | 'error' | 'int' | 'null' | 'string' | 'timestamp' | 'uint';

const simple = (name: SimpleName): Type => ({ kind: 'simple', name });
export const boolType = simple('bool');
export const bytesType = simple('bytes');
export const doubleType = simple('double');
export const durationType = simple('duration');
export const dynType = simple('dyn');
export const errorType = simple('error');
export const intType = simple('int');
export const nullType = simple('null');
export const stringType = simple('string');
export const timestampType = simple('timestamp');
export const uintType = simple('uint');

export const listOf = (of: Type): Type => ({ kind: 'list', of });
export const mapOf = (key: Type, value: Type): Type => ({ kind: 'map', key, value });
export const typeOfType = (of: Type | undefined): Type => ({ kind: 'type', of });
export const opaque = (name: string, ...parameters: Type[]): Type => ({ kind: 'opaque', name, parameters });
export const optionalOf = (of: Type): Type => opaque('optional_type', of);
export const param = (name: string): Type => ({ kind: 'param', name });

const simpleTypes: Readonly<Record<string, Type>> = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  duration: durationType,
  dyn: dynType,
  int: intType,
  null_type: nullType,
  string: stringType,
  timestamp: timestampType,
  uint: uintType,
};

/** Reads a type from a signature: `list(A)`, `map(string, int)`, `optional(string)`, `type(A)`, `kubernetes.Quantity`. */
export function typeFrom(text: string): Type {
  const match = /^([\w.]+)(?:\((.*)\))?$/.exec(text.trim());
  if (match === null) throw new Error(`not a type: ${text}`);
  const [, name = '', inner] = match;
  const inside = inner === undefined ? [] : splitTypes(inner).map(typeFrom);
  switch (name) {
    case 'list':
      return listOf(inside[0] ?? dynType);
    case 'map':
      return mapOf(inside[0] ?? dynType, inside[1] ?? dynType);
    case 'type':
      return typeOfType(inside[0]);
    case 'optional':
      return optionalOf(inside[0] ?? dynType);
  }
  if (/^[A-Z]$/.test(name)) return param(name);
  return simpleTypes[name] ?? opaque(name);
}

/** The parts of a list of types, split at the commas that are not within parentheses. */
export function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth += 1;
    else if (text[index] === ')') depth -= 1;
    else if (text[index] === ',' && depth === 0) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** A type as errors print it. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'simple':
      if (type.name === 'error') return '!error!';
      return type.name === 'duration' || type.name === 'timestamp' ? type.name : type.name;
    case 'list':
      return `list(${typeText(type.of)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${typeText(type.of)})`;
    case 'opaque':
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(typeText).join(', ')})`;
    default:
      return type.name;
  }
}

/** The name of a type as a value: what `type(x)` gives. */
export function runtimeName(type: Type): string {
  switch (type.kind) {
    case 'simple':
      if (type.name === 'duration') return 'google.protobuf.Duration';
      if (type.name === 'timestamp') return 'google.protobuf.Timestamp';
      return type.name === 'null' ? 'null_type' : type.name;
    case 'opaque':
    case 'object':
    case 'param':
      return type.name;
    default:
      return type.kind;
  }
}

export function isDyn(type: Type): boolean {
  return type.kind === 'simple' && type.name === 'dyn';
}

export function isDynOrError(type: Type): boolean {
  return type.kind === 'simple' && (type.name === 'dyn' || type.name === 'error');
}

/** What an optional holds; undefined for what is none. */
export function heldBy(type: Type): Type | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined;
}

export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'simple':
    case 'param':
      return b.kind === a.kind && a.name === b.name;
    case 'list':
      return b.kind === 'list' && sameType(a.of, b.of);
    case 'map':
      return b.kind === 'map' && sameType(a.key, b.key) && sameType(a.value, b.value);
    case 'type':
      return b.kind === 'type' && (a.of === undefined || b.of === undefined ? a.of === b.of : sameType(a.of, b.of));
    case 'object':
      return b.kind === 'object' && a.name === b.name;
    case 'opaque':
      return b.kind === 'opaque' && a.name === b.name && sameTypes(a.parameters, b.parameters);
  }
}

function sameTypes(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, index) => sameType(type, b[index] as Type));
}
