import type { Expr } from './ast.js';
import { CelIssue } from './issue.js';
import { type Token, tokensOf } from './lexer.js';
import { expandMacro } from './macros.js';
import { CelUint } from './values.js';

/** What may begin an operand, as the server's parser lists it. */
const operandStarts = "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";
const maximumDepth = 250;

/** Reads an expression, macros expanded. @throws CelIssue */
export function parse(source: string): Expr {
  return new Parser(tokensOf(source)).whole();
}

const relations: Readonly<Record<string, string>> = {
  '==': '_==_',
  '!=': '_!=_',
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  in: '@in',
};

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expr {
    const expr = this.#expression();
    if (this.#peek.type !== 'end') throw this.#unexpected('<EOF>', 'extraneous input');
    return expr;
  }

  get #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #is(text: string): boolean {
    const token = this.#peek;
    return token.type === 'symbol' && token.text === text;
  }

  #take(text: string): Token | undefined {
    if (!this.#is(text)) return undefined;
    return this.#tokens[this.#next++];
  }

  #expect(text: string): Token {
    const token = this.#take(text);
    if (token === undefined) throw this.#unexpected(`'${text}'`);
    return token;
  }

  #unexpected(expecting: string, what = 'mismatched input'): CelIssue {
    return new CelIssue(`Syntax error: ${what} '${this.#peek.text}' expecting ${expecting}`, this.#peek.at);
  }

  #expression(): Expr {
    this.#depth += 1;
    if (this.#depth > maximumDepth) {
      throw new CelIssue(`expression recursion limit exceeded: ${maximumDepth}`, this.#peek.at);
    }
    const condition = this.#or();
    const question = this.#take('?');
    let expr = condition;
    if (question !== undefined) {
      const yes = this.#or();
      this.#expect(':');
      const no = this.#expression();
      expr = call('_?_:_', question.at, [condition, yes, no]);
    }
    this.#depth -= 1;
    return expr;
  }

  #or(): Expr {
    return this.#chain('||', '_||_', () => this.#and());
  }

  #and(): Expr {
    return this.#chain('&&', '_&&_', () => this.#relation());
  }

  /** Chains of one logical operator become a balanced tree. */
  #chain(symbol: string, fn: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const operators: number[] = [];
    for (let token = this.#take(symbol); token !== undefined; token = this.#take(symbol)) {
      operators.push(token.at);
      terms.push(operand());
    }
    const balanced = (low: number, high: number): Expr => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? (terms[middle] as Expr) : balanced(low, middle - 1);
      const right = middle === high ? (terms[middle + 1] as Expr) : balanced(middle + 1, high);
      return call(fn, operators[middle] as number, [left, right]);
    };
    return operators.length === 0 ? (terms[0] as Expr) : balanced(0, operators.length - 1);
  }

  #relation(): Expr {
    let left = this.#sum();
    while (this.#peek.type === 'symbol' && relations[this.#peek.text] !== undefined) {
      const token = this.#peek;
      this.#next += 1;
      left = call(relations[token.text] as string, token.at, [left, this.#sum()]);
    }
    return left;
  }

  #sum(): Expr {
    let left = this.#product();
    for (let token = this.#take('+') ?? this.#take('-'); token !== undefined; token = this.#take('+') ?? this.#take('-')) {
      left = call(`_${token.text}_`, token.at, [left, this.#product()]);
    }
    return left;
  }

  #product(): Expr {
    let left = this.#unary();
    const operator = () => this.#take('*') ?? this.#take('/') ?? this.#take('%');
    for (let token = operator(); token !== undefined; token = operator()) {
      left = call(`_${token.text}_`, token.at, [left, this.#unary()]);
    }
    return left;
  }

  #unary(): Expr {
    const first = this.#peek;
    const symbol = this.#is('!') ? '!' : this.#is('-') ? '-' : undefined;
    if (symbol === undefined) return this.#member(this.#primary());
    let count = 0;
    while (this.#take(symbol) !== undefined) count += 1;
    // A minus directly before a number is a part of it.
    const literal = this.#peek;
    if (symbol === '-' && count % 2 === 1 && literal.type === 'literal') {
      const { value } = literal;
      if (typeof value === 'bigint' || typeof value === 'number') {
        this.#next += 1;
        return this.#member(this.#inRange({ kind: 'const', at: first.at, value: -value }));
      }
    }
    const operand = this.#member(this.#primary());
    return count % 2 === 0 ? operand : call(`${symbol}_`, first.at, [operand]);
  }

  #member(start: Expr): Expr {
    let expr = start;
    while (true) {
      const dot = this.#take('.');
      if (dot !== undefined) {
        expr = this.#afterDot(expr, dot.at);
        continue;
      }
      const bracket = this.#take('[');
      if (bracket === undefined) return expr;
      const optional = this.#take('?') !== undefined;
      const index = this.#expression();
      this.#expect(']');
      expr = call(optional ? '_[?_]' : '_[_]', bracket.at, [expr, index]);
    }
  }

  #afterDot(operand: Expr, at: number): Expr {
    const optional = this.#take('?') !== undefined;
    const token = this.#peek;
    if (token.type !== 'ident' && token.type !== 'escaped' && token.type !== 'reserved') {
      throw new CelIssue(`Syntax error: no viable alternative at input '.${token.type === 'end' ? '' : token.text}'`, token.at);
    }
    this.#next += 1;
    const field = token.type === 'escaped' ? (token.value as string) : token.text;
    if (optional) return call('_?._', at, [operand, { kind: 'const', at: token.at, value: field }]);
    const open = token.type !== 'escaped' ? this.#take('(') : undefined;
    if (open !== undefined) {
      const args = this.#arguments(')');
      return expandMacro(field, operand, args, open.at) ?? { kind: 'call', at: open.at, fn: field, target: operand, args };
    }
    return { kind: 'select', at, operand, field, test: false };
  }

  #arguments(close: string): Expr[] {
    const args: Expr[] = [];
    if (this.#take(close) !== undefined) return args;
    if (this.#peek.type === 'end') {
      throw this.#unexpected(`{${operandStarts.replace("'.'", `'${close}', '.'`)}}`);
    }
    do args.push(this.#expression());
    while (this.#take(',') !== undefined);
    this.#expect(close);
    return args;
  }

  #primary(): Expr {
    const token = this.#peek;
    if (token.type === 'literal') {
      this.#next += 1;
      return this.#inRange({ kind: 'const', at: token.at, value: token.value as never });
    }
    if (this.#take('(') !== undefined) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#take('[') !== undefined) return this.#list(token.at);
    if (this.#take('{') !== undefined) return this.#map(token.at);
    const leading = this.#take('.');
    const word = this.#peek;
    if (word.type === 'ident') {
      this.#next += 1;
      return this.#named(word, leading === undefined ? '' : '.');
    }
    if (word.type === 'reserved') throw new CelIssue(`reserved identifier: ${word.text}`, word.at);
    throw this.#unexpected(`{${operandStarts}}`);
  }

  /** An integer literal must fit into 64 bits. */
  #inRange(expr: Expr & { readonly kind: 'const' }): Expr {
    const { value, at } = expr;
    if (typeof value === 'bigint' && (value < -(2n ** 63n) || value >= 2n ** 63n)) throw new CelIssue('invalid int literal', at);
    if (value instanceof CelUint && value.value >= 2n ** 64n) throw new CelIssue('invalid uint literal', at);
    if (typeof value === 'number' && !Number.isFinite(value)) throw new CelIssue('invalid double literal', at);
    return expr;
  }

  #named(word: Token, prefix: string): Expr {
    const open = this.#take('(');
    if (open !== undefined) {
      const args = this.#arguments(')');
      return expandMacro(word.text, undefined, args, open.at) ?? { kind: 'call', at: open.at, fn: word.text, target: undefined, args };
    }
    const struct = this.#structAhead(word.text);
    if (struct !== undefined) return struct;
    return { kind: 'ident', at: word.at, name: prefix + word.text };
  }

  /** `a.b.Name{...}`: the names before a brace. */
  #structAhead(first: string): Expr | undefined {
    let at = this.#next;
    let name = first;
    while (this.#tokens[at]?.text === '.' && this.#tokens[at + 1]?.type === 'ident') {
      name += `.${this.#tokens[at + 1]?.text}`;
      at += 2;
    }
    const brace = this.#tokens[at];
    if (brace?.type !== 'symbol' || brace.text !== '{') return undefined;
    this.#next = at + 1;
    while (this.#take('}') === undefined) {
      this.#take('?');
      this.#next += 1;
      this.#expect(':');
      this.#expression();
      if (this.#take(',') === undefined && !this.#is('}')) throw this.#unexpected("'}'");
    }
    return { kind: 'struct', at: brace.at, name };
  }

  #list(at: number): Expr {
    const elements: Expr[] = [];
    const optional = new Set<number>();
    while (this.#take(']') === undefined) {
      if (this.#take('?') !== undefined) optional.add(elements.length);
      elements.push(this.#expression());
      if (this.#take(',') === undefined && !this.#is(']')) throw this.#unexpected("']'");
    }
    return { kind: 'list', at, elements, optional };
  }

  #map(at: number): Expr {
    const entries: { key: Expr; value: Expr; optional: boolean }[] = [];
    while (this.#take('}') === undefined) {
      const optional = this.#take('?') !== undefined;
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), optional });
      if (this.#take(',') === undefined && !this.#is('}')) throw this.#unexpected("'}'");
    }
    return { kind: 'map', at, entries };
  }
}

function call(fn: string, at: number, args: readonly Expr[]): Expr {
  return { kind: 'call', at, fn, target: undefined, args };
}
