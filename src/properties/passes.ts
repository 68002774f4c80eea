import { resourceOf } from '../sim/call-name.js';
import type { KubeObject } from '../sim/etcd/object.js';
import type { Trace, TraceEntry } from '../sim/trace.js';
import { type Change, changes } from './history.js';

/** One run of a reconciler for one key. */
export interface Pass {
  readonly process: string;
  readonly controller: string;
  readonly key: string;
  readonly start: TraceEntry;
  /** Absent when it had not ended by the end of the run. */
  readonly end?: TraceEntry;
  /** As the controller reports it: `done`, `error`, `requeue`, `requeue after 5000 ms`; `crashed` when the process died in it. */
  readonly result?: string;
  readonly error?: string;
}

const passesOf = new WeakMap<Trace, readonly Pass[]>();

/** Every pass of every operator, in the order of their starts. */
export function passes(trace: Trace): readonly Pass[] {
  let all = passesOf.get(trace);
  if (all === undefined) {
    all = findPasses(trace);
    passesOf.set(trace, all);
  }
  return all;
}

function findPasses(trace: Trace): readonly Pass[] {
  const all: Pass[] = [];
  const open = new Map<string, number>();
  for (const entry of trace.entries) {
    const { event } = entry;
    if (event.kind === 'crashed') {
      for (const [id, index] of [...open]) {
        const begun = all[index] as Pass;
        if (begun.process !== event.process) continue;
        open.delete(id);
        all[index] = { ...begun, end: entry, result: 'crashed' };
      }
    }
    if (event.kind !== 'process') continue;
    const { process } = event;
    if (event.event.kind === 'reconcile-start') {
      const { controller, key } = event.event;
      open.set(`${process} ${controller} ${key}`, all.length);
      all.push({ process, controller, key, start: entry });
    } else if (event.event.kind === 'reconcile-end') {
      const { controller, key, result, error } = event.event;
      const id = `${process} ${controller} ${key}`;
      const index = open.get(id);
      open.delete(id);
      if (index === undefined) continue;
      const begun = all[index] as Pass;
      all[index] = { ...begun, end: entry, result, ...(error === undefined ? {} : { error }) };
    }
  }
  return all;
}

/** The entries of a process from the start of a pass to its end. */
export function entriesOf(trace: Trace, pass: Pass): readonly TraceEntry[] {
  return trace.entries
    .slice(pass.start.seq - 1, pass.end?.seq ?? trace.entries.length)
    .filter(({ event }) => 'process' in event && event.process === pass.process);
}

/**
 * The version of an object that a write of an operator was made from: the newest that the pass had read or had been answered
 * before it sent the write. Undefined when the pass is not known, or has not looked at the object.
 */
export function basisOf(trace: Trace, change: Change): number | undefined {
  const { event } = change.entry;
  if (event.kind !== 'handled') return undefined;
  const sent = trace.entries.findLast(
    ({ seq, event: other }) => seq < change.entry.seq && other.kind === 'sent' && other.call === event.call,
  );
  const pass =
    sent === undefined
      ? undefined
      : passes(trace).findLast(
          ({ process, start, end }) => process === change.process && start.seq < sent.seq && (end === undefined || end.seq > sent.seq),
        );
  if (sent === undefined || pass === undefined) return undefined;
  const { key } = change.commit;
  const shown = `${key.namespace === '' ? '' : `${key.namespace}/`}${key.name}@`;
  let basis: number | undefined;
  const learn = (revision: number) => {
    if (basis === undefined || revision > basis) basis = revision;
  };
  const handled = new Map<string, KubeObject>();
  for (const { seq, event: each } of entriesOf(trace, pass)) {
    if (seq >= sent.seq) break;
    if (each.kind === 'process' && each.event.kind === 'cached-read' && each.event.resource === key.resource) {
      const found = each.event.found.find((one) => one.startsWith(shown));
      if (found !== undefined) learn(Number(found.slice(shown.length)));
    } else if (each.kind === 'handled' && each.request.name === key.name && (each.request.namespace ?? '') === key.namespace) {
      if (resourceOf(each.request) === key.resource) handled.set(each.call, each.response.body as KubeObject);
    } else if (each.kind === 'answered' && each.code !== undefined && each.code < 300) {
      const version = handled.get(each.call)?.metadata?.resourceVersion;
      if (version !== undefined) learn(Number(version));
    }
  }
  return basis;
}

/** An object as it was stored under a revision of its own. */
export function versionAt(trace: Trace, { commit: { key } }: Change, revision: number): KubeObject | undefined {
  return changes(trace).find(
    ({ commit }) =>
      commit.revision === revision &&
      commit.key.resource === key.resource &&
      commit.key.name === key.name &&
      commit.key.namespace === key.namespace,
  )?.commit.object;
}
