/** Fields of metadata that Go leaves out when they are empty (`omitempty`): a last finalizer removed is a field removed (D70). */
const leftOutWhenEmpty = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'];

/**
 * What goes over the wire for an object of a program: a copy that later changes cannot touch, with only what JSON can hold.
 * Undefined fields are left out, times become texts of whole seconds as Go's metav1.Time writes them.
 */
export function asJson<T>(object: T): T {
  const copy = jsonOf(object) as Record<string, unknown>;
  const metadata = copy.metadata;
  if (metadata !== null && typeof metadata === 'object') {
    const fields = metadata as Record<string, unknown>;
    for (const field of leftOutWhenEmpty) if (isEmpty(fields[field])) delete fields[field];
  }
  return copy as T;
}

/** Makes the target hold what the source holds, as decoding an answer into an object does (D28). A frozen target stays as it is. */
export function replaceContents(target: object, source: object): void {
  if (Object.isFrozen(target)) return;
  const fields = target as Record<string, unknown>;
  for (const field of Object.keys(fields)) delete fields[field];
  for (const [field, value] of Object.entries(source)) setField(fields, field, value);
}

export function jsonOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'number' && !Number.isFinite(value)) return null;
    if (typeof value === 'bigint') throw new TypeError('a bigint cannot be written as JSON');
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => (isHeld(item) ? jsonOf(item) : null));
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z');
  const copy: Record<string, unknown> = {};
  for (const field of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[field];
    if (isHeld(inner)) setField(copy, field, jsonOf(inner));
  }
  return copy;
}

/** `__proto__` is an ordinary key of a JSON object and must not become the prototype. */
export function setField(target: Record<string, unknown>, field: string, value: unknown): void {
  if (field === '__proto__') Object.defineProperty(target, field, { value, enumerable: true, configurable: true, writable: true });
  else target[field] = value;
}

/** A JSON object: no list, not null. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isHeld(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function isEmpty(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value === 'object' && Object.keys(value).length === 0;
}
