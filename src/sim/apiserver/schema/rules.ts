import type { JsonValue } from '../../etcd/object.js';
import type { Program } from '../cel/program.js';
import { CostMeter } from '../cel/runtime-cost.js';
import { CelCostError, CelError, CelOptional, type CelValue } from '../cel/values.js';
import { duplicateValue, forbiddenValue, inKeyOrder, invalidPlace, invalidValue, nowhere, requiredValue } from '../field-errors.js';
import { isObject } from '../json.js';
import type { StatusCause } from '../request.js';
import { celValue } from './cel-values.js';
import type { SchemaNode } from './compile.js';
import { type Correlation, correlatedItem, correlatedMember, isUnchanged, sameKeyed } from './correlation.js';
import type { ValidationRule } from './json-schema.js';
import { type CompiledRule, type RuleTree, treeOf } from './rule-tree.js';

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
/** CD-42: what one object's rules may cost, and each of them. */
const objectBudget = 10_000_000;
const callBudget = 1_000_000;
const longestMessage = 5 * 1024;

export interface RuleRun {
  /** The field that the value stands in; absent for a whole object. */
  readonly place?: string;
  /** What stood there before. */
  readonly old?: JsonValue;
  /** Receives the failures that concern only what has not changed (CD-11). Absent: nothing is let through. */
  readonly warnings?: string[];
  /** The value is the root of an object. */
  readonly isResource?: boolean;
  readonly budget?: number;
}

/** The failures of a value's rules (CD-41, CD-42). */
export function ruleFaults(value: JsonValue, node: SchemaNode, run: RuleRun): StatusCause[] {
  const tree = treeOf(node, run.isResource ?? node.embedded);
  if (tree === undefined || value === null) return [];
  const old = run.old ?? null;
  const pair = run.warnings === undefined || run.old === undefined ? undefined : { value, old: run.old, node };
  const evaluation = new Evaluation(run.budget ?? objectBudget, run.warnings);
  evaluation.visit(tree, value, old, run.place ?? '', { current: pair, nearest: undefined });
  return evaluation.faults;
}

