import type { Trace, TraceEntry } from '../sim/trace.js';

/**
 * How many changes of the watched resources a process had not heard of, at each entry of a run.
 * @returns a function of process and entry number.
 */
export function cacheLag(trace: Trace): (process: string, seq: number) => number {
  const watched = new Map<string, Set<string>>();
  for (const { event } of trace.entries)
    if (event.kind === 'delivered') watched.set(event.process, (watched.get(event.process) ?? new Set()).add(event.resource));
  return (process, seq) => {
    const resources = watched.get(process) ?? new Set<string>();
    const heardOf = new Map<string, number>();
    const committed: { readonly resource: string; readonly revision: number }[] = [];
    for (const { event, seq: at } of trace.entries) {
      if (at > seq) break;
      if (event.kind === 'started' && event.process === process) heardOf.clear();
      else if (event.kind === 'delivered' && event.process === process)
        heardOf.set(event.resource, Math.max(heardOf.get(event.resource) ?? 0, event.revision));
      else if (event.kind === 'handled')
        for (const { key, revision } of event.commits) if (resources.has(key.resource)) committed.push({ resource: key.resource, revision });
    }
    return committed.filter(({ resource, revision }) => revision > (heardOf.get(resource) ?? 0)).length;
  };
}

/** When each revision was committed, in virtual milliseconds. */
export function commitTimes(entries: readonly TraceEntry[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { event, atMs } of entries)
    if (event.kind === 'handled') for (const { revision } of event.commits) times.set(revision, atMs);
  return times;
}
