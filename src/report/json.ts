import type { CampaignResult } from '../campaign/campaign.js';
import type { Counterexample } from '../campaign/counterexample.js';
import { kindsSeen } from './decision-names.js';
import { foundByText } from './failure.js';
import { patternOf } from './patterns.js';
import { timeline } from './timeline.js';
import { planWords } from './words.js';

/** A campaign's result as plain data, for programs. Traces are left out: the plan gives them again. */
export function campaignJson(result: CampaignResult): object {
  const { scenario, outcome, seed, runs, corpusPlans, stale, singleFaults, randomPlans, neverSeen, unattended, outOfTime } = result;
  const counts = {
    scenario: scenario.name,
    outcome,
    seed,
    runs,
    corpusPlans,
    stale,
    singleFaults,
    randomPlans,
    neverSeen,
    unattended,
    outOfTime,
  };
  switch (result.outcome) {
    case 'held':
      return counts;
    case 'violated':
      return { ...counts, counterexamples: result.counterexamples.map(counterexampleJson) };
    case 'inconclusive':
      return { ...counts, why: result.why, ...(result.plan === undefined ? {} : { plan: result.plan }) };
    case 'goal-not-reached':
      return { ...counts, missing: result.missing };
    case 'not-deterministic':
      return { ...counts, plan: result.plan, divergence: result.divergence };
  }
}

function counterexampleJson(counterexample: Counterexample): object {
  const { property, finding, plan, trace, calm, also, digest, foundBy, executions, minimal } = counterexample;
  const kindOf = kindsSeen(trace, calm);
  return {
    property,
    message: finding.message,
    culprit: finding.culprit,
    pattern: patternOf(counterexample),
    takes: planWords(plan, kindOf),
    timeline: timeline(counterexample, kindOf),
    also,
    plan,
    digest,
    foundBy: foundByText(foundBy),
    executions,
    minimal,
  };
}
