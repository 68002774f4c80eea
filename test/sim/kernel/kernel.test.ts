import { describe, expect, it } from 'vitest';
import { Kernel } from '../../../src/sim/kernel/kernel.js';
import type { Strategy } from '../../../src/sim/kernel/strategy.js';

function kernelWith(overrides: Record<string, number | string> = {}, strategy: Strategy = { kind: 'calm' }, seed = 1): Kernel {
  return new Kernel({ seed, overrides, strategy });
}

function runAll(kernel: Kernel): void {
  while (kernel.step() !== undefined);
}

describe('the kernel on a calm day', () => {
  it('takes what is due first, and of equal times what was made first', () => {
    const kernel = kernelWith();
    const order: string[] = [];
    kernel.enqueue('a', 'late', 5, () => order.push('late'));
    kernel.enqueue('b', 'first', 2, () => order.push('first'));
    kernel.enqueue('c', 'second', 2, () => order.push('second'));
    runAll(kernel);
    expect(order).toEqual(['first', 'second', 'late']);
    expect(kernel.nowMs).toBe(5);
  });

  it('numbers the decisions of one name', () => {
    const kernel = kernelWith();
    const names = [1, 2].map(() => kernel.enqueue('a', 'deliver pods default/a to web', 0, () => {}).decision);
    expect(names).toEqual(['deliver pods default/a to web #1', 'deliver pods default/a to web #2']);
  });

  it('keeps a lane first in, first out: whoever comes behind a late event is late as well', () => {
    const kernel = kernelWith({ 'one #1': 100 });
    const order: string[] = [];
    kernel.enqueue('lane', 'one', 1, () => order.push(`one at ${kernel.nowMs}`));
    kernel.enqueue('lane', 'two', 1, () => order.push(`two at ${kernel.nowMs}`));
    kernel.enqueue('other', 'three', 1, () => order.push(`three at ${kernel.nowMs}`));
    runAll(kernel);
    expect(order).toEqual(['three at 1', 'one at 100', 'two at 100']);
  });

  it('lets timers of one lane come by their time and not by their making', () => {
    const kernel = kernelWith();
    const order: string[] = [];
    kernel.enqueue('timers', 'long', 50, () => order.push('long'), { timer: true });
    kernel.enqueue('timers', 'short', 10, () => order.push('short'), { timer: true });
    runAll(kernel);
    expect(order).toEqual(['short', 'long']);
  });

  it('does not let a cancelled task move the clock or keep the run from being quiescent', () => {
    const kernel = kernelWith();
    const task = kernel.enqueue('a', 'never', 1_000, () => expect.unreachable());
    expect(kernel.quiescent).toBe(false);
    kernel.cancel(task);
    expect(kernel.quiescent).toBe(true);
    expect(kernel.step()).toBeUndefined();
    expect(kernel.nowMs).toBe(0);
  });

  it('is quiescent while only periodic timers are left, and idle while only timers are', () => {
    const kernel = kernelWith();
    kernel.enqueue('a', 'resync', 10, () => {}, { timer: true, periodic: true });
    expect([kernel.idle, kernel.quiescent]).toEqual([true, true]);
    kernel.enqueue('a', 'requeue', 10, () => {}, { timer: true });
    expect([kernel.idle, kernel.quiescent]).toEqual([true, false]);
    kernel.enqueue('a', 'send', 10, () => {});
    expect([kernel.idle, kernel.quiescent]).toEqual([false, false]);
  });
});

