import { invalidValue, requiredValue, tooMany } from '../field-errors.js';
import { checkNonNegative, type Faults, type Fields, listOf } from './checks.js';
import { internalForm } from './internal-form.js';

export function checkSuccessPolicy(faults: Faults, field: string, spec: Fields): void {
  if (spec.completionMode !== 'Indexed') {
    faults.push(invalidValue(field, internalForm('batch.SuccessPolicy', spec.successPolicy), 'requires indexed completion mode'));
    return;
  }
  const rules = listOf(spec.successPolicy.rules);
  const completions: number = spec.completions ?? 0;
  if (rules.length === 0) {
    faults.push(requiredValue(`${field}.rules`, 'at least one rules must be specified when the successPolicy is specified'));
  }
  if (rules.length > 20) faults.push(tooMany(`${field}.rules`, rules.length, 20));
  for (const [index, { succeededCount, succeededIndexes }] of rules.entries()) {
    const at = `${field}.rules[${index}]`;
    if (succeededCount === undefined && succeededIndexes === undefined) {
      faults.push(requiredValue(at, 'at least one of succeededCount or succeededIndexes must be specified'));
    }
    let total = 0;
    if (succeededIndexes !== undefined) {
      const counted = countIndexes(succeededIndexes, completions);
      if (typeof counted === 'number') total = counted;
      else faults.push(invalidValue(`${at}.succeededIndexes`, succeededIndexes, `error parsing succeededIndexes: ${counted}`));
    }
    if (succeededCount === undefined) continue;
    checkNonNegative(faults, `${at}.succeededCount`, succeededCount);
    const atMost = (maximum: number, of: string) => {
      if (succeededCount <= maximum) return;
      faults.push(invalidValue(`${at}.succeededCount`, succeededCount, `must be less than or equal to ${maximum} (${of})`));
    };
    atMost(completions, 'the number of specified completions');
    if (succeededIndexes !== undefined) atMost(total, 'the number of indexes in the specified succeededIndexes field');
  }
}

/** How many indexes `1,3-5` names, or what is wrong with it. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let total = 0;
  let last: number | undefined;
  for (const part of text.split(',')) {
    const limits = part.split('-');
    if (limits.length > 2) {
      return `the fragment "${part}" violates the requirement that an index interval can have at most two parts separated by '-'`;
    }
    const numbers: number[] = [];
    for (const limit of limits) {
      if (!/^[+-]?\d+$/.test(limit)) return `cannot convert string to integer for index: "${limit}"`;
      if (Number(limit) >= completions) return `too large index: "${limit}"`;
      numbers.push(Number(limit));
    }
    const [from = 0, to = from] = numbers;
    if (numbers.length === 2 && from >= to) return `non-increasing order, previous: ${from}, current: ${to}`;
    if (last !== undefined && last >= from) return `non-increasing order, previous: ${last}, current: ${from}`;
    total += to - from + 1;
    last = to;
  }
  return total;
}
