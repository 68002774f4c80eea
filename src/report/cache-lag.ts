import { type EtcdKey, pathOf } from '../sim/etcd/etcd.js';
import type { Trace, TraceEntry } from '../sim/trace.js';

/**
 * What a process's caches did not show yet, at each entry of a run: objects of which its watches bring news only later.
 * @returns a function of process and entry number.
 */
export function cacheLag(trace: Trace): (process: string, seq: number) => readonly EtcdKey[] {
  const told = new Set<string>();
  for (const { event } of trace.entries) if (event.kind === 'delivered') told.add(`${event.process} ${idOf(event.key)}`);
  return (process, seq) => {
    const stored = new Map<string, { readonly key: EtcdKey; readonly revision: number; readonly there: boolean }>();
    const cached = new Map<string, number>();
    for (const { event, seq: at } of trace.entries) {
      if (at > seq) break;
      if (event.kind === 'started' && event.process === process) cached.clear();
      else if (event.kind === 'delivered' && event.process === process) {
        if (event.type === 'DELETED') cached.delete(idOf(event.key));
        else cached.set(idOf(event.key), event.revision);
      } else if (event.kind === 'handled')
        for (const { key, revision, object } of event.commits) stored.set(idOf(key), { key, revision, there: object !== undefined });
    }
    return [...stored.values()]
      .filter(({ key }) => told.has(`${process} ${idOf(key)}`))
      .filter(({ key, revision, there }) => (there ? (cached.get(idOf(key)) ?? 0) < revision : cached.has(idOf(key))))
      .map(({ key }) => key);
  };
}

/** When each revision was committed, in virtual milliseconds. */
export function commitTimes(entries: readonly TraceEntry[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { event, atMs } of entries) if (event.kind === 'handled') for (const { revision } of event.commits) times.set(revision, atMs);
  return times;
}

/** An object in a word: its resource and its path. */
export function idOf(key: EtcdKey): string {
  return `${key.resource} ${pathOf(key)}`;
}
