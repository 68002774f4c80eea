import { estimateCost, type SizeOf } from './cel/cost-estimate.js';
import type { Estimate } from './cel/estimate.js';
import { tooMuch } from './cel/estimate.js';
import type { Program } from './cel/program.js';
import { printedRule } from './crd-spec.js';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from './field-errors.js';
import type { StatusCause } from './request.js';
import { type Declared, declaredType } from './schema/cel-types.js';
import { compileSchema } from './schema/compile.js';
import { fieldPath } from './schema/field-path.js';
import { itemsOf, type JsonSchema, valuesOf } from './schema/json-schema.js';
import { type CompiledRule, compileRules } from './schema/rule-tree.js';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;
/** CD-43: what one rule may cost, and all of a schema together. */
const ruleLimit = 10_000_000;
const totalLimit = 100_000_000;
const requestBytes = 3 * 1024 * 1024;

/** How often a schema's place can occur in an object; undefined: there is no telling. */
type Cardinality = number | undefined;

/** The rules of one version's schema: whether they compile, and what they may cost. */
export class CrdRules {
  readonly faults: StatusCause[] = [];
  readonly #places = new Map<JsonSchema, { readonly cardinality: Cardinality; readonly isResource: boolean }>();
  readonly #costsKnown: boolean;
  #total = 0;
  #expensive: { readonly path: string; readonly cost: number }[] = [];

  /** @param costsKnown the schema is as it was: what each rule costs has been looked at before. */
  constructor(root: JsonSchema, costsKnown: boolean) {
    this.#costsKnown = costsKnown;
    this.#locate(root, 1, true);
  }

  /** Compiles the rules of a schema. @param uncorrelatable the place above in which values cannot be told from old ones. */
  check(schema: JsonSchema, path: string, uncorrelatable: string | undefined): void {
    const place = this.#places.get(schema);
    if (place === undefined || !schema['x-kubernetes-validations']?.length) return;
    const node = compileSchema(schema);
    const declared = declaredType(node, place.isResource);
    if (declared === undefined) return;
    for (const [index, compiled] of compileRules(node, declared.type).entries()) {
      const at = `${path}.x-kubernetes-validations[${index}]`;
      const cost = this.#costOf(compiled.program, declared, place.cardinality);
      this.#observe(`${at}.rule`, cost, 'estimated rule cost');
      this.#report(compiled, at, declared, uncorrelatable);
    }
  }

  #report(compiled: CompiledRule, at: string, declared: Declared, uncorrelatable: string | undefined): void {
    const { rule, fault, message, messageFault } = compiled;
    if (fault !== undefined) this.faults.push(invalidValue(`${at}.rule`, printedRule(rule), fault));
    if (messageFault !== undefined) this.faults.push(invalidValue(`${at}.messageExpression`, printedRule(rule), messageFault));
    else if (message !== undefined) {
      this.#observe(`${at}.messageExpression`, estimateCost(message.expr, sizesOf(declared)).max, 'estimated messageExpression cost');
    }
    if (compiled.usesOldSelf) {
      if (uncorrelatable === undefined) return;
      const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
      this.faults.push(invalidValue(`${at}.rule`, rule.rule, text));
    } else if (rule.optionalOldSelf !== undefined) {
      this.faults.push(invalidValue(`${at}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
    }
  }

  #costOf(program: Program | undefined, declared: Declared, cardinality: Cardinality): number {
    if (program === undefined) return 0;
    const { max } = estimateCost(program.expr, sizesOf(declared));
    return times(max, cardinality ?? Math.floor(requestBytes / (declared.minSize + 1)));
  }

  #observe(path: string, cost: number, what: string): void {
    if (!this.#costsKnown && cost > ruleLimit) this.faults.push(forbiddenValue(path, costText(what, cost, ruleLimit)));
    this.#total = Math.min(tooMuch, this.#total + cost);
    if (cost < totalLimit / 100) return;
    this.#expensive = [...this.#expensive, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, 4);
  }

  totalCostFaults(path: string): StatusCause[] {
    if (this.#total <= totalLimit) return [];
    const text = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const total = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((rule) => forbiddenValue(rule.path, text)),
      forbiddenValue(path, costText(total, this.#total, totalLimit)),
    ];
  }

  #locate(schema: JsonSchema, cardinality: Cardinality, isRoot: boolean): void {
    this.#places.set(schema, { cardinality, isResource: isRoot || schema['x-kubernetes-embedded-resource'] === true });
    const most = mostElements(schema);
    const below = cardinality === undefined || most === undefined ? undefined : times(cardinality, most);
    for (const child of [...Object.values(schema.properties ?? {}), valuesOf(schema), itemsOf(schema)]) {
      if (child !== undefined) this.#locate(child, below, false);
    }
  }

  /** What is wrong with the rules of a schema before anybody reads them as CEL. */
  static formFaults(schema: JsonSchema, path: string): StatusCause[] {
    return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
      const at = `${path}.x-kubernetes-validations[${index}]`;
      const faults: StatusCause[] = [];
      const { rule: text = '', message = '', messageExpression = '', reason, fieldPath: place = '' } = rule;
      if (text.trim() === '') faults.push(requiredValue(`${at}.rule`, 'rule is not specified'));
      else if (message !== '' && message.trim() === '') {
        faults.push(invalidValue(`${at}.message`, message, 'must be non-empty if specified'));
      } else if (lineBreak.test(message.trim())) faults.push(invalidValue(`${at}.message`, message, 'must not contain line breaks'));
      else if (lineBreak.test(text.trim()) && message === '') {
        faults.push(requiredValue(`${at}.message`, 'message must be specified if rule contains line breaks'));
      }
      if (messageExpression !== '' && messageExpression.trim() === '') {
        faults.push(requiredValue(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
      }
      if (reason !== undefined && !reasons.includes(reason)) faults.push(unsupportedValue(`${at}.reason`, reason, reasons));
      if (place !== '' && place.trim() === '') faults.push(invalidValue(`${at}.fieldPath`, place, 'must be non-empty if specified'));
      if (lineBreak.test(place)) faults.push(invalidValue(`${at}.fieldPath`, place, 'must not contain line breaks'));
      if (place !== '' && typeof fieldPath(place, schema) === 'string') {
        faults.push(invalidValue(`${at}.fieldPath`, place, 'must be a valid path'));
      }
      return faults;
    });
  }
}

/** Sizes by the paths that expressions take through what is declared. */
function sizesOf(root: Declared): SizeOf {
  return (path) => {
    let place: Declared | undefined = root;
    for (const part of path.slice(1)) {
      if (part === '@items' || part === '@values') place = place?.elements;
      else if (part === '@keys') place = place?.keys;
      else place = place?.fields?.get(part);
      if (place === undefined) return undefined;
    }
    return { min: 0, max: place.maxElements } satisfies Estimate;
  };
}

/** How many of what is below a schema there can be for each of its own values. */
function mostElements(schema: JsonSchema): Cardinality {
  if (schema.type === 'array') return schema.maxItems === undefined ? undefined : Math.max(0, schema.maxItems);
  if (schema.type !== 'object' || schema.additionalProperties === undefined) return 1;
  return schema.maxProperties === undefined ? undefined : Math.max(0, schema.maxProperties);
}

function times(a: number, b: number): number {
  return Math.min(tooMuch, a * b);
}

function costText(what: string, cost: number, limit: number): string {
  const exceeded = cost / limit;
  const factor = exceeded > 100 ? 'more than 100x' : exceeded < 1.5 ? `${exceeded.toFixed(6)}x` : `${exceeded.toFixed(1)}x`;
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${factor} (${advice})`;
}
