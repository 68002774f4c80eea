import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createJiti } from 'jiti';
import * as seatrial from '../index.js';
import type { Scenario } from '../scenarios/scenario.js';
import { InputError, innermost } from './input-error.js';

const scenarioFileNames = ['scenario.ts', 'scenario.mts', 'scenario.js', 'scenario.mjs', 'index.ts', 'index.js', 'index.mjs'];

/** Stands in for all that a test file asks of vitest besides groups: tests are registered nowhere and never run. */
const nothing: unknown = new Proxy(() => undefined, { get: () => nothing, apply: () => nothing });
const vitestNames = ['test', 'it', 'expect', 'vi', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'];
const describe = (_name: string, group: unknown): unknown => (typeof group === 'function' ? group() : undefined);
const vitest = { ...Object.fromEntries(vitestNames.map((name) => [name, nothing])), describe };

/**
 * The scenarios that a file exports, by default or by name, or gives to `trial`; a folder stands for the scenario file in it. The file may be
 * TypeScript or JavaScript, and its `seatrial` is the one that is running.
 * @throws InputError
 */
export async function loadScenarios(path: string): Promise<{ readonly file: string; readonly scenarios: readonly Scenario[] }> {
  const file = scenarioFile(resolve(path), path);
  const tried: unknown[] = [];
  const trial = (scenario: unknown): void => void tried.push(scenario);
  const virtualModules = { seatrial, vitest, 'seatrial/vitest': { trial }, 'fast-check': seatrial.fc };
  const jiti = createJiti(import.meta.url, { virtualModules, interopDefault: false, moduleCache: false });
  let exported: unknown;
  try {
    exported = await jiti.import(file);
  } catch (error) {
    throw new InputError(`${path} cannot be loaded: ${innermost(error, file)}`);
  }
  const scenarios = [...new Set([...Object.values(exported as Record<string, unknown>), ...tried].filter(isScenario))];
  if (scenarios.length === 0)
    throw new InputError(
      `${path} exports no scenario; expected \`export default defineScenario({ ... })\`, a named export of one, or \`trial\` of one`,
    );
  const twice = scenarios.find(({ name }, index) => scenarios.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new InputError(`${path} exports two scenarios called ${twice.name}: give each its own name`);
  return { file, scenarios };
}

function scenarioFile(path: string, given: string): string {
  if (!existsSync(path)) throw new InputError(`there is no file or folder ${given}`);
  if (!statSync(path).isDirectory()) return path;
  const name = scenarioFileNames.find((each) => existsSync(join(path, each)));
  if (name === undefined) throw new InputError(`the folder ${given} has no scenario file; expected one of ${scenarioFileNames.join(', ')}`);
  return join(path, name);
}

/** What defineScenario returns; it may come from another copy of the package, so only its shape can tell. */
function isScenario(value: unknown): value is Scenario {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'operators' in value &&
    Array.isArray(value.operators) &&
    'workload' in value &&
    Array.isArray(value.workload) &&
    'properties' in value &&
    Array.isArray(value.properties) &&
    'actArguments' in value &&
    'except' in value
  );
}
