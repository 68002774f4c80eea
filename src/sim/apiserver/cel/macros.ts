import { accumulator, type Expr, type IdentExpr } from './ast.js';
import { CelIssue } from './issue.js';

/**
 * What a call of a macro stands for; undefined when it is none. One variable is the element of a list or the key of a map; two
 * are index and element, or key and value.
 * @throws CelIssue
 */
export function expandMacro(name: string, target: Expr | undefined, args: readonly Expr[], at: number): Expr | undefined {
  if (target === undefined) return name === 'has' && args.length === 1 ? has(args[0] as Expr, at) : undefined;
  const macro = new Macro(target, args, at);
  switch (`${name}/${args.length}`) {
    case 'all/2':
    case 'all/3':
      return macro.all();
    case 'exists/2':
    case 'exists/3':
      return macro.exists();
    case 'exists_one/2':
    case 'existsOne/2':
    case 'exists_one/3':
    case 'existsOne/3':
      return macro.existsOne();
    case 'map/2':
    case 'map/3':
      return macro.map();
    case 'filter/2':
      return macro.filter();
    case 'transformList/3':
    case 'transformList/4':
      return macro.transformList();
    case 'transformMap/3':
    case 'transformMap/4':
      return macro.transformMap('cel.@mapInsert');
    case 'transformMapEntry/3':
    case 'transformMapEntry/4':
      return macro.transformMap('cel.@mapInsertEntry');
    case 'sortBy/2':
      return macro.sortBy();
    case 'optMap/2':
      return macro.optional('optional.of');
    case 'optFlatMap/2':
      return macro.optional(undefined);
    default:
      return undefined;
  }
}

function has(argument: Expr, at: number): Expr {
  if (argument.kind === 'select' && !argument.test) return { ...argument, at, test: true };
  throw new CelIssue('invalid argument to has() macro', argument.at);
}

class Macro {
  readonly #target: Expr;
  readonly #args: readonly Expr[];
  readonly #at: number;

  constructor(target: Expr, args: readonly Expr[], at: number) {
    this.#target = target;
    this.#args = args;
    this.#at = at;
  }

  all(): Expr {
    const predicate = this.#args.at(-1) as Expr;
    const condition = this.#call('@not_strictly_false', this.#accumulator);
    return this.#fold(
      this.#args.length - 1,
      this.#constant(true),
      condition,
      this.#call('_&&_', this.#accumulator, predicate),
      this.#accumulator,
    );
  }

  exists(): Expr {
    const predicate = this.#args.at(-1) as Expr;
    const condition = this.#call('@not_strictly_false', this.#call('!_', this.#accumulator));
    const step = this.#call('_||_', this.#accumulator, predicate);
    return this.#fold(this.#args.length - 1, this.#constant(false), condition, step, this.#accumulator);
  }

  existsOne(): Expr {
    const predicate = this.#args.at(-1) as Expr;
    const more = this.#call('_+_', this.#accumulator, this.#constant(1n));
    const step = this.#call('_?_:_', predicate, more, this.#accumulator);
    const result = this.#call('_==_', this.#accumulator, this.#constant(1n));
    return this.#fold(this.#args.length - 1, this.#constant(0n), this.#constant(true), step, result);
  }

  map(): Expr {
    const append = this.#append(this.#args.at(-1) as Expr);
    const step = this.#args.length === 3 ? this.#call('_?_:_', this.#args[1] as Expr, append, this.#accumulator) : append;
    return this.#fold(1, this.#emptyList(), this.#constant(true), step, this.#accumulator);
  }

  filter(): Expr {
    const element: Expr = { kind: 'ident', at: this.#at, name: this.#name(0) };
    const step = this.#call('_?_:_', this.#args[1] as Expr, this.#append(element), this.#accumulator);
    return this.#fold(1, this.#emptyList(), this.#constant(true), step, this.#accumulator);
  }

  transformList(): Expr {
    const append = this.#append(this.#args.at(-1) as Expr);
    const step = this.#args.length === 4 ? this.#call('_?_:_', this.#args[2] as Expr, append, this.#accumulator) : append;
    return this.#fold(2, this.#emptyList(), this.#constant(true), step, this.#accumulator);
  }

  transformMap(insert: string): Expr {
    const transform = this.#args.at(-1) as Expr;
    const key: Expr = { kind: 'ident', at: this.#at, name: this.#name(0) };
    const inserted =
      insert === 'cel.@mapInsert'
        ? this.#call(insert, this.#accumulator, key, transform)
        : this.#call('cel.@mapInsert', this.#accumulator, transform);
    const step = this.#args.length === 4 ? this.#call('_?_:_', this.#args[2] as Expr, inserted, this.#accumulator) : inserted;
    return this.#fold(2, { kind: 'map', at: this.#at, entries: [] }, this.#constant(true), step, this.#accumulator);
  }

  /** `o.optMap(v, e)`: the expression with the held value, if there is one. */
  optional(wrap: string | undefined): Expr {
    const [, expression] = this.#args as [Expr, Expr];
    const bound: Expr = {
      kind: 'fold',
      at: this.#at,
      range: this.#emptyList(),
      variable: '#unused',
      accumulator: this.#name(0),
      init: { kind: 'call', at: this.#at, fn: 'value', target: this.#target, args: [] },
      condition: this.#constant(false),
      step: { kind: 'ident', at: this.#at, name: this.#name(0) },
      result: expression,
    };
    const present: Expr = { kind: 'call', at: this.#at, fn: 'hasValue', target: this.#target, args: [] };
    return this.#call('_?_:_', present, wrap === undefined ? bound : this.#call(wrap, bound), this.#call('optional.none'));
  }

  /** `list.sortBy(e, key)`: the list in the order of the keys, which are worked out once. */
  sortBy(): Expr {
    if (this.#target.kind === 'const' || this.#target.kind === 'map') {
      const text = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
      throw new CelIssue(text, this.#target.at);
    }
    const input: IdentExpr = { kind: 'ident', at: this.#at, name: '@__sortBy_input__' };
    const keys = new Macro(input, this.#args, this.#at).map();
    return {
      kind: 'fold',
      at: this.#at,
      range: this.#emptyList(),
      variable: '#unused',
      accumulator: input.name,
      init: this.#target,
      condition: this.#constant(false),
      step: input,
      result: { kind: 'call', at: this.#at, fn: '@sortByAssociatedKeys', target: input, args: [keys] },
    };
  }

  get #accumulator(): IdentExpr {
    return { kind: 'ident', at: this.#at, name: accumulator };
  }

  #append(element: Expr): Expr {
    return this.#call('_+_', this.#accumulator, { kind: 'list', at: this.#at, elements: [element], optional: new Set() });
  }

  #fold(variables: number, init: Expr, condition: Expr, step: Expr, result: Expr): Expr {
    return {
      kind: 'fold',
      at: this.#at,
      range: this.#target,
      variable: this.#name(0),
      ...(variables === 2 && { secondVariable: this.#name(1) }),
      accumulator,
      init,
      condition,
      step,
      result,
    };
  }

  #name(index: number): string {
    const argument = this.#args[index] as Expr;
    if (argument.kind !== 'ident' || argument.name.startsWith('.')) throw new CelIssue('argument must be a simple name', argument.at);
    return argument.name;
  }

  #constant(value: boolean | bigint): Expr {
    return { kind: 'const', at: this.#at, value };
  }

  #emptyList(): Expr {
    return { kind: 'list', at: this.#at, elements: [], optional: new Set() };
  }

  #call(fn: string, ...args: Expr[]): Expr {
    return { kind: 'call', at: this.#at, fn, target: undefined, args };
  }
}
