import type { Type } from './value-types.js';
import type { CelValue } from './values.js';

/** One node of an expression. `at` is the offset that errors about it point to. */
export type Expr = ConstExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | FoldExpr;

interface Node {
  readonly at: number;
  /** Set by the checker. */
  type?: Type;
}

export interface ConstExpr extends Node {
  readonly kind: 'const';
  readonly value: CelValue;
}

export interface IdentExpr extends Node {
  readonly kind: 'ident';
  name: string;
}

export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(x.y)` */
  readonly test: boolean;
  /** Set by the checker: the dotted name of a variable or constant that the whole selection stands for. */
  qualified?: string;
}

export interface CallExpr extends Node {
  readonly kind: 'call';
  /** As cel-go names operators: `_+_`, `_==_`, `!_`, `_?_:_`, `@in`, `_[_]`, `_?._`, `_[?_]`. */
  fn: string;
  target: Expr | undefined;
  readonly args: readonly Expr[];
  /** Set by the checker: the ids of the overloads that fit. */
  overloads?: readonly string[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices of elements written `?e`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: Expr; readonly value: Expr; readonly optional: boolean }[];
}

/** `Name{field: value}`: there is no such type in Kubernetes, which the checker says. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly name: string;
}

/** What the macros over lists and maps come to. */
export interface FoldExpr extends Node {
  readonly kind: 'fold';
  readonly range: Expr;
  readonly variable: string;
  readonly secondVariable?: string;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The name of the accumulator that macros use; nobody can write it. */
export const accumulator = '@result';

/** `a.b.c` when the expression is nothing but that. */
export function dottedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = dottedName(expr.operand);
  return prefix && `${prefix}.${expr.field}`;
}

/** The expressions that one is made of. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return expr.qualified === undefined ? [expr.operand] : [];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'fold':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}
