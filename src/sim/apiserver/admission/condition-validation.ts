import type { Program } from '../cel/program.js';
import { boolType, sameType, type Type, typeText } from '../cel/value-types.js';
import { duplicateValue, invalidValue, requiredValue, tooMany } from '../field-errors.js';
import { qualifiedNameFaults } from '../label-syntax.js';
import type { StatusCause } from '../request.js';
import { compiled, requestVariables } from './expression.js';
import type { MatchCondition } from './hooks.js';

const maximum = 64;

/** AD-22 @param stored what was there before, and need not be looked at again. */
export function matchConditionFaults(
  field: string,
  conditions: readonly Partial<MatchCondition>[],
  stored: readonly MatchCondition[] = [],
  variables: ReadonlyMap<string, Type> = requestVariables,
): StatusCause[] {
  if (conditions.length > maximum) return [tooMany(field, conditions.length, maximum)];
  const names = new Set<string>();
  return conditions.flatMap(({ name = '', expression = '' }, index) => {
    const at = `${field}[${index}]`;
    const faults: StatusCause[] = [];
    if (expression.trim() === '') faults.push(requiredValue(`${at}.expression`));
    else if (!stored.some((each) => each.expression === expression)) {
      faults.push(...expressionFaults(`${at}.expression`, expression, variables, boolType));
    }
    if (name === '') faults.push(requiredValue(`${at}.name`));
    else {
      for (const fault of qualifiedNameFaults(name)) faults.push(invalidValue(`${at}.name`, name, fault));
      if (names.has(name)) faults.push(duplicateValue(`${at}.name`, name));
      names.add(name);
    }
    return faults;
  });
}

/** What is wrong with an expression that has to give a type; undefined: any will do. */
export function expressionFaults(
  field: string,
  expression: string,
  variables: ReadonlyMap<string, Type>,
  wanted: Type | undefined,
): StatusCause[] {
  const program: Program | string = compiled(expression, variables);
  if (typeof program === 'string') return [invalidValue(field, expression, `compilation failed: ${program}`)];
  if (wanted === undefined || sameType(program.type, wanted)) return [];
  return [invalidValue(field, expression, `must evaluate to ${typeText(wanted)} but got ${typeText(program.type)}`)];
}
