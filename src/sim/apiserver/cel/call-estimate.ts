import type { Expr } from './ast.js';
import type { SizeOf } from './cost-estimate.js';
import { type Estimate, exactly, plus, product, scaled, tooMuch, unknownSize } from './estimate.js';
import { sameType, type Type } from './value-types.js';

/** An argument of a call, with what is known of its size. */
export interface Operand {
  readonly expr: Expr | undefined;
  readonly type: Type;
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
}

interface CallEstimate {
  readonly cost: Estimate;
  readonly size?: Estimate;
}

const traversed = (size: Estimate) => scaled(size, 0.1);
/** A pattern of four characters is reckoned as one expression. */
const patterns = (size: Estimate) => scaled(size, 0.25);
const one = exactly(1);

/** What a call costs beside its arguments; undefined: one unit, or what operators cost. */
export function callEstimate(
  fn: string,
  overload: string,
  target: Operand | undefined,
  args: readonly Operand[],
  sizeOf: SizeOf,
): CallEstimate | undefined {
  const sized = (operand: Operand) => operand.size ?? (operand.path.length === 0 ? undefined : sizeOf(operand.path)) ?? unknownSize;
  const [first, second] = args;
  switch (fn) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target && { cost: traversalOf(target, sized) };
    case 'url':
      return first && { cost: traversed(sized(first)), size: sized(first) };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return target && { cost: traversed(sized(target)), size: sized(target) };
    case 'replace':
      return (
        target && first && second && { cost: scaled(sized(target), 0.2), size: replacedSize(sized(target), sized(first), sized(second)) }
      );
    case 'split': {
      if (target === undefined) return undefined;
      const limit = second?.expr?.kind === 'const' && typeof second.expr.value === 'bigint' ? Number(second.expr.value) : undefined;
      const max = limit === undefined ? sized(target).max : limit < 0 ? tooMuch : limit;
      return { cost: scaled(sized(target), 0.2), size: { min: 0, max } };
    }
    case 'join':
      return target && joinEstimate(target, first, sized);
    case 'find':
    case 'findAll':
      return (
        target &&
        first && {
          cost: product(traversed(plus(sized(target), one)), patterns(sized(first))),
          size: { min: 0, max: sized(target).max },
        }
      );
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return first && { cost: traversed(sized(first)) };
    case 'ip':
      return overload === 'cidr_ip' ? { cost: one } : first && { cost: traversed(sized(first)) };
    case 'ip.isCanonical':
      return first && { cost: scaled(sized(first), 0.2) };
    case 'containsIP':
    case 'containsCIDR':
      return first && { cost: containmentCost(fn, overload, sized(first)) };
    case 'validate':
      return first && { cost: scaled(traversed(sized(first)), 128 * 0.25) };
    case '_==_':
      return first && second && sameType(first.type, second.type)
        ? (opaqueEquality(first.type) ?? equality(sized(first), sized(second)))
        : equalityOf(args, sized);
  }
  return overloadEstimate(overload, target, args, sized);
}

type Sized = (operand: Operand) => Estimate;

function equalityOf([first, second]: readonly Operand[], sized: Sized): CallEstimate | undefined {
  return first && second && equality(sized(first), sized(second));
}

/** Two values are compared as far as the shorter goes. */
function equality(left: Estimate, right: Estimate): CallEstimate {
  const max = Math.min(left.max, right.max);
  return { cost: traversed({ min: max > 0 ? 1 : 0, max }) };
}

function opaqueEquality(type: Type): CallEstimate | undefined {
  if (type.kind !== 'opaque') return undefined;
  switch (type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: one };
    case 'kubernetes.NamedFormat':
      return { cost: traversed({ min: 1, max: 64 }) };
    case 'kubernetes.URL':
      return { cost: traversed(one) };
    default:
      return undefined;
  }
}

