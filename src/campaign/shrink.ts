import type * as fc from 'fast-check';
import type { JsonValue } from '../sim/etcd/object.js';
import type { Plan } from '../sim/plan.js';
import type { Held } from '../sim/trace.js';
import { ddmin } from './ddmin.js';
import { type PlanEntry, planEntries, planOf } from './plan-entries.js';
import { simplerEntries, simplestArguments } from './simplify.js';

/**
 * Plays a plan. @returns what it held back against the calm order when it fails in the same way as the plan that is being
 * shrunk, and undefined when it holds or fails in another way.
 */
export type Attempt = (plan: Plan) => Promise<{ readonly held: readonly Held[] } | undefined>;

export interface Shrunk {
  readonly plan: Plan;
  /** How often a plan was played. */
  readonly executions: number;
  /** Every entry that is left was taken out once, and then the plan did not fail in this way. */
  readonly minimal: boolean;
}

const mostExecutions = 600;
const smallSeeds = [0, 1, 2, 3];

/**
 * Makes a failing plan small: the strategy becomes overrides, entries go, values become simple, until each remaining entry
 * is needed. Deterministic: the same plan and answers give the same result.
 * @param actArguments how the arguments of the scenario's acts are made, for simplifying them.
 */
export function shrinkPlan(
  plan: Plan,
  attempt: Attempt,
  actArguments: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {},
): Promise<Shrunk> {
  return new Shrinker(plan, attempt, actArguments).shrink();
}

class Shrinker {
  readonly #attempt: Attempt;
  readonly #actArguments: Readonly<Record<string, fc.Arbitrary<JsonValue>>>;
  readonly #known = new Map<string, boolean>();
  #plan: Plan;
  #executions = 0;

  constructor(plan: Plan, attempt: Attempt, actArguments: Readonly<Record<string, fc.Arbitrary<JsonValue>>>) {
    this.#plan = plan;
    this.#attempt = attempt;
    this.#actArguments = actArguments;
    this.#known.set(JSON.stringify(plan), true);
  }

  async shrink(): Promise<Shrunk> {
    await this.#spellOutStrategy();
    for (let before = ''; before !== JSON.stringify(this.#plan); ) {
      before = JSON.stringify(this.#plan);
      await this.#dropParts();
      await this.#dropEntries();
      await this.#simplify();
    }
    const minimal = await this.#oneMinimal();
    return { plan: this.#plan, executions: this.#executions, minimal };
  }

  /** Plays the run's order as overrides of the calm one: what the strategy held back, and nothing of what it did not. */
  async #spellOutStrategy(): Promise<void> {
    if (this.#plan.strategy.kind === 'calm') return;
    this.#executions += 1;
    const played = await this.#attempt(this.#plan);
    if (played === undefined) return;
    const overrides = { ...this.#plan.overrides, ...Object.fromEntries(played.held.map(({ decision, waitedMs }) => [decision, waitedMs])) };
    await this.#accept({ ...this.#plan, overrides, strategy: { kind: 'calm' } });
  }

  /** Without all faults, all overrides, all acts: most of a random plan goes at once. */
  async #dropParts(): Promise<void> {
    for (const part of ['override', 'op', 'fault', 'latency', 'strategy'] as const) {
      const entries = planEntries(this.#plan);
      const rest = entries.filter((entry) => entry.part !== part);
      if (rest.length < entries.length) await this.#accept(planOf(this.#plan, rest));
    }
  }

  async #dropEntries(): Promise<void> {
    const smallest = await ddmin(planEntries(this.#plan), (entries) => this.#fails(planOf(this.#plan, entries)));
    this.#plan = planOf(this.#plan, smallest);
  }

  async #simplify(): Promise<void> {
    for (const seed of smallSeeds) if (seed < this.#plan.seed && (await this.#accept({ ...this.#plan, seed }))) break;
    for (let index = 0; index < planEntries(this.#plan).length; index++) {
      await this.#simplifyArguments(index);
      // An entry may have several values: each success offers the next.
      while (await this.#simplifyEntry(index));
    }
  }

  async #simplifyEntry(index: number): Promise<boolean> {
    const entries = planEntries(this.#plan);
    for (const simpler of simplerEntries(entries[index] as PlanEntry))
      if (await this.#accept(planOf(this.#plan, entries.with(index, simpler)))) return true;
    return false;
  }

  async #simplifyArguments(index: number): Promise<void> {
    const entries = planEntries(this.#plan);
    const entry = entries[index] as PlanEntry;
    if (entry.part !== 'op' || entry.op.args === undefined || !Object.hasOwn(this.#actArguments, entry.op.op)) return;
    const { op } = entry;
    const withArguments = (args: JsonValue): Plan => planOf(this.#plan, entries.with(index, { part: 'op', op: { ...op, args } }));
    const arbitrary = this.#actArguments[op.op] as fc.Arbitrary<JsonValue>;
    const args = await simplestArguments(arbitrary, entry.op.args, (candidate) => this.#fails(withArguments(candidate)));
    this.#plan = withArguments(args);
  }

  /** Takes each entry out once more. @returns false when the executions were used up before all were asked about. */
  async #oneMinimal(): Promise<boolean> {
    for (let index = 0; index < planEntries(this.#plan).length; ) {
      const entries = planEntries(this.#plan);
      const gone = await this.#accept(planOf(this.#plan, entries.toSpliced(index, 1)));
      index = gone ? 0 : index + 1;
    }
    return this.#executions < mostExecutions;
  }

  async #accept(plan: Plan): Promise<boolean> {
    const fails = await this.#fails(plan);
    if (fails) this.#plan = plan;
    return fails;
  }

  async #fails(plan: Plan): Promise<boolean> {
    const key = JSON.stringify(plan);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#executions >= mostExecutions) return false;
    this.#executions += 1;
    const fails = (await this.#attempt(plan)) !== undefined;
    this.#known.set(key, fails);
    return fails;
  }
}
