import { callName } from '../sim/call-name.js';
import type { Phase, Trace, TraceEntry } from '../sim/trace.js';
import type { World } from '../sim/world.js';
import { beforeProbes, heldAfter, isOperator, notAtRest, summaryOf, withoutNumber } from './history.js';
import { entriesOf, type Pass, passes } from './passes.js';
import type { Case, Finding, Property } from './property.js';

const phases: readonly Phase[] = ['settle', 'probe-restart', 'probe-redelivery', 'probe-deletion'];
/** A phase that does not end and in which one thing was done so often will do it for ever. */
const endless = 50;
/** What comes no more often than this, in virtual milliseconds, is no loop but a habit. */
const unhurriedMs = 30_000;
/** So many failures of one key in a row, long after everything is well again, are not going to end. */
const hopeless = 5;
/** In a cluster without faults a pass that has failed so often with one request, and sends it again, always will. */
const tries = 2;
/** A settling cluster asks no more of its API server than this, and this many times what the whole calm run asks. */
const requestsAllowed = 200;
const timesCalm = 20;

/** Once nothing goes wrong any more, the work comes to an end. */
export const noHotLoop: Property = {
  name: 'noHotLoop',
  kind: 'eventually',
  about: 'in a cluster without faults no operator goes on writing, reconciling or failing for ever',
  check(the) {
    for (const phase of phases) {
      const summary = summaryOf(the.trace, phase);
      if (summary === undefined) return notAtRest(the.trace, phase);
      const found = (summary.end === 'budget' ? loopIn(the, phase) : undefined) ?? failuresIn(the, phase) ?? stuckIn(the, phase);
      if (found !== undefined) return found;
      if (summary.end === 'budget') return notAtRest(the.trace, phase);
    }
    return manyRequests(the) ?? heldAfter(the.trace, 'settle');
  },
};

/** The write, or else the key, or else the one reconcile, that an endless phase is busy with. */
function loopIn({ world, trace }: Case, phase: Phase): Finding | undefined {
  const writes = new Map<string, Repeated & { readonly kind: string; readonly process: string }>();
  const runs = new Map<string, Repeated & { readonly controller: string; readonly process: string }>();
  const note = <T extends Repeated>(of: Map<string, T>, name: string, { seq, atMs }: TraceEntry, fresh: () => T) => {
    const known = of.get(name) ?? fresh();
    known.count += 1;
    known.lastMs = atMs;
    if (known.seqs.length < 4) known.seqs.push(seq);
    of.set(name, known);
  };
  for (const entry of trace.entries) {
    const { atMs, event } = entry;
    if (entry.phase !== phase) continue;
    const begun = { count: 0, seqs: [], firstMs: atMs, lastMs: atMs };
    if (event.kind === 'handled' && isOperator(world, event.process) && isWrite(event.request.verb)) {
      const { request, process } = event;
      note(writes, callName(request, process), entry, () => ({ ...begun, kind: `${request.verb} ${request.resource}`, process }));
    } else if (event.kind === 'process' && event.event.kind === 'reconcile-start') {
      const { controller, key } = event.event;
      const { process } = event;
      note(runs, `${controller} ${key} in ${process}`, entry, () => ({ ...begun, controller, process }));
    }
  }
  const write = most(writes);
  if (write !== undefined)
    return { message: `a loop without end: ${write.name}, ${write.count} times in ${phase}`, culprit: write.kind, entries: write.seqs };
  const run = most(runs);
  if (run === undefined) return endlessPass(trace, phase);
  return {
    message: `a loop without end: reconcile of ${run.name}, ${run.count} times in ${phase}`,
    culprit: `reconcile of ${run.controller}`,
    entries: run.seqs,
  };
}

