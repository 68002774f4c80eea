import { goJson } from './field-errors.js';
import { setMember } from './json.js';
import { goQuote } from './status.js';

/** JSON text as Go reads it: the value and what only the text shows, or Go's words for what is wrong. */
export type GoJson = { readonly value: unknown; readonly notes: JsonNotes } | { readonly fault: string };

/** What a text says that its data does not. */
export interface JsonNotes {
  /** Paths of members that an object has more than once, in the order of the text. The last value wins. */
  readonly duplicates: readonly string[];
  /** The values that did not win, in the order of the text. */
  readonly shadowed: readonly Shadowed[];
  /** Numbers that are written otherwise than JavaScript writes them, by path. */
  readonly numbers: ReadonlyMap<string, string>;
}

export interface Shadowed {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

const maximumDepth = 10_000;

/** Reads JSON. Faults are worded as by Go's `encoding/json` (CR-15). */
export function parseGoJson(text: string): GoJson {
  const reader = new Reader(text);
  try {
    reader.document();
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
  return { value: dataOf(text), notes: reader };
}

/** A member of an object in a text. */
export interface Member {
  readonly path: string;
  /** The object has had it before. */
  readonly again: boolean;
}

/** All members in the order of the text. */
export function membersOf(text: string): readonly Member[] {
  const members: Member[] = [];
  new Reader(text, { member: (path, again) => members.push({ path, again }) }).document();
  return members;
}

/** The text of a member of each object in a list. */
export function textsOf(text: string, name: string): readonly (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  const value = ([index, member, ...more]: readonly (string | number)[], literal: string) => {
    if (typeof index === 'number' && member === name && more.length === 0) texts[index] = literal.trim();
  };
  new Reader(text, { value }).document();
  return texts;
}

/** Whether all numbers and texts in a JSON text are written as Go writes them. */
export function isWrittenByGo(text: string): boolean {
  const scalars = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*/g;
  for (const [literal, , isKey] of text.matchAll(scalars)) {
    if (isKey === undefined && goJson(JSON.parse(literal)) !== literal) return false;
  }
  return true;
}

/** Who wants to know more of a text than its faults. */
interface Visitor {
  readonly member?: (path: string, again: boolean) => void;
  readonly value?: (path: readonly (string | number)[], literal: string) => void;
}

/** Halves of characters become replacement characters, as in Go. */
function dataOf(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\\u[dD][89a-fA-F]/.test(text) ? wellFormed(value) : value;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) setMember(copy, Buffer.from(key).toString(), wellFormed(member));
  return copy;
}

class Fault extends Error {}

/** An object or a list that is being read. */
interface Level {
  /** Absent for a list: where the value of each member is. */
  readonly members?: Map<string, readonly [from: number, to: number]>;
  /** The member, or the number of the element, that is being read. */
  at: string | number;
  from: number;
}

/** Walks over the text for the sake of faults and of what only the text shows; `JSON.parse` makes the value. */
class Reader implements JsonNotes {
  readonly duplicates: string[] = [];
  readonly shadowed: Shadowed[] = [];
  readonly numbers = new Map<string, string>();
  readonly #text: string;
  readonly #visitor: Visitor;
  readonly #levels: Level[] = [];
  #at = 0;

  constructor(text: string, visitor: Visitor = {}) {
    this.#text = text;
    this.#visitor = visitor;
  }

  document(): void {
    do while (this.#opens());
    while (this.#next());
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value');
  }

  /** Reads a value, or the beginning of one up to the first value in it: then it is true. */
  #opens(): boolean {
    this.#blanks();
    const char = this.#text[this.#at];
    if (char === '{') return this.#open({ members: new Map(), at: '', from: 0 }, '}');
    if (char === '[') return this.#open({ at: 0, from: 0 }, ']');
    if (char === '"') this.#string();
    else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) this.#number();
    else if (char === 't') this.#literal('true');
    else if (char === 'f') this.#literal('false');
    else if (char === 'n') this.#literal('null');
    else throw this.#unexpected('looking for beginning of value');
    return false;
  }

