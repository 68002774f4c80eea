import { patchFieldsOf, patchRoot } from '../apiserver/openapi/patch-fields.js';
import type { PatchField } from '../apiserver/strategic-merge-patch.js';
import { deepEqual } from '../etcd/object.js';
import { isMap, setField } from './json-body.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The strategic merge patch from one object to another: apimachinery's CreateTwoWayMergePatch (D30). Lists of built-in kinds that
 * have a merge key are compared element by element, all others are sent whole. Custom kinds have no such lists.
 * @throws if an element of such a list lacks its merge key
 */
export function strategicPatch(before: Fields, after: Fields): Record<string, unknown> {
  return mapPatch(before, after, patchRoot(String(after.apiVersion), String(after.kind)));
}

function mapPatch(before: Fields, after: Fields, type: string | undefined): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(after)) {
    const is = after[name];
    const was = Object.hasOwn(before, name) ? before[name] : undefined;
    if (was === undefined) setField(patch, name, is);
    else addDifference(patch, name, was, is, fieldOf(type, name));
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) setField(patch, name, null);
  return patch;
}

function addDifference(patch: Record<string, unknown>, name: string, was: unknown, is: unknown, field: PatchField): void {
  if (deepEqual(was, is)) return;
  const strategies = field.strategy?.split(',') ?? [];
  if (isMap(was) && isMap(is) && !strategies.includes('replace')) {
    const inner = mapPatch(was, is, field.type);
    if (strategies.includes('retainKeys')) inner.$retainKeys = Object.keys(is).sort();
    if (Object.keys(inner).length > 0) setField(patch, name, inner);
  } else if (Array.isArray(was) && Array.isArray(is) && strategies.includes('merge')) {
    if (field.mergeKey === undefined) addScalars(patch, name, was, is);
    else addElements(patch, name, was, is, field);
  } else setField(patch, name, is);
}

function addScalars(patch: Record<string, unknown>, name: string, was: readonly unknown[], is: readonly unknown[]): void {
  const added = is.filter((value) => !was.includes(value));
  const removed = was.filter((value) => !is.includes(value));
  if (removed.length > 0) patch[`$deleteFromPrimitiveList/${name}`] = removed;
  patch[`$setElementOrder/${name}`] = is;
  if (added.length > 0) setField(patch, name, added);
}

function addElements(
  patch: Record<string, unknown>,
  name: string,
  was: readonly unknown[],
  is: readonly unknown[],
  field: PatchField,
): void {
  const mergeKey = field.mergeKey as string;
  const old = new Map(was.map((element) => [keyOf(element, mergeKey), element as Fields]));
  const new_ = new Map(is.map((element) => [keyOf(element, mergeKey), element as Fields]));
  const changes: Fields[] = [];
  for (const [key, element] of new_) {
    const before = old.get(key);
    if (before === undefined) changes.push(element);
    else if (!deepEqual(before, element)) {
      const retained = field.strategy?.includes('retainKeys') ? { $retainKeys: Object.keys(element).sort() } : {};
      changes.push({ ...mapPatch(before, element, field.type), ...retained, [mergeKey]: key });
    }
  }
  for (const key of old.keys()) if (!new_.has(key)) changes.push({ $patch: 'delete', [mergeKey]: key });
  patch[`$setElementOrder/${name}`] = [...new_.keys()].map((key) => ({ [mergeKey]: key }));
  if (changes.length > 0) setField(patch, name, changes);
}

function keyOf(element: unknown, mergeKey: string): unknown {
  if (isMap(element) && element[mergeKey] !== undefined) return element[mergeKey];
  throw new Error(`map: ${JSON.stringify(element)} does not contain declared merge key: ${mergeKey}`);
}

function fieldOf(type: string | undefined, name: string): PatchField {
  const fields = type === undefined ? undefined : patchFieldsOf(type);
  return (fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined) ?? {};
}
