import { invalidValue } from '../field-errors.js';
import { ipText, isIpv4Mapped, maskedIp, parseCidr, parseIp } from '../schema/ip-address.js';
import type { Faults } from './checks.js';

/**
 * An address in an old field, which takes any form of one.
 * @param known addresses that are there already: of these nothing is asked.
 */
export function checkAddress(faults: Faults, field: string, text: string, known: readonly string[] = []): void {
  if (known.includes(text)) return;
  if (!isAddress(text)) {
    faults.push(invalidValue(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
    return;
  }
  const address = parseIp(text, 'strict');
  if (address === undefined) faults.push(invalidValue(field, text, 'must not have leading 0s'));
  else if (isIpv4Mapped(address)) faults.push(invalidValue(field, text, 'must not be an IPv4-mapped IPv6 address'));
}

/** An address in a new field: in one form only. */
export function checkCanonicalAddress(faults: Faults, field: string, text: string): void {
  const before = faults.length;
  checkAddress(faults, field, text);
  const address = parseIp(text, 'strict');
  if (faults.length > before || address === undefined || ipText(address) === text) return;
  faults.push(invalidValue(field, text, `must be in canonical form ("${ipText(address)}")`));
}

/** A range of addresses in an old field. */
export function checkRange(faults: Faults, field: string, text: string): void {
  if (!isRange(text)) {
    faults.push(invalidValue(field, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'));
    return;
  }
  const range = parseCidr(text, 'strict');
  if (range === undefined) faults.push(invalidValue(field, text, 'must not have leading 0s in IP or prefix length'));
  else if (isIpv4Mapped(range.address)) faults.push(invalidValue(field, text, 'must not have an IPv4-mapped IPv6 address'));
  else if (maskedIp(range.address, range.prefixLength).join() !== range.address.join()) {
    faults.push(invalidValue(field, text, 'must not have bits set beyond the prefix length'));
  }
}

export function isAddress(text: string): boolean {
  return parseIp(text, 'sloppy') !== undefined;
}

export function isRange(text: string): boolean {
  return parseCidr(text, 'sloppy') !== undefined;
}

export function isIpv6(text: string): boolean {
  return parseIp(text, 'sloppy')?.length === 16;
}

/** Whether one range lies within another, and is smaller. */
export function isInside(inner: string, outer: string): boolean {
  const a = parseCidr(inner, 'sloppy');
  const b = parseCidr(outer, 'sloppy');
  if (a === undefined || b === undefined || a.address.length !== b.address.length || a.prefixLength <= b.prefixLength) return false;
  return maskedIp(a.address, b.prefixLength).join() === maskedIp(b.address, b.prefixLength).join();
}

/** Addresses that stand for this machine or its neighbours lead nobody anywhere. */
export function checkReachable(faults: Faults, field: string, text: string): void {
  const address = parseIp(text, 'sloppy');
  if (address === undefined) return;
  const wrong = (detail: string) => faults.push(invalidValue(field, text, detail));
  const isV4 = address.length === 4;
  if (address.every((byte) => byte === 0)) wrong(`may not be unspecified (${ipText(address)})`);
  if (isV4 ? address[0] === 127 : ipText(address) === '::1') wrong('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isV4 ? address[0] === 169 && address[1] === 254 : address[0] === 0xfe && ((address[1] as number) & 0xc0) === 0x80) {
    wrong('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (isV4 ? address[0] === 224 && address[1] === 0 && address[2] === 0 : address[0] === 0xff && ((address[1] as number) & 0x0f) === 2) {
    wrong('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
}
