import type { CallExpr, Expr, ListExpr, MapExpr, SelectExpr } from './ast.js';
import { functions, typeNames } from './environment.js';
import { celEquals } from './equality.js';
import { fold } from './fold.js';
import type { Overload } from './functions.js';
import { elementAt, optionalElement, valueAt } from './operators.js';
import { callCost, costs } from './runtime-cost.js';
import { attempt, type Step } from './step.js';
import { runtimeName, type Type } from './value-types.js';
import { CelError, CelList, CelOptional, CelType, type CelValue, isMap, isObjectValue, LiteralMap, typeNameOf } from './values.js';

/** @param expr checked. */
export function plan(expr: Expr): Step {
  switch (expr.kind) {
    case 'const': {
      const { value } = expr;
      return () => value;
    }
    case 'ident':
      return variable(expr.name.replace(/^\./, ''));
    case 'select':
      return select(expr);
    case 'call':
      return call(expr);
    case 'list':
      return list(expr);
    case 'map':
      return map(expr);
    case 'fold':
      return fold(expr, plan);
    case 'struct':
      throw new Error(`there is no type ${expr.name}`);
  }
}

function variable(name: string): Step {
  const type = typeNames.get(name);
  return ({ locals, variables, meter }) => {
    const value = locals.get(name) ?? variables.get(name);
    if (value === undefined && locals.get(name) === undefined && type !== undefined) return new CelType(runtimeName(type));
    meter.add(costs.select);
    if (value === undefined) throw new CelError(`no such attribute(s): ${name}`);
    return value;
  };
}

function select(expr: SelectExpr): Step {
  if (expr.qualified !== undefined) return variable(expr.qualified.replace(/^\./, ''));
  const operand = plan(expr.operand);
  const { field } = expr;
  if (expr.test) {
    return (frame) => fieldOf(operand(frame), field) !== undefined;
  }
  return (frame) => {
    const container = operand(frame);
    frame.meter.add(costs.select);
    if (container instanceof CelOptional) return container.value === undefined ? container : optionalField(container.value, field);
    const value = fieldOf(container, field);
    if (value === undefined) throw new CelError(`no such key: ${field}`);
    return value;
  };
}

function fieldOf(container: CelValue, field: string): CelValue | undefined {
  if (container instanceof CelOptional) return container.value === undefined ? undefined : fieldOf(container.value, field);
  // Nothing else has members, null included.
  return isObjectValue(container) || isMap(container) ? container.get(field) : undefined;
}

function notStrictlyFalse(operand: Step): Step {
  return (frame) => {
    const value = operand(frame);
    frame.meter.add(1);
    return value;
  };
}

function optionalField(container: CelValue, field: string): CelOptional {
  if (!isMap(container) && !isObjectValue(container) && !(container instanceof CelOptional)) throw new CelError(`no such key: ${field}`);
  const value = fieldOf(container, field);
  return value === undefined ? CelOptional.none : new CelOptional(value);
}

function call(expr: CallExpr): Step {
  switch (expr.fn) {
    case '_&&_':
      return logic(expr, false);
    case '_||_':
      return logic(expr, true);
    case '_?_:_': {
      const [condition, yes, no] = expr.args.map(plan) as [Step, Step, Step];
      return (frame) => {
        const chosen = condition(frame);
        if (typeof chosen !== 'boolean') throw new CelError('no such overload');
        return chosen ? yes(frame) : no(frame);
      };
    }
    case '@not_strictly_false':
      // The fold that it is written for looks at its accumulator itself.
      return notStrictlyFalse(plan(expr.args[0] as Expr));
    case '_?._': {
      const [operand, field] = expr.args as [Expr, Expr & { readonly kind: 'const' }];
      const container = plan(operand);
      return (frame) => {
        const value = container(frame);
        frame.meter.add(costs.select);
        return optionalField(value, field.value as string);
      };
    }
    case '_[_]':
    case '_[?_]':
      return index(expr);
    case 'or':
    case 'orValue':
      if (expr.target !== undefined) return alternative(expr);
  }
  return dispatch(expr);
}

/** `&&` and `||`: one side may decide whatever becomes of the other. */
function logic(expr: CallExpr, decisive: boolean): Step {
  const [left, right] = expr.args.map(plan) as [Step, Step];
  const noOverload = (a: CelValue, b: CelValue) => new CelError(`no such overload: ${expr.fn}(${typeNameOf(a)}, ${typeNameOf(b)})`);
  return (frame) => {
    const first = attempt(left, frame);
    if (first === decisive) return decisive;
    const second = attempt(right, frame);
    if (second === decisive) return decisive;
    if (first instanceof CelError) throw first;
    if (second instanceof CelError) throw second;
    if (typeof first !== 'boolean' || typeof second !== 'boolean') throw noOverload(first, second);
    return !decisive;
  };
}

