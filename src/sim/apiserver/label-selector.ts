import { labelValueFaults, qualifiedNameFaults } from './label-syntax.js';

/** One condition on the labels; all of a selector's must hold. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'exists' | '!' | 'in' | 'notin' | 'gt' | 'lt';
  readonly values: readonly string[];
}

/** A selector that cannot be read; its message is the server's answer (LW-9). */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

/** Reads `app=x,tier in (a, b),!old,size>3` (LW-9). @throws SelectorError */
export function parseLabelSelector(text: string): readonly Requirement[] {
  const tokens = tokenize(text);
  const requirements: Requirement[] = [];
  let position = 0;
  const peek = () => tokens[Math.min(position, tokens.length - 1)] as Token;
  const next = () => {
    const token = peek();
    position += 1;
    return token;
  };

  while (true) {
    const token = peek();
    if (token.type === 'end') return requirements;
    if (!isWord(token) && token.type !== '!') {
      throw new SelectorError(`found '${token.text}', expected: !, identifier, or 'end of string'`);
    }
    try {
      requirements.push(parseRequirement(peek, next));
    } catch (error) {
      throw error instanceof SelectorError ? new SelectorError(`unable to parse requirement: ${error.message}`) : error;
    }
    const after = next();
    if (after.type === 'end') return requirements;
    if (after.type !== ',') throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`);
    const following = peek();
    if (!isWord(following) && following.type !== '!') {
      throw new SelectorError(`found '${following.text}', expected: identifier after ','`);
    }
  }
}

/** Whether the labels meet every requirement. `notin` and `!=` hold for an object without the key (LW-9). */
export function matchesLabels(requirements: readonly Requirement[], labels: Readonly<Record<string, string>> | undefined): boolean {
  for (const { key, operator, values } of requirements) {
    const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'exists':
        if (value === undefined) return false;
        break;
      case '!':
        if (value !== undefined) return false;
        break;
      case 'in':
        if (value === undefined || !values.includes(value)) return false;
        break;
      case 'notin':
        if (value !== undefined && values.includes(value)) return false;
        break;
      default: {
        if (value === undefined || !INTEGER.test(value)) return false;
        const difference = BigInt(value) - BigInt(values[0] as string);
        if (operator === 'gt' ? difference <= 0n : difference >= 0n) return false;
      }
    }
  }
  return true;
}

interface Token {
  readonly type: 'word' | 'end' | 'error' | (typeof SYMBOLS)[number] | 'in' | 'notin';
  readonly text: string;
}

const SYMBOLS = [')', ',', '!', '==', '=', '>', '(', '<', '!='] as const;
const SPECIAL = '=!(),><';
const BLANK = ' \t\r\n';
const INTEGER = /^[+-]?\d+$/;

/** `in` and `notin` are keywords only where an operator is expected. */
function isWord(token: Token): boolean {
  return token.type === 'word' || token.type === 'in' || token.type === 'notin';
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < text.length) {
    const start = index;
    const char = text[index] as string;
    if (BLANK.includes(char)) {
      index += 1;
    } else if (SPECIAL.includes(char)) {
      // The longest symbol wins: `==` is one, `!(` is two.
      let found: (typeof SYMBOLS)[number] | undefined;
      while (index < text.length && SPECIAL.includes(text[index] as string)) {
        const symbol = SYMBOLS.find((each) => each === text.slice(start, index + 1));
        if (symbol === undefined && found !== undefined) break;
        found = symbol;
        index += 1;
      }
      if (found === undefined) tokens.push({ type: 'error', text: `error expected: keyword found '${text.slice(start, index)}'` });
      else tokens.push({ type: found, text: found });
    } else {
      while (index < text.length && !SPECIAL.includes(text[index] as string) && !BLANK.includes(text[index] as string)) index += 1;
      const word = text.slice(start, index);
      tokens.push({ type: word === 'in' || word === 'notin' ? word : 'word', text: word });
    }
  }
  tokens.push({ type: 'end', text: '' });
  return tokens;
}

function parseRequirement(peek: () => Token, next: () => Token): Requirement {
  let token = next();
  const absent = token.type === '!';
  if (absent) token = next();
  if (!isWord(token)) throw new SelectorError(`found '${token.text}', expected: identifier`);
  const key = token.text;
  const faults = qualifiedNameFaults(key);
  if (faults.length > 0) throw new SelectorError(`<nil>: Invalid value: ${JSON.stringify(key)}: ${faults.join('; ')}`);
  if (absent) return { key, operator: '!', values: [] };
  const following = peek().type;
  if (following === 'end' || following === ',') return { key, operator: 'exists', values: [] };

  const operator = next();
  switch (operator.type) {
    case 'in':
    case 'notin':
      return validated(key, operator.type, parseValues(peek, next));
    case '=':
    case '==':
      return validated(key, 'in', [parseValue(peek, next)]);
    case '!=':
      return validated(key, 'notin', [parseValue(peek, next)]);
    case '>':
      return validated(key, 'gt', [parseValue(peek, next)]);
    case '<':
      return validated(key, 'lt', [parseValue(peek, next)]);
    default:
      throw new SelectorError(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

function parseValue(peek: () => Token, next: () => Token): string {
  const token = peek();
  if (token.type === 'end' || token.type === ',') return '';
  next();
  if (!isWord(token)) throw new SelectorError(`found '${token.text}', expected: identifier`);
  return token.text;
}

/** `(a, b)`; empty places stand for the empty value, as `()` does. */
function parseValues(peek: () => Token, next: () => Token): string[] {
  const open = next();
  if (open.type !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
  const first = peek();
  if (first.type === ')') {
    next();
    return [''];
  }
  if (!isWord(first) && first.type !== ',') throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
  const values = new Set<string>();
  while (true) {
    const token = next();
    if (isWord(token)) {
      values.add(token.text);
      const after = peek();
      if (after.type === ')') break;
      if (after.type !== ',') throw new SelectorError(`found '${after.text}', expected: ',' or ')'`);
    } else if (token.type === ',') {
      if (values.size === 0) values.add('');
      if (peek().type === ',') {
        next();
        values.add('');
      }
      if (peek().type === ')') {
        values.add('');
        break;
      }
    } else {
      throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
    }
  }
  next();
  return [...values].sort();
}

function validated(key: string, operator: Requirement['operator'], values: string[]): Requirement {
  const faults: string[] = [];
  values.forEach((value, index) => {
    if ((operator === 'gt' || operator === 'lt') && !INTEGER.test(value)) {
      faults.push(`values[${index}]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`);
    }
  });
  values.forEach((value, index) => {
    const wrong = labelValueFaults(value);
    if (wrong.length > 0) faults.push(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${wrong.join('; ')}`);
  });
  if (faults.length > 0) throw new SelectorError(faults.length === 1 ? (faults[0] as string) : `[${faults.join(', ')}]`);
  return { key, operator, values };
}
