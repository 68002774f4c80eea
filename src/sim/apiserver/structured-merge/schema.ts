import type { JsonValue } from '../../etcd/object.js';
import { fault, TypeFaults } from './typed-value.js';
import { isMap, isScalar, type Value } from './value.js';

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** What a place may hold: one or several of a scalar, a list, a map. */
export interface Atom {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** A named type or one written out in place. */
export interface TypeRef {
  readonly name?: string;
  readonly inlined?: Atom;
  /** Overrides what the named type says of itself. */
  readonly relationship?: Relationship;
}

export type Relationship = 'associative' | 'atomic' | 'separable';

export interface ListType {
  readonly elementType: TypeRef;
  readonly relationship: Relationship;
  /** The fields that tell the items of an associative list of maps apart; none: a set. */
  readonly keys: readonly string[];
}

export interface MapType {
  readonly fields: ReadonlyMap<string, StructField>;
  /** The type of members that are not declared; absent: there are none. */
  readonly elementType?: TypeRef;
  readonly relationship: Relationship;
}

export interface StructField {
  readonly type: TypeRef;
  readonly default?: JsonValue;
}

/** What finds the types by their names. */
export class Schema {
  readonly #find: (name: string) => Atom | undefined;
  readonly #found = new Map<string, Atom | undefined>();
  readonly #overridden = new WeakMap<TypeRef, Atom>();

  /** @param find is asked once for each name. */
  constructor(find: (name: string) => Atom | undefined) {
    this.#find = find;
  }

  resolve(type: TypeRef): Atom | undefined {
    if (type.relationship === undefined) return this.#plain(type);
    let atom = this.#overridden.get(type);
    if (atom === undefined) {
      const plain = this.#plain(type);
      if (plain === undefined) return undefined;
      const { map, list } = plain;
      const relationship = type.relationship;
      if (map !== undefined) atom = { ...plain, map: { ...map, relationship } };
      else if (list !== undefined) atom = { ...plain, list: { ...list, relationship } };
      else return undefined;
      this.#overridden.set(type, atom);
    }
    return atom;
  }

  #plain(type: TypeRef): Atom | undefined {
    if (type.name === undefined) return type.inlined ?? {};
    if (!this.#found.has(type.name)) this.#found.set(type.name, this.#find(type.name));
    return this.#found.get(type.name);
  }
}

export const untypedName = '__untyped_atomic_';
export const deducedName = '__untyped_deduced_';

const untypedList: ListType = { elementType: { name: untypedName }, relationship: 'atomic', keys: [] };

/** A value that nothing is known of and that is one field, whatever it holds. */
export const untypedAtom: Atom = {
  scalar: 'untyped',
  list: untypedList,
  map: { fields: new Map(), elementType: { name: untypedName }, relationship: 'atomic' },
};

/** A value that nothing is known of: its maps are granular, its lists are not. */
export const deducedAtom: Atom = {
  scalar: 'untyped',
  list: untypedList,
  map: { fields: new Map(), elementType: { name: deducedName }, relationship: 'separable' },
};

/** Of the forms that a type allows, the one that a value has; all of them when it has none of them. */
export function deduceAtom(atom: Atom, value: Value): Atom {
  if (value === undefined || value === null) return atom;
  if (isScalar(value)) return atom.scalar === undefined ? atom : { scalar: atom.scalar };
  if (Array.isArray(value)) return atom.list === undefined ? atom : { list: atom.list };
  return isMap(value) && atom.map !== undefined ? { map: atom.map } : atom;
}

/** The handlers of the three forms, for whoever walks over a value. */
export interface AtomHandler<Result> {
  map(type: MapType): Result;
  scalar(type: Scalar): Result;
  list(type: ListType): Result;
}

/** @throws TypeFaults for a type that allows nothing, as that of an undeclared field does. */
export function handleAtom<Result>(atom: Atom, handler: AtomHandler<Result>): Result {
  if (atom.map !== undefined) return handler.map(atom.map);
  if (atom.scalar !== undefined) return handler.scalar(atom.scalar);
  if (atom.list !== undefined) return handler.list(atom.list);
  throw new TypeFaults(fault('schema error: invalid atom: inlined'));
}

/** The type of a member of a map; undefined when it is not declared and undeclared members are not allowed. */
export function memberType(map: MapType, name: string): TypeRef | undefined {
  return map.fields.get(name)?.type ?? map.elementType;
}

/** Whether two atoms allow the same; both come out of `deduceAtom`. */
export function sameAtom(a: Atom, b: Atom): boolean {
  return a.scalar === b.scalar && a.list === b.list && a.map === b.map;
}