function index(expr: CallExpr): Step {
  const [container, key] = expr.args.map(plan) as [Step, Step];
  const optional = expr.fn === '_[?_]';
  return (frame) => {
    const value = container(frame);
    const at = key(frame);
    frame.meter.add(costs.select);
    if (optional || value instanceof CelOptional) return optionalElement(value, at);
    if (value instanceof CelList) return elementAt(value, at);
    if (isMap(value)) return valueAt(value, at);
    if (isObjectValue(value) && typeof at === 'string') {
      const member = value.get(at);
      if (member === undefined) throw new CelError(`no such key: ${at}`);
      return member;
    }
    throw new CelError('no such overload');
  };
}

/** `a.or(b)` and `a.orValue(b)`: the other is looked at only when the first is empty. */
function alternative(expr: CallExpr): Step {
  const first = plan(expr.target as Expr);
  const second = plan(expr.args[0] as Expr);
  return (frame) => {
    const optional = first(frame);
    if (!(optional instanceof CelOptional)) throw new CelError('no such overload');
    if (optional.value === undefined) return second(frame);
    return expr.fn === 'or' ? optional : optional.value;
  };
}

function dispatch(expr: CallExpr): Step {
  const member = expr.target !== undefined;
  const steps = (member ? [expr.target as Expr, ...expr.args] : expr.args).map(plan);
  const known = (functions.get(expr.fn) ?? []).filter((overload) => overload.member === member && overload.args.length === steps.length);
  const candidates = known.filter(({ id }) => expr.overloads?.includes(id));
  const single = candidates.length === 1 ? (candidates[0] as Overload) : undefined;
  const { fn } = expr;
  if (fn === '_==_' || fn === '_!=_') return equality(steps as [Step, Step], fn);
  return (frame) => {
    const args = steps.map((step) => step(frame));
    const overload = candidates.find((candidate) => fitsAll(args, candidate.args));
    if (overload === undefined) throw new CelError(`no such overload: ${fn}(${args.map(typeNameOf).join(', ')})`);
    const result = overload.run(...args);
    frame.meter.add(callCost(fn, single?.id ?? '', args, result));
    return result;
  };
}

function equality([left, right]: [Step, Step], fn: '_==_' | '_!=_'): Step {
  const overload = fn === '_==_' ? 'equals' : 'not_equals';
  return (frame) => {
    const [a, b] = [left(frame), right(frame)];
    const equal = celEquals(a, b);
    frame.meter.add(callCost(fn, overload, [a, b], equal));
    return equal === (fn === '_==_');
  };
}

function fitsAll(args: readonly CelValue[], types: readonly Type[]): boolean {
  return args.every((value, at) => fits(value, types[at] as Type));
}

/** Whether a value is of a type, as far as its outside shows. */
function fits(value: CelValue, type: Type): boolean {
  switch (type.kind) {
    case 'simple':
      return type.name === 'dyn' || runtimeName(type) === typeNameOf(value);
    case 'list':
      return value instanceof CelList;
    case 'map':
      return isMap(value);
    case 'type':
      return value instanceof CelType;
    case 'opaque':
      return type.name === typeNameOf(value);
    default:
      return true;
  }
}

function list(expr: ListExpr): Step {
  const steps = expr.elements.map(plan);
  const { optional } = expr;
  return (frame) => {
    const items: CelValue[] = [];
    for (const [at, step] of steps.entries()) {
      const value = step(frame);
      if (!optional.has(at)) items.push(value);
      else if (!(value instanceof CelOptional)) throw new CelError('cannot initialize optional list element from non-optional value');
      else if (value.value !== undefined) items.push(value.value);
    }
    frame.meter.add(costs.list);
    return new CelList(items);
  };
}

function map(expr: MapExpr): Step {
  const entries = expr.entries.map(({ key, value, optional }) => ({ key: plan(key), value: plan(value), optional }));
  return (frame) => {
    const result = new LiteralMap();
    for (const entry of entries) {
      const key = entry.key(frame);
      const value = entry.value(frame);
      if (!entry.optional) result.add(key, value);
      else if (!(value instanceof CelOptional)) throw new CelError('cannot initialize optional entry from non-optional value');
      else if (value.value !== undefined) result.add(key, value.value);
    }
    frame.meter.add(costs.map);
    return result;
  };
}
