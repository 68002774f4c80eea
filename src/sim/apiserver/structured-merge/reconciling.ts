import { FieldSet } from './field-set.js';
import type { Path, PathElement } from './path-element.js';
import { type Atom, deducedName, handleAtom, type ListType, type MapType, memberType, type Schema, type TypeRef } from './schema.js';

/**
 * A set in terms of the present schema, when it was made under another one (PA-60): who owned a part of what is atomic now
 * owns the whole. The same set when there is nothing to do.
 */
export function reconciled(set: FieldSet, schema: Schema, type: TypeRef): FieldSet {
  const changes = { remove: new FieldSet(), add: new FieldSet() };
  visit({ schema, changes }, set, type, [], false);
  if (changes.add.isEmpty && changes.remove.isEmpty) return set;
  return set.recursiveDifference(changes.remove).union(changes.add);
}

interface Walk {
  readonly schema: Schema;
  readonly changes: { readonly remove: FieldSet; readonly add: FieldSet };
}

function visit(walk: Walk, set: FieldSet | undefined, type: TypeRef, path: Path, isLeaf: boolean): void {
  const atom: Atom | undefined = walk.schema.resolve(type);
  if (atom === undefined || (atom.map === undefined && atom.scalar === undefined && atom.list === undefined)) return;
  const replace = () => {
    walk.changes.remove.insert(path);
    walk.changes.add.insert(path);
  };
  handleAtom<void>(atom, {
    scalar: () => {},
    list: (list) => {
      if (!isLeaf && list.relationship === 'atomic') replace();
      else if (set !== undefined) visitItems(walk, set, list, path);
    },
    map: (map) => {
      if (isUndeclared(map)) return;
      if (!isLeaf && map.relationship === 'atomic') {
        if (set !== undefined && set.size > 0) replace();
      } else if (set !== undefined) visitMembers(walk, set, map, path);
    },
  });
}

function visitItems(walk: Walk, set: FieldSet, type: ListType, path: Path): void {
  eachElement(set, (element, isMember) => {
    const child = set.child(element);
    visit(walk, child, type.elementType, [...path, element], isMember && child === undefined);
  });
}

function visitMembers(walk: Walk, set: FieldSet, type: MapType, path: Path): void {
  eachElement(set, (element, isMember) => {
    const inner = element.type === 'field' ? memberType(type, element.name) : type.elementType;
    if (inner === undefined) return;
    const child = set.child(element);
    visit(walk, child, inner, [...path, element], isMember && child === undefined);
  });
}

function eachElement(set: FieldSet, use: (element: PathElement, isMember: boolean) => void): void {
  for (const { element } of set.children()) if (!set.hasMember(element)) use(element, false);
  for (const element of set.members()) use(element, true);
}

/** Nothing is declared of free-form maps, atomic or granular. */
function isUndeclared(map: MapType): boolean {
  const type = map.elementType;
  return map.fields.size === 0 && (type?.name === deducedName || (type?.name === undefined && type?.inlined?.scalar === 'untyped'));
}
