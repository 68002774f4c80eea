import { childrenOf, type Expr } from './ast.js';
import { check } from './checker.js';
import { CelIssue, issuesText } from './issue.js';
import { literalIssues } from './literal-validation.js';
import { parse } from './parser.js';
import { plan } from './planner.js';
import type { CostMeter } from './runtime-cost.js';
import type { Step } from './step.js';
import type { Type } from './value-types.js';
import type { CelValue } from './values.js';

/** An expression that has passed the checker. */
export interface Program {
  readonly expr: Expr;
  readonly type: Type;
  /** Whether it mentions a variable. */
  mentions(variable: string): boolean;
  /** @throws CelError, CelCostError */
  evaluate(variables: ReadonlyMap<string, CelValue>, meter: CostMeter): CelValue;
}

/** @returns a text when the expression is none: what cel-go says about it. */
export function compile(source: string, variables: ReadonlyMap<string, Type>): Program | string {
  let expr: Expr;
  try {
    expr = parse(source);
  } catch (error) {
    if (error instanceof CelIssue) return issuesText(source, [error]);
    throw error;
  }
  const issues = check(expr, variables);
  const all = issues.length > 0 ? issues : [...literalIssues(expr)].sort((a, b) => a.at - b.at);
  if (all.length > 0) return issuesText(source, all);
  let step: Step | undefined;
  return {
    expr,
    type: expr.type as Type,
    mentions: (variable) => mentions(expr, variable),
    evaluate(values, meter) {
      step ??= plan(expr);
      return step({ variables: values, locals: new Map(), meter });
    },
  };
}

function mentions(expr: Expr, variable: string): boolean {
  return (expr.kind === 'ident' && expr.name === variable) || childrenOf(expr).some((child) => mentions(child, variable));
}
