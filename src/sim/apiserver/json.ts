import type { JsonValue } from '../etcd/object.js';

/** Deeper bodies are refused. The real server goes down to 10,000; no object of any use comes near either. */
const maximumDepth = 1000;

export class TooDeepError extends Error {}

/**
 * The JSON that a client's data stands for, as the server's own: what JSON cannot hold is left out or written as
 * `JSON.stringify` would. A frozen value is taken as it is. @throws TooDeepError
 */
export function ownJson(value: unknown, depth = 0): JsonValue {
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
  if (depth > maximumDepth) throw new TooDeepError('exceeded max depth');
  if (Array.isArray(value)) {
    if (Object.isFrozen(value)) return value;
    // A hole is null, as `JSON.stringify` has it; `map` would keep it.
    return Array.from(value, (element) => ownJson(element, depth + 1));
  }
  if (Object.isFrozen(value)) return value as { readonly [key: string]: JsonValue };
  const withToJson = value as { toJSON?: unknown };
  if (typeof withToJson.toJSON === 'function') return ownJson(withToJson.toJSON(), depth + 1);
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    setMember(copy, key, ownJson(member, depth + 1));
  }
  return copy;
}

/** Sets a member whatever its name: `__proto__` is an ordinary key of a JSON object. */
export function setMember<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
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
