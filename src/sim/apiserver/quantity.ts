/** An amount of a resource: a number with up to nine decimals, and the manner in which it is written. */
export interface Quantity {
  /** Billionths. */
  readonly nanos: bigint;
  readonly format: 'BinarySI' | 'DecimalSI' | 'DecimalExponent';
}

/** A text is no quantity, in the server's words. */
export class QuantityError extends Error {}

const nano = 1_000_000_000n;
/** No parsed quantity with a binary suffix is larger. */
const largest = (2n ** 63n - 1n) * nano;
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** @throws QuantityError */
export function parseQuantity(text: string): Quantity {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (match === null || text === '') {
    throw new QuantityError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  const scale = scaleOf(suffix);
  if (scale === undefined) throw new QuantityError("unable to parse quantity's suffix");
  if (whole === '' && fraction === '') throw new QuantityError('unable to parse numeric part of quantity');
  const digits = BigInt(whole + fraction);
  const power = scale.decimal - fraction.length + 9;
  const factor = (1n << BigInt(scale.binary)) * (power > 0 ? 10n ** BigInt(Math.min(power, 400)) : 1n);
  // What is smaller than a billionth counts as one: whoever wants something gets something.
  const nanos = roundedUp(digits * factor, power < 0 ? 10n ** BigInt(-power) : 1n);
  if (scale.format !== 'BinarySI') return { nanos: sign === '-' ? -nanos : nanos, format: scale.format };
  const capped = nanos > largest ? largest : nanos;
  const format = nanos > 0n && nanos < nano ? 'DecimalSI' : 'BinarySI';
  return { nanos: sign === '-' ? -capped : capped, format };
}

function scaleOf(suffix: string): { decimal: number; binary: number; format: Quantity['format'] } | undefined {
  if (Object.hasOwn(decimal, suffix)) return { decimal: decimal[suffix] as number, binary: 0, format: 'DecimalSI' };
  if (Object.hasOwn(binary, suffix)) return { decimal: 0, binary: binary[suffix] as number, format: 'BinarySI' };
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix);
  if (exponent === null || Math.abs(Number(exponent[1])) >= 2 ** 31) return undefined;
  return { decimal: Number(exponent[1]), binary: 0, format: 'DecimalExponent' };
}

function roundedUp(value: bigint, divisor: bigint): bigint {
  return value % divisor === 0n ? value / divisor : value / divisor + 1n;
}

/** The canonical text: the largest suffix that leaves a whole number. */
export function quantityText({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  const small = nanos > -1024n * nano && nanos < 1024n * nano;
  if (format === 'BinarySI' && !small && nanos % nano === 0n) return binaryText(nanos / nano);
  let number = nanos;
  let exponent = -9;
  while (number % 1000n === 0n && exponent < 18) {
    number /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return exponent === 0 ? String(number) : `${number}e${exponent}`;
  return number + (Object.keys(decimal).find((suffix) => decimal[suffix] === exponent) ?? '');
}

function binaryText(value: bigint): string {
  let number = value;
  let shift = 0;
  while (number % 1024n === 0n && shift < 60) {
    number /= 1024n;
    shift += 10;
  }
  return number + (Object.keys(binary).find((suffix) => binary[suffix] === shift) ?? '');
}

/** The sum; nothing keeps the format of what is added to it. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos - b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** -1, 0 or 1. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

/** The whole number; undefined when it is none, or too large for 64 bits. */
export function asInteger({ nanos }: Quantity): bigint | undefined {
  if (nanos % nano !== 0n) return undefined;
  const value = nanos / nano;
  return value >= -(2n ** 63n) && value < 2n ** 63n ? value : undefined;
}

export function asApproximateFloat({ nanos }: Quantity): number {
  return Number(nanos / nano) + Number(nanos % nano) / 1e9;
}
