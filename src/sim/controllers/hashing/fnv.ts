const prime32 = 0x01000193;
const prime128 = 0x0000000001000000000000000000013bn;
const offset128 = 0x6c62272e07bb014262b821756295c58dn;
const mask128 = (1n << 128n) - 1n;
const encoder = new TextEncoder();

/** The bytes of a text, and further ones. */
export function bytesOf(text: string, ...more: readonly number[]): Uint8Array {
  return Uint8Array.from([...encoder.encode(text), ...more]);
}

/** FNV-1, 32 bits. */
export function fnv1(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash, prime32) ^ byte;
  return hash >>> 0;
}

/** FNV-1a, 32 bits. */
export function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime32);
  return hash >>> 0;
}

/** FNV-1a, 128 bits. */
export function fnv1a128(bytes: Uint8Array): bigint {
  let hash = offset128;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * prime128) & mask128;
  return hash;
}
