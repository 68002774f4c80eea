import { deepEqual, type KubeObject } from '../sim/etcd/object.js';
import type { JsonMap } from './canon.js';

/** A field that differs between two versions of an object; a list counts as one field. */
export interface FieldChange {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/** What one version of an object has otherwise than the one before, without what the server keeps by itself. */
export function fieldChanges(before: KubeObject, after: KubeObject): readonly FieldChange[] {
  const found: FieldChange[] = [];
  compare(before, after, [], found);
  return found.filter(({ path }) => !(path[0] === 'metadata' && keptByServer.has(path[1] ?? '')));
}

const keptByServer = new Set([
  'resourceVersion',
  'generation',
  'managedFields',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'uid',
]);

function compare(before: unknown, after: unknown, path: readonly string[], found: FieldChange[]): void {
  if (deepEqual(before, after)) return;
  if (!isMap(before) || !isMap(after)) {
    // A map that comes or goes as a whole comes or goes field by field.
    if (isMap(before) && after === undefined)
      for (const field of Object.keys(before)) compare(before[field], undefined, [...path, field], found);
    else if (isMap(after) && before === undefined)
      for (const field of Object.keys(after)) compare(undefined, after[field], [...path, field], found);
    else found.push({ path, before, after });
    return;
  }
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)]))
    compare(before[field], after[field], [...path, field], found);
}

/** What an object has at a path. */
export function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, field) => (isMap(value) ? value[field] : undefined), object);
}

/** A JSON object: no list, not null. */
export function isMap(value: unknown): value is JsonMap {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
