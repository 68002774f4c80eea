import type { ManagedFieldsEntry } from '../../etcd/object.js';
import { goJson } from '../field-errors.js';
import { isObject } from '../json.js';
import { fromFieldsV1, toFieldsV1 } from '../structured-merge/fields-v1.js';
import { PathElementFault } from '../structured-merge/path-element.js';
import type { Managers } from '../structured-merge/updating.js';
import { compareTexts } from '../structured-merge/value.js';

/** Who owns what, and since when, by the managers' identities. */
export interface Managed {
  readonly managers: Managers;
  readonly times: ReadonlyMap<string, string>;
  /** The entries, where the rest cannot tell all of them: two may be of one identity (PA-52). */
  readonly shown?: readonly ManagedFieldsEntry[];
}

/** Times of those who own nothing any more are forgotten. */
export function managedBy(managers: Managers, times: ReadonlyMap<string, string>): Managed {
  const kept = new Map<string, string>();
  for (const [identity, time] of times) if (managers.has(identity)) kept.set(identity, time);
  return { managers, times: kept };
}

export const nobody: Managed = { managers: new Map(), times: new Map() };

/** PA-13: an applier is the same whatever version it writes. */
export function identityOf({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  return goJson({
    ...(manager && { manager }),
    ...(operation && { operation }),
    ...(apiVersion && operation !== 'Apply' && { apiVersion }),
    ...(subresource && { subresource }),
  });
}

/** What an identity says of itself; the version of an applier is not in it. */
export function infoOf(identity: string): ManagedFieldsEntry {
  return JSON.parse(identity) as ManagedFieldsEntry;
}

/** Undefined: one of the entries cannot be understood, and so none of them is (PA-18). Of two of one identity the later counts. */
export function decodeEntries(entries: readonly ManagedFieldsEntry[]): Managed | undefined {
  const managers = new Map<string, { set: ReturnType<typeof fromFieldsV1>; apiVersion: string; applied: boolean }>();
  const times = new Map<string, string>();
  for (const entry of entries) {
    const { operation, apiVersion = '', fieldsType, fieldsV1, time } = entry;
    if ((operation !== 'Apply' && operation !== 'Update') || apiVersion === '' || fieldsType !== 'FieldsV1') return undefined;
    const identity = identityOf(entry);
    try {
      managers.set(identity, { set: fromFieldsV1(fieldsV1 ?? {}), apiVersion, applied: operation === 'Apply' });
    } catch (error) {
      if (error instanceof PathElementFault) return undefined;
      throw error;
    }
    if (time === undefined) times.delete(identity);
    else times.set(identity, time);
  }
  return { managers, times };
}

/** The list as objects show it. */
export function encodeEntries({ managers, times, shown }: Managed): readonly ManagedFieldsEntry[] {
  if (shown !== undefined) return shown;
  const entries = [...managers].map(([identity, { set, apiVersion, applied }]): ManagedFieldsEntry => {
    const { manager, operation, subresource } = infoOf(identity);
    const time = times.get(identity);
    return {
      ...(manager && { manager }),
      operation: applied ? 'Apply' : (operation as string),
      apiVersion,
      ...(time !== undefined && { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(set),
      ...(subresource && { subresource }),
    };
  });
  return inOrder(entries);
}

/** PA-66 */
export function inOrder(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  return [...entries].sort(compareEntries);
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareTexts(a.operation ?? '', b.operation ?? '') ||
    // No time comes first; texts of one form sort as the times do.
    compareTexts(a.time ?? '', b.time ?? '') ||
    compareTexts(a.manager ?? '', b.manager ?? '') ||
    compareTexts(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareTexts(a.subresource ?? '', b.subresource ?? '')
  );
}

/** PA-18: the two ways to say that nobody shall own anything. */
export function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  return entries.length === 0 || (entries.length === 1 && isObject(entries[0]) && Object.keys(entries[0]).length === 0);
}

/** ST-6: whether two lists say the same, times apart, in the same order. */
export function sameButForTimes(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  const withoutTimes = (entries: readonly ManagedFieldsEntry[]) => JSON.stringify(entries.map(({ time: _, ...entry }) => entry));
  return a.length === b.length && withoutTimes(a) === withoutTimes(b);
}
