import type { KubeObject } from '../../etcd/object.js';

export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

export function isIndexed(job: KubeObject): boolean {
  return job.spec?.completionMode === 'Indexed';
}

export function completionsOf(job: KubeObject): number | undefined {
  return job.spec?.completions;
}

/** The index that a pod works on; undefined when it has none that the Job wants. */
export function indexOf(job: KubeObject, pod: KubeObject): number | undefined {
  const text = pod.metadata.annotations?.[indexAnnotation] ?? '';
  if (!/^\d+$/.test(text)) return undefined;
  return Number(text) < (completionsOf(job) ?? 0) ? Number(text) : undefined;
}

/** WL-87, read: `0,2-5`. Indexes that the Job does not want any more are left out. */
export function readIndexes(text: string | undefined, completions: number): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',').filter((each) => each !== '')) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last && index < completions; index++) indexes.add(index);
  }
  return indexes;
}

/** WL-87, written. */
export function indexesText(indexes: ReadonlySet<number>): string {
  const parts: string[] = [];
  const sorted = [...indexes].sort((a, b) => a - b);
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at] as number;
    let last = first;
    while (sorted[at + 1] === last + 1) {
      at += 1;
      last += 1;
    }
    at += 1;
    parts.push(first === last ? String(first) : `${first}${last === first + 1 ? ',' : '-'}${last}`);
  }
  return parts.join();
}

/** WL-97: what the first rule of the success policy that is fulfilled says. */
export function successPolicyMet(job: KubeObject, succeeded: ReadonlySet<number>): string | undefined {
  const rules: readonly { readonly succeededIndexes?: string; readonly succeededCount?: number }[] = job.spec?.successPolicy?.rules ?? [];
  for (const [at, { succeededIndexes, succeededCount }] of rules.entries()) {
    const wanted = succeededIndexes === undefined ? undefined : readIndexes(succeededIndexes, completionsOf(job) ?? 0);
    const matched = wanted === undefined ? succeeded.size : [...wanted].filter((index) => succeeded.has(index)).length;
    if (matched >= (succeededCount ?? wanted?.size ?? Number.POSITIVE_INFINITY)) return `Matched rules at index ${at}`;
  }
  return undefined;
}
