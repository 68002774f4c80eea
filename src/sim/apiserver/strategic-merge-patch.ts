import { deepCopy, deepEqual, type JsonValue } from '../etcd/object.js';
import { goDynamicType, goPrint } from './go-print.js';
import { isObject, setMember } from './json.js';
import { type Item, inServerOrder, orderAfterMerge, partition } from './strategic-order.js';

/** How a field of a built-in type is merged (PA-39). */
export interface PatchField {
  /** The type of the field, or of its elements, when that has something to say. */
  readonly type?: string;
  /** `merge`, `replace`, `retainKeys`, or two of them with a comma. */
  readonly strategy?: string;
  readonly mergeKey?: string;
}

/** All fields of a type; undefined when nothing is known of it. */
export type PatchTypes = (type: string) => Readonly<Record<string, PatchField>> | undefined;

/** A malformed directive is the client's fault (400), anything else is a 500 without a reason (PA-46). */
export class StrategicPatchError extends Error {
  constructor(
    readonly code: 400 | 500,
    message: string,
  ) {
    super(message);
  }
}

type Fields = Readonly<Record<string, JsonValue>>;

const directive = '$patch';
const retainKeys = '$retainKeys';
const deletePrefix = '$deleteFromPrimitiveList';
const orderPrefix = '$setElementOrder';

/**
 * Applies a strategic merge patch to an object of a type, in the way of apimachinery's `strategicpatch` (PA-9, PA-36 to PA-45).
 * Neither argument is changed. @throws StrategicPatchError
 */
export function applyStrategicMergePatch(document: Fields, patch: Fields, type: string | undefined, types: PatchTypes): Fields {
  return mergeStrategically(document, patch, type, types).merged;
}

/** The same, and beside it what merging leaves of the patch: that is what the server quotes (PA-10). @throws StrategicPatchError */
export function mergeStrategically(
  document: Fields,
  patch: Fields,
  type: string | undefined,
  types: PatchTypes,
): { readonly merged: Fields; readonly left: Fields } {
  const left = deepCopy(patch) as Record<string, JsonValue>;
  return { merged: new Merger(types).map(document, left, type), left };
}

class Merger {
  constructor(readonly types: PatchTypes) {}

  /** @param patch loses what has been dealt with. */
  map(original: Fields, patch: Record<string, JsonValue>, type: string | undefined): Fields {
    if (Object.hasOwn(patch, directive)) return replacedByDirective(patch);
    const result: Record<string, JsonValue> = { ...original };
    this.#retainKeys(result, patch);
    this.#orderedLists(result, patch, type);
    for (const patchKey of Object.keys(patch)) {
      const value = patch[patchKey] as JsonValue;
      const deletes = patchKey.startsWith(deletePrefix);
      const key = deletes ? fieldOf(patchKey, 'invalid patch format of primitive list') : patchKey;
      if (value === null) delete result[key];
      else if (!Object.hasOwn(result, key) || !sameType(result[key] as JsonValue, value)) {
        if (!deletes) setWithoutDirectives(result, key, value);
      } else setMember(result, key, this.#merged(result[key] as JsonValue, value, this.#field(type, key), deletes));
    }
    return result;
  }

  #field(type: string | undefined, key: string): PatchField {
    const fields = type === undefined ? undefined : this.types(type);
    return fields !== undefined && Object.hasOwn(fields, key) ? (fields[key] as PatchField) : {};
  }

