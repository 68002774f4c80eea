import * as fc from 'fast-check';
import type { JsonValue } from '../sim/etcd/object.js';
import { calmLatency, type Fault, type Latency } from '../sim/plan.js';
import type { PlanEntry } from './plan-entries.js';

/** Delays that a person takes in at a glance, in virtual milliseconds. */
const roundDelaysMs = [5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 120_000];
const roundTimesMs = [10_000, 5_000, 1_000, 500, 100, 50, 10];

/** The same entry with simpler values, the simplest first. */
export function simplerEntries(entry: PlanEntry): readonly PlanEntry[] {
  switch (entry.part) {
    case 'override': {
      const { answer } = entry;
      return typeof answer === 'string' ? [] : simplerDelays(answer).map((ms) => ({ ...entry, answer: ms }));
    }
    case 'fault':
      return simplerFaults(entry.fault).map((fault) => ({ part: 'fault', fault }));
    case 'op':
      return rounderTimes(entry.op.atMs).map((atMs) => ({ part: 'op', op: { ...entry.op, atMs } }));
    case 'latency':
      return calmerLatencies(entry.latency).map((latency) => ({ part: 'latency', latency }));
    case 'strategy': {
      const { strategy } = entry;
      if (strategy.kind !== 'pct') return [];
      return upTo(strategy.depth - 1).map((depth) => ({ part: 'strategy', strategy: { ...strategy, depth } }));
    }
  }
}

/**
 * Looks for simpler arguments of an act by the shrinker of the arbitrary that makes them.
 * @param fails is asked about the given arguments first, which do fail, then about simpler ones; the last that fail are the simplest.
 */
export async function simplestArguments(
  arbitrary: fc.Arbitrary<JsonValue>,
  args: JsonValue,
  fails: (args: JsonValue) => Promise<boolean>,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (candidate) => !(await fails(candidate)));
  await fc.check(property, { numRuns: 1, examples: [[args]] });
}

function simplerFaults(fault: Fault): readonly Fault[] {
  switch (fault.kind) {
    case 'crash':
      return simplerDelays(fault.restartAfterMs).map((restartAfterMs) => ({ ...fault, restartAfterMs }));
    case 'restart':
      return [
        ...simplerDelays(fault.restartAfterMs).map((restartAfterMs) => ({ ...fault, restartAfterMs })),
        ...rounderTimes(fault.atMs).map((atMs) => ({ ...fault, atMs })),
      ];
    case 'freeze':
    case 'node':
      return [
        ...simplerDelays(fault.forMs).map((forMs) => ({ ...fault, forMs })),
        ...rounderTimes(fault.atMs).map((atMs) => ({ ...fault, atMs })),
      ];
    case 'claim':
      return simplerDelays(fault.forMs).map((forMs) => ({ ...fault, forMs }));
    case 'pod':
      return simplerLives(fault);
    case 'stale-read':
      return upTo(fault.revisions - 1).map((revisions) => ({ ...fault, revisions }));
    case 'request-lost':
    case 'rejected':
    case 'conflict':
    case 'reply-lost':
    case 'watch-ended':
    case 'watch-reset':
    case 'watch-expired':
    case 'webhook-unreachable':
    case 'webhook-timed-out':
      return [];
  }
}

function simplerLives(fault: Extract<Fault, { readonly kind: 'pod' }>): readonly Fault[] {
  switch (fault.life) {
    case 'unschedulable':
    case 'slow-start':
      return simplerDelays(fault.forMs).map((forMs) => ({ ...fault, forMs }));
    case 'image-pull':
      return upTo(fault.times - 1).map((times) => ({ ...fault, times }));
    case 'crash-loop': {
      const { exitCode, ...plain } = fault;
      return [...(exitCode === undefined ? [] : [plain]), ...upTo(fault.times - 1).map((times) => ({ ...fault, times }))];
    }
    case 'flap':
      return [
        ...upTo(fault.times - 1).map((times) => ({ ...fault, times })),
        ...simplerDelays(fault.forMs).map((forMs) => ({ ...fault, forMs })),
      ];
    case 'evicted':
      return simplerDelays(fault.afterMs).map((afterMs) => ({ ...fault, afterMs }));
    case 'slow-stop':
      return [];
  }
}

/** Shorter delays from the shortest on; for one that is not round, the next round one at last. */
function simplerDelays(ms: number): readonly number[] {
  const shorter = roundDelaysMs.filter((round) => round < ms);
  const longer = roundDelaysMs.find((round) => round >= ms);
  return longer === undefined || longer === ms ? shorter : [...shorter, longer];
}

/** Times not more than a tenth away, the roundest first. */
function rounderTimes(ms: number): readonly number[] {
  return roundTimesMs
    .filter((unit) => ms % unit !== 0)
    .flatMap((unit) => [Math.floor(ms / unit) * unit, Math.ceil(ms / unit) * unit])
    .filter((time) => Math.abs(time - ms) <= ms / 10);
}

function calmerLatencies(latency: Latency): readonly Latency[] {
  return (['requestMs', 'replyMs', 'watchMs'] as const)
    .filter((part) => latency[part] !== calmLatency[part])
    .map((part) => ({ ...latency, [part]: calmLatency[part] }));
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: Math.min(Math.max(last, 0), 8) }, (_, index) => index + 1);
}
