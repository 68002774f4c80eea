import { PriorityQueue } from '../../../src/sim/runtime/priority-queue.js';
import { itemExponentialFailureRateLimiter } from '../../../src/sim/runtime/rate-limiters.js';
import type { RequestQueue } from '../../../src/sim/runtime/request-queue.js';
import { WorkQueue } from '../../../src/sim/runtime/work-queue.js';
import { Journal } from './journal.js';
import { type Client, playSteps } from './play.js';
import { type LimiterSetup, limiterOf } from './ratelimiter-player.js';
import type { Player, Step } from './script.js';
import { Stage } from './stage.js';

export const play: Player = (script, profile) => {
  const journal = new Journal(script.anyOrder);
  const stage = new Stage(script, journal);
  const { limiter: asked } = (script.setup ?? {}) as { limiter?: LimiterSetup };
  const limiter = asked === undefined ? itemExponentialFailureRateLimiter(5, 1_000_000) : limiterOf(asked);
  const queue = profile === 'priorityqueue' ? new PriorityQueue(stage, 'queue', limiter) : new WorkQueue(stage, 'queue', limiter);
  return playSteps(script, stage, journal, new QueueClient(queue, journal));
};

/** Drives one queue; its workers take what they are offered at once. */
class QueueClient implements Client {
  private shuttingDown = false;

  constructor(
    private readonly queue: RequestQueue,
    private readonly journal: Journal,
  ) {}

  do(step: Step): void {
    const { queue, journal } = this;
    if ('add' in step) queue.add(String(step.add));
    else if ('addAfter' in step) {
      const { item, ms } = step.addAfter as { item: string; ms: number };
      queue.addAfter(item, ms);
    } else if ('addRateLimited' in step) queue.addRateLimited(String(step.addRateLimited));
    else if ('addWithOpts' in step) {
      const { items, ...options } = step.addWithOpts as { items: string[]; afterMs?: number; rateLimited?: boolean; priority?: number };
      queue.addWithOpts(options, ...items);
    } else if ('get' in step) this.get(String(step.get));
    else if ('done' in step) queue.done(String(step.done));
    else if ('forget' in step) queue.forget(String(step.forget));
    else if ('numRequeues' in step) journal.note('said', `${step.numRequeues} failed ${queue.numRequeues(String(step.numRequeues))} times`);
    else if ('shutDown' in step) {
      this.shuttingDown = true;
      queue.shutDown();
    } else if ('shutDownWithDrain' in step) {
      this.shuttingDown = true;
      queue.shutDownWithDrain(() => journal.note('said', 'shutDownWithDrain returned'));
    } else throw new Error(`a queue cannot ${JSON.stringify(step)}`);
  }

  state(): Readonly<Record<string, unknown>> {
    return { length: this.queue.length(), shuttingDown: this.shuttingDown };
  }

  private get(worker: string): void {
    this.queue.get((item) => {
      const taken = item === undefined ? undefined : this.queue.take(item);
      const priority = taken === undefined || taken.priority === 0 ? '' : ` (priority ${taken.priority})`;
      this.journal.note('got', taken === undefined ? `${worker} got shutdown` : `${worker} got ${taken.item}${priority}`);
    });
  }
}
