import { accumulator, type CallExpr, type Expr, type FoldExpr } from './ast.js';
import { callEstimate, type Operand } from './call-estimate.js';
import { type Estimate, exactly, nothing, plus, product, scaled, union, unknownSize } from './estimate.js';
import { heldBy, type Type } from './value-types.js';
import { type CelValue, codePoints } from './values.js';

/** How large what stands at a path of a variable can be: `['self', 'list', '@items']`. Undefined: nobody knows. */
export type SizeOf = (path: readonly string[]) => Estimate | undefined;

/** What an expression may cost at least and at most (CD-43), in cel-go's units. @param expr checked. */
export function estimateCost(expr: Expr, sizeOf: SizeOf): Estimate {
  return new Coster(sizeOf).cost(expr);
}

/** The sizes of keys and values of a container. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Estimate;
  readonly value: Estimate;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
  readonly entries: EntrySizes | undefined;
}

class Coster {
  readonly #sizeOf: SizeOf;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #sizes = new Map<Expr, Estimate>();
  readonly #entries = new Map<Expr, EntrySizes>();
  readonly #locals = new Map<string, Local[]>();

  constructor(sizeOf: SizeOf) {
    this.#sizeOf = sizeOf;
  }

  cost(expr: Expr): Estimate {
    switch (expr.kind) {
      case 'const':
      case 'struct':
        return nothing;
      case 'ident':
        this.#paths.set(expr, this.#local(expr.name)?.path ?? [expr.name]);
        return exactly(1);
      case 'select': {
        if (expr.qualified !== undefined) return exactly(1);
        const operand = this.cost(expr.operand);
        // CD-43 rests on cel-go's old manner, in which the test itself is free.
        if (expr.test) return operand;
        const target = expr.operand.type as Type;
        this.#paths.set(expr, [...this.#path(expr.operand), expr.field]);
        return target.kind === 'map' || target.kind === 'object' || target.kind === 'param' ? plus(operand, exactly(1)) : operand;
      }
      case 'call':
        return this.#call(expr);
      case 'list': {
        const sum = plus(...expr.elements.map((element) => this.cost(element)));
        const value = expr.elements.map((element) => this.#sizeOrUnknown(element)).reduce(union, emptyUnion(expr.elements.length));
        this.#entries.set(expr, { container: 'list', key: exactly(1), value });
        return plus(sum, exactly(10));
      }
      case 'map': {
        const sum = plus(...expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]));
        const start = emptyUnion(expr.entries.length);
        const key = expr.entries.map((entry) => this.#sizeOrUnknown(entry.key)).reduce(union, start);
        const value = expr.entries.map((entry) => this.#sizeOrUnknown(entry.value)).reduce(union, start);
        this.#entries.set(expr, { container: 'map', key, value });
        return plus(sum, exactly(30));
      }
      case 'fold':
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr);
    }
  }

  #call(expr: CallExpr): Estimate {
    if (expr.fn === 'dyn') {
      const [argument] = expr.args as [Expr];
      const cost = this.cost(argument);
      this.#copy(expr, argument);
      return plus(exactly(1), cost);
    }
    const argCosts = expr.args.map((argument) => this.cost(argument));
    const overloads = expr.overloads ?? [];
    if (overloads.length === 0) return nothing;
    const targetCost = expr.target === undefined ? nothing : this.cost(expr.target);
    const target = expr.target && this.#operand(expr.target);
    const args = expr.args.map((argument) => this.#operand(argument));
    let cost: Estimate | undefined;
    let size: Estimate | undefined;
    for (const overload of overloads) {
      const one = this.#overload(expr, overload, target, args, argCosts);
      cost = cost === undefined ? one.cost : union(cost, one.cost);
      if (one.size !== undefined) size = size === undefined ? one.size : union(size, one.size);
      if (overload === 'index_list' || overload === 'index_map') {
        const [container] = expr.args as [Expr];
        size = this.#entriesOf(container)?.value;
        this.#paths.set(expr, [...this.#path(container), overload === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.#size(expr);
    }
    if (size !== undefined) this.#sizes.set(expr, size);
    return plus(targetCost, cost ?? nothing);
  }

  #overload(
    expr: CallExpr,
    overload: string,
    target: Operand | undefined,
    args: readonly Operand[],
    argCosts: readonly Estimate[],
  ): { readonly cost: Estimate; readonly size?: Estimate } {
    const argSum = plus(...argCosts);
    const known = callEstimate(expr.fn, overload, target, args, this.#sizeOf);
    if (known !== undefined) return { ...known, cost: plus(known.cost, argSum) };
    switch (overload) {
      case 'logical_or':
      case 'logical_and': {
        const [left, right] = argCosts as [Estimate, Estimate];
        return { cost: { min: left.min, max: plus(left, right).max } };
      }
      case 'conditional': {
        const [, yes, no] = expr.args as [Expr, Expr, Expr];
        const [condition, ifYes, ifNo] = argCosts as [Estimate, Estimate, Estimate];
        const entries = unionOf(this.#entriesOf(yes), this.#entriesOf(no));
        if (entries !== undefined) this.#entries.set(expr, entries);
        return { cost: plus(condition, union(ifYes, ifNo)), size: union(this.#sizeOrUnknown(yes), this.#sizeOrUnknown(no)) };
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const [left, right] = expr.args as [Expr, Expr];
        const size = plus(this.#sizeOrUnknown(left), this.#sizeOrUnknown(right));
        const entries = unionOf(this.#entriesOf(left), this.#entriesOf(right));
        if (entries !== undefined) this.#entries.set(expr, entries);
        return { cost: plus(overload === 'add_list' ? exactly(1) : scaled(size, 0.1), argSum), size };
      }
      default:
        return { cost: plus(exactly(1), argSum) };
    }
  }

  #fold(expr: FoldExpr): Estimate {
    const range = this.cost(expr.range);
    const init = this.cost(expr.init);
    this.#push(expr.accumulator, { path: this.#path(expr.init), size: this.#size(expr.init), entries: this.#entriesOf(expr.init) });
    this.#pushElements(expr);
    const condition = this.cost(expr.condition);
    const step = this.cost(expr.step);
    this.#locals.get(expr.variable)?.pop();
    if (expr.secondVariable !== undefined) this.#locals.get(expr.secondVariable)?.pop();
    const result = this.cost(expr.result);
    this.#locals.get(expr.accumulator)?.pop();
    const count = this.#sizeOrUnknown(expr.range);
    if (expr.init.kind === 'const') {
      const size = this.#size(expr.init);
      if (size !== undefined) this.#sizes.set(expr, size);
    } else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#sizes.set(expr, count);
      const entries = this.#entriesOf(expr.step);
      if (entries !== undefined) this.#entries.set(expr, entries);
    }
    return plus(range, init, result, product(count, plus(step, condition)));
  }

  #pushElements(expr: FoldExpr): void {
    const entries = this.#entriesOf(expr.range);
    const isList = (entries?.container ?? (expr.range.type as Type).kind) === 'list';
    const path = this.#path(expr.range);
    const element: Local = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entries: undefined };
    const key: Local = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entries: undefined };
    if (expr.secondVariable === undefined) this.#push(expr.variable, isList ? element : key);
    else {
      this.#push(expr.variable, key);
      this.#push(expr.secondVariable, element);
    }
  }

  #binding(expr: FoldExpr): Estimate {
    const cost = plus(this.cost(expr.range), this.cost(expr.init));
    this.#push(expr.accumulator, { path: this.#path(expr.init), size: this.#size(expr.init), entries: this.#entriesOf(expr.init) });
    const result = this.cost(expr.result);
    this.#locals.get(expr.accumulator)?.pop();
    this.#copy(expr, expr.result);
    return plus(cost, result);
  }

  #copy(to: Expr, from: Expr): void {
    const size = this.#size(from);
    const entries = this.#entriesOf(from);
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? [];
  }

  #operand(expr: Expr): Operand {
    const path = this.#path(expr);
    return { expr, type: expr.type as Type, path: path[0] === accumulator ? [] : path, size: this.#size(expr) };
  }

  #sizeOrUnknown(expr: Expr): Estimate {
    return this.#size(expr) ?? unknownSize;
  }

  #size(expr: Expr): Estimate | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const path = this.#path(expr);
    const declared = path.length === 0 ? undefined : this.#sizeOf(path);
    if (declared !== undefined) {
      this.#sizes.set(expr, declared);
      return declared;
    }
    if (expr.type !== undefined && isScalar(expr.type)) return exactly(1);
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined);
  }
}

/** What a union over no elements, or before the first one, begins with. */
function emptyUnion(count: number): Estimate {
  return count === 0 ? nothing : { min: Number.POSITIVE_INFINITY, max: 0 };
}

function unionOf(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a && b && { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };
}

/** A fold over nothing that only gives a name to a value. */
function isBinding({ range, condition, accumulator: name }: FoldExpr): boolean {
  return (
    range.kind === 'list' && range.elements.length === 0 && condition.kind === 'const' && condition.value === false && name !== accumulator
  );
}

function literalSize(expr: Expr): Estimate | undefined {
  if (expr.kind === 'list') return exactly(expr.elements.length);
  if (expr.kind === 'map') return exactly(expr.entries.length);
  return expr.kind === 'const' ? exactly(sizeOfConstant(expr.value)) : undefined;
}

function sizeOfConstant(value: CelValue): number {
  if (typeof value === 'string') return codePoints(value);
  return value instanceof Uint8Array ? value.length : 1;
}

function isScalar(type: Type): boolean {
  const held = heldBy(type);
  if (held !== undefined) return isScalar(held);
  return type.kind === 'simple' && ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.name);
}
