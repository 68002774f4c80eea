import { forbiddenValue, invalidValue, requiredValue } from '../field-errors.js';
import { labelValueFaults, qualifiedNameFaults } from '../label-syntax.js';
import type { LabelSelector } from '../object-selector.js';
import type { StatusCause } from '../request.js';

/** What is wrong with a selector that an object carries (AD-27). */
export function selectorFaults(field: string, selector: LabelSelector | undefined): StatusCause[] {
  const faults: StatusCause[] = [];
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    for (const fault of qualifiedNameFaults(key)) faults.push(invalidValue(`${field}.matchLabels`, key, fault));
    for (const fault of labelValueFaults(value)) faults.push(invalidValue(`${field}.matchLabels`, value, fault));
  }
  for (const [index, { key = '', operator = '', values = [] }] of (selector?.matchExpressions ?? []).entries()) {
    const at = `${field}.matchExpressions[${index}]`;
    faults.push(...operatorFaults(at, operator, values));
    for (const fault of qualifiedNameFaults(key)) faults.push(invalidValue(`${at}.key`, key, fault));
    for (const [at2, value] of values.entries()) {
      for (const fault of labelValueFaults(value)) faults.push(invalidValue(`${at}.values[${at2}]`, value, fault));
    }
  }
  return faults;
}

/** What is wrong with the operator of a requirement, or with how many values it has. */
export function operatorFaults(field: string, operator: string, values: readonly string[]): StatusCause[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? [] : [requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenValue(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}
