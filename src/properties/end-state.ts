import type { Trace } from '../sim/trace.js';
import { type Difference, differences } from './differences.js';
import { notAtRest, restAfter, sameActs } from './history.js';
import type { Case, Judgement } from './property.js';

/** How the end of a run compares with that of the calm run, or why the two cannot be compared. */
export type Comparison = { readonly differences: readonly Difference[] } | { readonly unclear: Judgement };

const comparisons = new WeakMap<Trace, { readonly calm: Trace; readonly comparison: Comparison }>();

/** The state in which the cluster came to rest, against the calm one. Several properties ask; it is worked out once. */
export function compareEnds(the: Case): Comparison {
  const known = comparisons.get(the.trace);
  if (known?.calm === the.calm) return known.comparison;
  const comparison = compare(the);
  comparisons.set(the.trace, { calm: the.calm, comparison });
  return comparison;
}

function compare({ world, trace, calm }: Case): Comparison {
  const here = restAfter(trace, 'settle');
  if (here === undefined) return { unclear: notAtRest(trace, 'settle') };
  const there = restAfter(calm, 'settle');
  if (there === undefined) return { unclear: { inconclusive: 'the calm run itself did not come to rest' } };
  // An act that was refused in one run and done in the other leaves another wish behind.
  if (!sameActs(trace, calm))
    return { unclear: { evidence: 'an act of a person came out otherwise than on the calm day, so the ends need not be alike' } };
  return { differences: differences(world, { trace, state: here }, { trace: calm, state: there }) };
}
