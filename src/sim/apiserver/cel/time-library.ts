import type { Declaration, Run } from './functions.js';
import { duration, timestamp } from './operators.js';
import { CelDuration, CelError, type CelTimestamp, type CelValue } from './values.js';

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Go's `time.ParseDuration`. @returns undefined for what it does not read. */
export function parseDuration(text: string): CelDuration | undefined {
  const match = /^([-+]?)(0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text);
  if (match === null) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = 's'] of (match[2] as string).matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const size = units[unit] as bigint;
    nanos += BigInt(whole || '0') * size + (fraction === '' ? 0n : (BigInt(fraction) * size) / 10n ** BigInt(fraction.length));
  }
  if (nanos > 2n ** 63n - 1n) return undefined;
  return new CelDuration(match[1] === '-' ? -nanos : nanos);
}

/** RFC 3339, with any fraction of a second. @throws CelError beyond the years 1 to 9999. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|([+-])(\d{2}):(\d{2}))$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59 || day < 1 || day > daysIn(year, month)) return undefined;
  const offset = match[9] === undefined ? 0 : (match[9] === '-' ? -1 : 1) * (Number(match[10]) * 60 + Number(match[11]));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const nanos = BigInt((match[7] ?? '').padEnd(9, '0').slice(0, 9));
  return timestamp(BigInt(date.getTime() - offset * 60_000) * 1_000_000n + nanos);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** As Go prints RFC 3339 with nanoseconds. */
export function timestampText({ nanos }: CelTimestamp): string {
  const { date, rest } = split(nanos);
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${year}${date.toISOString().slice(-20, -5)}${fraction}Z`;
}

/** In seconds: `1.5s`. */
export function durationText({ nanos }: CelDuration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = size % 1_000_000_000n;
  const tail = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  return `${nanos < 0n ? '-' : ''}${size / 1_000_000_000n}${tail}s`;
}

function split(nanos: bigint): { readonly date: Date; readonly rest: bigint } {
  const rest = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { date: new Date(Number((nanos - rest) / 1_000_000n)), rest };
}

type Part = (date: Date, nanos: bigint) => number;

const dayOfYear: Part = (date) => {
  const start = new Date(date.getTime());
  start.setUTCMonth(0, 1);
  start.setUTCHours(0, 0, 0, 0);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000);
};

const parts: Readonly<Record<string, Part>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: dayOfYear,
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (_date, nanos) => Number(nanos / 1_000_000n),
};

const ofMoments: readonly Declaration[] = Object.entries(parts).flatMap(([name, part]): readonly Declaration[] => {
  const read = (moment: CelTimestamp, zone: string): CelValue => {
    const { date, rest } = split(moment.nanos);
    return BigInt(part(new Date(date.getTime() + zoneOffsetMs(date, zone)), rest));
  };
  return [
    [`timestamp.${name}(): int`, `timestamp_to_${name}`, ((moment: CelTimestamp) => read(moment, 'UTC')) as Run],
    [`timestamp.${name}(string): int`, `timestamp_to_${name}_with_tz`, read as Run],
  ];
});

/** How far local time is ahead of UTC. @throws CelError for a zone that nobody knows. */
function zoneOffsetMs(date: Date, zone: string): number {
  if (zone === 'UTC' || zone === '') return 0;
  const fixed = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const read = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
    return (
      Date.UTC(read.year ?? 0, (read.month ?? 1) - 1, read.day, read.hour, read.minute, read.second) -
      Math.trunc(date.getTime() / 1000) * 1000
    );
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const ofSpan = (name: string, size: bigint): Declaration => [
  `duration.${name}(): int`,
  `duration_to_${name}`,
  (({ nanos }: CelDuration) => nanos / size) as Run,
];

export const timeLibrary: readonly Declaration[] = [
  ...ofMoments,
  ofSpan('getHours', units.h as bigint),
  ofSpan('getMinutes', units.m as bigint),
  ofSpan('getSeconds', units.s as bigint),
  ['duration.getMilliseconds(): int', 'duration_to_milliseconds', (({ nanos }: CelDuration) => nanos / 1_000_000n) as Run],
  ['duration(duration): duration', 'duration_to_duration', ((value: CelDuration) => value) as Run],
  [
    'duration(string): duration',
    'string_to_duration',
    ((text: string) => {
      const parsed = parseDuration(text);
      if (parsed === undefined) throw new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");
      return duration(parsed.nanos);
    }) as Run,
  ],
  ['timestamp(timestamp): timestamp', 'timestamp_to_timestamp', ((value: CelTimestamp) => value) as Run],
  ['timestamp(int): timestamp', 'int64_to_timestamp', ((seconds: bigint) => timestamp(seconds * 1_000_000_000n)) as Run],
  [
    'timestamp(string): timestamp',
    'string_to_timestamp',
    ((text: string) => {
      const parsed = parseTimestamp(text);
      if (parsed === undefined) throw new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
      return parsed;
    }) as Run,
  ],
];
