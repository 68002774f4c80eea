import { deepEqual, type JsonValue } from '../../etcd/object.js';
import { inKeyOrder, invalidValue, nowhere, requiredValue, tooLong, tooMany, typeInvalidValue, unsupportedValue } from '../field-errors.js';
import { isObject } from '../json.js';
import type { StatusCause } from '../request.js';
import { goQuote } from '../status.js';
import type { SchemaNode } from './compile.js';
import { type Correlation, correlatedItem, correlatedMember, isUnchanged } from './correlation.js';
import { formatCheck } from './formats.js';
import { numberFaults } from './validate-number.js';

/**
 * What is wrong with a value by the keywords of OpenAPI (CD-7, CD-39), in the server's words and, up to the random order of
 * properties, in its order (CD-37).
 * @param place the field that the value stands in; empty for a whole object.
 * @param ratchet what stood there before: faults of what has not changed are dropped (CD-11).
 */
export function schemaFaults(value: JsonValue, node: SchemaNode, place = '', ratchet?: Correlation): readonly StatusCause[] {
  const faults = new Faults(place);
  check(value, node, '', faults, ratchet);
  return faults.dropUnchanged(0, ratchet).causes;
}

/** The faults so far. Those of equal words are one (the server compares texts). */
export class Faults {
  readonly causes: StatusCause[] = [];
  readonly #texts: string[] = [];
  readonly place: string;

  constructor(place: string) {
    this.place = place;
  }

  get count(): number {
    return this.causes.length;
  }