  /** @throws StrategicPatchError when the type is known and the field is not (PA-46) */
  #knownField(type: string | undefined, key: string): PatchField {
    const fields = type === undefined ? undefined : this.types(type);
    if (type !== undefined && fields !== undefined && !Object.hasOwn(fields, key)) {
      const name = type.slice(type.lastIndexOf('.') + 1);
      throw new StrategicPatchError(500, `unable to find api field in struct ${name} for the json field "${key}"`);
    }
    return this.#field(type, key);
  }

  #merged(original: JsonValue, value: JsonValue, field: PatchField, deletes: boolean): JsonValue {
    if (Array.isArray(original) && Array.isArray(value)) return this.#list(original, value, field, deletes);
    if (isObject(original) && isObject(value)) return hasStrategy(field, 'replace') ? value : this.map(original, value, field.type);
    return value;
  }

  #list(original: readonly JsonValue[], value: readonly JsonValue[], field: PatchField, deletes: boolean): readonly JsonValue[] {
    if (!deletes && !hasStrategy(field, 'merge')) return value;
    if (original.length === 0 && value.length === 0) return original;
    if (!isListOfMaps(original, value)) {
      if (deletes) return original.filter((element) => !value.includes(element));
      const merged = [...new Set([...original, ...value])];
      return inServerOrder(partition(merged, value), value, original);
    }
    const { mergeKey } = field;
    if (mergeKey === undefined) throw new StrategicPatchError(500, `cannot merge lists without merge key for ${field.type ?? ''}`);
    const special = withoutSpecialElements(original, value, mergeKey);
    const merged = [...special.original];
    for (const element of special.patch) {
      const wanted = mergeKeyOf(element, mergeKey);
      const index = merged.findIndex((item) => isObject(item) && Object.hasOwn(item, mergeKey) && item[mergeKey] === wanted);
      if (index < 0) merged.push(element);
      else merged[index] = this.map(merged[index] as Fields, element as Record<string, JsonValue>, field.type);
    }
    return inServerOrder(partition(merged, special.patch, mergeKey), special.patch, special.original, mergeKey);
  }

  /** PA-40 */
  #retainKeys(result: Record<string, JsonValue>, patch: Record<string, JsonValue>): void {
    if (!Object.hasOwn(patch, retainKeys)) return;
    const keys = patch[retainKeys];
    delete patch[retainKeys];
    const malformed = new StrategicPatchError(400, 'invalid patch format of retainKeys');
    if (!Array.isArray(keys)) throw malformed;
    for (const key of Object.keys(patch)) {
      if (patch[key] === null || key.startsWith(deletePrefix) || key.startsWith(orderPrefix)) continue;
      if (!keys.includes(key)) throw malformed;
    }
    for (const key of Object.keys(result)) if (!keys.includes(key)) delete result[key];
  }

  /** PA-37: lists whose order the patch gives are merged first, and taken out of the patch. */
  #orderedLists(result: Record<string, JsonValue>, patch: Record<string, JsonValue>, type: string | undefined): void {
    for (const orderKey of Object.keys(patch)) {
      if (!orderKey.startsWith(orderPrefix)) continue;
      const order = listArgument(patch[orderKey]);
      delete patch[orderKey];
      const key = fieldOf(orderKey, 'invalid patch format of setElementOrder list');
      const original = Object.hasOwn(result, key) ? listArgument(result[key]) : undefined;
      const changes = Object.hasOwn(patch, key) ? listArgument(patch[key]) : undefined;
      const field = this.#knownField(type, key);
      checkOrder(changes ?? [], order, field.mergeKey);
      if (original === undefined && changes === undefined) continue;
      const merged =
        changes === undefined
          ? (original as readonly JsonValue[])
          : original === undefined
            ? (withoutDirectives(changes) as readonly JsonValue[])
            : this.#list(original, changes, field, false);
      const parts = partition(merged, order, field.mergeKey);
      const serverOrder = orderAfterMerge(original ?? [], changes ?? [], field.mergeKey);
      setMember(result, key, inServerOrder(parts, order, serverOrder, field.mergeKey));
      delete patch[key];
    }
  }
}

function hasStrategy(field: PatchField, strategy: string): boolean {
  return field.strategy?.split(',').includes(strategy) ?? false;
}

/** PA-41 */
function replacedByDirective(patch: Record<string, JsonValue>): Fields {
  const what = patch[directive];
  if (what === 'replace') {
    delete patch[directive];
    return patch;
  }
  if (what === 'delete') return {};
  throw unknownDirective(what, patch);
}

