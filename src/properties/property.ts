import type { ClusterState } from '../sim/cluster-state.js';
import type { Trace, TraceEntry } from '../sim/trace.js';
import type { World } from '../sim/world.js';

/** What a judge may look at: one run, and the calm run of the same acts of people. */
export interface Case {
  readonly world: World;
  readonly trace: Trace;
  /** The run with the same ops and nothing else: what the cluster should have come to. The trace itself for a calm run. */
  readonly calm: Trace;
}

/** What broke a property. */
export interface Finding {
  /** One sentence with the names of objects, for a person. */
  readonly message: string;
  /**
   * The culprit without names, times or numbers: a kind, a role, a field. With the property's name it is the signature by
   * which two failures are the same failure.
   */
  readonly culprit: string;
  /** The entries of the trace that show it, oldest first. */
  readonly entries: readonly number[];
}

/**
 * A property that holds is `proved` when the run came to rest, so that nothing more can happen to it, and only `evidence`
 * when it did not need to or could not. `inconclusive` is never a pass.
 */
export type Verdict =
  | { readonly property: string; readonly outcome: 'proved' }
  | { readonly property: string; readonly outcome: 'evidence'; readonly why: string }
  | { readonly property: string; readonly outcome: 'violated'; readonly finding: Finding }
  | { readonly property: string; readonly outcome: 'inconclusive'; readonly why: string };

/** What a check says: a finding, or how firmly the property holds. */
export type Judgement = Finding | 'proved' | { readonly evidence: string } | { readonly inconclusive: string };

/** Something that must hold of a run, with the check that decides it. Users make them with `always`, `eventually` and `sometimes`. */
export interface Property {
  /** Kebab case or camel case, unique in a scenario: `noOrphans`. */
  readonly name: string;
  /**
   * `always`: at every moment. `eventually`: once the cluster has settled. `sometimes`: in at least one run of a campaign,
   * so that it says of a campaign what it has seen and of one run only whether it was seen.
   */
  readonly kind: 'always' | 'eventually' | 'sometimes';
  /** What it demands, in one sentence. */
  readonly about: string;
  check(the: Case): Judgement;
}

/** What a user's own check answers: true when all is well, else what is wrong. */
export type Answer = true | string;

/** A property of every moment of the cluster, faults and all. @param check is given the state after each change. */
export function always(name: string, check: (state: ClusterState, entry: TraceEntry) => Answer): Property {
  return {
    name,
    kind: 'always',
    about: `${name}, at every moment`,
    check: ({ trace }) => {
      for (const entry of trace.entries) {
        if (entry.event.kind !== 'handled' || entry.event.commits.length === 0) continue;
        const answer = check(trace.stateAt(entry.revision), entry);
        if (answer !== true) return { message: answer, culprit: name, entries: [entry.seq] };
      }
      return { evidence: 'it held at every moment of this run' };
    },
  };
}

/** A property of the cluster once everything has settled. */
export function eventually(name: string, check: (state: ClusterState) => Answer): Property {
  return {
    name,
    kind: 'eventually',
    about: `${name}, once the cluster has settled`,
    check: ({ trace }) => {
      const settled = trace.phases.find((phase) => phase.phase === 'settle');
      if (settled === undefined || settled.end === 'budget')
        return { inconclusive: 'the cluster was still busy when the budget was used up' };
      const answer = check(trace.stateAt(settled.revision));
      return answer === true ? 'proved' : { message: answer, culprit: name, entries: [settled.seq] };
    },
  };
}

/** Something that must happen in at least one run of a campaign; a campaign that never sees it has not tested much. */
export function sometimes(name: string, seen: (state: ClusterState, entry: TraceEntry) => boolean): Property {
  return {
    name,
    kind: 'sometimes',
    about: `${name}, in at least one run`,
    check: ({ trace }) =>
      trace.entries.some((entry) => entry.event.kind === 'handled' && seen(trace.stateAt(entry.revision), entry))
        ? 'proved'
        : { evidence: 'not seen in this run' },
  };
}
