import type { Type } from '../cel/value-types.js';
import { compiled, evaluate, evaluationFault, requestVariables, type Values } from './expression.js';
import type { MatchCondition } from './hooks.js';

/**
 * AD-21: whether all conditions hold. One that does not is enough, even beside errors.
 * @returns a text when it cannot be said.
 */
export function conditionsHold(
  conditions: readonly MatchCondition[],
  values: Values,
  variables: ReadonlyMap<string, Type> = requestVariables,
): boolean | string {
  const errors = new Set<string>();
  for (const { expression } of conditions) {
    const program = compiled(expression, variables);
    if (typeof program === 'string') {
      errors.add(`compilation failed: ${program}`);
      continue;
    }
    try {
      if (evaluate(program, values) !== true) return false;
    } catch (error) {
      errors.add(evaluationFault(expression, error));
    }
  }
  if (errors.size === 0) return true;
  const texts = [...errors];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}
