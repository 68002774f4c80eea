import { GoRegExpError, re2 } from '../schema/go-regexp.js';
import { formatText } from './format-string.js';
import type { Declaration, Run } from './functions.js';
import { CelError, CelList, type CelValue } from './values.js';

const outOfRange = (index: bigint | number) => new CelError(`index out of range: ${index}`);

function substring(text: string, start: bigint, end?: bigint): string {
  const characters = [...text];
  const to = end ?? BigInt(characters.length);
  if (end !== undefined && start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > characters.length) throw outOfRange(start);
  if (to < 0n || to > characters.length) throw outOfRange(to);
  return characters.slice(Number(start), Number(to)).join('');
}

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > characters.length) throw outOfRange(index);
  return characters[Number(index)] ?? '';
}

function indexOf(text: string, part: string, offset = 0n): bigint {
  if (offset < 0n) throw outOfRange(offset);
  if (part === '') return offset;
  const characters = [...text];
  if (offset >= characters.length) return -1n;
  const found = characters.slice(Number(offset)).join('').indexOf(part);
  return found < 0 ? -1n : offset + BigInt([...characters.slice(Number(offset)).join('').slice(0, found)].length);
}

function lastIndexOf(text: string, part: string, offset?: bigint): bigint {
  const characters = [...text];
  const wanted = [...part];
  if (offset === undefined) {
    if (part === '') return BigInt(characters.length);
    if (characters.length < wanted.length) return -1n;
  } else {
    if (part === '') return offset;
    if (offset < 0n) throw outOfRange(offset);
    if (offset >= characters.length) return -1n;
  }
  const last = characters.length - wanted.length;
  for (let at = Math.min(Number(offset ?? BigInt(last)), last); at >= 0; at--) {
    if (wanted.every((character, index) => characters[at + index] === character)) return BigInt(at);
  }
  return -1n;
}

function replace(text: string, old: string, by: string, count = -1n): string {
  if (count < 0n)
    return text.split(old).length === 1 ? text : old === '' ? between(text, by, Number.POSITIVE_INFINITY) : text.replaceAll(old, () => by);
  if (old === '') return between(text, by, Number(count));
  let left = Number(count);
  let from = 0;
  let result = '';
  for (let at = text.indexOf(old); at >= 0 && left > 0; at = text.indexOf(old, from)) {
    result += text.slice(from, at) + by;
    from = at + old.length;
    left -= 1;
  }
  return result + text.slice(from);
}

/** An empty text is found before every character and at the end. */
function between(text: string, by: string, count: number): string {
  const characters = [...text];
  return characters.map((character, index) => (index < count ? by : '') + character).join('') + (characters.length < count ? by : '');
}

function split(text: string, separator: string, limit = -1n): CelList {
  if (limit === 0n) return new CelList([]);
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0n || parts.length <= limit) return new CelList(parts);
  const kept = parts.slice(0, Number(limit) - 1);
  return new CelList([...kept, parts.slice(Number(limit) - 1).join(separator)]);
}

function join(list: CelList, separator = ''): string {
  return list.items
    .map((item) => {
      if (typeof item !== 'string') throw new CelError(`join: invalid input: ${String(item)}`);
      return item;
    })
    .join(separator);
}

const lower = (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase());
// What Go holds for white space: not quite what JavaScript does.
const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const aroundText = new RegExp(`^${space}|${space}$`, 'gu');
const trim = (text: string) => text.replace(aroundText, '');

const quotes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped.
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (mark) => quotes[mark] as string)}"`;
}

function expression(pattern: string) {
  try {
    return re2(pattern);
  } catch (error) {
    throw error instanceof GoRegExpError ? new CelError(`Illegal regex: ${error.message}`) : error;
  }
}

function find(text: string, pattern: string): string {
  const matcher = expression(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function findAll(text: string, pattern: string, limit = -1n): CelList {
  const found: CelValue[] = [];
  const matcher = expression(pattern).matcher(text);
  while ((limit < 0n || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return new CelList(found);
}

export const stringsLibrary: readonly Declaration[] = [
  ['string.charAt(int): string', 'string_char_at_int', charAt as Run],
  ['string.indexOf(string): int', 'string_index_of_string', indexOf as Run],
  ['string.indexOf(string, int): int', 'string_index_of_string_int', indexOf as Run],
  ['string.lastIndexOf(string): int', 'string_last_index_of_string', lastIndexOf as Run],
  ['string.lastIndexOf(string, int): int', 'string_last_index_of_string_int', lastIndexOf as Run],
  ['string.lowerAscii(): string', 'string_lower_ascii', lower as Run],
  ['string.upperAscii(): string', 'string_upper_ascii', upper as Run],
  ['string.replace(string, string): string', 'string_replace_string_string', replace as Run],
  ['string.replace(string, string, int): string', 'string_replace_string_string_int', replace as Run],
  ['string.split(string): list(string)', 'string_split_string', split as Run],
  ['string.split(string, int): list(string)', 'string_split_string_int', split as Run],
  ['string.substring(int): string', 'string_substring_int', substring as Run],
  ['string.substring(int, int): string', 'string_substring_int_int', substring as Run],
  ['string.trim(): string', 'string_trim', trim as Run],
  ['list(string).join(): string', 'list_join', join as Run],
  ['list(string).join(string): string', 'list_join_string', join as Run],
  ['string.format(list(dyn)): string', 'string_format', formatText as Run],
  ['strings.quote(string): string', 'strings_quote', quote as Run],
  ['string.find(string): string', 'string_find_string', find as Run],
  ['string.findAll(string): list(string)', 'string_find_all_string', findAll as Run],
  ['string.findAll(string, int): list(string)', 'string_find_all_string_int', findAll as Run],
];
