/**
 * What a CEL expression can give: null, booleans and texts are JavaScript's own; an int is a bigint, a double is a number.
 */
export type CelValue =
  | null
  | boolean
  | string
  | bigint
  | number
  | Uint8Array
  | CelUint
  | CelDuration
  | CelTimestamp
  | CelList
  | CelMap
  | CelObject
  | CelType
  | CelOptional
  | CelOpaque;

/** An evaluation failed, in cel-go's words. */
export class CelError extends Error {}

/** The evaluation was ended because it cost too much. */
export class CelCostError extends CelError {}

export class CelUint {
  constructor(readonly value: bigint) {}
}

/** Nanoseconds. */
export class CelDuration {
  constructor(readonly nanos: bigint) {}
}

/** Nanoseconds since 1970, UTC. */
export class CelTimestamp {
  constructor(readonly nanos: bigint) {}
}

export class CelType {
  constructor(readonly name: string) {}
}

export class CelOptional {
  static readonly none = new CelOptional(undefined);
  constructor(readonly value: CelValue | undefined) {}
}

/** How a list is compared and added to: Kubernetes knows sets, and lists whose items have keys. */
export interface ListNature {
  readonly type: 'set' | 'map';
  readonly keys: readonly string[];
}

export class CelList {
  constructor(
    readonly items: readonly CelValue[],
    readonly nature?: ListNature,
  ) {}
}

/** A map from booleans, integers and texts. */
export interface CelMap {
  readonly kind: 'map';
  readonly size: number;
  get(key: CelValue): CelValue | undefined;
  keys(): readonly CelValue[];
}

/** A value with declared fields. */
export interface CelObject {
  readonly kind: 'object';
  readonly typeName: string;
  /** Undefined: the field is not set. */
  get(field: string): CelValue | undefined;
  equals(other: CelObject): boolean;
}

/** A value of a library that only its functions look into. */
export interface CelOpaque {
  readonly kind: 'opaque';
  readonly typeName: string;
  equals(other: CelOpaque): boolean;
}

export class LiteralMap implements CelMap {
  readonly kind = 'map';
  readonly #entries = new Map<string, readonly [CelValue, CelValue]>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }

  keys(): readonly CelValue[] {
    return [...this.#entries.values()].map(([key]) => key);
  }

  /** @throws CelError for a key that cannot be one, or is there already. */
  add(key: CelValue, value: CelValue): this {
    const text = keyText(key);
    if (text === undefined || typeof key === 'number') throw new CelError(`unsupported key type: ${typeNameOf(key)}`);
    if (this.#entries.has(text)) throw new CelError('Failed with repeated key');
    this.#entries.set(text, [key, value]);
    return this;
  }
}

/** Keys of different number types that are equal are the same key. */
function keyText(key: CelValue): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'boolean':
      return `b${key}`;
    case 'bigint':
      return `n${key}`;
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
    default:
      return key instanceof CelUint ? `n${key.value}` : undefined;
  }
}

export function isMap(value: CelValue): value is CelMap {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'map';
}

export function isObjectValue(value: CelValue): value is CelObject {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'object';
}

export function isOpaque(value: CelValue): value is CelOpaque {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'opaque';
}

/** The name of a value's type at run time, as `type(x)` and errors print it. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
  }
  if (value === null) return 'null_type';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp';
  if (value instanceof CelList) return 'list';
  if (value instanceof CelType) return 'type';
  if (value instanceof CelOptional) return 'optional_type';
  return value.kind === 'map' ? 'map' : value.typeName;
}

/** What `size` and the cost of a traversal go by; undefined for what has no size. */
export function sizeOf(value: CelValue): number | undefined {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList) return value.items.length;
  return isMap(value) ? value.size : undefined;
}

/** The number of characters of a text, surrogate pairs counted once. */
export function codePoints(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII is most texts, and needs no counting.
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
