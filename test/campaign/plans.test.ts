import { describe, expect, it } from 'vitest';
import { sample, singleFaults } from '../../src/campaign/closure.js';
import { planEntries, planOf } from '../../src/campaign/plan-entries.js';
import { randomPlan } from '../../src/campaign/portfolio.js';
import { nextNames, Vocabulary } from '../../src/campaign/vocabulary.js';
import { calmPlan, type FaultKind, type Plan } from '../../src/sim/plan.js';
import { readPlan } from '../../src/sim/plan-file.js';
import { simulate } from '../../src/sim/simulate.js';
import { sound } from './web.js';

const calm = await simulate(sound, calmPlan(sound.name));
const known = new Vocabulary(sound);
known.learn(calm);
const randomPlans = Array.from({ length: 400 }, (_, run) => randomPlan(sound, known, calm.steps, 9, run + 1));
const valid = (plan: Plan): void => void expect(readPlan(JSON.parse(JSON.stringify(plan)), 'plan')).toEqual(plan);

describe('the vocabulary of a run', () => {
  it('knows the calls of operators, what came to them, roots, and the moments after each change', () => {
    expect(known.calls.map(({ name, effect, locked }) => ({ name, effect, locked }))).toEqual([
      { name: 'watch webs.example.com by web-operator #1', effect: 'watch', locked: false },
      { name: 'watch configmaps by web-operator #1', effect: 'watch', locked: false },
      { name: 'create configmaps default/a by web-operator #1', effect: 'write', locked: false },
      { name: 'update configmaps default/a by web-operator #1', effect: 'write', locked: true },
    ]);
    expect(known.deliveries).toContain('deliver configmaps default/a to web-operator #2');
    expect(known.roots).toEqual([{ resource: 'webs.example.com', namespace: 'default', name: 'a' }]);
    expect(known.moments).toEqual([1_001, 1_004, 31_001, 31_004]);
  });

  it('tells what a restarted process will call its lists', () => {
    expect(nextNames(known.calls.filter(({ effect }) => effect === 'watch'))).toEqual([
      'watch webs.example.com by web-operator #2',
      'watch configmaps by web-operator #2',
    ]);
  });
});

describe('the closure of single faults', () => {
  const placements = singleFaults(sound, known, 1);

  it('places every kind of fault that has a place, and acts of people', () => {
    const kinds = new Set<FaultKind>(placements.flatMap(({ plan }) => plan.faults.map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual([
      'conflict',
      'crash',
      'freeze',
      'rejected',
      'reply-lost',
      'request-lost',
      'restart',
      'stale-read',
      'watch-ended',
      'watch-expired',
      'watch-reset',
    ]);
    const ops = new Set(placements.flatMap(({ plan }) => plan.ops.map(({ op }) => op)));
    expect([...ops].sort()).toEqual(['delete', 'recreate', 'touch']);
    expect(placements.some(({ plan }) => Object.keys(plan.overrides).length > 0)).toBe(true);
  });

  it('places a conflict only where the server would refuse', () => {
    const conflicts = placements.flatMap(({ plan }) => plan.faults.filter(({ kind }) => kind === 'conflict'));
    expect(conflicts).toEqual([{ kind: 'conflict', at: 'update configmaps default/a by web-operator #1' }]);
  });

  it('makes valid plans, each of them only once', () => {
    for (const { plan } of placements) valid(plan);
    expect(new Set(placements.map(({ plan }) => JSON.stringify(plan))).size).toBe(placements.length);
  });

  it('has every entry come into play', async () => {
    const unused: string[] = [];
    for (const { plan, about } of placements) {
      if (about.includes('behind')) continue;
      unused.push(...(await simulate(sound, plan)).unused.map((entry) => `${about}: ${entry}`));
    }
    expect(unused).toEqual([]);
  });

  it('is sampled by the seed alone when there is no room for all', () => {
    const some = sample(placements, 20, 3);
    expect(some).toHaveLength(20);
    expect(sample(placements, 20, 3)).toEqual(some);
    expect(sample(placements, 20, 4)).not.toEqual(some);
    expect(sample(placements, placements.length, 3)).toBe(placements);
  });
});

describe('random plans', () => {
  it('are valid and nearly all different', () => {
    for (const plan of randomPlans) valid(plan);
    expect(new Set(randomPlans.map((plan) => JSON.stringify({ ...plan, seed: 0 }))).size).toBeGreaterThan(300);
  });

  it('mix strategies: a quarter calm, the others by chance or by priorities of every depth', () => {
    const share = (kind: string): number => randomPlans.filter(({ strategy }) => strategy.kind === kind).length / randomPlans.length;
    expect(share('calm')).toBeGreaterThan(0.18);
    expect(share('uniform')).toBeGreaterThan(0.28);
    expect(share('pct')).toBeGreaterThan(0.33);
    const depths = new Set(randomPlans.flatMap(({ strategy }) => (strategy.kind === 'pct' ? [strategy.depth] : [])));
    expect([...depths].sort()).toEqual([2, 3, 4, 5]);
  });

  it('use every kind of fault, and leave each out in many plans', () => {
    for (const kind of [
      'crash',
      'reply-lost',
      'request-lost',
      'rejected',
      'conflict',
      'watch-ended',
      'watch-reset',
      'watch-expired',
      'stale-read',
      'restart',
      'freeze',
    ]) {
      const having = randomPlans.filter(({ faults }) => faults.some((fault) => fault.kind === kind)).length;
      expect(having, kind).toBeGreaterThan(20);
      expect(having, kind).toBeLessThan(220);
    }
  });

  it('put at least one fault into a calm order', () => {
    expect(randomPlans.filter(({ strategy, faults }) => strategy.kind === 'calm' && faults.length === 0)).toEqual([]);
  });
});

describe('the entries of a plan', () => {
  it('give back the plan, and a calm one when all are taken out', () => {
    for (const plan of randomPlans) expect(planOf(plan, planEntries(plan))).toEqual(plan);
    expect(planOf({ scenario: 'x', seed: 4 }, [])).toEqual(calmPlan('x', 4));
  });
});
