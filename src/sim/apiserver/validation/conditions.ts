import { duplicateValue, invalidValue, requiredValue, tooLong, unsupportedValue } from '../field-errors.js';
import { checkQualifiedName, type Faults, isBlank, listOf } from './checks.js';

const longestReason = 1024;
const longestMessage = 32 * 1024;
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const reasonFault =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

/** What is wrong with conditions of the common kind, where the server looks at them at all (TK-9). */
export function checkConditions(faults: Faults, field: string, conditions: unknown): void {
  const types = new Set<unknown>();
  for (const [index, condition] of listOf(conditions).entries()) {
    const at = `${field}[${index}]`;
    const { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason, message = '' } = condition;
    if (types.has(type)) faults.push(duplicateValue(`${at}.type`, type));
    types.add(type);
    checkQualifiedName(faults, `${at}.type`, type);
    if (!statuses.includes(status)) faults.push(unsupportedValue(`${at}.status`, status, statuses));
    if (observedGeneration < 0)
      faults.push(invalidValue(`${at}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'));
    if (isBlank(lastTransitionTime)) faults.push(requiredValue(`${at}.lastTransitionTime`));
    if (isBlank(reason)) faults.push(requiredValue(`${at}.reason`));
    else {
      if (!reasonPattern.test(reason)) faults.push(invalidValue(`${at}.reason`, reason, reasonFault));
      if (Buffer.byteLength(reason) > longestReason) faults.push(tooLong(`${at}.reason`, longestReason));
    }
    if (Buffer.byteLength(message) > longestMessage) faults.push(tooLong(`${at}.message`, longestMessage));
  }
}

const statuses = ['False', 'True', 'Unknown'];
