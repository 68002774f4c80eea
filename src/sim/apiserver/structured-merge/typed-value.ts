import { compareElements, elementText, type KeyField, keyElement, type PathElement, valueElement } from './path-element.js';
import type { ListType, Schema, TypeRef } from './schema.js';
import { isMap, type Value } from './value.js';

/** A value and what its schema says of it. */
export interface TypedValue {
  readonly value: Value;
  readonly type: TypeRef;
  readonly schema: Schema;
}

/** One thing that is wrong with a value, and where. */
export interface TypeFault {
  readonly path: string;
  readonly text: string;
}

/** A value that its schema does not allow. The text is the one of `TypeError`s of apply (PA-24). */
export class TypeFaults extends Error {
  constructor(readonly faults: readonly TypeFault[]) {
    super(faultsText(faults));
  }
}

function faultsText(faults: readonly TypeFault[]): string {
  const texts = faults.map(({ path, text }) => (path === '' ? text : `${path}: ${text}`));
  return texts.length === 1 ? (texts[0] as string) : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

export function fault(text: string): TypeFault[] {
  return [{ path: '', text }];
}

export function below(element: PathElement, faults: readonly TypeFault[]): TypeFault[] {
  if (faults.length === 0) return [];
  const prefix = elementText(element);
  return faults.map(({ path, text }) => ({ path: prefix + path, text }));
}

/** The step to an item of an associative list (PA-22), or why there is none. */
export function itemElement(schema: Schema, list: ListType, item: Value): PathElement | { readonly fault: string } {
  if (list.relationship !== 'associative') return { fault: 'invalid indexing of non-associative list' };
  if (list.keys.length > 0) return keyedElement(schema, list, item);
  if (isMap(item)) return { fault: "associative list without keys has an element that's a map type" };
  if (Array.isArray(item)) return { fault: 'not supported: associative list with lists as elements' };
  if (item === null || item === undefined) return { fault: "associative list without keys has an element that's an explicit null" };
  return valueElement(item);
}

function keyedElement(schema: Schema, list: ListType, item: Value): PathElement | { readonly fault: string } {
  if (item === null || item === undefined) return { fault: 'associative list with keys may not have a null element' };
  if (!isMap(item)) return { fault: 'associative list with keys may not have non-map elements' };
  const fields: KeyField[] = [];
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : keyDefault(schema, list, name);
    if (value !== undefined) fields.push({ name, value });
  }
  if (fields.length === 0) {
    const names = list.keys.map((key) => `"${key}"`).join(' ');
    return {
      fault: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    };
  }
  return keyElement(fields);
}

function keyDefault(schema: Schema, list: ListType, name: string): Value {
  const value = schema.resolve(list.elementType)?.map?.fields.get(name)?.default;
  return value === null ? undefined : value;
}

/** A map by path elements, in the order in which they came. */
export class ElementMap<Item> {
  readonly #items = new Map<string, Item>();

  get(element: PathElement): Item | undefined {
    return this.#items.get(element.text);
  }

  has(element: PathElement): boolean {
    return this.#items.has(element.text);
  }

  set(element: PathElement, item: Item): void {
    this.#items.set(element.text, item);
  }
}

export function sameElement(a: PathElement, b: PathElement): boolean {
  return a.text === b.text || compareElements(a, b) === 0;
}