/** Operators and functions of the language itself, sets and lists. */
function overloadEstimate(overload: string, target: Operand | undefined, args: readonly Operand[], sized: Sized): CallEstimate | undefined {
  const [first, second] = args;
  switch (overload) {
    case 'string_format':
      return target && { cost: traversed(sized(target)) };
    case 'string_to_bytes':
      return first && { cost: traversed(sized(first)), size: { min: sized(first).min, max: sized(first).max * 4 } };
    case 'bytes_to_string':
      return first && { cost: traversed(sized(first)), size: { min: Math.floor(sized(first).min / 4), max: sized(first).max } };
    case 'strings_quote':
      return first && { cost: traversed(sized(first)), size: { min: sized(first).min + 2, max: sized(first).max * 2 + 2 } };
    case 'starts_with_string':
    case 'ends_with_string':
      return first && { cost: traversed(sized(first)) };
    case 'in_list':
      return second && { cost: sized(second) };
    case 'matches_string':
      return target && first && { cost: product(traversed(plus(sized(target), one)), patterns(sized(first))) };
    case 'contains_string':
      return target && first && { cost: product(traversed(sized(target)), traversed(sized(first))) };
    case 'not_equals':
      return equalityOf(args, sized);
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
    case 'list_sets_equivalent_list':
      return (
        first &&
        second && { cost: plus(scaled(product(sized(first), sized(second)), overload === 'list_sets_equivalent_list' ? 2 : 1), one) }
      );
    case 'list_slice':
      return target && first && second && allocating(1, exactly(Math.max(0, integerOf(second, sized(target).max) - integerOf(first, 0))));
    case 'lists_range':
      return first && allocating(1, exactly(integerOf(first, tooMuch)));
    case 'list_reverse':
      return target && allocating(1, sized(target));
    case 'list_flatten':
      return target && allocating(1, sized(target));
    case 'list_flatten_int':
      return target && first && allocating(integerOf(first, tooMuch), sized(target));
    case 'list_distinct':
      return target && allocating(2, product(sized(target), sized(target)));
  }
  if (/^(less|less_equals|greater|greater_equals)_(string|bytes)$/.test(overload)) return equalityOf(args, sized);
  const sort = /^list_(\w+)_(sort|sortByAssociatedKeys)$/.exec(overload);
  if (sort === null) return undefined;
  const list = sort[2] === 'sort' ? target : first;
  return list && allocating(sort[1] === 'string' || sort[1] === 'bytes' ? 2.1 : 2, product(sized(list), sized(list)));
}

function allocating(factor: number, size: Estimate): CallEstimate {
  return { cost: plus(scaled(size, factor), exactly(11)), size };
}

function integerOf({ expr }: Operand, otherwise: number): number {
  return expr?.kind === 'const' && typeof expr.value === 'bigint' ? Math.max(0, Number(expr.value)) : otherwise;
}

/** An element of a list as an operand. */
function elementOf(list: Operand): Operand | undefined {
  if (list.type.kind !== 'list') return undefined;
  return { expr: undefined, type: list.type.of, path: list.path.length === 0 ? [] : [...list.path, '@items'], size: undefined };
}

function traversalOf(target: Operand, sized: Sized): Estimate {
  const element = elementOf(target);
  if (element === undefined) return traversed(sized(target));
  const isText = element.type.kind === 'simple' && (element.type.name === 'string' || element.type.name === 'bytes');
  return product(sized(target), isText ? plus(one, traversed(sized(element))) : one);
}

function joinEstimate(target: Operand, separator: Operand | undefined, sized: Sized): CallEstimate {
  const list = sized(target);
  const element = elementOf(target);
  let size: Estimate = element === undefined ? { min: 0, max: 0 } : product(list, sized(element));
  if (separator !== undefined) {
    size = plus(size, product(sized(separator), { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) }));
  }
  return { cost: traversed(size), size };
}

/** How long a text may be after a replacement. */
function replacedSize(text: Estimate, old: Estimate, by: Estimate): Estimate {
  let count = { min: 0, max: 0 };
  let kept = { min: 0, max: 0 };
  if (old.min === 0) {
    count = { ...count, max: text.max < tooMuch ? text.max + 1 : text.max };
    kept = { ...kept, max: text.max };
  } else if (by.max <= old.min) kept = { ...kept, max: text.max };
  else count = { ...count, max: Math.ceil(text.max / old.min) };
  if (old.max === 0) {
    count = { ...count, min: text.min < tooMuch ? text.min + 1 : text.min };
    kept = { ...kept, min: text.min };
  } else if (old.max <= by.min) kept = { ...kept, min: text.min };
  else count = { ...count, min: Math.ceil(text.min / old.max) };
  return plus(product(count, by), kept);
}

function containmentCost(fn: 'containsIP' | 'containsCIDR', overload: string, argument: Estimate): Estimate {
  const address = { min: 4, max: 16 };
  let cost = traversed(plus(address, address));
  if (fn === 'containsCIDR') cost = plus(cost, traversed(address), one);
  return overload.endsWith('_string') ? plus(cost, traversed(argument)) : cost;
}
