import { compareElements, type Path, type PathElement } from './path-element.js';
import type { Schema, TypeRef } from './schema.js';

interface Child {
  readonly element: PathElement;
  readonly set: FieldSet;
}

/**
 * A set of fields, as a tree: at each node the members that belong to the set, and the children that hold such members
 * further down. A child need not be a member. Every operation but `insert` leaves its operands alone and shares what it can.
 */
export class FieldSet {
  readonly #members: Map<string, PathElement>;
  readonly #children: Map<string, Child>;

  constructor(members = new Map<string, PathElement>(), children = new Map<string, Child>()) {
    this.#members = members;
    this.#children = children;
  }

  static of(paths: Iterable<Path>): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Adds a path while the set is being made. The root cannot be a member. */
  insert(path: Path): void {
    let node: FieldSet = this;
    for (let depth = 0; depth < path.length - 1; depth++) node = node.descend(path[depth] as PathElement);
    const last = path[path.length - 1];
    if (last !== undefined) node.#members.set(last.text, last);
  }

  /** The child at an element, made when it is not there. */
  descend(element: PathElement): FieldSet {
    const child = this.#children.get(element.text);
    if (child !== undefined) return child.set;
    const set = new FieldSet();
    this.#children.set(element.text, { element, set });
    return set;
  }

  /** Puts a whole subtree below an element while the set is being made. */
  attach(element: PathElement, set: FieldSet): void {
    this.#children.set(element.text, { element, set });
  }

  get isEmpty(): boolean {
    if (this.#members.size > 0) return false;
    for (const { set } of this.#children.values()) if (!set.isEmpty) return false;
    return true;
  }

  /** How many members there are, at all depths. */
  get size(): number {
    let size = this.#members.size;
    for (const { set } of this.#children.values()) size += set.size;
    return size;
  }

  hasMember(element: PathElement): boolean {
    return this.#members.has(element.text);
  }

  child(element: PathElement): FieldSet | undefined {
    return this.#children.get(element.text)?.set;
  }

  has(path: Path): boolean {
    let node: FieldSet | undefined = this;
    for (let depth = 0; depth < path.length - 1; depth++) {
      node = node.child(path[depth] as PathElement);
      if (node === undefined) return false;
    }
    const last = path[path.length - 1];
    return last !== undefined && node.hasMember(last);
  }

  /** Members in their order. */
  members(): readonly PathElement[] {
    return [...this.#members.values()].sort(compareElements);
  }

  /** Elements with children in their order. */
  children(): readonly Child[] {
    return [...this.#children.values()].sort((a, b) => compareElements(a.element, b.element));
  }

  /** Every member's path: those of a node first, then those of its children (PA-20). */
  *paths(prefix: Path = []): Generator<Path> {
    for (const member of this.members()) yield [...prefix, member];
    for (const { element, set } of this.children()) yield* set.paths([...prefix, element]);
  }

  equals(other: FieldSet): boolean {
    if (this.#members.size !== other.#members.size || this.#children.size !== other.#children.size) return false;
    for (const text of this.#members.keys()) if (!other.#members.has(text)) return false;
    for (const [text, { set }] of this.#children) {
      const child = other.#children.get(text);
      if (child === undefined || !set.equals(child.set)) return false;
    }
    return true;
  }

  union(other: FieldSet): FieldSet {
    const children = new Map(this.#children);
    for (const [text, child] of other.#children) {
      const mine = children.get(text);
      children.set(text, mine === undefined ? child : { element: mine.element, set: mine.set.union(child.set) });
    }
    return new FieldSet(new Map([...this.#members, ...other.#members]), children);
  }

  intersection(other: FieldSet): FieldSet {
    const children = new Map<string, Child>();
    for (const [text, { element, set }] of this.#children) {
      const theirs = other.#children.get(text)?.set;
      if (theirs === undefined) continue;
      const common = set.intersection(theirs);
      if (!common.isEmpty) children.set(text, { element, set: common });
    }
    return new FieldSet(
      this.#onlyMembers((text) => other.#members.has(text)),
      children,
    );
  }

  /** What is in this set and not in the other. A member that is taken away leaves its children. */
  difference(other: FieldSet): FieldSet {
    const children = new Map<string, Child>();
    for (const [text, child] of this.#children) {
      const theirs = other.#children.get(text)?.set;
      const set = theirs === undefined ? child.set : child.set.difference(theirs);
      if (theirs === undefined || !set.isEmpty) children.set(text, { element: child.element, set });
    }
    return new FieldSet(
      this.#onlyMembers((text) => !other.#members.has(text)),
      children,
    );
  }

  /** As `difference`, but a member that is taken away takes everything below it along. */
  recursiveDifference(other: FieldSet): FieldSet {
    const children = new Map<string, Child>();
    for (const [text, child] of this.#children) {
      if (other.#members.has(text)) continue;
      const theirs = other.#children.get(text)?.set;
      const set = theirs === undefined ? child.set : child.set.recursiveDifference(theirs);
      if (theirs === undefined || !set.isEmpty) children.set(text, { element: child.element, set });
    }
    return new FieldSet(
      this.#onlyMembers((text) => !other.#members.has(text)),
      children,
    );
  }

  /** Only the members that nothing is below of. */
  leaves(): FieldSet {
    const children = new Map<string, Child>();
    for (const [text, { element, set }] of this.#children) children.set(text, { element, set: set.leaves() });
    return new FieldSet(
      this.#onlyMembers((text) => !this.#children.has(text)),
      children,
    );
  }

  /** The set, and every declared field on the way to a member. */
  withNamedFields(schema: Schema, type: TypeRef | undefined): FieldSet {
    const atom = type === undefined ? undefined : schema.resolve(type);
    const members = new Map(this.#members);
    const children = new Map<string, Child>();
    for (const [text, { element, set }] of this.#children) {
      let inner: TypeRef | undefined;
      if (element.type === 'field' && atom?.map !== undefined) {
        const field = atom.map.fields.get(element.name);
        if (field !== undefined) members.set(text, element);
        inner = field?.type ?? atom.map.elementType;
      } else if (element.type === 'key' && atom?.list !== undefined) inner = atom.list.elementType;
      children.set(text, { element, set: set.withNamedFields(schema, inner) });
    }
    return new FieldSet(members, children);
  }

  #onlyMembers(wanted: (text: string) => boolean): Map<string, PathElement> {
    const members = new Map<string, PathElement>();
    for (const [text, member] of this.#members) if (wanted(text)) members.set(text, member);
    return members;
  }
}