  #open(level: Level, end: string): boolean {
    if (this.#levels.length >= maximumDepth) throw this.#unexpected('exceeded max depth');
    this.#at += 1;
    this.#blanks();
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return false;
    }
    this.#levels.push(level);
    if (level.members !== undefined) this.#key(level);
    return true;
  }

  /** After a value: whether another one comes. Containers that end here are left. */
  #next(): boolean {
    while (true) {
      const level = this.#levels.at(-1);
      if (level === undefined) return false;
      const { members } = level;
      if (members !== undefined) {
        members.set(level.at as string, [level.from, this.#at]);
        this.#visitor.value?.(this.#segments(), this.#text.slice(level.from, this.#at));
      }
      this.#blanks();
      const char = this.#text[this.#at];
      if (char === ',') {
        this.#at += 1;
        if (members !== undefined) this.#key(level);
        else level.at = (level.at as number) + 1;
        return true;
      }
      if (char !== (members === undefined ? ']' : '}')) {
        throw this.#unexpected(members === undefined ? 'after array element' : 'after object key:value pair');
      }
      this.#at += 1;
      this.#levels.pop();
    }
  }

  #key(level: Level): void {
    this.#blanks();
    if (this.#text[this.#at] !== '"') throw this.#unexpected('looking for beginning of object key string');
    level.at = this.#string();
    const before = level.members?.get(level.at);
    if (before !== undefined) {
      this.duplicates.push(this.#path());
      this.shadowed.push({ path: this.#segments(), value: dataOf(this.#text.slice(...before)) });
    }
    this.#visitor.member?.(this.#path(), before !== undefined);
    this.#blanks();
    if (this.#text[this.#at] !== ':') throw this.#unexpected('after object key');
    this.#at += 1;
    level.from = this.#at;
  }

  #segments(): readonly (string | number)[] {
    return this.#levels.map(({ at }) => at);
  }

  /** `spec.containers[0].image` */
  #path(): string {
    let path = '';
    for (const { at } of this.#levels) path += typeof at === 'number' ? `[${at}]` : path === '' ? at : `.${at}`;
    return path;
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    while (this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at];
      if (char === undefined || char < ' ') throw this.#unexpected('in string literal');
      if (char === '\\') {
        this.#at += 1;
        const escaped = this.#text[this.#at];
        if (escaped === undefined || !'"\\/bfnrtu'.includes(escaped)) throw this.#unexpected('in string escape code');
        if (escaped === 'u') {
          for (let digit = 0; digit < 4; digit++) {
            this.#at += 1;
            if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? '')) throw this.#unexpected('in \\u hexadecimal character escape');
          }
        }
      }
      this.#at += 1;
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #number(): void {
    const start = this.#at;
    this.#digitsOfNumber();
    const literal = this.#text.slice(start, this.#at);
    if (String(Number(literal)) !== literal) this.numbers.set(this.#path(), literal);
  }

  #digitsOfNumber(): void {
    if (this.#text[this.#at] === '-') {
      this.#at += 1;
      if (!this.#isDigit()) throw this.#unexpected('in numeric literal');
    }
    if (this.#text[this.#at] === '0') this.#at += 1;
    else this.#digits('in numeric literal');
    if (this.#text[this.#at] === '.') {
      this.#at += 1;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at += 1;
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at += 1;
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(where: string): void {
    if (!this.#isDigit()) throw this.#unexpected(where);
    while (this.#isDigit()) this.#at += 1;
  }

  #isDigit(): boolean {
    const char = this.#text[this.#at];
    return char !== undefined && char >= '0' && char <= '9';
  }

  #literal(word: string): void {
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) throw this.#unexpected(`in literal ${word} (expecting '${letter}')`);
      this.#at += 1;
    }
  }

  #blanks(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }

  #unexpected(where: string): Fault {
    const char = this.#text[this.#at];
    if (char === undefined) return new Fault('unexpected end of JSON input');
    return new Fault(`invalid character ${quoteChar(char)} ${where}`);
  }
}

/** Go looks at bytes, and shows the first one of a character. */
function quoteChar(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  const byte = Buffer.from(char)[0] as number;
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
