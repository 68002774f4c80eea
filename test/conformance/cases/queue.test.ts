import { expect, test } from 'vitest';
import { type ControllerBuilder, newControllerManagedBy, type ReconcileOptions } from '../../../src/sim/runtime/builder.js';
import { ConfigMap, Secret } from '../../../src/sim/runtime/built-in-kinds.js';
import { type Manager, startManager } from '../../../src/sim/runtime/manager.js';
import { PriorityQueue } from '../../../src/sim/runtime/priority-queue.js';
import {
  bucketRateLimiter,
  itemExponentialFailureRateLimiter,
  itemFastSlowRateLimiter,
  maxOfRateLimiter,
  type RateLimiter,
  withMaxWaitRateLimiter,
} from '../../../src/sim/runtime/rate-limiters.js';
import { type ReconcileFunction, TerminalError } from '../../../src/sim/runtime/reconciler.js';
import type { RequestQueue } from '../../../src/sim/runtime/request-queue.js';
import { WorkQueue } from '../../../src/sim/runtime/work-queue.js';
import { ServedHost } from '../../sim/runtime/served-host.js';

const kinds = { WorkQueue, PriorityQueue };
const both = Object.keys(kinds) as (keyof typeof kinds)[];

function queueOf(kind: keyof typeof kinds) {
  const host = new ServedHost();
  const queue: RequestQueue = new kinds[kind](host, 'test', itemExponentialFailureRateLimiter(1, 1000));
  return { host, queue };
}

/** A worker that is always free, and where it finds what it was handed, each with its time in ms from now. */
function worker(queue: RequestQueue, host: ServedHost, done = true): string[] {
  const start = host.nowMs();
  const handed: string[] = [];
  const wait = () =>
    queue.get((item) => {
      if (item === undefined) {
        handed.push('shut down');
        return;
      }
      queue.take(item);
      handed.push(`${item} ${host.nowMs() - start}`);
      if (done) queue.done(item);
      wait();
    });
  wait();
  return handed;
}

test.each(both)('WQ-01: %s: each item is worked on, never by two workers at once; after a shutdown adds are ignored', (kind) => {
  const { host, queue } = queueOf(kind);
  const handed = [worker(queue, host, false), worker(queue, host, false)];
  for (const item of ['a', 'b', 'a', 'c', 'b']) queue.add(item);
  expect(handed.flat().sort()).toEqual(['a 0', 'b 0', 'c 0']);
  queue.shutDown();
  queue.add('d');
  expect(handed.flat()).not.toContain('d 0');
});

test.each(both)('WQ-03: %s: what is added while it is worked on comes after Done, once', (kind) => {
  const { host, queue } = queueOf(kind);
  const handed = worker(queue, host, false);
  queue.add('a');
  queue.add('a');
  expect(handed).toEqual(['a 0']);
  queue.done('a');
  expect(handed).toEqual(['a 0', 'a 0']);
});

test.each(both)('WQ-04: %s: added twice while it is worked on, it comes once', (kind) => {
  const { host, queue } = queueOf(kind);
  const handed = worker(queue, host, false);
  for (let times = 0; times < 3; times++) queue.add('a');
  for (let times = 0; times < 2; times++) queue.done('a');
  expect(handed).toEqual(['a 0', 'a 0']);
});

test('WQ-06: a drain waits for what is worked on, and hands out what was added again', () => {
  const { host, queue } = queueOf('WorkQueue');
  const handed = worker(queue, host, false);
  queue.add('a');
  queue.add('a');
  let drained = false;
  queue.shutDownWithDrain(() => {
    drained = true;
  });
  queue.done('a');
  expect([handed.filter((item) => item === 'a 0').length, drained, queue.length()]).toEqual([1, false, 1]);
  const again = worker(queue, host, false);
  queue.done('a');
  expect([again, drained]).toEqual([['a 0', 'shut down'], true]);
});

