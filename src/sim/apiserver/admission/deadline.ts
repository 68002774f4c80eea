import { parameter } from '../query.js';
import type { ApiRequest } from '../request.js';
import { badRequest, goQuote, PlainTextError } from '../status.js';

const defaultMs = 60_000;

/** ST-14: the request's own time is over. The answer comes from outside the handlers, and nothing is stored (AD-29). */
export class RequestDeadline extends PlainTextError {
  constructor() {
    super(
      504,
      '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}',
    );
  }
}

/** How much of a request's time is left. */
export function remainingMs(request: ApiRequest, spentMs: number): number {
  return timeLimitMs(request) - spentMs;
}

/** @throws ApiStatusError 400 */
function timeLimitMs({ query }: ApiRequest): number {
  const text = parameter(query, 'timeout');
  if (text === undefined || text === '') return defaultMs;
  const asked = durationMs(text);
  if (asked === undefined) throw badRequest(`invalid timeout specified in the request URL - time: invalid duration ${goQuote(text)}`);
  return asked <= 0 ? defaultMs : Math.min(asked, defaultMs);
}

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000001 };

/** A duration as Go writes it: `1m30s`. */
function durationMs(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^[+-]?(?:\d+(?:\.\d*)?(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d*)?)(h|ms|m|s|us|µs|ns)/g)) {
    total += Number(number) * (unitsMs[unit as string] as number);
  }
  return text.startsWith('-') ? -total : total;
}
