import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, shrinkPlan } from '../../src/campaign/shrink.js';
import { calmLatency, calmPlan, type Fault, type Plan } from '../../src/sim/plan.js';
import type { Held } from '../../src/sim/trace.js';

const lost = (n: number): Fault => ({ kind: 'reply-lost', at: `create pods default/a by x #${n}` });
const crash = (n: number, restartAfterMs: number): Fault => ({
  kind: 'crash',
  at: `get pods default/a by x #${n}`,
  when: 'after',
  restartAfterMs,
});
const touch = (atMs: number) => ({ op: 'touch', atMs, target: { resource: 'pods', namespace: 'default', name: 'a' } });

const messy: Plan = {
  ...calmPlan('toy', 87654321),
  ops: [touch(1_001), touch(31_003), touch(40_777)],
  faults: [lost(1), crash(1, 60_000), lost(2), crash(2, 3_217), lost(3)],
  overrides: { 'deliver pods default/a to x #1': 4_321, 'deliver pods default/a to x #2': 60_000, 'client-go of x': 'deltafifo' },
  latency: { requestMs: 200, replyMs: 20, watchMs: 500 },
};

/** Fails when the predicate says so, and holds these steps back while the strategy is not calm. */
const failing =
  (fails: (plan: Plan) => boolean, held: readonly Held[] = []): Attempt =>
  async (plan) =>
    fails(plan) ? { held: plan.strategy.kind === 'calm' ? [] : held } : undefined;

const has = (plan: Plan, fault: Fault): boolean =>
  plan.faults.some((each) => each.kind === fault.kind && 'at' in each && 'at' in fault && each.at === fault.at);

describe('shrinking a plan', () => {
  it('leaves the entries that the failure needs, with round values and a small seed', async () => {
    const fails = (plan: Plan) =>
      has(plan, lost(2)) && has(plan, crash(2, 0)) && plan.ops.some(({ atMs }) => atMs > 30_500 && atMs < 32_000);
    const { plan, minimal } = await shrinkPlan(messy, failing(fails));
    expect(plan).toEqual({ ...calmPlan('toy', 0), faults: [lost(2), crash(2, 5)], ops: [touch(31_000)] });
    expect(minimal).toBe(true);
  });

  it('finds the smallest round delay that still fails', async () => {
    const late = (plan: Plan) => Number(plan.overrides['deliver pods default/a to x #2'] ?? 0) > 7_000;
    const { plan } = await shrinkPlan(messy, failing(late));
    expect(plan).toEqual({ ...calmPlan('toy', 0), overrides: { 'deliver pods default/a to x #2': 10_000 } });
  });

  it('turns a strategy into the few delays that matter', async () => {
    const held = Array.from({ length: 300 }, (_, index) => ({
      decision: `deliver pods default/p${index} to x #1`,
      waitedMs: 1_234 + index,
    }));
    const needed = held[177]?.decision as string;
    const fails = (plan: Plan) => plan.strategy.kind === 'uniform' || Number(plan.overrides[needed] ?? 0) > 0;
    const { plan, executions } = await shrinkPlan({ ...calmPlan('toy', 99), strategy: { kind: 'uniform' } }, failing(fails, held));
    expect(plan).toEqual({ ...calmPlan('toy', 0), overrides: { [needed]: 5 } });
    expect(executions).toBeLessThan(60);
  });

  it('keeps a strategy whose delays alone do not fail', async () => {
    const fails = (plan: Plan) => plan.strategy.kind === 'pct' && plan.seed > 500;
    const { plan } = await shrinkPlan({ ...messy, seed: 1_000, strategy: { kind: 'pct', depth: 5, steps: 80 } }, failing(fails));
    expect(plan).toEqual({ ...calmPlan('toy', 1_000), strategy: { kind: 'pct', depth: 1, steps: 80 } });
  });

  it('finds that a calm day is enough', async () => {
    const { plan, minimal } = await shrinkPlan(
      messy,
      failing(() => true),
    );
    expect(plan).toEqual(calmPlan('toy', 0));
    expect(minimal).toBe(true);
  });

  it('makes one latency after the other calm', async () => {
    const { plan } = await shrinkPlan(
      messy,
      failing((plan) => plan.latency.watchMs > 100),
    );
    expect(plan.latency).toEqual({ ...calmLatency, watchMs: 500 });
  });

  it('simplifies the arguments of an act by the arbitrary that makes them', async () => {
    const scaled: Plan = { ...calmPlan('toy'), ops: [{ op: 'scale', atMs: 1_000, args: { replicas: 93, pool: 'blue' } }] };
    const args = fc.record({ replicas: fc.integer({ min: 0, max: 100 }), pool: fc.constantFrom('red', 'blue') }, { noNullPrototype: true });
    const replicas = (plan: Plan) => (plan.ops[0]?.args as { replicas: number } | undefined)?.replicas ?? 0;
    const { plan } = await shrinkPlan(
      scaled,
      failing((each) => replicas(each) >= 17),
      { scale: args },
    );
    expect(plan.ops).toEqual([{ op: 'scale', atMs: 1_000, args: { replicas: 17, pool: 'red' } }]);
  });

  it('takes the same way each time', async () => {
    const trail = async (): Promise<readonly string[]> => {
      const asked: string[] = [];
      await shrinkPlan(messy, async (plan) => {
        asked.push(JSON.stringify(plan));
        return has(plan, lost(3)) ? { held: [] } : undefined;
      });
      return asked;
    };
    expect(await trail()).toEqual(await trail());
  });

  it('stops after so many runs, and says that it is not done', async () => {
    const overrides = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`deliver pods default/p${index} to x #1`, 60_000]));
    const plan = { ...calmPlan('toy'), overrides };
    const even = async (each: Plan) => (Object.keys(each.overrides).length > 150 ? { held: [] } : undefined);
    const { executions, minimal } = await shrinkPlan(plan, even);
    expect(executions).toBe(600);
    expect(minimal).toBe(false);
  });
});
