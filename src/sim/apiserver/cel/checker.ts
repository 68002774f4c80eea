import { type CallExpr, childrenOf, dottedName, type Expr, type FoldExpr, type ListExpr, type MapExpr, type SelectExpr } from './ast.js';
import { functions, typeNames } from './environment.js';
import { CelIssue } from './issue.js';
import { mostGeneral, Substitutions } from './unification.js';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  heldBy,
  intType,
  isDyn,
  isDynOrError,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  sameType,
  stringType,
  type Type,
  typeOfType,
  typeText,
  uintType,
} from './value-types.js';
import { CelUint, type CelValue } from './values.js';

/** Gives every node its type, and every call its overloads. @returns what is wrong, in the order of the source. */
export function check(expr: Expr, variables: ReadonlyMap<string, Type>): readonly CelIssue[] {
  const checker = new Checker(variables);
  checker.check(expr);
  checker.settle(expr);
  return checker.issues.sort((a, b) => a.at - b.at);
}

class Checker {
  readonly issues: CelIssue[] = [];
  readonly #types = new Substitutions();
  #scope: ReadonlyMap<string, Type>;

  constructor(variables: ReadonlyMap<string, Type>) {
    this.#scope = variables;
  }

  check(expr: Expr): Type {
    const type = this.#typeOf(expr);
    expr.type = type;
    return type;
  }

  /** Type parameters that nothing has bound are dyn. */
  settle(expr: Expr): void {
    if (expr.type !== undefined) expr.type = this.#types.resolve(expr.type, 'dyn');
    for (const child of childrenOf(expr)) this.settle(child);
  }

