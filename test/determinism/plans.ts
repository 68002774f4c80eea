import { singleFaults } from '../../src/campaign/closure.js';
import { randomPlan } from '../../src/campaign/portfolio.js';
import { Vocabulary } from '../../src/campaign/vocabulary.js';
import type { Scenario } from '../../src/scenarios/scenario.js';
import { zoo } from '../../src/scenarios/zoo.js';
import { traceDigest } from '../../src/sim/digest.js';
import { calmPlan, type Plan } from '../../src/sim/plan.js';
import { simulate } from '../../src/sim/simulate.js';

/** A plan and the scenario it is for. */
export interface Trial {
  readonly scenario: Scenario;
  readonly plan: Plan;
}

/** Mistakes of different rooms of the house: status, create, update, delete, owners. */
const ids = ['P03', 'P20', 'P31', 'P40', 'P47'];

/** So many plans, the same on every call: single faults and random plans by turns, over several scenarios. */
export async function trials(count: number): Promise<readonly Trial[]> {
  const scenarios = zoo.filter(({ id }) => ids.includes(id)).map(({ broken }) => broken);
  const perScenario = Math.ceil(count / scenarios.length);
  const all: Trial[] = [];
  for (const scenario of scenarios) {
    const calm = await simulate(scenario, calmPlan(scenario.name));
    const known = new Vocabulary(scenario);
    known.learn(calm);
    const faults = singleFaults(scenario, known, 1);
    for (let index = 0; index < perScenario; index++) {
      const fault = faults[Math.floor((index * faults.length) / perScenario)];
      const plan = index % 2 === 0 && fault !== undefined ? fault.plan : randomPlan(scenario, known, calm.steps, 1, index);
      all.push({ scenario, plan });
    }
  }
  return all.slice(0, count);
}

/** The digests of the trials' runs, each at its trial's place, whatever the order in which they are run. */
export async function digestsOf(all: readonly Trial[], order: 'forwards' | 'backwards'): Promise<readonly string[]> {
  const digests = new Array<string>(all.length);
  const places = all.map((_, index) => index);
  for (const place of order === 'forwards' ? places : places.reverse()) {
    const { scenario, plan } = all[place] as Trial;
    digests[place] = traceDigest(await simulate(scenario, plan));
  }
  return digests;
}
