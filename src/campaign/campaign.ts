import type { Scenario } from '../scenarios/scenario.js';
import { type Divergence, firstDifference } from '../sim/digest.js';
import { calmPlan, type Plan } from '../sim/plan.js';
import { readPlan } from '../sim/plan-file.js';
import type { Trace } from '../sim/trace.js';
import { goalMissing, mustComeToSomething, unattended } from './calm-day.js';
import { type Placement, sample, singleFaults } from './closure.js';
import type { CorpusPlan } from './corpus.js';
import { type Counterexample, counterexampleOf, type FoundBy } from './counterexample.js';
import { fuzzDefaults } from './defaults.js';
import { type Examined, Examiner, type Failure } from './examine.js';
import { entryCount } from './plan-entries.js';
import { randomPlan } from './portfolio.js';
import { shrinkPlan } from './shrink.js';
import { Vocabulary } from './vocabulary.js';

/** How long and how widely to search. What is left out is as in `fuzzDefaults`. */
export interface FuzzOptions {
  /** Plans to try besides the corpus, the calm day and what shrinking needs. */
  readonly runs?: number;
  /** Any safe integer; the same seed makes the same plans. */
  readonly seed?: number;
  /** Wall-clock milliseconds after which no further plan is tried. */
  readonly timeMs?: number;
  /** Plans that are tried before all others. */
  readonly corpus?: readonly CorpusPlan[];
  /** The campaign ends once it has so many counterexamples. */
  readonly failures?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** What a campaign is busy with. */
export type Stage = 'corpus' | 'calm day' | 'single faults' | 'random plans' | 'shrinking';

/** Told before each run, so that whoever listens knows what a run that never ends was about. */
export interface Progress {
  readonly stage: Stage;
  /** Runs so far, all kinds counted. */
  readonly runs: number;
  /** Plans of this stage so far, and how many there are; shrinking does not know in advance. */
  readonly done: number;
  readonly of?: number;
  readonly failures: number;
  readonly plan: Plan;
}

/** What a campaign has done, whatever came of it. */
export interface Campaign {
  readonly scenario: Scenario;
  readonly seed: number;
  /** Every simulated run: corpus, calm days, plans, shrinking. */
  readonly runs: number;
  readonly corpusPlans: number;
  /** Plans of the corpus of which some entries never came into play: they may no longer test what they were kept for. */
  readonly stale: readonly { readonly file: string; readonly unused: readonly string[]; readonly entries: number }[];
  readonly singleFaults: { readonly placements: number; readonly tried: number; readonly survived: number };
  readonly randomPlans: { readonly tried: number; readonly survived: number };
  /** `sometimes` properties that no run has shown. */
  readonly neverSeen: readonly string[];
  /** Objects that wait for a controller that is not simulated or does not run, so what they stand for was not tested. */
  readonly unattended: readonly string[];
  /** Whether the time was up before the runs were done. */
  readonly outOfTime: boolean;
}

/** What came of a campaign; each outcome has what its report needs. */
export type CampaignResult =
  | (Campaign & { readonly outcome: 'held' })
  | (Campaign & { readonly outcome: 'violated'; readonly counterexamples: readonly Counterexample[] })
  /** Some run could not be judged, or something that must be seen was not. Never a pass. */
  | (Campaign & { readonly outcome: 'inconclusive'; readonly why: string; readonly plan?: Plan })
  /** A plain failure, without any fault. */
  | (Campaign & { readonly outcome: 'goal-not-reached'; readonly missing: string; readonly calm: Trace })
  /** The same plan gave two different runs: nothing else can be trusted. */
  | (Campaign & { readonly outcome: 'not-deterministic'; readonly plan: Plan; readonly divergence: Divergence });

/**
 * Looks for plans under which the scenario's properties break: the corpus, the calm day, every single fault, then random plans.
 * @throws WorldError, OperatorError, PlanError, ActError, WebhookError, ScenarioError
 */
export async function fuzz(scenario: Scenario, options: FuzzOptions = {}): Promise<CampaignResult> {
  return new Fuzzer(scenario, options).run();
}

/** Ends a campaign early, from however deep. */
class Over extends Error {
  constructor(readonly result: (so: Campaign) => CampaignResult) {
    super('the campaign is over');
  }
}

class Fuzzer {
  readonly #scenario: Scenario;
  readonly #options: FuzzOptions;
  readonly #seed: number;
  readonly #examiner: Examiner;
  readonly #known: Vocabulary;
  readonly #signatures = new Set<string>();
  readonly #counterexamples: Counterexample[] = [];
  readonly #seen = new Set<string>();
  readonly #stale: Campaign['stale'][number][] = [];
  #unattended: readonly string[] = [];
  #unjudged: { readonly why: string; readonly plan: Plan } | undefined;
  #singleFaults = { placements: 0, tried: 0, survived: 0 };
  #randomPlans = { tried: 0, survived: 0 };
  #outOfTime = false;
  readonly #deadline: number;

