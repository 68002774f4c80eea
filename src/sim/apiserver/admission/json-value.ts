import type { JsonValue } from '../../etcd/object.js';
import { CelList, type CelMap, type CelValue } from '../cel/values.js';
import { isObject } from '../json.js';

/** JSON as an expression sees it that knows nothing of its type. What is below is looked at only when the expression does. */
export function jsonValue(value: JsonValue | undefined): CelValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return new CelList(value.map(jsonValue));
  return isObject(value) ? new AnyMap(value) : null;
}

class AnyMap implements CelMap {
  readonly kind = 'map';
  readonly #members: Readonly<Record<string, JsonValue>>;

  constructor(members: Readonly<Record<string, JsonValue>>) {
    this.#members = members;
  }

  get size(): number {
    return Object.keys(this.#members).length;
  }

  get(key: CelValue): CelValue | undefined {
    return typeof key === 'string' && Object.hasOwn(this.#members, key) ? jsonValue(this.#members[key]) : undefined;
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.#members);
  }
}
