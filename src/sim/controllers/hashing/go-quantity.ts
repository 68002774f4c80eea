const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** A resource.Quantity as Go's spew prints it, without its type: how it is held after it was read. */
export function goQuantity(text: string | undefined): string {
  if (text === undefined) return held(0n, 0, '', '');
  if (text === '0') return held(0n, 0, text, 'DecimalSI');
  const [, sign = '', whole = '', fraction = '', suffix = ''] = /^([+-]?)0*(\d*?)(?:\.(\d*?)0*)?([A-Za-z].*)?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}` || '0';
  const signed = (value: bigint) => (sign === '-' ? -value : value);
  const power = Object.hasOwn(binary, suffix) ? binary[suffix] : undefined;
  if (power !== undefined) {
    const value = BigInt(digits);
    const canonical = (value & 7n) !== 0n;
    return held(signed(value << BigInt(power)), 0, canonical ? text : '', 'BinarySI');
  }
  const exponent = Object.hasOwn(decimal, suffix) ? (decimal[suffix] as number) : Number(suffix.slice(1));
  const scale = exponent - fraction.length;
  const canonical = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return held(signed(BigInt(digits)), scale, canonical ? text : '', Object.hasOwn(decimal, suffix) ? 'DecimalSI' : 'DecimalExponent');
}

function held(value: bigint, scale: number, text: string, format: string): string {
  const amount = `i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
  return `{${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`;
}