/** What a value is compared with, and the nearest place above it that can be. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

class Evaluation {
  readonly faults: StatusCause[] = [];
  #budget: number;
  readonly #warnings: string[] | undefined;

  constructor(budget: number, warnings: string[] | undefined) {
    this.#budget = budget;
    this.#warnings = warnings;
  }

  get budget(): number {
    return this.#budget;
  }

  visit(tree: RuleTree, value: JsonValue, old: JsonValue, path: string, ratchet: Ratchet): void {
    if (value === null || this.#budget < 0) return;
    this.#own(tree, value, old, path, ratchet);
    if (Array.isArray(value)) this.#items(tree, value, old, path, ratchet);
    else if (isObject(value)) this.#members(tree, value, old, path, ratchet);
  }

  #items(tree: RuleTree, value: readonly JsonValue[], old: JsonValue, path: string, ratchet: Ratchet): void {
    if (tree.items === undefined) return;
    const before = Array.isArray(old) ? old : [];
    for (const [index, item] of value.entries()) {
      const previous = sameKeyed(before, item, tree.node) ?? null;
      this.visit(
        tree.items,
        item,
        previous,
        `${path}[${index}]`,
        below(ratchet, (pair) => correlatedItem(pair, index)),
      );
    }
  }

  #members(tree: RuleTree, value: Readonly<Record<string, JsonValue>>, old: JsonValue, path: string, ratchet: Ratchet): void {
    const before = isObject(old) ? old : {};
    for (const key of Object.keys(value)) {
      const property = tree.properties.get(key);
      const child = property ?? (tree.node.properties.has(key) ? undefined : tree.values);
      if (child === undefined) continue;
      const previous = Object.hasOwn(before, key) ? (before[key] as JsonValue) : null;
      const at = property === undefined ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      this.visit(
        child,
        value[key] as JsonValue,
        previous,
        at,
        // What kind of object it is is never let through.
        ratchet.nearest === undefined && (key === 'apiVersion' || key === 'kind')
          ? { current: undefined, nearest: undefined }
          : below(ratchet, (pair) => correlatedMember(pair, key)),
      );
    }
  }

  #own(tree: RuleTree, value: JsonValue, old: JsonValue, path: string, ratchet: Ratchet): void {
    const type = tree.node.schema.type ?? '';
    for (const compiled of tree.rules) {
      const { rule, program } = compiled;
      if (compiled.fault !== undefined) {
        this.faults.push(invalidValue(path || nowhere, type, `rule compile error: ${compiled.fault}`));
        continue;
      }
      if (program === undefined) continue;
      if (compiled.usesOldSelf && old === null && !rule.optionalOldSelf) continue;
      if (this.#budget <= 0) {
        this.#stop(path, type, outOfBudget);
        return;
      }
      const outcome = this.#evaluate(program, rule, tree, value, old);
      if (outcome === true) continue;
      if (outcome instanceof CelCostError) {
        this.#stop(
          path,
          type,
          `'${outcome.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${nameOf(rule)}`,
        );
        return;
      }
      if (outcome === 'budget') {
        this.#stop(path, type, outOfBudget);
        return;
      }
      if (outcome instanceof CelError) this.faults.push(evaluationFault(path, type, rule, outcome));
      else this.#failed(compiled, tree, value, old, path, ratchet);
      if (this.#budget < 0) return;
    }
  }

  #stop(path: string, type: string, text: string): void {
    this.faults.push(invalidValue(path || nowhere, type, text));
    this.#budget = -1;
  }

  #evaluate(program: Program, rule: ValidationRule, tree: RuleTree, value: JsonValue, old: JsonValue): CelValue | CelError | 'budget' {
    const meter = new CostMeter(callBudget);
    let outcome: CelValue | CelError;
    try {
      outcome = program.evaluate(bind(rule, tree, value, old), meter);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      outcome = error;
    }
    if (meter.cost > this.#budget && !(outcome instanceof CelCostError)) return 'budget';
    this.#budget -= meter.cost;
    return outcome;
  }

  #failed(compiled: CompiledRule, tree: RuleTree, value: JsonValue, old: JsonValue, path: string, ratchet: Ratchet): void {
    const { rule, place } = compiled;
    const field = place === '' ? path : path === '' ? place : `${path}.${place}`;
    const type = tree.node.schema.type ?? '';
    const detail = this.#message(compiled, tree, value, old);
    if (detail instanceof CelError) {
      this.#report(invalidValue(field || nowhere, type, detail.message), compiled, ratchet);
      this.#budget = -1;
      return;
    }
    const shown = type === 'object' || type === 'array' ? undefined : value;
    this.#report(ruleFault(field || nowhere, shown, detail ?? rule.message?.trim() ?? '', rule), compiled, ratchet);
  }

  #report(fault: StatusCause, { usesOldSelf }: CompiledRule, ratchet: Ratchet): void {
    // CD-45: a rule that looks at the old value is never let through.
    const unchanged = isUnchanged(ratchet.current ?? ratchet.nearest);
    if (this.#warnings !== undefined && !usesOldSelf && unchanged) this.#warnings.push(`${fault.field}: ${fault.message}`);
    else this.faults.push(fault);
  }

  /** @returns undefined when the message expression gives nothing that could be shown; an error when it cost too much. */
  #message({ message, rule }: CompiledRule, tree: RuleTree, value: JsonValue, old: JsonValue): string | CelError | undefined {
    if (message === undefined) return undefined;
    const outcome = this.#evaluate(message, rule, tree, value, old);
    if (outcome === 'budget') {
      return new CelError('messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run');
    }
    if (outcome instanceof CelCostError) {
      const text = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`;
      return new CelError(text);
    }
    if (typeof outcome !== 'string') return undefined;
    const text = outcome.trim();
    return text === '' || /[\n\r]/.test(text) || Buffer.byteLength(text) > longestMessage ? undefined : text;
  }
}

function below({ current, nearest }: Ratchet, step: (pair: Correlation) => Correlation | undefined): Ratchet {
  return current === undefined ? { current, nearest } : { current: step(current), nearest: current };
}

function bind(rule: ValidationRule, { node, isResource }: RuleTree, value: JsonValue, old: JsonValue): ReadonlyMap<string, CelValue> {
  const variables = new Map<string, CelValue>([['self', celValue(value, node, isResource)]]);
  if (rule.optionalOldSelf) {
    variables.set('oldSelf', old === null ? CelOptional.none : new CelOptional(celValue(old, node, isResource)));
  } else if (old !== null) variables.set('oldSelf', celValue(old, node, isResource));
  return variables;
}

/** CD-42: a rule is named by its message, if it has one. */
function nameOf({ message, rule }: ValidationRule): string {
  return message ? message.trim() : rule.trim();
}

function evaluationFault(path: string, type: string, rule: ValidationRule, error: CelError): StatusCause {
  const { message } = error;
  const text = message.startsWith('no such overload')
    ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${nameOf(rule)}`
    : `${message} evaluating rule: ${nameOf(rule)}`;
  return invalidValue(path || nowhere, type, text);
}

/** CD-41 @param shown undefined: the value is an object or a list, and is left out. */
function ruleFault(field: string, shown: JsonValue | undefined, message: string, rule: ValidationRule): StatusCause {
  const detail = message === '' ? `failed rule: ${rule.rule.trim()}` : message;
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(field, detail);
    case 'FieldValueRequired':
      return requiredValue(field, detail);
    case 'FieldValueDuplicate':
      return shown === undefined
        ? { reason: 'FieldValueDuplicate', message: 'Duplicate value', field }
        : duplicateValue(field, inKeyOrder(shown));
    default:
      return shown === undefined ? invalidPlace(field, detail) : invalidValue(field, inKeyOrder(shown), detail);
  }
}
