import type { Declaration, Run } from './functions.js';
import { succeeds } from './kubernetes-library.js';
import { CelError, type CelOpaque } from './values.js';

class SemverValue implements CelOpaque {
  readonly kind = 'opaque';
  readonly typeName = 'kubernetes.Semver';
  constructor(
    readonly numbers: readonly [bigint, bigint, bigint],
    readonly prerelease: readonly string[],
  ) {}

  equals(other: CelOpaque): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

const number = '(0|[1-9][0-9]*)';
const identifier = '(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)';
const semver = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

/** @param normalize take `v1.2` for `1.2.0` and `01` for `1`. @throws CelError */
function semverOf(text: string, normalize = false): SemverValue {
  const match = semver.exec(normalize ? normalized(text) : text);
  if (match === null) throw new CelError(faultOf(text));
  const [, major = '', minor = '', patch = '', prerelease] = match;
  const numbers = [BigInt(major), BigInt(minor), BigInt(patch)] as const;
  if (numbers.some((part) => part >= 2n ** 64n)) throw new CelError(`strconv.ParseUint: parsing "${major}": value out of range`);
  return new SemverValue(numbers, prerelease?.split('.') ?? []);
}

function faultOf(text: string): string {
  if (text === '') return 'Version string empty';
  const parts = text.split('.');
  if (parts.length < 3) return 'No Major.Minor.Patch elements found';
  const [major = '', minor = ''] = parts;
  for (const [name, part] of [
    ['major', major],
    ['minor', minor],
  ]) {
    if (!/^\d*$/.test(part as string)) return `Invalid character(s) found in ${name} number "${part}"`;
    if (/^0\d/.test(part as string)) return `${name === 'major' ? 'Major' : 'Minor'} number must not contain leading zeroes "${part}"`;
  }
  return `Invalid character(s) found in patch number "${parts.slice(2).join('.')}"`;
}

function normalized(text: string): string {
  const parts = text.replace(/^v/, '').split('.');
  const three = parts.length > 3 ? [parts[0] as string, parts[1] as string, parts.slice(2).join('.')] : parts;
  const trimmed = three.map((part) => {
    if (part.length < 2) return part;
    const short = part.replace(/^0+/, '');
    return /^\d/.test(short) ? short : `0${short}`;
  });
  if (trimmed.length >= 3) return trimmed.join('.');
  // A suffix of a short version belongs behind the zeros that it lacks.
  const last = trimmed.at(-1) ?? '';
  if (/[+-]/.test(last)) return trimmed.join('.');
  while (trimmed.length < 3) trimmed.push('0');
  return trimmed.join('.');
}

function compare(a: SemverValue, b: SemverValue): number {
  for (const index of [0, 1, 2] as const) {
    if (a.numbers[index] !== b.numbers[index]) return a.numbers[index] < b.numbers[index] ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return Math.sign(b.prerelease.length - a.prerelease.length);
  for (let index = 0; index < Math.min(a.prerelease.length, b.prerelease.length); index++) {
    const order = compareIdentifiers(a.prerelease[index] as string, b.prerelease[index] as string);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}

function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const type = 'kubernetes.Semver';
const part = (name: string, index: 0 | 1 | 2): Declaration => [
  `${type}.${name}(): int`,
  `semver_${name}`,
  (({ numbers }: SemverValue) => numbers[index]) as Run,
];

export const semverLibrary: readonly Declaration[] = [
  [`semver(string): ${type}`, 'string_to_semver', ((text: string) => semverOf(text)) as Run],
  [`semver(string, bool): ${type}`, 'string_bool_to_semver', semverOf as Run],
  ['isSemver(string): bool', 'is_semver_string', ((text: string) => succeeds(() => semverOf(text))) as Run],
  [
    'isSemver(string, bool): bool',
    'is_semver_string_bool',
    ((text: string, normalize: boolean) => succeeds(() => semverOf(text, normalize))) as Run,
  ],
  [`${type}.isGreaterThan(${type}): bool`, 'semver_is_greater_than', ((a: SemverValue, b: SemverValue) => compare(a, b) > 0) as Run],
  [`${type}.isLessThan(${type}): bool`, 'semver_is_less_than', ((a: SemverValue, b: SemverValue) => compare(a, b) < 0) as Run],
  [`${type}.compareTo(${type}): int`, 'semver_compare_to', ((a: SemverValue, b: SemverValue) => BigInt(compare(a, b))) as Run],
  part('major', 0),
  part('minor', 1),
  part('patch', 2),
];
