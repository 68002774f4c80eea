import { describe, expect, it } from 'vitest';
import { fuzz } from '../../src/campaign/campaign.js';
import { Examiner } from '../../src/campaign/examine.js';
import { singleLives } from '../../src/campaign/life-faults.js';
import { randomPlan } from '../../src/campaign/portfolio.js';
import { Vocabulary } from '../../src/campaign/vocabulary.js';
import { calmPlan, type Fault, type Plan } from '../../src/sim/plan.js';
import { simulate } from '../../src/sim/simulate.js';
import { miscountedFleet, soundFleet } from './fleet.js';
import { sound } from './web.js';

async function known(scenario: typeof sound): Promise<Vocabulary> {
  const vocabulary = new Vocabulary(scenario);
  vocabulary.learn(await simulate(scenario, calmPlan(scenario.name)));
  return vocabulary;
}

function lifeOf(fault: Fault): string {
  return fault.kind === 'pod' ? fault.life : fault.kind;
}

describe('the lives of pods in a campaign', () => {
  it('are all survived by a sound operator, and every one does come', async () => {
    const examiner = new Examiner(soundFleet);
    const calm = await examiner.calm([]);
    expect(calm.failures).toEqual([]);
    const { lives } = await known(soundFleet);
    const placements = singleLives(lives, [5_001, 40_001]);
    expect([...new Set(placements.map(([, fault]) => lifeOf(fault)))].sort()).toEqual([
      'claim',
      'crash-loop',
      'evicted',
      'flap',
      'image-pull',
      'node',
      'slow-start',
      'slow-stop',
      'unschedulable',
    ]);
    for (const [about, fault] of placements) {
      const { failures, verdicts, trace } = await examiner.examine({ ...calmPlan(soundFleet.name), faults: [fault] });
      expect({ about, failures }).toEqual({ about, failures: [] });
      expect({ about, unused: trace.unused }).toEqual({ about, unused: [] });
      expect({ about, unclear: verdicts.filter(({ outcome }) => outcome === 'inconclusive') }).toEqual({ about, unclear: [] });
    }
  });

  it('show that an operator counts its ready pods wrongly, each of the crashes and nothing else', async () => {
    const examiner = new Examiner(miscountedFleet);
    const { lives } = await known(miscountedFleet);
    const found = new Set<string>();
    for (const [, fault] of singleLives(lives, [])) {
      const { failures } = await examiner.examine({ ...calmPlan(miscountedFleet.name), faults: [fault] });
      if (failures.length > 0) found.add(`${lifeOf(fault)} of ${fault.kind === 'pod' && fault.pod}: ${failures[0]?.signature}`);
    }
    expect([...found]).toEqual([
      'crash-loop of default/a-0: statusHonest: Fleet status.ready',
      'crash-loop of default/a-1: statusHonest: Fleet status.ready',
    ]);
  });

  it('are shrunk to the one trouble that it takes, and its simplest form', async () => {
    const plan: Plan = {
      ...calmPlan(miscountedFleet.name),
      faults: [
        { kind: 'claim', claim: 'default/a-1', nth: 1, forMs: 10_000 },
        { kind: 'pod', pod: 'default/a-0', nth: 1, life: 'crash-loop', times: 3, exitCode: 42 },
        { kind: 'pod', pod: 'default/a-1', nth: 1, life: 'slow-start', forMs: 30_000 },
        { kind: 'node', node: 'node-1', atMs: 20_000, forMs: 80_000 },
      ],
    };
    const result = await fuzz(miscountedFleet, { runs: 1, failures: 1, corpus: [{ plan, file: 'messy.json' }] });
    if (result.outcome !== 'violated') throw new Error(`the campaign ended as ${result.outcome}`);
    expect(result.counterexamples[0]?.plan).toEqual({
      ...calmPlan(miscountedFleet.name),
      faults: [{ kind: 'pod', pod: 'default/a-0', nth: 1, life: 'crash-loop', times: 1 }],
    });
  });

  it('are in random plans where there are pods, and nowhere else', async () => {
    const drawn = async (scenario: typeof sound): Promise<ReadonlySet<string>> => {
      const vocabulary = await known(scenario);
      const plans = Array.from({ length: 200 }, (_, run) => randomPlan(scenario, vocabulary, 300, 1, run));
      return new Set(plans.flatMap(({ faults }) => faults.map(lifeOf)));
    };
    const all = ['claim', 'crash-loop', 'evicted', 'flap', 'image-pull', 'node', 'slow-start', 'slow-stop', 'unschedulable'];
    const withPods = await drawn(soundFleet);
    expect(all.filter((life) => !withPods.has(life))).toEqual([]);
    const without = await drawn(sound);
    expect(all.filter((life) => without.has(life))).toEqual([]);
  });

  it('give the same run each time', async () => {
    const faults: readonly Fault[] = [
      { kind: 'pod', pod: 'default/a-0', nth: 1, life: 'evicted', afterMs: 5_000 },
      { kind: 'pod', pod: 'default/a-0', nth: 2, life: 'crash-loop', times: 2 },
      { kind: 'node', node: 'node-1', atMs: 35_000, forMs: 100_000 },
    ];
    const plan = { ...calmPlan(soundFleet.name), faults };
    const [once, again] = [await simulate(soundFleet, plan), await simulate(soundFleet, plan)];
    expect(once.unused).toEqual([]);
    expect(again.entries).toEqual(once.entries);
  });
});
