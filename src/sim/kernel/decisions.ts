import { type NamedRandom, namedRandom } from './random.js';

/** A decision's name is what is decided, and which time of that: `send create pods default/a by web-operator #2`. */
export type DecisionName = string;

/** What a plan may say about decisions: a delay in virtual milliseconds, or the option to take. */
export type Overrides = Readonly<Record<DecisionName, number | string>>;

/**
 * The only door for "it could be otherwise". A decision is answered by the plan's override for its name, else by its calm
 * default or, where there is no calm answer (a uid, a jitter), by a hash of seed and name.
 */
export class Decisions {
  readonly #random: NamedRandom;
  readonly #overrides: Overrides;
  readonly #occurrences = new Map<string, number>();
  readonly #used = new Set<DecisionName>();
  #healed = false;

  constructor(seed: number, overrides: Overrides) {
    this.#random = namedRandom(seed);
    this.#overrides = overrides;
  }

  /** Numbers the occurrences of a name: `what #1`, `what #2`. */
  name(what: string): DecisionName {
    const occurrence = (this.#occurrences.get(what) ?? 0) + 1;
    this.#occurrences.set(what, occurrence);
    return `${what} #${occurrence}`;
  }

  /** How long something takes, in virtual milliseconds: the override's number, else the calm value. */
  delayMs(name: DecisionName, calmMs: number): number {
    const override = this.#override(name);
    return typeof override === 'number' ? override : calmMs;
  }

  /** Which of several is taken: the override when it is one of them, else the first, which is the calm one. */
  option<T extends string>(name: DecisionName, options: readonly [T, ...T[]]): T {
    const override = this.#override(name);
    return options.find((option) => option === override) ?? options[0];
  }

  /** A number in [0, 1) for what no calm day decides. */
  unit(name: DecisionName): number {
    return this.#random.unit(name);
  }

  /** From now on nothing is out of the ordinary: overrides are not asked any more. */
  heal(): void {
    this.#healed = true;
  }

  /** Overrides whose decision never came up: the plan is older than the code it was made for. */
  unused(): readonly DecisionName[] {
    return Object.keys(this.#overrides).filter((name) => !this.#used.has(name));
  }

  #override(name: DecisionName): number | string | undefined {
    if (this.#healed || !Object.hasOwn(this.#overrides, name)) return undefined;
    this.#used.add(name);
    return this.#overrides[name];
  }
}
