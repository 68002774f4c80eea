import type { KubeObject } from '../etcd/object.js';

/** What one look at a terminating namespace has found. */
export interface Findings {
  /** Texts of what went wrong while deleting. */
  readonly failures: readonly string[];
  /** How many objects are left, by `plural.group`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** How many of them each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

/**
 * The namespace with the five conditions of NS-8, foreign ones before them; the same object when nothing changes. Times move
 * with the status only.
 * @param time RFC 3339
 */
export function withConditions(namespace: KubeObject, findings: Findings, time: string): KubeObject {
  const known: readonly Condition[] = namespace.status?.conditions ?? [];
  const conditions = [...known];
  let changed = false;
  for (const wanted of conditionsOf(findings)) {
    const index = conditions.findIndex(({ type }) => type === wanted.type);
    const before = conditions[index];
    if (before === undefined) conditions.push({ ...wanted, lastTransitionTime: time });
    else if (before.status !== wanted.status) conditions[index] = { ...before, ...wanted, lastTransitionTime: time };
    else if (before.reason !== wanted.reason || before.message !== wanted.message) conditions[index] = { ...before, ...wanted };
    else continue;
    changed = true;
  }
  return changed ? { ...namespace, status: { ...namespace.status, conditions } } : namespace;
}

function conditionsOf({ failures, remaining, finalizers }: Findings): readonly Condition[] {
  const failed = failures.length > 0;
  const left = sorted(remaining).map(([resource, count]) => `${resource} has ${count} resource instances`);
  const held = sorted(finalizers).map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  return [
    no('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    no('NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'),
    failed
      ? yes(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`,
        )
      : no('NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'),
    left.length > 0
      ? yes('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${left.join(', ')}`)
      : no('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
    held.length > 0
      ? yes(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${held.join(', ')}`,
        )
      : no('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
  ];
}

function yes(type: string, reason: string, message: string): Condition {
  return { type, status: 'True', reason, message };
}

function no(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message };
}

function sorted(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
