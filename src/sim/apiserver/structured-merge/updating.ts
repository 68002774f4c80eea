import { deepEqual } from '../../etcd/object.js';
import { type Comparison, compare, filtered } from './comparison.js';
import { FieldSet } from './field-set.js';
import { fieldsOf } from './fields-of.js';
import { merge } from './merging.js';
import type { Path } from './path-element.js';
import { reconciled } from './reconciling.js';
import { removeItems } from './removing.js';
import type { TypedValue } from './typed-value.js';
import { compareTexts } from './value.js';

/** What one manager owns, in terms of one version of the object. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  readonly applied: boolean;
}

/** By the managers' identities. */
export type Managers = ReadonlyMap<string, VersionedSet>;

/** What the world beside the merge knows of versions. */
export interface Versions {
  /** The value in another version; undefined when there is no such version (any more). */
  convert(value: TypedValue, apiVersion: string): TypedValue | undefined;
  /** A set without the fields that writes through this endpoint cannot change (PA-26). */
  filter(set: FieldSet, apiVersion: string): FieldSet;
}

/** An apply would change what others own. Managers in the order of their identities, paths as `FieldSet.paths` has them. */
export class Conflicts extends Error {
  constructor(readonly conflicts: readonly { readonly manager: string; readonly path: Path }[]) {
    super('apply conflict');
  }

  /** All conflicts as one set. */
  get fields(): FieldSet {
    return FieldSet.of(this.conflicts.map(({ path }) => path));
  }
}

/**
 * Ownership after a write that is no apply (PA-15): the manager gets what it added or changed, and everybody loses that and
 * what is gone.
 */
export function ownersAfterUpdate(
  versions: Versions,
  live: TypedValue,
  next: TypedValue,
  apiVersion: string,
  managers: Managers,
  manager: string,
): Managers {
  const present = reconciledManagers(versions, live, managers);
  const { managers: left, comparison } = transfer(versions, live, next, apiVersion, present, manager, true);
  const own = left.get(manager)?.set ?? new FieldSet();
  const changed = own.difference(comparison.removed).union(comparison.modified).union(comparison.added);
  return withManager(left, manager, { set: versions.filter(changed, apiVersion), apiVersion, applied: false });
}

/** The object and the owners after an apply; no object: the apply changes nothing. @throws Conflicts, TypeFaults */
export function applied(
  versions: Versions,
  live: TypedValue,
  config: TypedValue,
  apiVersion: string,
  managers: Managers,
  manager: string,
  force: boolean,
): { readonly next: TypedValue | undefined; readonly managers: Managers } {
  const present = new Map(reconciledManagers(versions, live, managers));
  const merged = merge(live, config);
  const last = present.get(manager);
  present.set(manager, { set: versions.filter(fieldsOf(config), apiVersion), apiVersion, applied: true });
  const next = pruned(versions, merged, present, manager, last);
  const { managers: left } = transfer(versions, live, next, apiVersion, present, manager, force);
  return { next: deepEqual(live.value, next.value) ? undefined : next, managers: left };
}

/** What everybody but the writer has after the write. @throws Conflicts unless forced */
function transfer(
  versions: Versions,
  before: TypedValue,
  after: TypedValue,
  apiVersion: string,
  managers: Managers,
  writer: string,
  force: boolean,
): { readonly managers: Managers; readonly comparison: Comparison } {
  const own = compare(before, after);
  const comparisons = new Map<string, Comparison | undefined>([[apiVersion, filtered(own, (set) => versions.filter(set, apiVersion))]]);
  const comparisonIn = (version: string): Comparison | undefined => {
    if (!comparisons.has(version)) {
      const versionedBefore = versions.convert(before, version);
      const versionedAfter = versionedBefore === undefined ? undefined : versions.convert(after, version);
      const comparison =
        versionedBefore === undefined || versionedAfter === undefined
          ? undefined
          : filtered(compare(versionedBefore, versionedAfter), (set) => versions.filter(set, version));
      comparisons.set(version, comparison);
    }
    return comparisons.get(version);
  };

  const left = new Map<string, VersionedSet>();
  const conflicts: { manager: string; path: Path }[] = [];
  for (const [manager, versioned] of [...managers].sort(([a], [b]) => compareTexts(a, b))) {
    if (manager === writer) {
      if (!versioned.set.isEmpty) left.set(manager, versioned);
      continue;
    }
    const comparison = comparisonIn(versioned.apiVersion);
    // A version that is gone takes its owners along.
    if (comparison === undefined) continue;
    const taken = versioned.set.intersection(comparison.modified.union(comparison.added));
    if (!taken.isEmpty) for (const path of taken.paths()) conflicts.push({ manager, path });
    const set = versioned.set.difference(taken).difference(comparison.removed);
    if (!set.isEmpty) left.set(manager, { ...versioned, set });
  }
  if (!force && conflicts.length > 0) throw new Conflicts(conflicts);
  return { managers: left, comparison: comparisons.get(apiVersion) as Comparison };
}

