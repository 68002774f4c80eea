import type { JsonValue } from '../etcd/object.js';
import { isObject, setMember } from './json.js';

/**
 * RFC 7386 as the server does it: null removes at any depth, lists are replaced whole, and nulls of objects inside new
 * values vanish too (PA-8). Neither argument is changed; what is not touched is shared.
 */
export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return withoutMemberNulls(patch);
  const result: Record<string, JsonValue> = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key] as JsonValue;
    if (value === null) delete result[key];
    else if (Object.hasOwn(result, key)) setMember(result, key, applyMergePatch(result[key] as JsonValue, value));
    else setMember(result, key, withoutMemberNulls(value));
  }
  return result;
}

/** Null elements of lists stay, null members of objects go. */
function withoutMemberNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutMemberNulls);
  if (!isObject(value)) return value;
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = value[key] as JsonValue;
    if (member !== null) setMember(result, key, withoutMemberNulls(member));
  }
  return result;
}
