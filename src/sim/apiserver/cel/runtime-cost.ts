import { formatSize } from './kubernetes-library.js';
import { networkSize } from './network-library.js';
import { CelCostError, CelList, type CelValue, isMap, isOpaque, sizeOf } from './values.js';

/** What an evaluation has cost so far, in cel-go's units. */
export class CostMeter {
  #cost = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get cost(): number {
    return this.#cost;
  }

  /** @throws CelCostError beyond the limit. */
  add(cost: number): void {
    this.#cost += cost;
    if (this.#cost > this.#limit) throw new CelCostError('operation cancelled: actual cost limit exceeded');
  }
}

export const costs = { select: 1, list: 10, map: 30, struct: 40 } as const;

const traversal = (size: number) => Math.ceil(size * 0.1);
const pattern = (size: number) => Math.ceil(size * 0.25);

function actualSize(value: CelValue | undefined): number {
  if (value === undefined) return 1;
  return sizeOf(value) ?? networkSize(value) ?? 1;
}

/**
 * What a call costs. @param overload empty when more than one might have been meant.
 */
export function callCost(fn: string, overload: string, args: readonly CelValue[], result: CelValue): number {
  const [first, second] = args;
  switch (fn) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return traversalCost(first as CelValue);
    case 'url':
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return traversal(actualSize(first));
    case 'ip':
      return overload === 'cidr_ip' ? 1 : traversal(actualSize(first));
    case 'replace':
    case 'split':
    case 'ip.isCanonical':
      return traversal(actualSize(first) * 2);
    case 'join':
      return traversal(actualSize(result) * 2);
    case 'find':
    case 'findAll':
      return traversal(1 + actualSize(first)) * pattern(actualSize(second));
    case 'containsIP':
      return traversal(actualSize(first) * 2) + (overload === 'cidr_contains_ip_string' ? traversal(actualSize(second)) : 0);
    case 'containsCIDR': {
      const size = actualSize(first);
      return traversal(size * 2) + traversal(size) + 1 + (overload === 'cidr_contains_cidr_string' ? traversal(actualSize(second)) : 0);
    }
    case 'validate': {
      const size = formatSize(first as CelValue);
      if (size !== undefined) return traversal(1 + actualSize(second)) * pattern(size);
      break;
    }
  }
  return builtInCost(overload, args, result);
}

function builtInCost(overload: string, args: readonly CelValue[], result: CelValue): number {
  const [first, second] = args;
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return traversal(actualSize(first));
    case 'in_list':
      return actualSize(second);
    case 'equals':
    case 'not_equals':
      if (overload === 'equals' && isOpaque(first as CelValue)) return 1;
      return traversal(Math.min(actualSize(first), actualSize(second)));
    case 'add_string':
    case 'add_bytes':
      return traversal(actualSize(first) + actualSize(second));
    case 'matches':
    case 'matches_string':
      return traversal(1 + actualSize(first)) * pattern(actualSize(second));
    case 'contains_string':
      return traversal(actualSize(first)) * traversal(actualSize(second));
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return 1 + actualSize(first) * actualSize(second);
    case 'list_sets_equivalent_list':
      return 1 + actualSize(first) * actualSize(second) * 2;
    case 'list_slice':
    case 'lists_range':
    case 'list_reverse':
      return 11 + actualSize(result);
    case 'list_flatten':
      return 11 + actualSize(first);
    case 'list_flatten_int':
      return 11 + actualSize(first) * Number(second);
    case 'list_distinct':
      return selfComparison(first);
    default:
      if (overload.endsWith('_sort')) return selfComparison(first);
      if (overload.endsWith('_sortByAssociatedKeys')) return selfComparison(second);
      return /^(less|less_equals|greater|greater_equals)_(string|bytes)$/.test(overload)
        ? traversal(Math.min(actualSize(first), actualSize(second)))
        : 1;
  }
}

/** Every item of a list with every other. */
function selfComparison(list: CelValue | undefined): number {
  const items = list instanceof CelList ? list.items : [];
  const isText = typeof items[0] === 'string' || items[0] instanceof Uint8Array;
  return 11 + Math.floor(items.length * items.length * (isText ? 2.1 : 2));
}

function traversalCost(value: CelValue): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * 0.1);
  if (value instanceof Uint8Array) return Math.floor(value.length * 0.1);
  if (value instanceof CelList) return value.items.reduce<number>((sum, item) => sum + traversalCost(item), 0);
  if (isMap(value))
    return value.keys().reduce<number>((sum, key) => sum + traversalCost(key) + traversalCost(value.get(key) as CelValue), 0);
  return 1;
}
