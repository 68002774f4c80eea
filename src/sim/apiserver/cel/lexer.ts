import { CelIssue } from './issue.js';
import { CelUint, type CelValue } from './values.js';

export interface Token {
  readonly type: 'ident' | 'reserved' | 'literal' | 'symbol' | 'escaped' | 'end';
  readonly text: string;
  readonly at: number;
  readonly value?: CelValue;
}

const reserved = new Set('as break const continue else for function if import let loop package namespace return var void while'.split(' '));

/** Reads an expression as tokens. @throws CelIssue */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const space = /[\t\n\f\r ]+|\/\/[^\n]*/y;
    space.lastIndex = at;
    const blank = space.exec(source);
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const token = textToken(source, at) ?? numberToken(source, at) ?? wordToken(source, at) ?? symbolToken(source, at);
    if (token === undefined) throw new CelIssue(`Syntax error: token recognition error at: '${source[at]}'`, at);
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ type: 'end', text: '<EOF>', at: source.length });
  return tokens;
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function symbolToken(source: string, at: number): Token | undefined {
  const found = match(/==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y, source, at);
  return found === null ? undefined : { type: 'symbol', text: found[0], at };
}

function wordToken(source: string, at: number): Token | undefined {
  const escaped = match(/`([A-Za-z0-9_.\-/ ]+)`/y, source, at);
  if (escaped !== null) return { type: 'escaped', text: escaped[0], at, value: escaped[1] as string };
  const text = match(/[A-Za-z_][A-Za-z0-9_]*/y, source, at)?.[0];
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return { type: 'literal', text, at, value: text === 'true' };
  if (text === 'null') return { type: 'literal', text, at, value: null };
  if (text === 'in') return { type: 'symbol', text, at };
  return { type: reserved.has(text) ? 'reserved' : 'ident', text, at };
}

function numberToken(source: string, at: number): Token | undefined {
  const literal = (text: string, value: CelValue): Token => ({ type: 'literal', text, at, value });
  const hex = match(/0x[0-9a-fA-F]+([uU]?)/y, source, at);
  if (hex !== null) {
    const value = BigInt(hex[0].replace(/[uU]$/, ''));
    return literal(hex[0], hex[1] ? new CelUint(value) : value);
  }
  const double = match(/(?:\d+\.\d+|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+/y, source, at);
  if (double !== null) return literal(double[0], Number(double[0]));
  const integer = match(/(\d+)([uU]?)/y, source, at);
  if (integer === null) return undefined;
  const value = BigInt(integer[1] as string);
  return literal(integer[0], integer[2] ? new CelUint(value) : value);
}

const quoted = /([rR]?[bB]?|[bB][rR])("""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')/y;
const rawQuoted = /([rR][bB]?|[bB][rR])("""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')/y;

function textToken(source: string, at: number): Token | undefined {
  const found = match(rawQuoted, source, at) ?? match(quoted, source, at);
  if (found === null) return undefined;
  const [text, prefix = '', body = ''] = found;
  const width = body.startsWith('"""') || body.startsWith("'''") ? 3 : 1;
  const inside = body.slice(width, -width).replace(/\r\n?/g, '\n');
  const isBytes = /[bB]/.test(prefix);
  const value = /[rR]/.test(prefix) ? (isBytes ? Buffer.from(inside) : inside) : unescaped(inside, isBytes, at);
  return { type: 'literal', text, at, value: isBytes ? new Uint8Array(value as Uint8Array) : value };
}

const plainEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** In bytes `\x` and octal escapes are bytes, in texts they are characters. */
function unescaped(text: string, isBytes: boolean, at: number): string | Uint8Array {
  const parts: (string | number)[] = [];
  const pattern = /\\(?:([abfnrtv\\?"'`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))|[^\\]+/g;
  for (const found of text.matchAll(pattern)) {
    const [whole, plain, byte, short, long, octal, other] = found;
    if (plain !== undefined) parts.push(plainEscapes[plain] as string);
    else if (byte !== undefined) parts.push(Number.parseInt(byte, 16));
    else if (octal !== undefined) parts.push(Number.parseInt(octal, 8));
    else if ((short ?? long) !== undefined) {
      const code = Number.parseInt((short ?? long) as string, 16);
      if (isBytes || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new CelIssue('unable to unescape string', at);
      parts.push(String.fromCodePoint(code));
    } else if (other !== undefined) throw new CelIssue('unable to unescape string', at);
    else parts.push(whole);
  }
  if (!isBytes) return parts.map((part) => (typeof part === 'number' ? String.fromCharCode(part) : part)).join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))));
}
