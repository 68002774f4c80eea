import { resourceOf } from '../sim/call-name.js';
import { type EtcdKey, pathOf } from '../sim/etcd/etcd.js';
import type { Trace, TraceEntry } from '../sim/trace.js';

/**
 * What a process's caches did not show yet, at each entry of a run: objects of which its watches bring news only later.
 * @returns a function of process and entry number.
 */
export function cacheLag(trace: Trace): (process: string, seq: number) => readonly EtcdKey[] {
  const told = new Set<string>();
  const asked = firstAsked(trace);
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
      .filter(({ key }) => told.has(`${process} ${idOf(key)}`) && asked(process, key.resource, seq) !== undefined)
      .filter(({ key, revision, there }) => (there ? (cached.get(idOf(key)) ?? 0) < revision : cached.has(idOf(key))))
      .map(({ key }) => key);
  };
}

/**
 * When a life of a process first asked for the objects of a resource: before that it has no cache of them to be behind.
 * @returns a function of process, resource and entry number; its result is in virtual milliseconds, and undefined before that
 */
export function firstAsked({ entries }: Trace): (process: string, resource: string, seq: number) => number | undefined {
  const starts: { readonly process: string; readonly seq: number }[] = [];
  const asks: { readonly process: string; readonly resource: string; readonly seq: number; readonly atMs: number }[] = [];
  for (const { seq, atMs, event } of entries) {
    if (event.kind === 'started') starts.push({ process: event.process, seq });
    if (event.kind !== 'sent' || event.request.name !== undefined) continue;
    const { process, request } = event;
    if (request.verb === 'list' || request.verb === 'watch') asks.push({ process, resource: resourceOf(request), seq, atMs });
  }
  return (process, resource, seq) => {
    const since = starts.findLast((each) => each.process === process && each.seq < seq)?.seq ?? 0;
    return asks.find((each) => each.process === process && each.resource === resource && each.seq > since && each.seq < seq)?.atMs;
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
