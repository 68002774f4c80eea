import type { KubeObject } from '../../etcd/object.js';
import { type LabelSelector, selectorText } from '../object-selector.js';
import { parseQuantity, quantityText } from '../quantity.js';

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

/** Labels as one text, sorted; `<none>` when there are none. */
export function labelsText(labels: Readonly<Record<string, string>> | null | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? NONE : pairs.sort().join(',');
}

/** A selector as one text; `<none>` when it is empty or absent. */
export function selectorCell(selector: LabelSelector | null | undefined): string {
  return bareSelector(selector) || NONE;
}

/** A selector as one text, empty when nothing is required. */
export function bareSelector(selector: LabelSelector | null | undefined): string {
  return selector === null || selector === undefined ? '' : selectorText({ matchLabels: {}, ...selector });
}

/** Names and images of containers, each as one text. */
export function containerCells(
  containers: readonly { readonly name: string; readonly image?: string }[] | null | undefined,
): readonly [names: string, images: string] {
  const all = containers ?? [];
  return [all.map(({ name }) => name).join(','), all.map(({ image = '' }) => image).join(',')];
}

/** The first few of a list, and how many more there are. */
export function firstFew(list: readonly string[], most: number, separator = ','): string {
  const text = list.slice(0, most).join(separator);
  return list.length > most ? `${text} + ${list.length - most} more...` : text;
}

/** A quantity in its canonical form; an absent one is zero. */
export function quantityCell(quantity: string | number | undefined): string {
  return quantity === undefined ? '0' : quantityText(parseQuantity(String(quantity)));
}

/** The name with a mark when an annotation makes this the default of its kind. */
export function markedName({ metadata: { name = '', annotations = {} } }: KubeObject, ...marks: readonly string[]): string {
  return marks.some((mark) => annotations[mark] === 'true') ? `${name} (default)` : name;
}

/** Whoever is or shows the name of an object. */
export function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? '';
}

/** What is given, or else what stands for nothing. */
export function orElse(text: string | null | undefined, otherwise: string): string {
  return text === undefined || text === null || text === '' ? otherwise : text;
}
