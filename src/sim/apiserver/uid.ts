/** A version 4 UUID made of three numbers in [0, 1), each good for eleven of its digits. */
export function uuid(random: (part: number) => number): string {
  const digits = elevenDigits(random(0)) + elevenDigits(random(1)) + elevenDigits(random(2));
  const variant = '89ab'[Number.parseInt(digits[15] as string, 16) % 4];
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-${variant}${digits.slice(16, 19)}-${digits.slice(19, 31)}`;
}

function elevenDigits(random: number): string {
  return Math.floor(random * 16 ** 11)
    .toString(16)
    .padStart(11, '0');
}