/** A reconcile that is still calling when its phase runs out, and has called so often that it will do so for ever. */
function endlessPass(trace: Trace, phase: Phase): Finding | undefined {
  const until = summaryOf(trace, phase)?.seq ?? 0;
  for (const pass of passes(trace)) {
    if (pass.start.seq > until || (pass.end !== undefined && pass.end.seq <= until)) continue;
    const calls = entriesOf(trace, pass).filter(({ phase: at, event }) => at === phase && event.kind === 'sent');
    const last = calls.at(-1)?.event;
    if (calls.length < endless || last?.kind !== 'sent') continue;
    const what = withoutNumber(last.call);
    return {
      message: `the reconcile of ${pass.controller} ${pass.key} never ends: ${calls.length} calls in ${phase}, the last is ${what}`,
      culprit: `reconcile of ${pass.controller} never ends`,
      entries: [pass.start.seq, ...calls.slice(0, 3).map(({ seq }) => seq)],
    };
  }
  return undefined;
}

function isWrite(verb: string): boolean {
  return verb !== 'get' && verb !== 'list' && verb !== 'watch';
}

/** Something that was done again and again. */
interface Repeated {
  count: number;
  readonly seqs: number[];
  readonly firstMs: number;
  lastMs: number;
}

function most<T extends Repeated>(of: ReadonlyMap<string, T>): (T & { readonly name: string }) | undefined {
  let best: (T & { readonly name: string }) | undefined;
  for (const [name, each] of of) {
    const hot = each.count >= endless && each.lastMs - each.firstMs < each.count * unhurriedMs;
    if (hot && each.count > (best?.count ?? 0)) best = { ...each, name };
  }
  return best;
}

/** A key that fails again and again, and would not have failed on a calm day. */
function failuresIn({ trace, calm }: Case, phase: Phase): Finding | undefined {
  for (const [id, list] of byKey(trace, phase)) {
    const last = list.slice(-hopeless);
    if (last.length < hopeless || last.some(({ error }) => error === undefined)) continue;
    if (trace !== calm && byKey(calm, phase).get(id)?.at(-1)?.error !== undefined) continue;
    const { process, controller, key, error } = last[0] as Pass;
    return {
      message: `${process} fails for ever at ${controller} ${key}: ${error}`,
      culprit: `${controller} fails for ever`,
      entries: last.map(({ start }) => start.seq),
    };
  }
  return undefined;
}

/** A pass that has not ended by the end of the phase, and has sent one thing again and again without success. */
function stuckIn({ trace }: Case, phase: Phase): Finding | undefined {
  const until = summaryOf(trace, phase)?.seq ?? 0;
  for (const pass of passes(trace)) {
    if (pass.start.seq > until || (pass.end !== undefined && pass.end.seq <= until)) continue;
    const failed = new Map<string, number[]>();
    for (const { seq, phase: at, event } of entriesOf(trace, pass)) {
      if (at !== phase || event.kind !== 'answered' || (event.code !== undefined && event.code < 400)) continue;
      const what = withoutNumber(event.call);
      failed.set(what, [...(failed.get(what) ?? []), seq]);
    }
    for (const [what, seqs] of failed)
      if (seqs.length >= tries)
        return {
          message: `the reconcile of ${pass.controller} ${pass.key} never ends: ${what} fails again and again`,
          culprit: `reconcile of ${pass.controller} never ends`,
          entries: [pass.start.seq, ...seqs.slice(0, 3)],
        };
  }
  return undefined;
}

function byKey(trace: Trace, phase: Phase): Map<string, Pass[]> {
  const keys = new Map<string, Pass[]>();
  for (const pass of passes(trace)) {
    if (pass.start.phase !== phase || pass.end === undefined) continue;
    const id = `${pass.process} ${pass.controller} ${pass.key}`;
    keys.set(id, [...(keys.get(id) ?? []), pass]);
  }
  return keys;
}

function manyRequests({ world, trace, calm }: Case): Finding | undefined {
  const here = requests(world, trace, (entry) => entry.phase === 'settle');
  const allowed = requestsAllowed + timesCalm * requests(world, calm, beforeProbes);
  if (here <= allowed) return undefined;
  return {
    message: `operators send ${here} requests while the cluster settles; ${allowed} would be many`,
    culprit: 'requests far above the calm run',
    entries: [summaryOf(trace, 'settle')?.seq ?? 0],
  };
}

function requests(world: World, trace: Trace, counts: (entry: Trace['entries'][number]) => boolean): number {
  return trace.entries.filter((entry) => entry.event.kind === 'handled' && counts(entry) && isOperator(world, entry.event.process)).length;
}