  #issue(expr: Expr, text: string): Type {
    this.issues.push(new CelIssue(text, expr.at));
    return errorType;
  }

  #typeOf(expr: Expr): Type {
    switch (expr.kind) {
      case 'const':
        return typeOfValue(expr.value);
      case 'ident':
        return this.#lookup(expr.name) ?? this.#issue(expr, `undeclared reference to '${expr.name}' (in container '')`);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#issue(expr, `undeclared reference to '${expr.name}' (in container '')`);
      case 'fold':
        return this.#fold(expr);
    }
  }

  #lookup(name: string): Type | undefined {
    const bare = name.replace(/^\./, '');
    const declared = this.#scope.get(bare);
    if (declared !== undefined) return declared;
    const named = typeNames.get(bare);
    return named && typeOfType(named);
  }

  #select(expr: SelectExpr): Type {
    const name = dottedName(expr);
    const declared = name === undefined ? undefined : this.#lookup(name);
    if (declared !== undefined) {
      expr.qualified = name as string;
      return declared;
    }
    const selected = this.#field(expr, expr.operand, expr.field, false);
    return expr.test ? boolType : this.#types.resolve(selected, 'keep');
  }

  #field(expr: Expr, operand: Expr, field: string, optional: boolean): Type {
    const operandType = this.#types.resolve(this.check(operand), 'keep');
    const held = heldBy(operandType);
    const target = held ?? operandType;
    let result: Type = errorType;
    switch (target.kind) {
      case 'map':
        result = target.value;
        break;
      case 'object':
        result = target.fields.get(field) ?? this.#issue(expr, `undefined field '${field}'`);
        break;
      case 'param':
        this.#types.assignable(dynType, target);
        result = dynType;
        break;
      default:
        if (!isDynOrError(target)) this.#issue(expr, `type '${typeText(target)}' does not support field selection`);
        result = dynType;
    }
    return held !== undefined || optional ? optionalOf(result) : result;
  }

  #call(expr: CallExpr): Type {
    if (expr.fn === '_?._') {
      const [operand, field] = expr.args as [Expr, Expr & { readonly kind: 'const' }];
      expr.overloads = ['select_optional_field'];
      this.check(field);
      return this.#types.resolve(this.#field(expr, operand, field.value as string, true), 'keep');
    }
    for (const argument of expr.args) this.check(argument);
    if (expr.target !== undefined) {
      const prefix = dottedName(expr.target);
      const qualified = prefix === undefined ? undefined : `${prefix.replace(/^\./, '')}.${expr.fn}`;
      if (qualified !== undefined && functions.has(qualified)) {
        expr.fn = qualified;
        expr.target = undefined;
        return this.#overload(expr, undefined);
      }
      this.check(expr.target);
    } else expr.fn = expr.fn.replace(/^\./, '');
    if (!functions.has(expr.fn)) return this.#issue(expr, `undeclared reference to '${expr.fn}' (in container '')`);
    return this.#overload(expr, expr.target);
  }

  #overload(expr: CallExpr, target: Expr | undefined): Type {
    const operands = target === undefined ? expr.args : [target, ...expr.args];
    const given = operands.map((each) => each.type as Type);
    if (expr.fn === '_&&_' || expr.fn === '_||_') return this.#logic(expr, operands);
    const fitting: string[] = [];
    let result: Type | undefined;
    for (const overload of functions.get(expr.fn) ?? []) {
      if (overload.member !== (target !== undefined)) continue;
      const [wanted, wantedResult] = this.#instance(overload.args, overload.result);
      if (!this.#types.assignableAll(given, wanted)) continue;
      fitting.push(overload.id);
      const found = this.#types.resolve(wantedResult, 'keep');
      if (result === undefined) result = found;
      else if (!isDyn(result) && !sameType(found, result)) result = dynType;
    }
    if (result === undefined) {
      const texts = given.map((type) => typeText(this.#types.resolve(type, 'dyn')));
      const signature = target === undefined ? `(${texts.join(', ')})` : `${texts[0]}.(${texts.slice(1).join(', ')})`;
      return this.#issue(expr, `found no matching overload for '${expr.fn}' applied to '${signature}'`);
    }
    expr.overloads = fitting;
    return result;
  }

  #logic(expr: CallExpr, operands: readonly Expr[]): Type {
    expr.overloads = [expr.fn === '_&&_' ? 'logical_and' : 'logical_or'];
    let sound = true;
    for (const operand of operands) {
      if (this.#types.assignable(operand.type as Type, boolType)) continue;
      sound = false;
      this.#mismatch(operand, boolType, operand.type as Type);
    }
    return sound ? boolType : errorType;
  }

  #mismatch(expr: Expr, expected: Type, found: Type): Type {
    const text = (type: Type) => typeText(this.#types.resolve(type, 'dyn'));
    return this.#issue(expr, `expected type '${text(expected)}' but found '${text(found)}'`);
  }

  /** A signature with parameters of its own. */
  #instance(args: readonly Type[], result: Type): readonly [readonly Type[], Type] {
    const fresh = new Map<string, Type>();
    const renamed = (type: Type): Type => {
      switch (type.kind) {
        case 'param': {
          const known = fresh.get(type.name) ?? this.#types.newVariable();
          fresh.set(type.name, known);
          return known;
        }
        case 'list':
          return listOf(renamed(type.of));
        case 'map':
          return mapOf(renamed(type.key), renamed(type.value));
        case 'opaque':
          return { ...type, parameters: type.parameters.map(renamed) };
        case 'type':
          return typeOfType(type.of && renamed(type.of));
        default:
          return type;
      }
    };
    return [args.map(renamed), renamed(result)];
  }

  #list(expr: ListExpr): Type {
    let elements: Type | undefined;
    for (const [index, element] of expr.elements.entries()) {
      const type = this.#unwrapped(element, this.check(element), expr.optional.has(index));
      elements = this.#joined(elements, type);
    }
    return listOf(elements ?? this.#types.newVariable());
  }

  #map(expr: MapExpr): Type {
    let keys: Type | undefined;
    let values: Type | undefined;
    for (const { key, value, optional } of expr.entries) {
      keys = this.#joined(keys, this.check(key));
      values = this.#joined(values, this.#unwrapped(value, this.check(value), optional));
    }
    return mapOf(keys ?? this.#types.newVariable(), values ?? this.#types.newVariable());
  }

  #unwrapped(expr: Expr, type: Type, optional: boolean): Type {
    if (!optional) return type;
    const held = heldBy(type);
    if (held === undefined && !isDyn(type)) this.#mismatch(expr, optionalOf(type), type);
    return held ?? type;
  }

  /** What a list or a map of both holds; that literals should be of one type is checked later. */
  #joined(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.#types.assignable(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #fold(expr: FoldExpr): Type {
    const range = this.#types.resolve(this.check(expr.range), 'keep');
    const accumulated = this.check(expr.init);
    const outer = this.#scope;
    this.#scope = new Map(outer).set(expr.accumulator, accumulated);
    const inner = new Map(this.#scope);
    const [first, second] = this.#elements(expr, range);
    inner.set(expr.variable, first);
    if (expr.secondVariable !== undefined) inner.set(expr.secondVariable, second);
    const resultScope = this.#scope;
    this.#scope = inner;
    this.#assert(expr.condition, boolType);
    this.#assert(expr.step, accumulated);
    this.#scope = resultScope;
    const result = this.check(expr.result);
    this.#scope = outer;
    return this.#types.resolve(result, 'keep');
  }

  #assert(expr: Expr, type: Type): void {
    const found = this.check(expr);
    if (!this.#types.assignable(type, found)) this.#mismatch(expr, type, found);
  }

  #elements(expr: FoldExpr, range: Type): readonly [Type, Type] {
    const two = expr.secondVariable !== undefined;
    if (range.kind === 'list') return two ? [intType, range.of] : [range.of, errorType];
    if (range.kind === 'map') return [range.key, range.value];
    if (range.kind === 'param' || isDynOrError(range)) {
      this.#types.assignable(dynType, range);
      return [dynType, dynType];
    }
    const text = `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    this.#issue(expr.range, text);
    return [errorType, errorType];
  }
}

function typeOfValue(value: CelValue): Type {
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'string':
      return stringType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
  }
  if (value === null) return nullType;
  return value instanceof CelUint ? uintType : bytesType;
}