/**
 * The merged object without what the manager applied last time and has left out now, unless somebody else has it too
 * (PA-21).
 */
function pruned(versions: Versions, merged: TypedValue, managers: Managers, manager: string, last: VersionedSet | undefined): TypedValue {
  if (last === undefined || last.set.isEmpty) return merged;
  const then = versions.convert(merged, last.apiVersion);
  if (then === undefined) return merged;
  const lastSet = last.set.withNamedFields(then.schema, then.type);
  let left = removeItems(then, lastSet);
  left = withOwnedItems(versions, then, left, last.apiVersion, managers);
  left = withDanglingItems(versions, then, left, last.apiVersion, lastSet);
  const now = (managers.get(manager) as VersionedSet).apiVersion;
  return versions.convert(left, now) ?? left;
}

/** Puts back what some manager owns. */
function withOwnedItems(versions: Versions, merged: TypedValue, left: TypedValue, prunedVersion: string, managers: Managers): TypedValue {
  const owned = new Map<string, FieldSet>();
  for (const { set, apiVersion } of managers.values()) owned.set(apiVersion, owned.get(apiVersion)?.union(set) ?? set);
  // The version of the pruning comes first: what it needs for a conversion must not be missing.
  const order = [...owned.keys()].sort((a, b) => Number(b === prunedVersion) - Number(a === prunedVersion) || compareTexts(a, b));
  let all = merged;
  let result = left;
  for (const version of order) {
    const versionedAll = versions.convert(all, version);
    const versionedResult = versionedAll === undefined ? undefined : versions.convert(result, version);
    if (versionedAll === undefined || versionedResult === undefined) continue;
    all = versionedAll;
    const { schema, type } = all;
    const kept = fieldsOf(versionedResult).withNamedFields(schema, type);
    const managed = (owned.get(version) as FieldSet).withNamedFields(schema, type);
    const gone = fieldsOf(all).withNamedFields(schema, type).difference(kept.union(managed));
    result = removeItems(all, gone);
  }
  return result;
}

/** Puts back what the manager had not applied: items that nobody owns. */
function withDanglingItems(versions: Versions, merged: TypedValue, left: TypedValue, version: string, lastSet: FieldSet): TypedValue {
  const versioned = versions.convert(left, version);
  if (versioned === undefined) return merged;
  const { schema, type } = merged;
  const kept = fieldsOf(versioned).withNamedFields(schema, type);
  const all = fieldsOf(merged).withNamedFields(schema, type);
  return removeItems(merged, all.difference(kept).intersection(lastSet));
}

/** PA-60; the owners of versions that are gone go too. */
function reconciledManagers(versions: Versions, live: TypedValue, managers: Managers): Managers {
  const result = new Map<string, VersionedSet>();
  for (const [manager, versioned] of managers) {
    const then = versions.convert(live, versioned.apiVersion);
    if (then === undefined) continue;
    result.set(manager, { ...versioned, set: reconciled(versioned.set, then.schema, then.type) });
  }
  return result;
}

function withManager(managers: Managers, manager: string, versioned: VersionedSet): Managers {
  const result = new Map(managers);
  if (versioned.set.isEmpty) result.delete(manager);
  else result.set(manager, versioned);
  return result;
}
