import type { JsonValue } from '../etcd/object.js';

/** Go reads no deeper JSON. */
const deepestText = 10_000;
/** What is kept, merged or held against a schema may be so deep; the real server goes on to the limit of texts. */
const deepestKept = 1_000;
/** So deep one function is inside itself; what is deeper waits for its turn. */
const deepestAtOnce = 500;

export class TooDeepError extends Error {}

/** A container whose members are still to be copied. */
interface Later {
  readonly source: object;
  readonly copy: JsonValue[] | Record<string, JsonValue>;
  readonly depth: number;
}

/**
 * The JSON that a client's data stands for, as the server's own: what JSON cannot hold is left out or written as
 * `JSON.stringify` would. A frozen value is taken as it is. @throws TooDeepError
 */
export function ownJson(value: unknown): JsonValue {
  const later: Later[] = [];
  const copy = ownCopy(value, 0, later);
  // The list grows meanwhile.
  for (const each of later) fill(each, later);
  return copy;
}

/** JSON that is going to be merged or kept. @throws TooDeepError */
export function ownJsonToKeep(value: unknown): JsonValue {
  const own = ownJson(value);
  if (isTooDeepToKeep(own)) throw new TooDeepError("invalid character '{' exceeded max depth");
  return own;
}

function ownCopy(value: unknown, depth: number, later: Later[]): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return Number(value);
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null) return null;
  if (depth >= deepestText) throw new TooDeepError(`invalid character '${Array.isArray(value) ? '[' : '{'}' exceeded max depth`);
  if (Object.isFrozen(value)) return value as JsonValue;
  const withToJson = value as { toJSON?: unknown };
  if (typeof withToJson.toJSON === 'function') return ownCopy(withToJson.toJSON(), depth + 1, later);
  const container: Later = { source: value, copy: Array.isArray(value) ? [] : {}, depth };
  if (depth > 0 && depth % deepestAtOnce === 0) later.push(container);
  else fill(container, later);
  return container.copy;
}

function fill({ source, copy, depth }: Later, later: Later[]): void {
  if (Array.isArray(copy)) {
    // A hole is null, as `JSON.stringify` has it; `forEach` would leave it out.
    for (const element of source as readonly unknown[]) copy.push(ownCopy(element, depth + 1, later));
    return;
  }
  for (const key of Object.keys(source)) {
    const member = (source as Record<string, unknown>)[key];
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    setMember(copy, key, ownCopy(member, depth + 1, later));
  }
}

/** Whether there is something in a value under more levels than are kept. */
export function isTooDeepToKeep(value: JsonValue, levels = deepestKept): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((element) => isTooDeepToKeep(element, levels - 1));
  for (const key of Object.keys(value))
    if (isTooDeepToKeep((value as Record<string, JsonValue>)[key] as JsonValue, levels - 1)) return true;
  return false;
}

/** Sets a member whatever its name: `__proto__` is an ordinary key of a JSON object. */
export function setMember<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** A member of an object that has users' names for its members: `constructor` is one only where somebody wrote it. */
export function ownMember<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function isObject(value: unknown): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value without its null members, at any depth: built-in kinds read null as absent. The same value when it has none. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) {
    const elements = value.map(withoutNulls);
    return elements.some((element, index) => element !== value[index]) ? (elements as T) : value;
  }
  if (!isObject(value)) return value;
  let changed = false;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    const kept = member === null ? undefined : withoutNulls(member);
    if (kept !== member) changed = true;
    if (kept !== undefined) setMember(copy, key, kept);
  }
  return changed ? (copy as T) : value;
}

/** About how many bytes the value takes as JSON. */
export function jsonSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  let size = 2;
  if (Array.isArray(value)) for (const element of value) size += jsonSize(element) + 1;
  else for (const key of Object.keys(value)) size += key.length + 4 + jsonSize((value as Record<string, unknown>)[key]);
  return size;
}
