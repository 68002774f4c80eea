import { parseLabelSelector, type Requirement } from '../apiserver/label-selector.js';

/** A selector's text, or labels that must all be there with these values. */
export type LabelSelector = string | Readonly<Record<string, string>>;

/** Which objects a list is about. */
export interface ListOptions {
  /** Absent or empty: all namespaces. */
  readonly namespace?: string;
  readonly labels?: LabelSelector;
  /** A cached list needs an index for the field and compares exactly (D23). */
  readonly fields?: string | Readonly<Record<string, string>>;
  /** A cached list gives an arbitrary subset (D23). */
  readonly limit?: number;
  /** A cached list refuses it (D69). */
  readonly continue?: string;
}

/** @throws SelectorError */
export function requirementsOf(labels: LabelSelector | undefined): readonly Requirement[] {
  if (labels === undefined) return [];
  if (typeof labels === 'string') return parseLabelSelector(labels);
  return Object.entries(labels).map(([key, value]) => ({ key, operator: 'in', values: [value] }));
}

/** As in a URL: `app=web,tier=db`. */
export function selectorText(selector: string | Readonly<Record<string, string>> | undefined): string {
  if (selector === undefined || typeof selector === 'string') return selector ?? '';
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** The exact matches that a field selector asks for. @throws if one of them is not exact (D69). */
export function exactFieldsOf(fields: ListOptions['fields']): readonly (readonly [field: string, value: string])[] {
  if (fields === undefined) return [];
  if (typeof fields !== 'string') return Object.entries(fields);
  return fields
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const match = /^([^=!]+)==?([^=!]*)$/.exec(part);
      if (match === null) throw new Error('non-exact field matches are not supported by the cache');
      return [match[1] as string, match[2] as string] as const;
    });
}