describe('processes', () => {
  it('forget everything when they die, and nothing reaches them any more', () => {
    const kernel = kernelWith();
    const process = kernel.processes.start('web');
    const seen: string[] = [];
    kernel.enqueue('a', 'before', 1, () => seen.push('before'), { process });
    process.alive = false;
    kernel.forget(process);
    kernel.enqueue('a', 'after', 1, () => seen.push('after'), { process });
    kernel.enqueue('b', 'other', 1, () => seen.push('other'));
    runAll(kernel);
    expect(seen).toEqual(['other']);
    expect(kernel.quiescent).toBe(true);
  });

  it('do nothing while they are frozen, and then go on with all they had', () => {
    const kernel = kernelWith();
    const process = kernel.processes.start('web');
    const seen: string[] = [];
    kernel.enqueue('a', 'waiting', 1, () => seen.push(`waiting ${kernel.nowMs}`), { process });
    kernel.freeze(process, 500);
    kernel.enqueue('a', 'later', 1, () => seen.push(`later ${kernel.nowMs}`), { process });
    runAll(kernel);
    expect(seen).toEqual(['waiting 500', 'later 500']);
  });
});

describe('strategies', () => {
  const orderUnder = (strategy: Strategy, seed: number): string => {
    const kernel = kernelWith({}, strategy, seed);
    const order: string[] = [];
    for (const lane of ['a', 'b', 'c']) for (const n of [1, 2, 3]) kernel.enqueue(lane, `${lane}${n}`, n, () => order.push(`${lane}${n}`));
    runAll(kernel);
    return order.join(' ');
  };

  it('give the same order for the same seed, and other orders for other seeds', () => {
    for (const strategy of [{ kind: 'uniform' }, { kind: 'pct', depth: 3, steps: 9 }] as const) {
      expect(orderUnder(strategy, 7)).toBe(orderUnder(strategy, 7));
      expect(new Set(Array.from({ length: 30 }, (_, seed) => orderUnder(strategy, seed))).size).toBeGreaterThan(5);
    }
  });

  it('never break the order inside a lane', () => {
    for (let seed = 0; seed < 50; seed++)
      for (const strategy of [{ kind: 'uniform' }, { kind: 'pct', depth: 4, steps: 9 }] as const)
        for (const lane of ['a', 'b', 'c'])
          expect(
            orderUnder(strategy, seed)
              .split(' ')
              .filter((each) => each.startsWith(lane)),
          ).toEqual([1, 2, 3].map((n) => lane + n));
  });

  it('let PCT hold one lane back until all others have nothing left to do', () => {
    for (let seed = 0; seed < 20; seed++) {
      const order = orderUnder({ kind: 'pct', depth: 1, steps: 9 }, seed);
      const lanes = order.split(' ').map((each) => each[0]);
      expect(lanes.filter((lane, index) => lane !== lanes[index - 1])).toHaveLength(3);
    }
  });

  it('are equal to some set of delays: the held steps as overrides give the same order on a calm day', () => {
    const run = (strategy: Strategy, overrides: Record<string, number>) => {
      const kernel = kernelWith(overrides, strategy, 11);
      const order: string[] = [];
      const held: Record<string, number> = {};
      for (const lane of ['a', 'b', 'c'])
        for (const n of [1, 2, 3]) kernel.enqueue(lane, `${lane}${n}`, 3 * n, () => order.push(`${lane}${n}`));
      for (let step = kernel.step(); step !== undefined; step = kernel.step()) if (step.heldMs > 0) held[step.decision] = step.waitedMs;
      return { order, held };
    };
    const wild = run({ kind: 'pct', depth: 1, steps: 9 }, {});
    expect(run({ kind: 'calm' }, wild.held).order).toEqual(wild.order);
  });

  it('hold nothing longer than their lag, whatever else there is to do', () => {
    const kernel = kernelWith({}, { kind: 'uniform' }, 5);
    let worst = 0;
    kernel.enqueue('victim', 'victim', 0, () => {});
    const busy = (): void => {
      if (kernel.nowMs < 5_000) kernel.enqueue('busy', 'busy', 10, busy);
    };
    busy();
    for (let step = kernel.step(); step !== undefined; step = kernel.step()) worst = Math.max(worst, step.heldMs);
    expect(worst).toBeLessThanOrEqual(210);
  });
});
