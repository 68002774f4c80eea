import type * as fc from 'fast-check';
import type { JsonValue } from '../sim/etcd/object.js';
import type { Plan } from '../sim/plan.js';
import type { Held } from '../sim/trace.js';
import { minimalList } from './minimal-list.js';
import { type PlanEntry, planEntries, planOf } from './plan-entries.js';
import { simplerEntries, simplestArguments } from './simplify.js';

/**
 * Plays a plan. @returns what it held back against the calm order when it fails in the same way as the plan that is being
 * shrunk, and undefined when it holds or fails in another way.
 */
export type Attempt = (plan: Plan) => Promise<{ readonly held: readonly Held[] } | undefined>;

/** The smallest plan that was found to fail in the same way. */
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
    let minimal = true;
    try {
      await this.#spellOutStrategy();
      for (let before = ''; before !== JSON.stringify(this.#plan); ) {
        before = JSON.stringify(this.#plan);
        await this.#dropParts();
        await this.#dropEntries();
        await this.#simplify();
      }
      await this.#certify();
    } catch (error) {
      if (!(error instanceof OutOfExecutions)) throw error;
      minimal = false;
    }
    return { plan: this.#plan, executions: this.#executions, minimal };
  }

  /** Plays the run's order as overrides of the calm one: what the strategy held back, and nothing of what it did not. */
  async #spellOutStrategy(): Promise<void> {
    if (this.#plan.strategy.kind === 'calm') return;
    this.#executions += 1;
    const played = await this.#attempt(this.#plan);
    if (played === undefined) return;
    const overrides = { ...this.#plan.overrides, ...Object.fromEntries(played.held.map(({ decision, waitedMs }) => [decision, waitedMs])) };
    await this.#fails({ ...this.#plan, overrides, strategy: { kind: 'calm' } });
  }

  /** Without all faults, all overrides, all acts: most of a random plan goes at once. */
  async #dropParts(): Promise<void> {
    for (const part of ['override', 'op', 'fault', 'latency', 'strategy'] as const) {
      const entries = planEntries(this.#plan);
      const rest = entries.filter((entry) => entry.part !== part);
      if (rest.length < entries.length) await this.#fails(planOf(this.#plan, rest));
    }
  }

  async #dropEntries(): Promise<void> {
    const { scenario, seed } = this.#plan;
    await minimalList(planEntries(this.#plan), (entries) => this.#fails(planOf({ scenario, seed }, entries)));
  }

  async #simplify(): Promise<void> {
    for (const seed of smallSeeds) if (seed < this.#plan.seed && (await this.#fails({ ...this.#plan, seed }))) break;
    for (let index = 0; index < planEntries(this.#plan).length; index++) {
      await this.#simplifyArguments(index);
      // An entry may have several values: each success offers the next.
      while (await this.#simplifyEntry(index));
    }
  }

  async #simplifyEntry(index: number): Promise<boolean> {
    const entries = planEntries(this.#plan);
    for (const simpler of simplerEntries(entries[index] as PlanEntry))
      if (await this.#fails(planOf(this.#plan, entries.with(index, simpler)))) return true;
    return false;
  }

  async #simplifyArguments(index: number): Promise<void> {
    const entries = planEntries(this.#plan);
    const entry = entries[index] as PlanEntry;
    if (entry.part !== 'op' || entry.op.args === undefined || !Object.hasOwn(this.#actArguments, entry.op.op)) return;
    const { op } = entry;
    const { scenario, seed } = this.#plan;
    const arbitrary = this.#actArguments[op.op] as fc.Arbitrary<JsonValue>;
    await simplestArguments(arbitrary, entry.op.args, async (args) => {
      // fast-check takes whatever is thrown for a failure.
      if (this.#executions >= mostExecutions) return false;
      return this.#fails(planOf({ scenario, seed }, entries.with(index, { part: 'op', op: { ...op, args } })));
    });
  }

  /** Takes each entry out once more: what is left is needed. */
  async #certify(): Promise<void> {
    for (let index = 0; index < planEntries(this.#plan).length; ) {
      const gone = await this.#fails(planOf(this.#plan, planEntries(this.#plan).toSpliced(index, 1)));
      index = gone ? 0 : index + 1;
    }
  }

  /** Asks about a plan that is smaller or simpler; one that fails is the plan from then on. @throws OutOfExecutions */
  async #fails(plan: Plan): Promise<boolean> {
    const key = JSON.stringify(plan);
    let fails = this.#known.get(key);
    if (fails === undefined) {
      if (this.#executions >= mostExecutions) throw new OutOfExecutions();
      this.#executions += 1;
      fails = (await this.#attempt(plan)) !== undefined;
      this.#known.set(key, fails);
    }
    if (fails) this.#plan = plan;
    return fails;
  }
}

/** Shrinking has played as many plans as it may. */
class OutOfExecutions extends Error {}
