import type { Expr, FoldExpr } from './ast.js';
import { elementsOf } from './standard-library.js';
import { attempt, type Step } from './step.js';
import { CelError, type CelValue, isMap } from './values.js';

/** A loop over a list or map; `all` and `exists` go on past errors, since a later element may decide. */
export function fold(expr: FoldExpr, plan: (expr: Expr) => Step): Step {
  const [range, init, condition, step, result] = [expr.range, expr.init, expr.condition, expr.step, expr.result].map(plan) as [
    Step,
    Step,
    Step,
    Step,
    Step,
  ];
  const forgiving = expr.condition.kind === 'call' && expr.condition.fn === '@not_strictly_false';
  const { variable: first, secondVariable: second, accumulator } = expr;
  return (frame) => {
    const over = range(frame);
    const elements = elementsOf(over);
    const { locals } = frame;
    const before = [accumulator, first, second ?? first].map((name) => [name, locals.get(name)] as const);
    let failure: CelError | undefined;
    locals.set(accumulator, init(frame));
    for (const [at, element] of elements.entries()) {
      if (second === undefined) locals.set(first, element);
      else {
        locals.set(first, isMap(over) ? element : BigInt(at));
        locals.set(second, isMap(over) ? (over.get(element) as CelValue) : element);
      }
      if (failure === undefined && condition(frame) === false) break;
      if (!forgiving) {
        locals.set(accumulator, step(frame));
        continue;
      }
      const next = attempt(step, frame);
      if (next instanceof CelError) failure ??= next;
      else {
        locals.set(accumulator, next);
        // What decides the whole makes an earlier error forgotten; what does not leaves it standing.
        if (failure !== undefined && next === isDecided(expr)) failure = undefined;
      }
    }
    if (failure === undefined) {
      const value = result(frame);
      restore(locals, before);
      return value;
    }
    restore(locals, before);
    throw failure;
  };
}

/** The accumulator at which an `all` (false) or an `exists` (true) is decided. */
function isDecided(expr: FoldExpr): boolean {
  return expr.init.kind === 'const' && expr.init.value === false;
}

function restore(locals: Map<string, CelValue>, before: readonly (readonly [string, CelValue | undefined])[]): void {
  for (const [name, value] of before) {
    if (value === undefined) locals.delete(name);
    else locals.set(name, value);
  }
}
