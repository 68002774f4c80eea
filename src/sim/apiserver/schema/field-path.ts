import { ownMember } from '../json.js';
import { type JsonSchema, valuesOf } from './json-schema.js';

export interface FieldPath {
  /** As error texts write it: `spec.a[key]`. */
  readonly text: string;
  /** The first part. */
  readonly root: string;
  /** What the path leads to; undefined: values of a map without a schema. */
  readonly schema: JsonSchema | undefined;
}

/**
 * Reads a path of names and map keys (`.a.b['c d']`) and follows it through a schema.
 * @param brackets whether `['key']` may be used.
 * @returns a text when there is no such place: what is wrong, in the server's words.
 */
export function fieldPath(path: string, start: JsonSchema, brackets = true): FieldPath | string {
  const tokens = tokensOf(path);
  let schema: JsonSchema | undefined = start;
  let text = '';
  let root = '';
  let next = 0;
  while (next < tokens.length) {
    const token = tokens[next++] as string;
    let name: string;
    if (token === '[') {
      if (!brackets) return 'array notation is not allowed';
      const quoted = tokens[next++];
      if (quoted === undefined) return 'unexpected end of JSON path';
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) return `expected single quoted string but got ${quoted}`;
      const key = keyFrom(quoted.slice(1, -1));
      if (key.fault !== undefined) return `invalid string literal: ${key.fault}`;
      name = key.text;
    } else if (token === '.') {
      const plain = tokens[next++];
      if (plain === undefined) return 'unexpected end of JSON path';
      name = plain;
    } else return `expected [ or . but got: ${token}`;
    const isNamed: boolean = schema?.properties !== undefined;
    if (!isNamed && schema?.additionalProperties === undefined) return 'does not refer to a valid field';
    const below: JsonSchema | undefined = isNamed ? ownMember(schema?.properties, name) : valuesOf(schema as JsonSchema);
    if (isNamed && below === undefined) return 'does not refer to a valid field';
    if (root === '') root = name;
    text += isNamed ? (text === '' ? name : `.${name}`) : `[${name}]`;
    schema = below;
    if (token === '[') {
      const close = tokens[next++];
      if (close === undefined) return 'unexpected end of JSON path';
      if (close !== ']') return `expected ] but got ${close}`;
    }
  }
  return { text, root, schema };
}

/** Delimiters are tokens of their own, except within single quotes. */
function tokensOf(path: string): readonly string[] {
  return path.match(/'(?:[^']|(?<=\\)')*'?|[.[\]]|[^.[\]]+/g) ?? [];
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function keyFrom(text: string): { readonly text: string; readonly fault?: string } {
  let fault: string | undefined;
  const unescaped = text.replace(/\\./g, (sequence) => {
    const meant = escapes[sequence[1] as string];
    if (meant === undefined) fault ??= `invalid escape char ${sequence}`;
    return meant ?? '';
  });
  return { text: unescaped, ...(fault !== undefined && { fault }) };
}
