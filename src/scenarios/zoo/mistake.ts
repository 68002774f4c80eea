import type { Scenario } from '../scenario.js';

/** A mistake that operators make: a scenario that has it, the same with the remedy, and what tells them apart. */
export interface Mistake {
  /** The pitfall's number in the list that the project began with. */
  readonly id: string;
  readonly title: string;
  /** The property that names the mistake. */
  readonly property: string;
  readonly broken: Scenario;
  readonly fixed: Scenario;
}
