import type { JsonValue } from './etcd/object.js';
import { calmLatency, type FaultKind, type Plan, type PodTrouble } from './plan.js';

/** A plan that cannot be played. The message says where, what was found, and what was expected. */
export class PlanError extends Error {
  constructor(where: string, problem: string) {
    super(`${where}: ${problem}`);
    this.name = 'PlanError';
  }
}

/** Checks the value at a path of the plan. @throws string what is wrong with it */
type Check = (value: unknown, path: string) => void;

/** Thrown by checks and turned into a PlanError, which knows the file as well. */
class Problem extends Error {}

function expected(path: string, what: string, value: unknown): never {
  throw new Problem(`\`${path}\` should be ${what}, and is ${shown(value)}`);
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const text: Check = (value, path) => {
  if (typeof value !== 'string' || value === '') expected(path, 'a text', value);
};

const anyText: Check = (value, path) => {
  if (typeof value !== 'string') expected(path, 'a text', value);
};

const integer: Check = (value, path) => {
  if (!Number.isSafeInteger(value)) expected(path, 'a whole number', value);
};

const milliseconds: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) expected(path, 'virtual milliseconds, 0 or more', value);
};

const count: Check = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 1) expected(path, 'a whole number, 1 or more', value);
};

/** A number of times that a run can take one after the other. */
const often: Check = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > 1_000)
    expected(path, 'a whole number from 1 to 1000', value);
};

function oneOf(...options: readonly (string | number)[]): Check {
  return (value, path) => {
    if (!options.includes(value as string | number))
      expected(path, `${options.length === 1 ? '' : 'one of '}${options.map((each) => JSON.stringify(each)).join(', ')}`, value);
  };
}

function optional(check: Check): Check {
  return (value, path) => {
    if (value !== undefined) check(value, path);
  };
}

/** An object with exactly these fields. */
function shape(fields: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    const object = record(value, path);
    for (const [name, check] of Object.entries(fields)) check(object[name], path === '' ? name : `${path}.${name}`);
    for (const name of Object.keys(object))
      if (!Object.hasOwn(fields, name))
        throw new Problem(`\`${path === '' ? name : `${path}.${name}`}\` is not known here; known are ${Object.keys(fields).join(', ')}`);
  };
}

/** An object whose shape depends on its `kind`, or on another field that says what it is; `more` are fields that all have. */
function variants(shapes: Readonly<Record<string, Variant>>, tag = 'kind', more: Readonly<Record<string, Check>> = {}): Check {
  return (value, path) => {
    const { [tag]: kind } = record(value, path);
    const variant = typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
    if (variant === undefined) return expected(`${path}.${tag}`, `one of ${Object.keys(shapes).join(', ')}`, kind);
    if (typeof variant === 'function') variant(value, path);
    else shape({ ...more, [tag]: text, ...variant })(value, path);
  };
}

/** The fields of one kind of object, or how it is checked as a whole. */
type Variant = Readonly<Record<string, Check>> | Check;

function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return expected(path, 'a list', value);
    value.forEach((each, index) => {
      check(each, `${path}[${index}]`);
    });
  };
}

const overridesShape: Check = (value, path) => {
  for (const [name, answer] of Object.entries(record(value, path)))
    if (typeof answer !== 'string') milliseconds(answer, `${path}[${JSON.stringify(name)}]`);
};

function record(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return expected(path === '' ? 'the plan' : path, 'an object', value);
  return value as Readonly<Record<string, unknown>>;
}

const exitCode: Check = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > 255) expected(path, 'an exit code from 1 to 255', value);
};

const troubleShapes: Readonly<Record<PodTrouble['life'], Variant>> = {
  unschedulable: { forMs: milliseconds },
  'image-pull': { times: often },
  'slow-start': { forMs: milliseconds },
  'crash-loop': { times: often, exitCode: optional(exitCode) },
  flap: { times: often, forMs: milliseconds },
  evicted: { afterMs: milliseconds },
  'slow-stop': {},
};

