import type { JsonValue } from '../../etcd/object.js';
import { setMember } from '../json.js';
import { FieldSet } from './field-set.js';
import { compareElements, PathElementFault, parseElement } from './path-element.js';
import { isMap } from './value.js';

/** A set as `fieldsV1` holds it: `.` for a node that is itself a member beside its children (PA-13, PA-65). */
export function toFieldsV1(set: FieldSet, isMember = false): JsonValue {
  const fields: Record<string, JsonValue> = {};
  const children = set.children();
  if (isMember && !(children.length === 0 && set.members().length === 0)) fields['.'] = {};
  const elements = [...set.members(), ...children.map(({ element }) => element)].sort(compareElements);
  for (const element of elements) {
    const child = set.child(element);
    if (Object.hasOwn(fields, element.text)) continue;
    setMember(fields, element.text, child === undefined ? {} : toFieldsV1(child, set.hasMember(element)));
  }
  return fields;
}

/** @throws PathElementFault for what is no `fieldsV1` */
export function fromFieldsV1(fields: JsonValue): FieldSet {
  return read(fields).children ?? new FieldSet();
}

function read(fields: JsonValue): { readonly children: FieldSet | undefined; readonly isMember: boolean } {
  if (fields !== null && !isMap(fields)) throw new PathElementFault('expected an object');
  let children: FieldSet | undefined;
  let isMember = false;
  for (const key of Object.keys(fields ?? {})) {
    if (key === '.') {
      isMember = true;
      continue;
    }
    const element = parseElement(key);
    if (element === undefined) continue;
    const inner = read(fields?.[key] as JsonValue);
    children ??= new FieldSet();
    if (inner.isMember) children.insert([element]);
    if (inner.children !== undefined) children.attach(element, inner.children);
  }
  return { children, isMember: isMember || children === undefined };
}
