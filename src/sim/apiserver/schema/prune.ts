import type { JsonValue } from '../../etcd/object.js';
import { isObject, setMember } from '../json.js';
import type { SchemaNode } from './compile.js';

/**
 * A value without the fields that its schema does not know (CD-4). The same value when there are none.
 * @param node absent: nothing is known, and only the keys of what is above stay.
 * @param isResource the value is a whole resource: its apiVersion, kind and metadata are known without being declared.
 * @param unknown receives the paths of what was dropped, in the order in which it is met.
 */
export function prune(value: JsonValue, node: SchemaNode | undefined, isResource = false, unknown?: string[]): JsonValue {
  if (node?.preservesUnknown) return pruneDeclared(value, node, isResource || node.embedded, unknown);
  if (Array.isArray(value)) return pruneItems(value, node?.items, unknown);
  if (!isObject(value)) return value;
  const withMeta = isResource || node?.embedded === true;
  let changed = false;
  const kept: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = value[key] as JsonValue;
    if (withMeta && isMeta(key)) {
      setMember(kept, key, member);
      continue;
    }
    const property = node?.properties.get(key);
    if (property === undefined && !node?.isMap) {
      unknown?.push(key);
      changed = true;
      continue;
    }
    const pruned = below(key, unknown, () => prune(member, property ?? node?.values, false, unknown));
    if (pruned !== member) changed = true;
    setMember(kept, key, pruned);
  }
  return changed ? kept : value;
}

/** Under a node that preserves what is unknown, what is declared is pruned all the same. */
function pruneDeclared(value: JsonValue, node: SchemaNode | undefined, withMeta: boolean, unknown?: string[]): JsonValue {
  if (node === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    return mapped(value, (item, index) =>
      below(`[${index}]`, unknown, () => pruneDeclared(item, items, items?.embedded === true, unknown)),
    );
  }
  if (!isObject(value)) return value;
  let changed = false;
  const kept: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = value[key] as JsonValue;
    const property = node.properties.get(key);
    const known = !(withMeta && isMeta(key)) && (property !== undefined || node.isMap);
    const pruned = known ? below(key, unknown, () => prune(member, property ?? node.values, false, unknown)) : member;
    if (pruned !== member) changed = true;
    setMember(kept, key, pruned);
  }
  return changed ? kept : value;
}

function pruneItems(value: readonly JsonValue[], items: SchemaNode | undefined, unknown?: string[]): JsonValue {
  return mapped(value, (item, index) => below(`[${index}]`, unknown, () => prune(item, items, false, unknown)));
}

/** `map` that gives back the same list when nothing has changed. */
function mapped(list: readonly JsonValue[], change: (item: JsonValue, index: number) => JsonValue): readonly JsonValue[] {
  let changed = false;
  const result = list.map((item, index) => {
    const next = change(item, index);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? result : list;
}

/** Paths that are found below a key or an index get it in front. */
function below(part: string, unknown: string[] | undefined, visit: () => JsonValue): JsonValue {
  if (unknown === undefined) return visit();
  const before = unknown.length;
  const result = visit();
  for (let index = before; index < unknown.length; index++) {
    const path = unknown[index] as string;
    unknown[index] = path.startsWith('[') ? part + path : `${part}.${path}`;
  }
  return result;
}

function isMeta(key: string): boolean {
  return key === 'apiVersion' || key === 'kind' || key === 'metadata';
}
