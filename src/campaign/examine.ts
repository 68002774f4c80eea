import { builtInProperties } from '../properties/built-in.js';
import { isTouch } from '../properties/history.js';
import { judge } from '../properties/judge.js';
import type { Finding, Property, Verdict } from '../properties/property.js';
import type { Scenario } from '../scenarios/scenario.js';
import { calmPlan, type Plan, type PlannedOp } from '../sim/plan.js';
import { simulate } from '../sim/simulate.js';
import type { Trace } from '../sim/trace.js';
import { entryCount } from './plan-entries.js';

/** A property that a run has broken. */
export interface Failure {
  readonly property: string;
  readonly finding: Finding;
  /** Property and culprit: two failures with one signature are the same failure. */
  readonly signature: string;
}

/** One run, judged. */
export interface Examined {
  readonly plan: Plan;
  readonly trace: Trace;
  /** The calm run of the same acts of people. */
  readonly calm: Trace;
  readonly verdicts: readonly Verdict[];
  /** In the order of the properties: what names the cause comes before what only shows the effect. */
  readonly failures: readonly Failure[];
}

/** How many calm runs are kept for comparison: traces are large, and a campaign meets most acts only once. */
const keptCalmRuns = 32;
const noOps = '[]';

/** Runs plans of one scenario and judges them. */
export class Examiner {
  readonly scenario: Scenario;
  readonly properties: readonly Property[];
  readonly #calm = new Map<string, Examined>();
  #runs = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.properties = [...builtInProperties.filter(({ name }) => !Object.hasOwn(scenario.except, name)), ...scenario.properties];
  }

  /** How often it has simulated so far, calm runs for comparison included. */
  get runs(): number {
    return this.#runs;
  }

  /**
   * Runs a plan and compares it with the calm run of the same wishes of people. Where that calm run fails by itself there is
   * nothing to compare with: then it is the answer, with a plan of those acts and nothing else.
   */
  async examine(plan: Plan): Promise<Examined> {
    const wishes = plan.ops.filter((op) => !isTouch(op));
    const calm = await this.calm(wishes);
    if (calm.failures.length > 0 || entryCount(plan) === wishes.length) return calm;
    return this.#judge(await this.simulate(plan), calm.trace);
  }

  simulate(plan: Plan): Promise<Trace> {
    this.#runs += 1;
    return simulate(this.scenario, plan);
  }

  /** The calm run with these acts of people, kept for the next time. */
  async calm(ops: readonly PlannedOp[]): Promise<Examined> {
    const key = JSON.stringify(ops);
    let calm = this.#calm.get(key);
    if (calm === undefined) {
      const trace = await this.simulate({ ...calmPlan(this.scenario.name), ops });
      calm = this.#judge(trace, trace);
      for (const oldest of this.#calm.keys()) {
        if (this.#calm.size < keptCalmRuns) break;
        if (oldest !== noOps) this.#calm.delete(oldest);
      }
      this.#calm.set(key, calm);
    }
    return calm;
  }

  #judge(trace: Trace, calm: Trace): Examined {
    const verdicts = judge({ world: this.scenario, trace, calm }, this.properties);
    return { plan: trace.plan, trace, calm, verdicts, failures: failuresOf(verdicts) };
  }
}

function failuresOf(verdicts: readonly Verdict[]): readonly Failure[] {
  return verdicts.flatMap((verdict): Failure[] => {
    if (verdict.outcome !== 'violated') return [];
    const { property, finding } = verdict;
    return [{ property, finding, signature: `${property}: ${finding.culprit}` }];
  });
}
