import { goQuote } from '../status.js';
import { doubleText } from './standard-library.js';
import { durationText, timestampText } from './time-library.js';
import { CelDuration, CelError, CelList, CelTimestamp, CelType, CelUint, type CelValue, isMap, typeNameOf } from './values.js';

/** `'%s'.format([x])`. @throws CelError */
export function formatText(pattern: string, args: CelList): string {
  let next = 0;
  return pattern.replace(/%(%|(?:\.(\d*))?([\s\S]?))/g, (_, whole: string, precision: string | undefined, clause: string) => {
    if (whole === '%') return '%';
    if (next >= args.items.length) throw new CelError(`index ${next} out of range`);
    if (clause === '') throw new CelError('unexpected end of string');
    const value = args.items[next++] as CelValue;
    try {
      return format(value, clause, precision === undefined ? undefined : Number(precision));
    } catch (error) {
      if (error instanceof Unknown) throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
      throw error instanceof CelError ? new CelError(`error during formatting: ${error.message}`) : error;
    }
  });
}

class Unknown extends Error {}

function format(value: CelValue, clause: string, precision: number | undefined): string {
  switch (clause) {
    case 's':
      return asString(value);
    case 'd':
      if (typeof value === 'bigint') return String(value);
      if (value instanceof CelUint) return String(value.value);
      throw wrong('decimal clause can only be used on integers', value);
    case 'f':
      return fixed(value, precision ?? 6);
    case 'e':
      return scientific(value, precision ?? 6);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return inBase(value, 2, 'only integers and bools can be formatted as binary');
    case 'o':
      return inBase(value, 8, 'octal clause can only be used on integers');
    case 'x':
    case 'X': {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? Buffer.from(value) : undefined;
      const text = bytes?.toString('hex') ?? inBase(value, 16, 'only integers, byte buffers, and strings can be formatted as hex');
      return clause === 'X' ? text.toUpperCase() : text;
    }
    default:
      throw new Unknown();
  }
}

function wrong(text: string, value: CelValue): CelError {
  return new CelError(`${text}, was given ${typeNameOf(value)}`);
}

function inBase(value: CelValue, base: number, text: string): string {
  if (typeof value === 'bigint') return value.toString(base);
  if (value instanceof CelUint) return value.value.toString(base);
  throw wrong(text, value);
}

function asDouble(value: CelValue, text: string): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return Number.NaN;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
  throw wrong(text, value);
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? undefined : value > 0 ? '∞' : '-∞';
}

function fixed(value: CelValue, precision: number): string {
  const number = asDouble(value, 'fixed-point clause can only be used on doubles');
  const text = special(number);
  if (text !== undefined) return text;
  const [whole = '', fraction] = toEven(number, precision).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Halves go to the even digit. */
function toEven(number: number, precision: number): string {
  const text = number.toFixed(precision);
  const digits = number.toFixed(Math.min(precision + 40, 100)).slice(0, text.length + (precision === 0 ? 42 : 40));
  const rest = digits.slice(digits.indexOf('.') + 1 + precision);
  if (!/^50*$/.test(rest) || /[02468]$/.test(text)) return text;
  const down = digits.slice(0, digits.indexOf('.') + 1 + precision);
  return precision === 0 ? down.slice(0, -1) : down;
}

function scientific(value: CelValue, precision: number): string {
  const number = asDouble(value, 'scientific clause can only be used on doubles');
  const text = special(number);
  if (text !== undefined) return text;
  const [mantissa = '', exponent = '+0'] = number.toExponential(precision).split('e');
  const raised = exponent.slice(1).padStart(2, '0');
  return `${mantissa} × 10${exponent.startsWith('-') ? '⁻' : ''}${[...raised].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`;
}

function asString(value: CelValue): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return doubleText(value);
    case 'boolean':
    case 'bigint':
      return String(value);
  }
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelType) return value.name;
  if (value instanceof CelList) return `[${value.items.map(nested).join(', ')}]`;
  if (isMap(value)) {
    const pairs = value.keys().map((key) => `${nested(key)}:${nested(value.get(key) as CelValue)}`);
    return `{${pairs.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).join(', ')}}`;
  }
  throw wrong(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    value,
  );
}

/** Within lists and maps texts are quoted, doubles have six digits, and times say what they are. */
function nested(value: CelValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(Buffer.from(value).toString())}`;
  if (typeof value === 'number') {
    const text = special(value);
    return text === undefined ? fixed(value, 6).replaceAll(',', '') : goQuote(text);
  }
  if (value instanceof CelTimestamp) return `timestamp("${timestampText(value)}")`;
  if (value instanceof CelDuration) return `duration("${durationText(value)}")`;
  return asString(value);
}