test('WQ-07: a shutdown is over at once, whatever is worked on', () => {
  const { host, queue } = queueOf('WorkQueue');
  worker(queue, host, false);
  queue.add('a');
  queue.shutDown();
  expect(worker(queue, host)).toEqual(['shut down']);
});

test.each([
  [70, 50],
  [30, 30],
])('WQ-09: AddAfter 50 ms, then %i ms, comes once, at the earlier time', async (second, expected) => {
  for (const kind of both) {
    const { host, queue } = queueOf(kind);
    const handed = worker(queue, host);
    queue.addAfter('a', 50);
    queue.addAfter('a', second);
    await host.advance(200);
    expect(handed).toEqual([`a ${expected}`]);
  }
});

test.each(both)('WQ-10: %s: items come in the order of their times', async (kind) => {
  const { host, queue } = queueOf(kind);
  const handed = worker(queue, host);
  queue.addAfter('first', 1000);
  queue.addAfter('second', 50);
  await host.advance(60);
  queue.addAfter('third', 2000);
  await host.advance(5000);
  expect(handed).toEqual(['second 50', 'first 1000', 'third 2060']);
});

const delays = (limiter: RateLimiter, item: string, times: number) => Array.from({ length: times }, () => limiter.when(item, 0));

test('WQ-12: exponential delays are of each item, and begin anew when it is forgotten', () => {
  const limiter = itemExponentialFailureRateLimiter(1, 1000);
  expect([delays(limiter, 'a', 5), limiter.numRequeues('a'), delays(limiter, 'b', 2)]).toEqual([[1, 2, 4, 8, 16], 5, [1, 2]]);
  limiter.forget('a');
  expect([limiter.numRequeues('a'), delays(limiter, 'a', 1)]).toEqual([0, [1]]);
});

test.each([1_000_000, 3_600_000_000])('WQ-13: however many failures, the delay stays at its greatest of %i ms', (greatest) => {
  expect(delays(itemExponentialFailureRateLimiter(1, greatest), 'a', 2000).at(-1)).toBe(greatest);
});

test('WQ-15: of several limiters the longest delay and the largest count win', () => {
  const limiter = maxOfRateLimiter(itemFastSlowRateLimiter(5, 3000, 3), itemExponentialFailureRateLimiter(1, 1000));
  expect([delays(limiter, 'a', 5), limiter.numRequeues('a')]).toEqual([[5, 5, 5, 3000, 3000], 5]);
});

test('WQ-16: nothing is above the greatest wait', () => {
  const limiter = withMaxWaitRateLimiter(
    maxOfRateLimiter(itemExponentialFailureRateLimiter(5, 1_000_000), bucketRateLimiter(10, 100)),
    500_000,
  );
  const all = delays(limiter, 'a', 100);
  expect([Math.max(...all), all[0]]).toEqual([500_000, 5]);
});

/** Runs a controller of ConfigMaps for a ConfigMap `a`; `starts` are the times of its reconciles in ms from the first. */
async function run(
  reconcile: ReconcileFunction,
  options: ReconcileOptions = {},
  more = (builder: ControllerBuilder, _manager: Manager) => builder,
) {
  const host = new ServedHost();
  host.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
  host.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ns', name: 'a' } });
  host.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'ns', name: 's' } });
  const starts: number[] = [];
  const exits: string[] = [];
  let queue: RequestQueue | undefined;
  const newQueue = (name: string, limiter: RateLimiter) => {
    queue = new PriorityQueue(host, name, limiter);
    return queue;
  };
  const operator = {
    name: 'operator',
    setup: (manager: Manager) =>
      more(newControllerManagedBy(manager).for(ConfigMap), manager)
        .withOptions({ newQueue, ...options })
        .complete((request, context) => {
          starts.push(host.nowMs());
          return reconcile(request, context);
        }),
  };
  const running = startManager(host, operator, { profile: 'default', exited: (error) => exits.push(error.message) });
  await host.advance(3000);
  const requeues = () => queue?.numRequeues('ns/a');
  return { host, running, exits, requeues, times: () => starts.map((at) => at - (starts[0] as number)) };
}

