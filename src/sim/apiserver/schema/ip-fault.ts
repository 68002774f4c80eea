import { goQuote } from '../status.js';
import { parseIp } from './ip-address.js';

/** Why Go's netip takes a text for no address, in its words. */
export function ipFault(text: string): string {
  const separator = /[.:%]/.exec(text)?.[0];
  const fault = separator === '.' ? ipv4Fault(text) : separator === ':' ? ipv6Fault(text) : noAddress(separator);
  const [said, at] = fault;
  return `ParseAddr(${goQuote(text)}): ${said}${at === undefined ? '' : ` (at ${goQuote(at)})`}`;
}

type Fault = readonly [said: string, at?: string];

function noAddress(separator: string | undefined): Fault {
  return [separator === '%' ? 'missing IPv6 address' : 'unable to parse IP'];
}

function ipv4Fault(text: string): Fault {
  let value = 0;
  let digits = 0;
  let dots = 0;
  for (const [at, char] of [...text].entries()) {
    if (char >= '0' && char <= '9') {
      if (digits === 1 && value === 0) return ['IPv4 field has octet with leading zero'];
      value = value * 10 + Number(char);
      digits += 1;
      if (value > 255) return ['IPv4 field has value >255'];
    } else if (char === '.') {
      if (at === 0 || at === text.length - 1 || text[at - 1] === '.') return ['IPv4 field must have at least one digit', text.slice(at)];
      if (dots === 3) return ['IPv4 address too long'];
      dots += 1;
      value = 0;
      digits = 0;
    } else return ['unexpected character', text.slice(at)];
  }
  return ['IPv4 address too short'];
}

function ipv6Fault(text: string): Fault {
  const [address = '', zone] = text.split(/%(.*)/s);
  if (zone === '') return ['zone must be a non-empty string'];
  let rest = address;
  let ellipsis = false;
  let bytes = 0;
  if (rest.startsWith('::')) {
    ellipsis = true;
    rest = rest.slice(2);
  }
  while (bytes < 16 && rest !== '') {
    const field = /^[0-9a-fA-F]*/.exec(rest)?.[0] as string;
    if (field.length > 4) return ['IPv6 field has value >=2^16', rest];
    if (field === '') return ['each colon-separated field must have at least one digit', rest];
    if (rest[field.length] === '.') {
      if (!ellipsis && bytes !== 12) return ['embedded IPv4 address must replace the final 2 fields of the address', rest];
      if (bytes + 4 > 16) return ['too many hex fields to fit an embedded IPv4 at the end of the address', rest];
      return ipv4Fault(rest);
    }
    bytes += 2;
    rest = rest.slice(field.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return ['unexpected character, want colon', rest];
    if (rest.length === 1) return ['colon must be followed by more characters', rest];
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis) return ['multiple :: in address', rest];
      ellipsis = true;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') return ['trailing garbage after address', rest];
  return bytes < 16 ? ['address string too short'] : ['the :: must expand to at least one field of zeros'];
}

/** Why it takes a text for no network. */
export function prefixFault(text: string): string {
  const slash = text.lastIndexOf('/');
  const inWords = (fault: string) => `netip.ParsePrefix(${goQuote(text)}): ${fault}`;
  if (slash < 0) return inWords("no '/'");
  const bits = text.slice(slash + 1);
  const address = text.slice(0, slash);
  if (parseIp(address.split('%')[0] as string, 'strict') === undefined) return inWords(ipFault(address));
  if (address.includes('%')) return inWords('IPv6 zones cannot be present in a prefix');
  if (!/^(0|[1-9]\d*)$/.test(bits)) return inWords(`bad bits after slash: ${goQuote(bits)}`);
  return inWords('prefix length out of range');
}
