import { deepEqual, type JsonValue } from '../../etcd/object.js';
import { FieldSet } from './field-set.js';
import { fieldElement, type Path, type PathElement } from './path-element.js';
import {
  deduceAtom,
  handleAtom,
  type ListType,
  type MapType,
  memberType,
  type Scalar,
  type Schema,
  sameAtom,
  type TypeRef,
} from './schema.js';
import { below, ElementMap, fault, itemElement, type TypedValue, type TypeFault, TypeFaults } from './typed-value.js';
import { scalarFaults } from './validation.js';
import { isMap, type Value } from './value.js';

/** How a value differs from an earlier one. No field is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** @throws TypeFaults when one of the values has not the form of its type */
export function compare(before: TypedValue, after: TypedValue): Comparison {
  const comparing = new Comparing(before.schema);
  const faults = comparing.compare(before.value ?? null, after.value ?? null, before.type, [], false);
  if (faults.length > 0) throw new TypeFaults(faults);
  return comparing;
}

/** A comparison without the fields that a filter takes out. */
export function filtered(comparison: Comparison, filter: (set: FieldSet) => FieldSet): Comparison {
  return { removed: filter(comparison.removed), modified: filter(comparison.modified), added: filter(comparison.added) };
}

class Comparing implements Comparison {
  readonly removed = new FieldSet();
  readonly modified = new FieldSet();
  readonly added = new FieldSet();

  constructor(readonly schema: Schema) {}

  /** One of the values at most is undefined. */
  compare(before: Value, after: Value, type: TypeRef, path: Path, inLeaf: boolean): readonly TypeFault[] {
    // Equal values differ nowhere, whatever their type.
    if (before === after) return [];
    const atom = this.schema.resolve(type);
    if (atom === undefined) return fault(`schema error: no type found matching: ${type.name}`);
    const atomBefore = deduceAtom(atom, before);
    const atomAfter = deduceAtom(atom, after);
    const place = new Place(this, before, after, path, inLeaf);
    let faults: readonly TypeFault[];
    if (after === undefined) faults = handleAtom(atomBefore, place);
    else if (before === undefined || sameAtom(atomBefore, atomAfter)) faults = handleAtom(atomAfter, place);
    else {
      const other = new Place(this, before, after, path, inLeaf);
      faults = [...handleAtom(atomBefore, other), ...handleAtom(atomAfter, place)];
    }
    if (!place.inLeaf) {
      if (before === undefined) this.added.insert(path);
      else if (after === undefined) this.removed.insert(path);
    }
    return faults;
  }
}

/** One place of both values, and what is done there for each form of a type. */
class Place {
  constructor(
    readonly comparing: Comparing,
    readonly before: Value,
    readonly after: Value,
    readonly path: Path,
    public inLeaf: boolean,
  ) {}

  scalar(type: Scalar): readonly TypeFault[] {
    const faultsBefore = scalarFaults(type, this.before, 'lhs: ');
    const faultsAfter = scalarFaults(type, this.after, 'rhs: ');
    if (faultsBefore.length > 0 && faultsAfter.length > 0) return [...faultsBefore, ...faultsAfter];
    this.#leaf();
    return [];
  }

  list(type: ListType): readonly TypeFault[] {
    const before = Array.isArray(this.before) ? (this.before as readonly JsonValue[]) : undefined;
    const after = Array.isArray(this.after) ? (this.after as readonly JsonValue[]) : undefined;
    if (type.relationship === 'atomic' || ((before?.length ?? 0) === 0 && (after?.length ?? 0) === 0)) {
      this.#leaf();
      return [];
    }
    return this.#items(type, before ?? [], after ?? []);
  }

  map(type: MapType): readonly TypeFault[] {
    const before = isMap(this.before) ? this.before : undefined;
    const after = isMap(this.after) ? this.after : undefined;
    const namesBefore = Object.keys(before ?? {});
    const namesAfter = Object.keys(after ?? {});
    if (type.relationship === 'atomic' || (namesBefore.length === 0 && namesAfter.length === 0)) {
      this.#leaf();
      return [];
    }
    const faults: TypeFault[] = [];
    const visit = (name: string, valueBefore: Value, valueAfter: Value) => {
      const element = fieldElement(name);
      const inner = memberType(type, name) ?? {};
      faults.push(...below(element, this.#compare(element, valueBefore, valueAfter, inner)));
    };
    for (const name of namesBefore)
      visit(name, before?.[name], after !== undefined && Object.hasOwn(after, name) ? after[name] : undefined);
    for (const name of namesAfter) if (before === undefined || !Object.hasOwn(before, name)) visit(name, undefined, after?.[name]);
    return faults;
  }

  #compare(element: PathElement, before: Value, after: Value, type: TypeRef): readonly TypeFault[] {
    return this.comparing.compare(before, after, type, [...this.path, element], this.inLeaf);
  }

  /** What is one field is compared as a whole; what is below of it is not looked at again. */
  #leaf(): void {
    if (this.inLeaf) return;
    this.inLeaf = true;
    if (this.before === undefined) this.comparing.added.insert(this.path);
    else if (this.after === undefined) this.comparing.removed.insert(this.path);
    else if (!deepEqual(this.before, this.after)) this.comparing.modified.insert(this.path);
  }

  #items(type: ListType, before: readonly JsonValue[], after: readonly JsonValue[]): readonly TypeFault[] {
    const faults: TypeFault[] = [];
    const elements: PathElement[] = [];
    const indexed = (list: readonly JsonValue[], others?: ElementMap<JsonValue[]>): ElementMap<JsonValue[]> => {
      const values = new ElementMap<JsonValue[]>();
      for (const [index, item] of list.entries()) {
        const element = itemElement(this.comparing.schema, type, item);
        if ('fault' in element) {
          faults.push(...fault(`element ${index}: ${element.fault}`));
          continue;
        }
        const same = values.get(element);
        if (same !== undefined) same.push(item);
        else {
          values.set(element, [item]);
          if (others === undefined || !others.has(element)) elements.push(element);
        }
      }
      return values;
    };
    const valuesBefore = indexed(before);
    const valuesAfter = indexed(after, valuesBefore);
    for (const element of elements) {
      const itemsBefore = valuesBefore.get(element) ?? [];
      const itemsAfter = valuesAfter.get(element) ?? [];
      const path = [...this.path, element];
      const one = (itemBefore: Value, itemAfter: Value) =>
        faults.push(...below(element, this.#compare(element, itemBefore, itemAfter, type.elementType)));
      // PA-56: items that are there twice are one field together.
      if (itemsBefore.length <= 1 && itemsAfter.length <= 1) one(itemsBefore[0], itemsAfter[0]);
      else if (itemsBefore.length >= 2 && itemsAfter.length >= 2) {
        if (!deepEqual(itemsBefore, itemsAfter)) this.comparing.modified.insert(path);
      } else if (itemsBefore.length >= 2) {
        if (itemsAfter.length > 0) one(undefined, itemsAfter[0]);
        this.comparing.removed.insert(path);
      } else {
        if (itemsBefore.length > 0) one(itemsBefore[0], undefined);
        this.comparing.added.insert(path);
      }
    }
    return faults;
  }
}