function unknownDirective(what: JsonValue | undefined, patch: Fields): StrategicPatchError {
  return new StrategicPatchError(500, `unknown patch type: ${what === null ? '%!s(<nil>)' : goPrint(what)} in map: ${goPrint(patch)}`);
}

/** Takes the elements with a directive out of the patch list and does what they say. */
function withoutSpecialElements(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): { readonly original: readonly JsonValue[]; readonly patch: readonly JsonValue[] } {
  let kept = original;
  let replaces = false;
  const plain: JsonValue[] = [];
  for (const element of patch as readonly Fields[]) {
    if (!Object.hasOwn(element, directive)) plain.push(element);
    else if (element[directive] === 'delete') {
      const gone = mergeKeyOf(element, mergeKey);
      kept = kept.filter((item) => !(isObject(item) && item[mergeKey] === gone));
    } else if (element[directive] === 'replace') replaces = true;
    else if (element[directive] === 'merge') throw new StrategicPatchError(500, 'merging lists cannot yet be specified in the patch');
    else throw unknownDirective(element[directive], element);
  }
  return replaces ? { original: plain, patch: [] } : { original: kept, patch: plain };
}

function mergeKeyOf(element: JsonValue, mergeKey: string): JsonValue {
  if (isObject(element) && Object.hasOwn(element, mergeKey)) return element[mergeKey] as JsonValue;
  throw new StrategicPatchError(500, `map: ${goPrint(element)} does not contain declared merge key: ${mergeKey}`);
}

function sameType(a: JsonValue, b: JsonValue): boolean {
  return goDynamicType(a) === goDynamicType(b);
}

function isListOfMaps(original: readonly JsonValue[], patch: readonly JsonValue[]): boolean {
  const types = new Set([...original, ...patch].map(goDynamicType));
  if (types.size > 1 || types.has('<nil>') || types.has('[]interface {}')) {
    throw new StrategicPatchError(500, `list element types are not identical: ${goPrint([original, patch])}`);
  }
  return types.has('map[string]interface {}');
}

function listArgument(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new StrategicPatchError(500, `expected a []interface {}, but received a ${goDynamicType(value)}`);
}

/** What comes after the slash of a directive's name. */
function fieldOf(key: string, fault: string): string {
  const slash = key.indexOf('/');
  if (slash < 0) throw new StrategicPatchError(400, fault);
  return key.slice(slash + 1);
}

/** PA-37: the order must name every item of the patch list, in the same order. */
function checkOrder(changes: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string | undefined): void {
  const named = changes.filter((item) => mergeKey === undefined || !isObject(item) || item[directive] !== 'delete');
  const key = (item: Item) => (mergeKey === undefined ? item : mergeKeyOf(item, mergeKey));
  let at = 0;
  for (const item of order) {
    const wanted = named[at];
    if (wanted === undefined) return;
    if (deepEqual(key(wanted), key(item))) at += 1;
  }
  if (at >= named.length) return;
  const text = `The order in patch list:\n${goPrint(changes)}\n doesn't match ${orderPrefix} list:\n${goPrint(order)}\n`;
  throw new StrategicPatchError(500, text);
}

/** PA-42: where nothing is stored the value is taken without nulls, and without anything that holds a directive. */
function setWithoutDirectives(result: Record<string, JsonValue>, key: string, value: JsonValue): void {
  discardNulls(value);
  const kept = withoutDirectives(value);
  if (kept !== undefined) setMember(result, key, kept);
}

function discardNulls(value: JsonValue): void {
  if (Array.isArray(value)) for (const element of value) discardNulls(element);
  if (!isObject(value)) return;
  const members = value as Record<string, JsonValue>;
  for (const key of Object.keys(members)) {
    if (members[key] === null) delete members[key];
    else discardNulls(members[key] as JsonValue);
  }
}

/** Objects are changed in place, lists are made anew. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((element) => element !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  const members = value as Record<string, JsonValue>;
  for (const key of Object.keys(members)) {
    const kept = withoutDirectives(members[key] as JsonValue);
    if (kept === undefined) delete members[key];
    else setMember(members, key, kept);
  }
  return members;
}
