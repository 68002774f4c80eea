/** JSON text as Go reads it: the value and the members that came twice, or Go's words for what is wrong. */
export type GoJson =
  | {
      readonly value: unknown;
      /** Paths of members that an object has more than once, in the order of the text. The last value wins. */
      readonly duplicates: readonly string[];
    }
  | { readonly fault: string };

/** Reads JSON. Faults are worded as by Go's `encoding/json` (CR-15). */
export function parseGoJson(text: string): GoJson {
  const reader = new Reader(text);
  try {
    reader.document();
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
  return { value: JSON.parse(text), duplicates: reader.duplicates };
}

class Fault extends Error {}

/** Walks over the text for the sake of faults and repeated members alone; `JSON.parse` makes the value. */
class Reader {
  readonly duplicates: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value('');
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value');
  }

  #value(path: string): void {
    this.#blanks();
    const char = this.#text[this.#at];
    if (char === '{') this.#object(path);
    else if (char === '[') this.#array(path);
    else if (char === '"') this.#string();
    else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) this.#number();
    else if (char === 't') this.#literal('true');
    else if (char === 'f') this.#literal('false');
    else if (char === 'n') this.#literal('null');
    else throw this.#unexpected('looking for beginning of value');
  }

  #object(path: string): void {
    this.#at += 1;
    const seen = new Set<string>();
    this.#blanks();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return;
    }
    while (true) {
      this.#blanks();
      if (this.#text[this.#at] !== '"') throw this.#unexpected('looking for beginning of object key string');
      const key = this.#string();
      const at = path === '' ? key : `${path}.${key}`;
      if (seen.has(key)) this.duplicates.push(at);
      seen.add(key);
      this.#blanks();
      if (this.#text[this.#at] !== ':') throw this.#unexpected('after object key');
      this.#at += 1;
      this.#value(at);
      this.#blanks();
      const char = this.#text[this.#at];
      if (char === ',') this.#at += 1;
      else if (char === '}') break;
      else throw this.#unexpected('after object key:value pair');
    }
    this.#at += 1;
  }

  #array(path: string): void {
    this.#at += 1;
    this.#blanks();
    if (this.#text[this.#at] === ']') {
      this.#at += 1;
      return;
    }
    for (let index = 0; ; index++) {
      this.#value(`${path}[${index}]`);
      this.#blanks();
      const char = this.#text[this.#at];
      if (char === ',') this.#at += 1;
      else if (char === ']') break;
      else throw this.#unexpected('after array element');
    }
    this.#at += 1;
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

function quoteChar(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  const quoted = JSON.stringify(char).slice(1, -1);
  return `'${quoted}'`;
}
