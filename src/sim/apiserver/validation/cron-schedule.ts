import { goQuote } from '../status.js';

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields: readonly Bounds[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: months },
  { from: 0, to: 6, names: days },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** A schedule cannot be read, in the words of the server's library. */
class CronError extends Error {}

/** What is wrong with a schedule such as `0 3 * * 1-5`; undefined when nothing is. */
export function cronFault(schedule: string): string | undefined {
  try {
    check(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}

function check(sent: string): void {
  let schedule = sent;
  if (/^(CRON_)?TZ=/.test(schedule)) {
    const blank = schedule.indexOf(' ');
    if (blank < 0) throw new CronError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
    schedule = schedule.slice(blank).trim();
  }
  if (schedule.startsWith('@')) {
    if (descriptors.includes(schedule)) return;
    if (!schedule.startsWith('@every ')) throw new CronError(`unrecognized descriptor: ${schedule}`);
    const duration = schedule.slice('@every '.length);
    if (/^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(duration)) return;
    throw new CronError(`failed to parse duration ${schedule}: time: invalid duration ${goQuote(duration)}`);
  }
  const parts = schedule.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fields.length) {
    throw new CronError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  }
  for (const [index, bounds] of fields.entries()) {
    for (const range of (parts[index] as string).split(',').filter((part) => part !== '')) checkRange(range, bounds);
  }
}

function checkRange(range: string, bounds: Bounds): void {
  const [span = '', ...steps] = range.split('/');
  const limits = span.split('-');
  let from = bounds.from;
  let to = bounds.to;
  if (limits[0] !== '*' && limits[0] !== '?') {
    from = numberOf(limits[0] as string, bounds);
    if (limits.length > 2) throw new CronError(`too many hyphens: ${range}`);
    to = limits.length === 2 ? numberOf(limits[1] as string, bounds) : from;
  }
  let step = 1;
  if (steps.length > 1) throw new CronError(`too many slashes: ${range}`);
  if (steps.length === 1) {
    step = naturalNumber(steps[0] as string);
    // `5/10` stands for `5-59/10`.
    if (limits.length === 1) to = bounds.to;
  }
  if (from < bounds.from) throw new CronError(`beginning of range (${from}) below minimum (${bounds.from}): ${range}`);
  if (to > bounds.to) throw new CronError(`end of range (${to}) above maximum (${bounds.to}): ${range}`);
  if (from > to) throw new CronError(`beginning of range (${from}) beyond end of range (${to}): ${range}`);
  if (step === 0) throw new CronError(`step of range should be a positive number: ${range}`);
}

function numberOf(text: string, { names }: Bounds): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return names === months ? named + 1 : named;
  return naturalNumber(text);
}

function naturalNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) {
    throw new CronError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  }
  const number = Number(text);
  if (number < 0) throw new CronError(`negative number (${number}) not allowed: ${text}`);
  return number;
}
