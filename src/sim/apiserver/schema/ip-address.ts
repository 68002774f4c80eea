/** An address as its bytes, 4 or 16 of them, the first one leftmost. */
export type IpBytes = readonly number[];

export interface Cidr {
  readonly address: IpBytes;
  readonly prefixLength: number;
}

/**
 * An IP address. `sloppy` is Kubernetes' old reader, which takes `010.1.1.1` and reads an IPv4-mapped IPv6 address as IPv4;
 * `strict` takes neither leading zeros nor zones.
 */
export function parseIp(text: string, manner: 'sloppy' | 'strict'): IpBytes | undefined {
  return text.includes(':') ? parseIpv6(text, manner) : parseIpv4(text, manner);
}

export function parseCidr(text: string, manner: 'sloppy' | 'strict'): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash), manner);
  const length = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,3}$/.test(length)) return undefined;
  if (manner === 'strict' && length.length > 1 && length.startsWith('0')) return undefined;
  const prefixLength = Number(length);
  return prefixLength <= address.length * 8 ? { address, prefixLength } : undefined;
}

/** `10.0.0.1`, or the shortest form of an IPv6 address. */
export function ipText(address: IpBytes): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((address[index * 2] as number) << 8) | (address[index * 2 + 1] as number));
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}

/** Whether an IPv6 address stands for an IPv4 one: `::ffff:1.2.3.4`. */
export function isIpv4Mapped(address: IpBytes): boolean {
  return address.length === 16 && address.every((byte, index) => (index < 10 ? byte === 0 : index < 12 ? byte === 255 : true));
}

/** The address with everything after the prefix cleared. */
export function maskedIp(address: IpBytes, prefixLength: number): IpBytes {
  return address.map((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - bits)) & 0xff;
  });
}

function parseIpv4(text: string, manner: 'sloppy' | 'strict'): IpBytes | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const bytes: number[] = [];
  for (const part of parts) {
    if (!/^\d+$/.test(part) || Number(part) > 255) return undefined;
    if (manner === 'strict' && part.length > 1 && part.startsWith('0')) return undefined;
    bytes.push(Number(part));
  }
  return bytes;
}

function parseIpv6(text: string, manner: 'sloppy' | 'strict'): IpBytes | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0] as string, halves.length === 1, manner);
  const tail = halves.length === 2 ? groupsOf(halves[1] as string, true, manner) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

/** @param last the text ends the address, so that it may end in dotted form. */
function groupsOf(text: string, last: boolean, manner: 'sloppy' | 'strict'): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (group.includes('.')) {
      const dotted = last && index === groups.length - 1 ? parseIpv4(group, manner) : undefined;
      if (dotted === undefined) return undefined;
      bytes.push(...dotted);
      continue;
    }
    if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 0xff);
  }
  return bytes;
}
