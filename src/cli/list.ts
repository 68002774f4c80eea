import { builtInProperties } from '../properties/built-in.js';
import type { Ink } from '../report/ink.js';
import type { Scenario } from '../scenarios/scenario.js';

/** What a scenario is made of. */
export function listText(scenario: Scenario, path: string, ink: Ink): string {
  const { name, about, operators, controllers, workload, acts, properties, except } = scenario;
  const checked = [...builtInProperties, ...properties].filter((property) => !Object.hasOwn(except, property.name));
  const line = (title: string, texts: readonly string[]): readonly string[] =>
    texts.length === 0 ? [] : [`  ${title.padEnd(12)}${texts.join(', ')}`];
  return [
    `${ink.strong(name)}  ${ink.faint(path)}`,
    ...(about === name ? [] : [`  ${about}`]),
    ...line(
      'operators',
      operators.map((operator) => operator.name),
    ),
    ...line('controllers', controllers),
    ...line(
      'workload',
      workload.map((step) => step.about),
    ),
    ...line('acts', Object.keys(acts)),
    ...line(
      'properties',
      checked.map((property) => property.name),
    ),
    ...Object.entries(except).map(([property, why]) => `  except      ${property}: ${why}`),
  ].join('\n');
}