  constructor(scenario: Scenario, options: FuzzOptions) {
    this.#scenario = scenario;
    this.#options = options;
    this.#seed = options.seed ?? fuzzDefaults.seed;
    this.#examiner = new Examiner(scenario);
    this.#known = new Vocabulary(scenario);
    this.#deadline = performance.now() + (options.timeMs ?? Number.POSITIVE_INFINITY);
  }

  async run(): Promise<CampaignResult> {
    try {
      await this.#corpus();
      const calm = await this.#calmDay();
      await this.#everySingleFault();
      await this.#random(calm.steps);
    } catch (error) {
      if (error instanceof Over) return error.result(this.#campaign());
      throw error;
    }
    const campaign = this.#campaign();
    if (this.#counterexamples.length > 0) return { outcome: 'violated', ...campaign, counterexamples: this.#counterexamples };
    if (this.#unjudged !== undefined) return { outcome: 'inconclusive', ...campaign, ...this.#unjudged };
    if (campaign.neverSeen.length > 0)
      return { outcome: 'inconclusive', ...campaign, why: `no run has shown ${campaign.neverSeen.join(', ')}` };
    return { outcome: 'held', ...campaign };
  }

  async #corpus(): Promise<void> {
    const corpus = this.#options.corpus ?? [];
    for (const [index, { plan, file }] of corpus.entries()) {
      this.#progress('corpus', plan, index, corpus.length);
      const examined = await this.#examiner.examine(plan);
      const { unused } = examined.trace;
      if (unused.length > 0) this.#stale.push({ file, unused, entries: entryCount(plan) });
      await this.#take(examined, { kind: 'corpus', file });
    }
  }

  /** The calm run, twice: it must be the same run, come to something, reach the goal, and break nothing. */
  async #calmDay(): Promise<Trace> {
    const plan = calmPlan(this.#scenario.name);
    this.#progress('calm day', plan, 0, 2);
    const calm = await this.#examiner.calm([]);
    this.#progress('calm day', plan, 1, 2);
    const again = await this.#examiner.simulate(plan);
    const { trace } = calm;
    this.#mustBeSame(plan, trace, again);
    mustComeToSomething(this.#scenario, trace);
    this.#unattended = unattended(this.#scenario, trace);
    const missing = goalMissing(this.#scenario, trace);
    if (missing !== undefined) throw new Over((so) => ({ outcome: 'goal-not-reached', ...so, missing, calm: trace }));
    await this.#take(calm, { kind: 'calm day' });
    // What breaks on a calm day breaks on every day: there is nothing to learn from storms before it is repaired.
    if (this.#counterexamples.some(({ foundBy }) => foundBy.kind === 'calm day'))
      throw new Over((so) => ({ outcome: 'violated', ...so, counterexamples: this.#counterexamples }));
    this.#known.learn(trace);
    return trace;
  }

  async #everySingleFault(): Promise<void> {
    const all = singleFaults(this.#scenario, this.#known, this.#seed);
    // Two thirds at most: what takes two faults and an unusual order must have its turn as well.
    const some = sample(all, Math.ceil(((this.#options.runs ?? fuzzDefaults.runs) * 2) / 3), this.#seed);
    this.#singleFaults.placements = all.length;
    for (const [index, placement] of some.entries()) {
      if (this.#enough()) return;
      this.#progress('single faults', placement.plan, index, some.length);
      if (await this.#try(placement.plan, foundByPlacement(placement))) this.#singleFaults.survived += 1;
      this.#singleFaults.tried += 1;
    }
  }

  async #random(steps: number): Promise<void> {
    const runs = (this.#options.runs ?? fuzzDefaults.runs) - this.#singleFaults.tried;
    for (let run = 1; run <= runs && !this.#enough(); run++) {
      const plan = randomPlan(this.#scenario, this.#known, steps, this.#seed, run);
      this.#progress('random plans', plan, run - 1, runs);
      if (await this.#try(plan, { kind: 'random', run })) this.#randomPlans.survived += 1;
      this.#randomPlans.tried += 1;
    }
  }

  async #try(plan: Plan, foundBy: FoundBy): Promise<boolean> {
    const examined = await this.#examiner.examine(plan);
    this.#known.learn(examined.trace);
    await this.#take(examined, foundBy);
    return examined.failures.length === 0;
  }

  /** Notes what a run has shown, and follows up a failure that is not known yet. */
  async #take(examined: Examined, foundBy: FoundBy): Promise<void> {
    for (const verdict of examined.verdicts) {
      if (verdict.outcome === 'proved') this.#seen.add(verdict.property);
      else if (verdict.outcome === 'inconclusive')
        this.#unjudged ??= { why: `${verdict.property} could not be judged: ${verdict.why}`, plan: examined.plan };
    }
    for (let fresh = this.#fresh(examined); fresh !== undefined; fresh = this.#fresh(examined)) {
      this.#signatures.add(fresh.signature);
      if (this.#counterexamples.length < this.#mostFailures) await this.#follow(examined, fresh, foundBy);
    }
  }

  #fresh({ failures }: Examined): Failure | undefined {
    return failures.find(({ signature }) => !this.#signatures.has(signature));
  }

  /** Confirms the failure by a second run, makes its plan small, and keeps it. */
  async #follow(found: Examined, { signature }: Failure, foundBy: FoundBy): Promise<void> {
    this.#progress('shrinking', found.plan, 0);
    this.#mustBeSame(found.plan, found.trace, await this.#examiner.simulate(found.plan));
    let done = 0;
    const attempt = async (plan: Plan) => {
      this.#progress('shrinking', plan, ++done);
      const examined = await this.#examiner.examine(plan);
      return examined.failures.some((each) => each.signature === signature) ? examined.trace : undefined;
    };
    const shrunk = await shrinkPlan(found.plan, attempt, this.#scenario.actArguments);
    // A plan is what its file says: play the text that will be kept.
    const plan = readPlan(JSON.parse(JSON.stringify(shrunk.plan)), 'the shrunk plan');
    const smallest = await this.#examiner.examine(plan);
    const failure = smallest.failures.find((each) => each.signature === signature);
    if (failure === undefined) throw new Over((so) => ({ outcome: 'not-deterministic', ...so, plan, divergence: { seq: 0 } }));
    for (const each of smallest.failures) this.#signatures.add(each.signature);
    const { executions, minimal } = shrunk;
    this.#counterexamples.push(counterexampleOf(smallest, failure, { foundBy, foundEntries: entryCount(found.plan), executions, minimal }));
  }

  #mustBeSame(plan: Plan, first: Trace, second: Trace): void {
    const divergence = firstDifference(first, second);
    if (divergence !== undefined) throw new Over((so) => ({ outcome: 'not-deterministic', ...so, plan, divergence }));
  }

  get #mostFailures(): number {
    return this.#options.failures ?? fuzzDefaults.failures;
  }

  #enough(): boolean {
    this.#outOfTime ||= performance.now() > this.#deadline;
    return this.#outOfTime || this.#counterexamples.length >= this.#mostFailures;
  }

  #progress(stage: Stage, plan: Plan, done: number, of?: number): void {
    const failures = this.#counterexamples.length;
    this.#options.onProgress?.({ stage, runs: this.#examiner.runs, done, failures, plan, ...(of === undefined ? {} : { of }) });
  }

  #campaign(): Campaign {
    const sometimes = this.#examiner.properties.filter(({ kind }) => kind === 'sometimes').map(({ name }) => name);
    return {
      scenario: this.#scenario,
      seed: this.#seed,
      runs: this.#examiner.runs,
      corpusPlans: this.#options.corpus?.length ?? 0,
      stale: this.#stale,
      singleFaults: this.#singleFaults,
      randomPlans: this.#randomPlans,
      neverSeen: sometimes.filter((name) => !this.#seen.has(name)),
      unattended: this.#unattended,
      outOfTime: this.#outOfTime,
    };
  }
}

function foundByPlacement({ about }: Placement): FoundBy {
  return { kind: 'single fault', placement: about };
}
