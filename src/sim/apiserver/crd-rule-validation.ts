import { printedRule } from './crd-spec.js';
import { invalidValue, requiredValue, unsupportedValue } from './field-errors.js';
import type { StatusCause } from './request.js';
import { fieldPath } from './schema/field-path.js';
import type { JsonSchema } from './schema/json-schema.js';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

/** The rules of one schema: whether they compile, and what they may cost. */
export class CrdRules {
  readonly faults: StatusCause[] = [];

  constructor(_root: JsonSchema, _costsKnown: boolean) {}

  check(_schema: JsonSchema, _path: string, _uncorrelatable: string | undefined): void {
    void printedRule;
  }

  totalCostFaults(_path: string): StatusCause[] {
    return [];
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
