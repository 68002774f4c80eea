import { deepEqual } from '../../etcd/object.js';
import { selectorFaults } from '../admission/selector-validation.js';
import { inKeyOrder, invalidValue, requiredValue, tooLong, unsupportedValue } from '../field-errors.js';
import type { NameRule } from '../kind-facts.js';
import { labelValueFaults, qualifiedNameFaults } from '../label-syntax.js';
import { nameFaults } from '../names.js';
import type { LabelSelector } from '../object-selector.js';
import type { StatusCause } from '../request.js';

// biome-ignore lint/suspicious/noExplicitAny: the fields of a kind are known to its validation only.
export type Fields = Readonly<Record<string, any>>;

/** What is wrong is added to a list, in the server's order (FE-3, FE-5). */
export type Faults = StatusCause[];

export const empty: Fields = Object.freeze({});

/** A list that may be absent or null. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}

/** Whether Go would say that a text is empty. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** One cause for each text that says what is wrong with a value. */
export function invalidFor(faults: Faults, field: string, value: unknown, texts: readonly string[]): void {
  for (const text of texts) faults.push(invalidValue(field, value, text));
}

export function checkNonNegative(faults: Faults, field: string, value: number | undefined): void {
  if (value !== undefined && value < 0) faults.push(invalidValue(field, value, 'must be greater than or equal to 0'));
}

export function checkPositive(faults: Faults, field: string, value: number | undefined): void {
  if ((value ?? 0) <= 0) faults.push(invalidValue(field, value ?? 0, 'must be greater than zero'));
}

/** @param supported in the order in which the server names them. */
export function checkEnum(faults: Faults, field: string, value: string | undefined, supported: readonly string[]): void {
  if (isBlank(value)) faults.push(requiredValue(field));
  else checkOption(faults, field, value, supported);
}

/** Like an enum, but an absent value is fine, and an empty one is not. */
export function checkOption(faults: Faults, field: string, value: string | undefined, supported: readonly string[]): void {
  if (value !== undefined && !supported.includes(value)) faults.push(unsupportedValue(field, value, supported));
}

export function checkName(faults: Faults, field: string, rule: NameRule, name: string): void {
  invalidFor(faults, field, name, nameFaults(rule, name));
}

export function checkQualifiedName(faults: Faults, field: string, name: string): void {
  invalidFor(faults, field, name, qualifiedNameFaults(name));
}

/** The largest number that Go's int32 holds. */
export const largestInt32 = 2_147_483_647;

export function inRange(minimum: number, maximum: number): string {
  return `must be between ${minimum} and ${maximum}, inclusive`;
}

export function checkPortNumber(faults: Faults, field: string, port: number): void {
  if (port < 1 || port > 65_535) faults.push(invalidValue(field, port, inRange(1, 65_535)));
}

/** What is wrong with the name of a port. */
export function portNameFaults(name: string): string[] {
  const texts: string[] = [];
  if (name.length > 15) texts.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) texts.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) texts.push('must contain at least one letter (a-z)');
  if (name.includes('--')) texts.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) texts.push('must not begin or end with a hyphen');
  return texts;
}

export function checkPort(faults: Faults, field: string, port: number | string | undefined): void {
  if (typeof port === 'string') invalidFor(faults, field, port, portNameFaults(port));
  else checkPortNumber(faults, field, port ?? 0);
}

export function checkLabels(faults: Faults, field: string, labels: Readonly<Record<string, string>> | undefined): void {
  if (labels === undefined || labels === null) return;
  for (const [key, value] of Object.entries(labels)) {
    checkQualifiedName(faults, field, key);
    invalidFor(faults, field, value, labelValueFaults(value));
  }
}

const maximumAnnotations = 262_144;

export function checkAnnotations(faults: Faults, field: string, annotations: Readonly<Record<string, string>> | undefined): void {
  if (annotations === undefined) return;
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    // Keys of annotations may have capitals in their prefix.
    invalidFor(faults, field, key, qualifiedNameFaults(key.toLowerCase()));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  // ST-11
  if (size > maximumAnnotations) faults.push(tooLong(field, maximumAnnotations));
}