test('WQ-18: an error runs it again by the rate limiter, a success ends the counting', async () => {
  let runs = 0;
  const { times, requeues } = await run(async () => {
    runs += 1;
    if (runs < 4) throw new Error('not yet');
  });
  expect([times(), requeues()]).toEqual([[0, 5, 15, 35], 0]);
});

test('WQ-19: a terminal error does not run it again', async () => {
  const { times, host } = await run(async () => {
    throw new TerminalError(new Error('never'));
  });
  expect([times(), host.reconciles().at(-1)]).toEqual([[0], expect.stringContaining('terminal error')]);
});

test('WQ-21: Requeue runs it again by the rate limiter and does not end the counting', async () => {
  let runs = 0;
  const { times, requeues } = await run(async () => {
    runs += 1;
    return runs < 4 ? { requeue: true } : { requeue: true, requeueAfterMs: 10_000_000 };
  });
  expect([times(), requeues()]).toEqual([[0, 5, 15, 35], 0]);
  let once = 0;
  const counting = await run(async () => {
    once += 1;
    return { requeue: once < 3 };
  });
  expect(counting.times()).toEqual([0, 5, 15]);
});

test.each([true, false])('WQ-22: RequeueAfter ends the counting and runs it after that time (with Requeue: %s)', async (requeue) => {
  let runs = 0;
  const { times, requeues } = await run(async () => {
    runs += 1;
    if (runs < 3) throw new Error('not yet');
    return { requeueAfterMs: 1000, requeue };
  });
  expect([times(), requeues()]).toEqual([[0, 5, 15, 1015, 2015], 0]);
});

const panic: ReconcileFunction = async () => {
  throw new TypeError('a bug');
};

test('WQ-24: a panic is an error; with recovery off it ends the process', async () => {
  const recovered = await run(panic);
  expect([recovered.times().length > 1, recovered.exits]).toEqual([true, []]);
  const fatal = await run(panic, { recoverPanic: false });
  expect([fatal.times(), fatal.exits]).toEqual([[0], [expect.stringContaining('a bug')]]);
});

test('WQ-25: a reconciliation timeout ends the context then', async () => {
  const seen: unknown[] = [];
  await run(
    async (_request, context) => {
      const start = context.nowMs();
      await context.done;
      seen.push(context.nowMs() - start, context.cause);
    },
    { reconciliationTimeoutMs: 200 },
  );
  expect(seen).toEqual([200, 'reconciliation timeout']);
});

test('WQ-27: nothing is reconciled before all caches have their first contents', async () => {
  let seen: unknown;
  await run(
    async () => {},
    {},
    (builder, { client }) => {
      const original = builder.owns(Secret).complete.bind(builder);
      builder.complete = () =>
        original(async (_request) => {
          seen = [(await client.list(ConfigMap)).items.length, (await client.list(Secret)).items.length];
        });
      return builder;
    },
  );
  expect(seen).toEqual([1, 1]);
});

test('WQ-30: an item that is added while it is worked on comes after Done, once, in the priority queue too', () => {
  const { host, queue } = queueOf('PriorityQueue');
  const handed = worker(queue, host, false);
  queue.add('a');
  queue.addWithOpts({ priority: 5 }, 'a');
  queue.add('b');
  expect(handed).toEqual(['a 0', 'b 0']);
  queue.done('a');
  expect(handed).toEqual(['a 0', 'b 0', 'a 0']);
});

test('WQ-31: what is delayed does not count until it is ready', async () => {
  const { host, queue } = queueOf('PriorityQueue');
  queue.addAfter('a', 100);
  expect(queue.length()).toBe(0);
  await host.advance(100);
  expect(queue.length()).toBe(1);
});
