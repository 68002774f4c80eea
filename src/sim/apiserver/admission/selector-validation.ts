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
    switch (operator) {
      case 'In':
      case 'NotIn':
        if (values.length === 0) faults.push(requiredValue(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
        break;
      case 'Exists':
      case 'DoesNotExist':
        if (values.length > 0) {
          faults.push(forbiddenValue(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
        break;
      default:
        faults.push(invalidValue(`${at}.operator`, operator, 'not a valid selector operator'));
    }
    for (const fault of qualifiedNameFaults(key)) faults.push(invalidValue(`${at}.key`, key, fault));
    for (const [at2, value] of values.entries()) {
      for (const fault of labelValueFaults(value)) faults.push(invalidValue(`${at}.values[${at2}]`, value, fault));
    }
  }
  return faults;
}
