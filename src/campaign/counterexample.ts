import type { Finding } from '../properties/property.js';
import { traceDigest } from '../sim/digest.js';
import type { JsonValue } from '../sim/etcd/object.js';
import type { Plan } from '../sim/plan.js';
import { PlanError, parseJson, readableJson, readPlan } from '../sim/plan-file.js';
import type { Trace } from '../sim/trace.js';
import type { Examined, Failure } from './examine.js';
import { version } from './version.js';

/** How a campaign came upon a failing plan. */
export type FoundBy =
  | { readonly kind: 'calm day' }
  | { readonly kind: 'corpus'; readonly file: string }
  | { readonly kind: 'single fault'; readonly placement: string }
  | { readonly kind: 'random'; readonly run: number }
  /** It was asked for. */
  | { readonly kind: 'replay' };

/** The smallest plan that fails in this way, and what it shows. */
export interface Counterexample {
  readonly scenario: string;
  readonly property: string;
  readonly finding: Finding;
  readonly plan: Plan;
  readonly trace: Trace;
  /** The calm run of the same acts of people. */
  readonly calm: Trace;
  /** Signatures of what else is wrong in the same run. */
  readonly also: readonly string[];
  readonly digest: string;
  readonly foundBy: FoundBy;
  /** Entries of the plan as it was found, and how often a plan was played to make it small. */
  readonly foundEntries: number;
  readonly executions: number;
  /** Without any one of its entries the plan does not fail in this way; each was tried. */
  readonly minimal: boolean;
}

/** A run that breaks a property, as a counterexample. @param origin how its plan was come by */
export function counterexampleOf(
  { plan, trace, calm, failures }: Examined,
  { property, finding, signature }: Failure,
  origin: Pick<Counterexample, 'foundBy' | 'foundEntries' | 'executions' | 'minimal'>,
): Counterexample {
  const also = failures.map((each) => each.signature).filter((each) => each !== signature);
  return { scenario: plan.scenario, property, finding, plan, trace, calm, also, digest: traceDigest(trace), ...origin };
}

/** A plan as it is kept in a file, with what it is known to do. */
export interface PlanFile {
  readonly plan: Plan;
  /** The scenario's file, relative to this one. */
  readonly scenarioFile?: string;
  readonly property?: string;
  readonly culprit?: string;
  readonly message?: string;
  /** Of the run's trace, by the version of seatrial that found it. */
  readonly digest?: string;
  readonly seatrial?: string;
}

/** The counterexample as one small readable file. @param scenarioFile relative to the file that the text is for. */
export function counterexampleText({ property, finding, plan, digest }: Counterexample, scenarioFile?: string): string {
  const { message, culprit } = finding;
  return `${readableJson({ seatrial: version, scenarioFile, property, culprit, message, digest, plan })}\n`;
}

/** A name for the counterexample's file that says what it is about and does not change. */
export function counterexampleFileName({ property, digest }: Counterexample): string {
  return `${property.replaceAll(/[^A-Za-z0-9-]+/g, '-')}-${digest.slice(0, 8)}.json`;
}

/**
 * Reads a counterexample's file, or a plan by itself.
 * @param where the file's path, for errors
 * @throws PlanError
 */
export function readPlanFile(source: string, where: string): PlanFile {
  const value = parseJson(source, where);
  if (!isObject(value)) throw new PlanError(where, 'expected an object: a plan, or a counterexample with its `plan`');
  if (!('plan' in value)) {
    if (!('version' in value))
      throw new PlanError(where, 'this is neither a plan (`version` is missing) nor a counterexample (`plan` is missing)');
    return { plan: readPlan(value, where) };
  }
  const texts = ['scenarioFile', 'property', 'culprit', 'message', 'digest', 'seatrial'] as const;
  const about: Partial<Record<(typeof texts)[number], string>> = {};
  for (const name of texts) {
    const given = value[name];
    if (given === undefined) continue;
    if (typeof given !== 'string') throw new PlanError(where, `\`${name}\` should be a text, and is ${JSON.stringify(given)}`);
    about[name] = given;
  }
  return { ...about, plan: readPlan(value.plan, `${where}, in its plan`) };
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