export function checkSelector(faults: Faults, field: string, selector: LabelSelector | undefined): void {
  if (selector !== undefined) faults.push(...selectorFaults(field, selector));
}

/** A selector as Go prints it. */
export function shownSelector(selector: Fields | undefined): unknown {
  if (selector === undefined || selector === null) return null;
  const { matchLabels, matchExpressions } = selector;
  return { ...(matchLabels && { matchLabels: inKeyOrder(matchLabels) }), ...(matchExpressions && { matchExpressions }) };
}

/** TK-10: the selector of a workload's pods. */
export function checkSelectorChange(faults: Faults, next: Fields | undefined, before: Fields | undefined): void {
  checkImmutable(faults, 'spec.selector', next, before, shownSelector(next));
}

/** TK-10 @param shown the value as the server prints it, where that is not how it was sent. */
export function checkImmutable(faults: Faults, field: string, next: unknown, before: unknown, shown: unknown = next): void {
  if (!deepEqual(next, before)) faults.push(invalidValue(field, shown, 'field is immutable'));
}

/** A struct without one of its fields. */
export function without(fields: Fields, name: string): Fields {
  const { [name]: _, ...rest } = fields;
  return rest;
}

/** Whether two structs are equal, fields that are undefined counting as absent. @param free fields that may differ */
export function sameFields(a: Fields, b: Fields, free?: ReadonlySet<string>): boolean {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (!free?.has(name) && !deepEqual(a[name], b[name])) return false;
  }
  return true;
}

const percentFault =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** An amount of pods: a number or a part of all. */
export function checkIntOrPercent(faults: Faults, field: string, value: number | string): void {
  if (typeof value === 'number') checkNonNegative(faults, field, value);
  else if (!isPercent(value)) faults.push(invalidValue(field, value, percentFault));
}

export function checkAtMostAll(faults: Faults, field: string, value: number | string): void {
  if (isPercent(value) && Number.parseInt(value, 10) > 100) {
    faults.push(invalidValue(field, value, 'must not be greater than 100%'));
  }
}

export function amountOf(value: number | string | undefined): number {
  if (typeof value === 'number') return value;
  const number = Number.parseInt(value ?? '', 10);
  return Number.isNaN(number) ? 0 : number;
}

function isPercent(value: number | string): value is string {
  return typeof value === 'string' && /^[0-9]+%$/.test(value);
}

const envNameFault = "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** What is wrong with the name of an environment variable. */
export function envNameFaults(name: string): string[] {
  if (name === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]*$/.test(name) ? [] : [envNameFault];
}

const configKeyFault =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** What is wrong with a key of a ConfigMap or a Secret. */
export function configKeyFaults(key: string): string[] {
  const texts: string[] = [];
  if (key.length > 253) texts.push('must be no more than 253 characters');
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) texts.push(configKeyFault);
  if (key === '.') texts.push("must not be '.'");
  else if (key === '..') texts.push("must not be '..'");
  else if (key.startsWith('..')) texts.push("must not start with '..'");
  return texts;
}

const pathFault = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/** A path behind a domain, such as `acme.io/foo`. */
export function checkDomainPrefixedPath(faults: Faults, field: string, value: string): void {
  if (value === '') {
    faults.push(requiredValue(field));
    return;
  }
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    faults.push(invalidValue(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")'));
    return;
  }
  checkName(faults, field, 'subdomain', value.slice(0, slash));
  const path = value.slice(slash + 1);
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) faults.push(invalidValue(field, path, pathFault));
}

/** A path that leads back up, such as `a/../b`. */
export function checkNoBacksteps(faults: Faults, field: string, path: string): void {
  if (path.split('/').includes('..')) faults.push(invalidValue(field, path, "must not contain '..'"));
}

export function checkDescendingPath(faults: Faults, field: string, path: string): void {
  if (path.startsWith('/')) faults.push(invalidValue(field, path, 'must be a relative path'));
  checkNoBacksteps(faults, field, path);
}

export function notFoundValue(field: string, value: unknown, detail = ''): StatusCause {
  const tail = detail === '' ? '' : `: ${detail}`;
  return { reason: 'FieldValueNotFound', message: `Not found: ${JSON.stringify(value)}${tail}`, field };
}
