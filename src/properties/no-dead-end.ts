import type { Commit } from '../sim/etcd/etcd.js';
import type { KubeObject } from '../sim/etcd/object.js';
import type { Trace, TraceEntry } from '../sim/trace.js';
import { type Difference, differenceText } from './canonical-state.js';
import { compareEnds } from './end-state.js';
import { beforeProbes, changes, isOperator, summaryOf } from './history.js';
import { entriesOf, type Pass, passes } from './passes.js';
import type { Case, Finding, Property } from './property.js';

/** The cluster is not done only because everybody sleeps: whoever still has something to do will wake. */
export const noDeadEnd: Property = {
  name: 'noDeadEnd',
  kind: 'eventually',
  about: 'at rest there is no work left that nobody will wake for',
  check(the) {
    const comparison = compareEnds(the);
    if ('unclear' in comparison) return comparison.unclear;
    if (comparison.differences.length === 0) return 'proved';
    if (summaryOf(the.trace, 'settle')?.end !== 'quiescent') return { evidence: 'operators poll, so somebody will wake' };
    for (const difference of comparison.differences) {
      const found = deadEndAt(the, difference);
      if (found !== undefined) return found;
    }
    return { evidence: 'whoever had work to do had seen everything: that it was not done is for converges to say' };
  },
};

function deadEndAt(the: Case, difference: Difference): Finding | undefined {
  const { world, trace } = the;
  const family = familyOf(difference.object);
  const last = passes(trace).findLast(({ process, key, start }) => beforeProbes(start) && isOperator(world, process) && family.has(key));
  if (last === undefined || last.result !== 'done') return undefined;
  const why = differenceText(difference);
  const swallowed = swallowedIn(the, last);
  if (swallowed !== undefined)
    return {
      message: `${why}: the last reconcile of ${last.key} met an error (${swallowed.what}) and ended as if all were well, so nobody tries again`,
      culprit: `${difference.kind} error swallowed`,
      entries: [swallowed.entry.seq, last.end?.seq ?? last.start.seq],
    };
  const missed = missedAfter(the, last, family);
  if (missed === undefined) return undefined;
  return {
    message: `${why}: the last reconcile of ${last.key} did not know of ${missed.what}, and nothing has woken it since`,
    culprit: `${difference.kind} ${missed.kind} not noticed`,
    entries: [last.start.seq, missed.entry.seq],
  };
}

/** Keys under which an object would be reconciled: its own and its owners'. */
function familyOf({ metadata }: KubeObject): ReadonlySet<string> {
  const key = (name: string) => (metadata.namespace === undefined ? name : `${metadata.namespace}/${name}`);
  return new Set([key(metadata.name ?? ''), ...(metadata.ownerReferences ?? []).map(({ name }) => key(name))]);
}

function swallowedIn({ trace }: Case, pass: Pass): { readonly what: string; readonly entry: TraceEntry } | undefined {
  for (const entry of entriesOf(trace, pass)) {
    const { event } = entry;
    if (event.kind !== 'answered') continue;
    if (event.lost !== undefined) return { what: `no answer to ${event.call}`, entry };
    if (event.code !== undefined && event.code >= 400 && event.code !== 404) return { what: `${event.code} for ${event.call}`, entry };
  }
  return undefined;
}

/** A change by others to the family of a key that was not known to its last pass: made since, or still on its way then. */
function missedAfter({ trace }: Case, pass: Pass, family: ReadonlySet<string>) {
  for (const { entry, process, commit } of changes(trace)) {
    if (!beforeProbes(entry) || process === pass.process) continue;
    const object = (commit.object ?? commit.previous) as KubeObject;
    if (![...familyOf(object)].some((key) => family.has(key))) continue;
    if (entry.seq <= pass.start.seq && !cameLater(trace, pass, commit)) continue;
    const verb = commit.object === undefined ? 'deletion' : commit.previous === undefined ? 'creation' : 'change';
    return { what: `the ${verb} of ${object.kind} ${object.metadata.name} by ${process}`, kind: `${verb} of ${object.kind}`, entry };
  }
  return undefined;
}

/** Whether the watch brought a commit only after the pass had begun. */
function cameLater({ entries }: Trace, pass: Pass, { key, revision }: Commit): boolean {
  const first = entries.find(
    ({ event }) =>
      event.kind === 'delivered' &&
      event.process === pass.process &&
      event.revision >= revision &&
      event.key.resource === key.resource &&
      event.key.namespace === key.namespace &&
      event.key.name === key.name,
  );
  return first !== undefined && first.seq > pass.start.seq && beforeProbes(first);
}
