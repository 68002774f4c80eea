const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A schedule that has no time within five years has none at all. */
const farthestDays = 5 * 366;

/** The times that a cron schedule means. */
export interface Schedule {
  /** The first one after this, in milliseconds since 1970; undefined: there is none. */
  next(afterMs: number): number | undefined;
}

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const months = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** @returns undefined when it cannot be read. @param timeZone of IANA; absent: UTC */
export function readSchedule(text: string, timeZone?: string): Schedule | undefined {
  const fields = (shorthands[text] ?? text).trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute, hour, day, month, weekday] = [
    readField(fields[0] as string, 0, 59),
    readField(fields[1] as string, 0, 23),
    readField(fields[2] as string, 1, 31),
    readField(fields[3] as string, 1, 12, months),
    readField(fields[4] as string, 0, 7, weekdays),
  ];
  if (minute === undefined || hour === undefined || day === undefined || month === undefined || weekday === undefined) return undefined;
  if (weekday.has(7)) weekday.add(0);
  const anyDay = /^[*?]/.test(fields[2] as string);
  const anyWeekday = /^[*?]/.test(fields[4] as string);
  // Days of the month and of the week are added to each other when both are given.
  const onDay = (date: Date) => {
    const [inMonth, inWeek] = [day.has(date.getUTCDate()), weekday.has(date.getUTCDay())];
    return month.has(date.getUTCMonth() + 1) && (anyDay || anyWeekday ? inMonth && inWeek : inMonth || inWeek);
  };
  const offset = offsetIn(timeZone);
  return {
    next(afterMs) {
      const first = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs;
      const firstLocal = first + offset(first);
      for (let days = 0; days < farthestDays; days++) {
        const midnight = Math.floor(firstLocal / dayMs) * dayMs + days * dayMs;
        if (!onDay(new Date(midnight))) continue;
        for (const h of hour)
          for (const m of minute) {
            const local = midnight + (h * 60 + m) * minuteMs;
            const atMs = local - offset(local - offset(local));
            if (atMs >= first) return atMs;
          }
      }
      return undefined;
    },
  };
}

/** By how many milliseconds the local time is ahead of UTC. */
function offsetIn(timeZone: string | undefined): (atMs: number) => number {
  if (timeZone === undefined || timeZone === 'UTC' || timeZone === 'Etc/UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const name = format.formatToParts(new Date(atMs)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes = '0'] = /GMT([+-])(\d+):?(\d+)?/.exec(name) ?? [];
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
  };
}

/** The numbers that a field allows, in order. */
function readField(text: string, least: number, most: number, names: readonly string[] = []): Set<number> | undefined {
  const allowed = new Set<number>();
  const number = (word: string) =>
    names.includes(word.toLowerCase()) ? names.indexOf(word.toLowerCase()) : /^\d+$/.test(word) ? Number(word) : -1;
  for (const part of text.split(',')) {
    const [range = '', step] = part.split('/');
    const any = range === '*' || range === '?';
    const [from = '', to] = range.split('-');
    const first = any ? least : number(from);
    const last = any || (to === undefined && step !== undefined) ? (any && most === 7 ? 6 : most) : number(to ?? from);
    const by = step === undefined ? 1 : Number(step);
    if (first < least || last > most || last < first || !(by >= 1)) return undefined;
    for (let value = first; value <= last; value += by) allowed.add(value);
  }
  return new Set([...allowed].sort((a, b) => a - b));
}

/** The scheduled time in RFC 3339, in the schedule's zone. */
export function localText(atMs: number, timeZone: string | undefined): string {
  const offset = offsetIn(timeZone)(atMs);
  const local = new Date(atMs + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const minutes = Math.abs(offset) / minuteMs;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** WL-103: the last time that was due, and whether more than a hundred were missed. */
export function lastDue(schedule: Schedule, earliestMs: number, nowMs: number): { readonly atMs?: number; readonly many: boolean } {
  const first = schedule.next(earliestMs);
  if (first === undefined || first > nowMs) return { many: false };
  const second = schedule.next(first);
  if (second === undefined || second > nowMs) return { atMs: first, many: false };
  const missed = Math.floor((nowMs - first) / (second - first)) + 1;
  let last: number | undefined;
  for (let at = schedule.next(first + (missed - 2) * (second - first)); at !== undefined && at <= nowMs; at = schedule.next(at)) last = at;
  return { ...(last !== undefined && { atMs: last }), many: missed > 100 };
}
