import { deepEqual, type JsonValue } from '../../etcd/object.js';
import { isMap } from '../json-body.js';
import type { JsonPatchOperation } from './response.js';

/** The JSON patch (RFC 6902) that makes one object the other, in the order of fields; a list that differs is replaced whole. */
export function patchBetween(before: object, after: object): readonly JsonPatchOperation[] {
  return operations(before as Fields, after as Fields, '');
}

type Fields = Readonly<Record<string, unknown>>;

function operations(before: Fields, after: Fields, path: string): readonly JsonPatchOperation[] {
  const at = (field: string): string => `${path}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const removed = Object.keys(before).filter((field) => !Object.hasOwn(after, field));
  const kept = Object.keys(after).flatMap((field): readonly JsonPatchOperation[] => {
    const value = after[field];
    if (!Object.hasOwn(before, field)) return [{ op: 'add', path: at(field), value: value as JsonValue }];
    const old = before[field];
    if (isMap(old) && isMap(value)) return operations(old, value, at(field));
    return deepEqual(old, value) ? [] : [{ op: 'replace', path: at(field), value: value as JsonValue }];
  });
  return [...removed.map((field) => ({ op: 'remove', path: at(field) }) as const), ...kept];
}