  /** @param text what two faults are compared by. */
  add(text: string, cause: StatusCause): void {
    if (this.#texts.includes(text)) return;
    this.#texts.push(text);
    this.causes.push(cause);
  }

  /** A fault that is about the whole value, and names its place in its words alone. */
  addPlain(text: string): void {
    this.add(text, invalidValue(this.place || nowhere, '', text));
  }

  merge(other: Faults): void {
    for (const [index, cause] of other.causes.entries()) this.add(other.#texts[index] as string, cause);
  }

  /** Forgets the faults since a count when the value that has them is as it was. */
  dropUnchanged(since: number, pair: Correlation | undefined): this {
    if (this.count > since && isUnchanged(pair)) {
      this.causes.length = since;
      this.#texts.length = since;
    }
    return this;
  }

  /** The name of a field below the place. */
  field(path: string): string {
    const name = path.startsWith('.') ? path.slice(1) : path;
    if (name === '') return this.place || nowhere;
    return this.place === '' ? name : `${this.place}.${name}`;
  }
}

/**
 * Checks a value against one node.
 * @returns the number of checks that held: of several failing branches of an anyOf the one with most of them is shown.
 */
function check(value: JsonValue, node: SchemaNode, path: string, faults: Faults, pair: Correlation | undefined): number {
  if (value === null) return checkNull(node, path, faults);
  let held = 1;
  if (node.types.length > 0 || node.format !== '') held += checkType(value, node, path, faults) + 1;
  held += checkBranches(value, node, path, faults, pair) + 2;
  if (typeof value === 'string') {
    checkText(value, node, path, faults);
    held += 1;
    const hasFormat = node.format === '' ? undefined : formatCheck(node.format);
    if (hasFormat !== undefined) {
      held += 1;
      if (!hasFormat(value)) wrongType(value, node.format, path, faults);
    }
  } else if (typeof value === 'number') {
    numberFaults(value, node, path, faults);
    held += 2;
  } else if (Array.isArray(value)) held += checkList(value, node, path, faults, pair) + 2;
  checkEnum(value, node, path, faults);
  held += 1;
  if (isObject(value)) held += checkObject(value, node, path, faults, pair) + 1;
  return held;
}

function checkNull(node: SchemaNode, path: string, faults: Faults): number {
  const allowed = node.types.length === 0 || node.nullable;
  if (!allowed) wrongType('null', node.typeText, path, faults);
  checkEnum(null, node, path, faults);
  return allowed ? 1 : 0;
}

function checkType(value: Exclude<JsonValue, null>, node: SchemaNode, path: string, faults: Faults): number {
  const { types, format } = node;
  const found = typeOf(value);
  const fits = types.includes(found.type) || (found.type === 'integer' && types.includes('number'));
  const isSerial = typeof value === 'string' || Array.isArray(value);
  if (!isSerial && format !== '' && !fits && format !== found.format) {
    wrongType(found.format, format, path, faults);
    return 0;
  }
  const numeric = types.includes('number') || types.includes('integer');
  if (!numeric && format !== '' && isSerial) return 1;
  if (fits) return 1;
  wrongType(found.type, node.typeText, path, faults);
  return 0;
}

/** How Go sees a JSON value: its type, and the format of a number. */
export function typeOf(value: Exclude<JsonValue, null>): { readonly type: string; readonly format: string } {
  switch (typeof value) {
    case 'string':
      return { type: 'string', format: '' };
    case 'boolean':
      return { type: 'boolean', format: '' };
    case 'number':
      return isInt64(value) ? { type: 'integer', format: 'int64' } : { type: 'number', format: 'float64' };
    default:
      return { type: Array.isArray(value) ? 'array' : 'object', format: '' };
  }
}

/** Whether a number is read as an integer: beyond 64 bits it is read as a float. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

function wrongType(shown: string, wanted: string, path: string, faults: Faults): void {
  const text = `${path} in body must be of type ${wanted}: ${goQuote(shown)}`;
  faults.add(text, typeInvalidValue(faults.field(path), shown, text));
}

function checkText(value: string, node: SchemaNode, path: string, faults: Faults): void {
  const { maxLength, minLength, pattern } = node.schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : characters(value);
  if (maxLength !== undefined && length > maxLength) {
    faults.add(`${path} in body should be at most ${maxLength} chars long`, tooLong(faults.field(path), maxLength));
  } else if (minLength !== undefined && length < minLength) {
    const text = `${path} in body should be at least ${minLength} chars long`;
    faults.add(text, invalidValue(faults.field(path), value, text));
  } else if (node.pattern !== undefined && !node.pattern.test(value)) {
    const text = `${path} in body should match '${pattern}'`;
    faults.add(text, invalidValue(faults.field(path), value, text));
  }
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function checkEnum(value: JsonValue, node: SchemaNode, path: string, faults: Faults): void {
  const allowed = node.schema.enum;
  if (allowed === undefined || allowed.length === 0) return;
  if (value !== null && allowed.some((each) => each === value || deepEqual(each, value))) return;
  const names = allowed.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  faults.add(`${path} in body should be one of [${names.join(' ')}]`, unsupportedValue(faults.field(path), inKeyOrder(value), names));
}

function checkList(value: readonly JsonValue[], node: SchemaNode, path: string, faults: Faults, pair: Correlation | undefined): number {
  let held = 0;
  const { items, schema } = node;
  if (items !== undefined) {
    for (const [index, item] of value.entries()) {
      const before = faults.count;
      const child = pair && correlatedItem(pair, index);
      held += check(item, items, `${path}[${index}]`, faults, child);
      faults.dropUnchanged(before, child);
    }
  }
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && value.length < minItems) {
    const text = `${path} in body should have at least ${minItems} items`;
    faults.add(text, invalidValue(faults.field(path), value.length, text));
  }
  if (maxItems !== undefined && value.length > maxItems) {
    faults.add(`${path} in body should have at most ${maxItems} items`, tooMany(faults.field(path), value.length, maxItems));
  }
  if (schema.uniqueItems && value.some((item, index) => value.slice(0, index).some((other) => deepEqual(other, item)))) {
    const text = `${path} in body shouldn't contain duplicates`;
    faults.add(text, invalidValue(faults.field(path), '', text));
  }
  return held;
}

function checkObject(
  value: Readonly<Record<string, JsonValue>>,
  node: SchemaNode,
  path: string,
  faults: Faults,
  pair: Correlation | undefined,
): number {
  let held = 0;
  const { minProperties, maxProperties, additionalProperties } = node.schema;
  const keys = Object.keys(value);
  if (minProperties !== undefined && keys.length < minProperties) {
    const text = `${path} in body should have at least ${minProperties} properties`;
    faults.add(text, invalidValue(faults.field(path), keys.length, text));
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    const text = `${path} in body should have at most ${maxProperties} properties`;
    faults.add(text, tooMany(faults.field(path), keys.length, maxProperties));
  }
  const member = (key: string, schema: SchemaNode, name: string) => {
    const before = faults.count;
    const meta = path === '' && faults.place === '' && (key === 'kind' || key === 'apiVersion');
    const child = pair && !meta ? correlatedMember(pair, key) : undefined;
    held += check(value[key] as JsonValue, schema, name, faults, child);
    faults.dropUnchanged(before, child);
  };
  for (const key of keys) {
    if (node.properties.has(key)) continue;
    if (additionalProperties === false) {
      const text = `${path}.${key} in body is a forbidden property`;
      faults.add(text, invalidValue(faults.field(path), key, text));
    } else if (node.values !== undefined) member(key, node.values, `${path}.${key}`);
  }
  for (const [name, property] of node.properties) {
    if (Object.hasOwn(value, name)) member(name, property, path === '' ? name : `${path}.${name}`);
  }
  for (const name of node.required) {
    if (!Object.hasOwn(value, name)) faults.add(`${path}.${name} in body is required`, requiredValue(faults.field(`${path}.${name}`)));
  }
  return held;
}

/** anyOf, oneOf, allOf and not. Their branches are about the same value, so that only what is below it is ratcheted. */
function checkBranches(value: JsonValue, node: SchemaNode, path: string, faults: Faults, pair: Correlation | undefined): number {
  const { anyOf, oneOf, allOf, not } = node;
  if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return 0;
  const attempt = (branch: SchemaNode): Attempt => {
    const found = new Faults(faults.place);
    return { held: check(value, branch, path, found, pair), faults: found };
  };
  let held = 0;
  if (anyOf.length > 0) {
    const attempts = attemptUntilGood(anyOf, attempt);
    const good = attempts.find((each) => each.faults.count === 0);
    if (good === undefined) faults.addPlain(`${goQuote(path)} must validate at least one schema (anyOf)`);
    held += take(good ?? best(attempts), faults);
  }
  if (oneOf.length > 0) {
    const attempts = oneOf.map(attempt);
    const good = attempts.filter((each) => each.faults.count === 0);
    const only = `${goQuote(path)} must validate one and only one schema (oneOf).`;
    if (good.length === 0) faults.addPlain(`${only} Found none valid`);
    if (good.length > 1) faults.addPlain(`${only} Found ${good.length} valid alternatives`);
    if (good.length < 2) held += take(good[0] ?? best(attempts), faults);
  }
  if (allOf.length > 0) {
    let good = 0;
    for (const each of allOf.map(attempt)) {
      held += take(each, faults);
      if (each.faults.count === 0) good += 1;
    }
    if (good < allOf.length) {
      faults.addPlain(`${goQuote(path)} must validate all the schemas (allOf)${good === 0 ? '. None validated' : ''}`);
    }
  }
  if (not !== undefined && attempt(not).faults.count === 0) faults.addPlain(`${goQuote(path)} must not validate the schema (not)`);
  return held;
}

interface Attempt {
  readonly held: number;
  readonly faults: Faults;
}

function attemptUntilGood(branches: readonly SchemaNode[], attempt: (branch: SchemaNode) => Attempt): readonly Attempt[] {
  const attempts: Attempt[] = [];
  for (const branch of branches) {
    const made = attempt(branch);
    attempts.push(made);
    if (made.faults.count === 0) break;
  }
  return attempts;
}

/** The first of those of which most checks held. */
function best(attempts: readonly Attempt[]): Attempt {
  return attempts.reduce((first, each) => (each.held > first.held ? each : first));
}

function take(attempt: Attempt, faults: Faults): number {
  faults.merge(attempt.faults);
  return attempt.held;
}
