import { nameOf, summaryOf } from '../properties/history.js';
import { ScenarioError } from '../scenarios/definition.js';
import type { Scenario } from '../scenarios/scenario.js';
import type { ClusterState } from '../sim/cluster-state.js';
import { apiVersionOf } from '../sim/runtime/kind.js';
import { errorText } from '../sim/runtime/reconciler.js';
import type { Trace } from '../sim/trace.js';
import { nobodyServes } from './unattended.js';

/** The cluster at the end of the calm day; undefined when it never came so far. */
function settled(calm: Trace): ClusterState | undefined {
  const end = summaryOf(calm, 'settle');
  return end === undefined ? undefined : calm.stateAt(end.revision);
}

/**
 * A scenario in which nothing happens would hold whatever its operator does: on the calm day every act of the workload must
 * come to something, and every kind that an operator asks for must be known.
 * @throws ScenarioError
 */
export function mustComeToSomething(scenario: Scenario, calm: Trace): void {
  const unknown = unknownKinds(scenario, calm)[0];
  if (unknown !== undefined) throw new ScenarioError(scenario.name, unknown);
  for (const { event } of calm.entries)
    if (event.kind === 'op' && typeof event.op === 'string' && event.why !== undefined)
      throw new ScenarioError(scenario.name, `an act of its workload comes to nothing on a calm day: ${event.op}: ${event.why}`);
}

/** What the settled calm run lacks of the scenario's goal. @throws ScenarioError when the goal itself fails */
export function goalMissing(scenario: Scenario, calm: Trace): string | undefined {
  const state = settled(calm);
  if (scenario.goal === undefined || state === undefined) return undefined;
  let answer: unknown;
  try {
    answer = scenario.goal(state);
  } catch (error) {
    throw new ScenarioError(scenario.name, `its \`goal\` failed: ${errorText(error)}`);
  }
  if (answer === true) return undefined;
  if (typeof answer === 'string') return answer;
  throw new ScenarioError(scenario.name, 'its `goal` must answer true, or what is missing as a text; it answered neither');
}

/** Objects of the settled calm run that wait for a controller that does not run: `StatefulSet default/a`. */
export function unattended({ controllers }: Scenario, calm: Trace): readonly string[] {
  const objects = settled(calm)?.all() ?? [];
  return objects.filter(({ key, object }) => nobodyServes(key.resource, object, controllers)).map(({ object }) => nameOf(object));
}

/** Kinds that operators ask for and the server did not know when they last did. */
function unknownKinds(scenario: Scenario, calm: Trace): readonly string[] {
  const operators = scenario.operators.map(({ name }) => name);
  const last = new Map<string, string | undefined>();
  for (const { event } of calm.entries) {
    if (event.kind !== 'handled' || event.request.subresource !== undefined || !operators.includes(event.process)) continue;
    const what = `its operator ${event.process} asks for ${event.request.resource} of ${apiVersionOf(event.request)}, which the server does not know: install its CustomResourceDefinition in \`crds\``;
    last.set(what, event.response.code === 404 && !namesAKind(event.response.body) ? what : undefined);
  }
  return [...last.values()].filter((what) => what !== undefined);
}

/** HT-6: the answer about an object that is not there names its kind; the one about a path that is not there has nothing to name. */
function namesAKind(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'details' in body && Object.hasOwn(body.details as object, 'kind');
}
