import { expect, test } from 'vitest';
import { PriorityQueue } from '../../../src/sim/runtime/priority-queue.js';
import { defaultRateLimiter, itemExponentialFailureRateLimiter } from '../../../src/sim/runtime/rate-limiters.js';
import type { RequestQueue } from '../../../src/sim/runtime/request-queue.js';
import { WorkQueue } from '../../../src/sim/runtime/work-queue.js';
import { VirtualClock } from '../../conformance/clients/clock.js';

const makers = { WorkQueue, PriorityQueue };
const both = Object.keys(makers) as (keyof typeof makers)[];

function queueOf(kind: keyof typeof makers) {
  const clock = new VirtualClock();
  const timers: string[] = [];
  const host = {
    process: 'operator',
    nowMs: () => clock.nowMs,
    after(delayMs: number, _lane: string, what: string, run: () => void) {
      timers.push(what);
      return clock.after(delayMs, run);
    },
    random: () => 0,
    send: () => () => undefined,
    watch: () => () => undefined,
    note: () => undefined,
  };
  return { queue: new makers[kind](host, 'web', itemExponentialFailureRateLimiter(5, 1_000_000)) as RequestQueue, clock, timers };
}

/** What a worker that waits is offered, in order. */
function offers(queue: RequestQueue, workers: number): (string | undefined)[] {
  const offered: (string | undefined)[] = [];
  for (let worker = 0; worker < workers; worker++) queue.get((item) => offered.push(item));
  return offered;
}

test.each(both)('%s: an offered item takes further adds until it is taken; then they mean another run', (kind) => {
  const { queue } = queueOf(kind);
  const offered = offers(queue, 2);
  queue.add('a');
  queue.add('a');
  expect([offered, queue.length()]).toEqual([['a'], 1]);
  expect(queue.take('a')).toEqual({ item: 'a', priority: 0 });
  queue.add('a');
  expect(offered).toEqual(['a']);
  queue.done('a');
  expect(offered).toEqual(['a', 'a']);
});

test.each(both)('%s: two workers are offered different items, whichever of them goes on first', (kind) => {
  const { queue } = queueOf(kind);
  const offered = offers(queue, 2);
  queue.add('a');
  queue.add('b');
  expect(offered).toEqual(['a', 'b']);
  expect(queue.take('b')?.item).toBe('b');
  expect(queue.take('a')?.item).toBe('a');
});

test('after a shutdown the classic queue hands out what was offered, the priority queue does not', () => {
  const [classic, priority] = both.map((kind) => {
    const { queue } = queueOf(kind);
    offers(queue, 1);
    queue.add('a');
    queue.shutDown();
    return queue.take('a')?.item;
  });
  expect([classic, priority]).toEqual(['a', undefined]);
});

test.each(both)('%s: waiting for a wake-up that the item asked for is rest, waiting for another try is not', async (kind) => {
  const { queue, clock, timers } = queueOf(kind);
  queue.addWithOpts({ afterMs: 1000, periodic: true }, 'a');
  queue.addWithOpts({ afterMs: 2000 }, 'b');
  expect(queue.waiting().map(({ item, periodic }) => [item, periodic])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(timers).toEqual(['wake a of queue web']);
  await clock.advance(2000);
  expect([queue.ready(), queue.waiting()]).toEqual([['a', 'b'], []]);
});

test.each(both)('%s: a try that is due makes a waiting wake-up of the same item work', (kind) => {
  const { queue } = queueOf(kind);
  queue.addWithOpts({ afterMs: 1000, periodic: true }, 'a');
  queue.addRateLimited('a');
  expect(queue.waiting()).toMatchObject([{ item: 'a', periodic: false }]);
});

test('equal instants come out of the classic queue in the order of its heap, of the priority queue in that of adding', async () => {
  const orders = await Promise.all(
    both.map(async (kind) => {
      const { queue, clock } = queueOf(kind);
      for (const item of ['a', 'b', 'c']) queue.addAfter(item, 100);
      await clock.advance(100);
      return queue.ready().join('');
    }),
  );
  expect(orders).toEqual(['acb', 'abc']);
});

test('an immediate add of a waiting item runs it now and later with the classic queue, now only with the priority queue', async () => {
  const runs = await Promise.all(
    both.map(async (kind) => {
      const { queue, clock } = queueOf(kind);
      let count = 0;
      const work = () =>
        queue.get((item) => {
          queue.take(item as string);
          count += 1;
          queue.done(item as string);
          work();
        });
      work();
      queue.addAfter('a', 1000);
      queue.add('a');
      await clock.advance(2000);
      return count;
    }),
  );
  expect(runs).toEqual([2, 1]);
});

test('a higher priority goes first, and behind its equals', () => {
  const { queue } = queueOf('PriorityQueue');
  queue.addWithOpts({ priority: -100 }, 'low');
  queue.addWithOpts({ priority: 0 }, 'a', 'b');
  queue.addWithOpts({ priority: 0 }, 'low');
  queue.addWithOpts({ priority: 5 }, 'b');
  expect(queue.ready()).toEqual(['b', 'a', 'low']);
});

test('the classic queue has a bucket for all items by default, the priority queue has none', () => {
  const delays = (['classic', 'priority'] as const).map((kind) => {
    const limiter = defaultRateLimiter(kind);
    for (let item = 0; item < 100; item++) limiter.when(`item-${item}`, 0);
    return limiter.when('fresh', 0);
  });
  expect(delays).toEqual([100, 5]);
});
