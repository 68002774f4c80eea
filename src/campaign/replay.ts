import type { Scenario } from '../scenarios/scenario.js';
import { type Divergence, firstDifference, traceDigest } from '../sim/digest.js';
import { PlanError } from '../sim/plan-file.js';
import { type Counterexample, counterexampleOf, type PlanFile } from './counterexample.js';
import { type Examined, Examiner } from './examine.js';
import { entryCount } from './plan-entries.js';

/** What one plan came to. */
export type ReplayResult =
  | { readonly outcome: 'held' }
  | { readonly outcome: 'violated'; readonly counterexamples: readonly Counterexample[] }
  | { readonly outcome: 'inconclusive'; readonly why: string }
  /** Parts of the plan never came into play, so it holds without having been tested. */
  | { readonly outcome: 'stale'; readonly unused: readonly string[] }
  | { readonly outcome: 'not-deterministic'; readonly divergence: Divergence };

/** What came of playing one plan. */
export type Replay = ReplayResult & {
  /** Whether the run is the one that the file was written about; undefined when the file does not say. */
  readonly sameAsRecorded?: boolean;
};

/**
 * Plays one plan, twice.
 * @param where names the plan in errors: its file's path
 * @throws PlanError when the plan was made for another scenario
 */
export async function replay(scenario: Scenario, file: PlanFile, where: string): Promise<Replay> {
  const { plan } = file;
  if (plan.scenario !== scenario.name)
    throw new PlanError(where, `this plan is for the scenario ${plan.scenario}, and this scenario is ${scenario.name}`);
  const examiner = new Examiner(scenario);
  const examined = await examiner.examine(plan);
  const divergence = firstDifference(examined.trace, await examiner.simulate(examined.plan));
  if (divergence !== undefined) return { outcome: 'not-deterministic', divergence };
  const recorded = file.digest === undefined ? {} : { sameAsRecorded: traceDigest(examined.trace) === file.digest };
  return { ...resultOf(examined), ...recorded };
}

function resultOf(examined: Examined): ReplayResult {
  const { plan, failures, verdicts, trace } = examined;
  if (failures.length > 0) {
    const origin = { foundBy: { kind: 'replay' }, foundEntries: entryCount(plan), executions: 0, minimal: false } as const;
    return { outcome: 'violated', counterexamples: failures.map((failure) => counterexampleOf(examined, failure, origin)) };
  }
  const unjudged = verdicts.find((verdict) => verdict.outcome === 'inconclusive');
  if (unjudged !== undefined) return { outcome: 'inconclusive', why: `${unjudged.property} could not be judged: ${unjudged.why}` };
  return trace.unused.length > 0 ? { outcome: 'stale', unused: trace.unused } : { outcome: 'held' };
}