const faultShapes: Readonly<Record<FaultKind, Variant>> = {
  'request-lost': { at: text },
  rejected: { at: text, code: oneOf(429, 500, 503) },
  conflict: { at: text },
  'reply-lost': { at: text },
  'watch-ended': { at: text },
  'watch-reset': { at: text },
  'watch-expired': { at: text },
  'stale-read': { at: text, revisions: count },
  crash: { at: text, when: oneOf('before', 'after'), restartAfterMs: milliseconds },
  'webhook-unreachable': { at: text },
  'webhook-timed-out': { at: text },
  restart: { process: text, atMs: milliseconds, restartAfterMs: milliseconds },
  freeze: { process: text, atMs: milliseconds, forMs: milliseconds },
  pod: variants(troubleShapes, 'life', { kind: text, pod: text, nth: count }),
  claim: { claim: text, nth: count, forMs: milliseconds },
  node: { node: text, atMs: milliseconds, forMs: milliseconds },
};

const planShape = shape({
  version: oneOf(1),
  scenario: text,
  seed: optional(integer),
  ops: optional(
    list(
      shape({
        op: text,
        atMs: milliseconds,
        target: optional(shape({ resource: text, namespace: anyText, name: text })),
        args: () => {},
      }),
    ),
  ),
  faults: optional(list(variants(faultShapes))),
  overrides: optional(overridesShape),
  strategy: optional(variants({ calm: {}, uniform: {}, pct: { depth: often, steps: count } })),
  latency: optional(shape({ requestMs: milliseconds, replyMs: milliseconds, watchMs: milliseconds })),
});

/**
 * A plan from data. What is left out is as on a calm day.
 * @param where names the source in errors: a file's path.
 * @throws PlanError
 */
export function readPlan(value: unknown, where: string): Plan {
  try {
    planShape(value, '');
  } catch (error) {
    if (error instanceof Problem) throw new PlanError(where, error.message);
    throw error;
  }
  const given = value as Pick<Plan, 'version' | 'scenario'> & Partial<Plan>;
  return {
    version: given.version,
    scenario: given.scenario,
    seed: given.seed ?? 0,
    ops: given.ops ?? [],
    faults: given.faults ?? [],
    overrides: given.overrides ?? {},
    strategy: given.strategy ?? { kind: 'calm' },
    latency: given.latency ?? calmLatency,
  };
}

/** @throws PlanError when the text is empty or not JSON */
export function parseJson(source: string, where: string): JsonValue {
  if (source.trim() === '') throw new PlanError(where, 'the file is empty; expected a plan as JSON');
  try {
    return JSON.parse(source) as JsonValue;
  } catch (error) {
    throw new PlanError(where, `this is not JSON: ${(error as Error).message}`);
  }
}

/** The plan as a file: JSON for people and for diffs. The same plan gives the same text. */
export function planText(plan: Plan): string {
  const { version, scenario, seed, ops, faults, overrides, strategy, latency } = plan;
  return readableJson({ version, scenario, seed, ops, faults, overrides, strategy, latency });
}

const columns = 120;

/** JSON in which whatever fits on a line is on one line. */
export function readableJson(value: object, indent = ''): string {
  const deeper = `${indent}  `;
  const place = (each: unknown, label = ''): string => {
    const line = label + oneLine(each);
    const fits = deeper.length + line.length <= columns || each === null || typeof each !== 'object';
    return deeper + (fits ? line : label + readableJson(each, deeper));
  };
  if (Array.isArray(value)) return `[\n${value.map((each) => place(each)).join(',\n')}\n${indent}]`;
  const lines = fieldsOf(value).map(([name, each]) => place(each, `${JSON.stringify(name)}: `));
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const fields = fieldsOf(value).map(([name, each]) => `${JSON.stringify(name)}: ${oneLine(each)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function fieldsOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}
