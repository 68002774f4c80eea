import {
  bucketRateLimiter,
  itemExponentialFailureRateLimiter,
  itemFastSlowRateLimiter,
  maxOfRateLimiter,
  type RateLimiter,
  withMaxWaitRateLimiter,
} from '../../../src/sim/runtime/rate-limiters.js';
import { Journal } from './journal.js';
import { type Client, playSteps } from './play.js';
import type { Player, Step } from './script.js';
import { Stage } from './stage.js';

export interface LimiterSetup {
  readonly kind: string;
  readonly baseMs?: number;
  readonly maxMs?: number;
  readonly perSecond?: number;
  readonly burst?: number;
  readonly of?: readonly LimiterSetup[];
}

export function limiterOf(setup: LimiterSetup): RateLimiter {
  const { kind, baseMs = 0, maxMs = 0, perSecond = 0, burst = 0, of = [] } = setup;
  switch (kind) {
    case 'item':
    case 'exponential':
      return itemExponentialFailureRateLimiter(baseMs, maxMs);
    case 'bucket':
      return bucketRateLimiter(perSecond, burst);
    case 'fastSlow':
      return itemFastSlowRateLimiter(baseMs, maxMs, burst);
    case 'maxOf':
      return maxOfRateLimiter(...of.map(limiterOf));
    case 'maxWait':
      return withMaxWaitRateLimiter(limiterOf(of[0]!), maxMs);
    default:
      throw new Error(`there is no limiter ${JSON.stringify(kind)}`);
  }
}

export const play: Player = (script) => {
  const journal = new Journal(script.anyOrder);
  const stage = new Stage(script, journal);
  return playSteps(script, stage, journal, new LimiterClient(limiterOf(script.setup as unknown as LimiterSetup), stage, journal));
};

class LimiterClient implements Client {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly stage: Stage,
    private readonly journal: Journal,
  ) {}

  do(step: Step): void {
    if ('when' in step) {
      for (let time = 0; time < Number(step.times ?? 1); time++) {
        this.journal.note('delays', Math.round(this.limiter.when(String(step.when), this.stage.nowMs()) * 1000));
      }
    } else if ('forget' in step) this.limiter.forget(String(step.forget));
    else if ('numRequeues' in step) this.journal.note('said', this.limiter.numRequeues(String(step.numRequeues)));
    else throw new Error(`a limiter cannot ${JSON.stringify(step)}`);
  }

  state(): Readonly<Record<string, unknown>> {
    return {};
  }
}
