import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CampaignResult, fuzz } from '../../src/campaign/campaign.js';
import { loadCorpus, saveCounterexample } from '../../src/campaign/corpus.js';
import { readPlanFile } from '../../src/campaign/counterexample.js';
import { entryCount } from '../../src/campaign/plan-entries.js';
import { replay } from '../../src/campaign/replay.js';
import { sometimes } from '../../src/properties/property.js';
import { calmPlan } from '../../src/sim/plan.js';
import { clockedOperator, sound, twice } from './web.js';

type Outcome<K extends CampaignResult['outcome']> = Extract<CampaignResult, { outcome: K }>;

function expectOutcome<K extends CampaignResult['outcome']>(result: CampaignResult, outcome: K): Outcome<K> {
  expect(result.outcome).toBe(outcome);
  return result as Outcome<K>;
}

const late = 'deliver configmaps default/a-4bspp to web-operator #1';

describe('a campaign', () => {
  it('finds that a sound operator survives every single fault and every random plan', async () => {
    const result = expectOutcome(await fuzz(sound, { runs: 400 }), 'held');
    expect(result.singleFaults.tried).toBe(result.singleFaults.placements);
    expect(result.singleFaults.survived).toBe(result.singleFaults.tried);
    expect(result.randomPlans.tried).toBe(400 - result.singleFaults.tried);
  });

  it('finds the stale cache that makes a child twice, and shrinks it to that one late event', async () => {
    const [counterexample] = expectOutcome(await fuzz(twice, { runs: 400 }), 'violated').counterexamples;
    expect(counterexample?.property).toBe('noDuplicateCreates');
    expect(counterexample?.plan).toEqual({ ...calmPlan('twice-web'), overrides: { [late]: 30_000 } });
    expect(counterexample?.minimal).toBe(true);
  });

  it('shrinks what a random plan has found to the same few entries', async () => {
    const plan = {
      ...calmPlan('twice-web'),
      ops: [{ op: 'touch', atMs: 500, target: { resource: 'webs.example.com', namespace: 'default', name: 'a' } }],
      faults: [{ kind: 'freeze', process: 'kubelet', atMs: 100, forMs: 7 }] as const,
      overrides: { [late]: 47_000, 'send create configmaps default/a-* by web-operator #1 #1': 40 },
      latency: { requestMs: 20, replyMs: 20, watchMs: 50 },
    };
    const corpus = [{ plan, file: 'messy.json' }];
    const result = expectOutcome(await fuzz(twice, { runs: 1, failures: 1, corpus }), 'violated');
    expect(result.counterexamples[0]?.foundBy).toEqual({ kind: 'corpus', file: 'messy.json' });
    expect(entryCount(result.counterexamples[0]?.plan ?? plan)).toBe(1);
  });

  it('makes the same plans from the same seed, and others from another', async () => {
    const plans = async (seed: number): Promise<readonly string[]> => {
      const tried: string[] = [];
      await fuzz(sound, { runs: 60, seed, onProgress: ({ stage, plan }) => stage === 'random plans' && tried.push(JSON.stringify(plan)) });
      return tried;
    };
    const [once, again, other] = [await plans(5), await plans(5), await plans(6)];
    expect(again).toEqual(once);
    expect(other.filter((plan) => once.includes(plan)).length).toBeLessThan(3);
  });

  it('notices that an operator reads the real clock, and says where the runs part', async () => {
    const clocked = { ...sound, name: 'clocked', operators: [clockedOperator] };
    const result = expectOutcome(await fuzz(clocked, { runs: 10 }), 'not-deterministic');
    const { first, second } = result.divergence;
    expect(first?.event.kind).toBe('sent');
    expect(JSON.stringify(first)).not.toBe(JSON.stringify(second));
  });

  it('is a plain failure when the goal is missed on a calm day', async () => {
    const ambitious = { ...sound, goal: () => 'there should be a moon' };
    expect(expectOutcome(await fuzz(ambitious, { runs: 10 }), 'goal-not-reached').missing).toBe('there should be a moon');
  });

  it('does not pass when something that must be seen was not', async () => {
    const properties = [sometimes('a web is blue', () => false), sometimes('anything', () => true)];
    const result = expectOutcome(await fuzz({ ...sound, properties }, { runs: 5 }), 'inconclusive');
    expect(result.neverSeen).toEqual(['a web is blue']);
  });

  it('runs the corpus first and reports plans that no longer say anything', async () => {
    const stages: string[] = [];
    const plan = { ...calmPlan(sound.name), overrides: { 'deliver pods default/x to nobody #1': 5 } };
    const corpus = [{ plan, file: 'old.json' }];
    const result = await fuzz(sound, { runs: 5, corpus, onProgress: ({ stage }) => stages.push(stage) });
    expect(stages[0]).toBe('corpus');
    expect(result.stale).toEqual([{ file: 'old.json', unused: ['deliver pods default/x to nobody #1'], entries: 1 }]);
  });

  it('stops when its time is up', async () => {
    const result = await fuzz(sound, { timeMs: 0 });
    expect(result.outOfTime).toBe(true);
    expect(result.singleFaults.tried).toBe(0);
  });
});

describe('a counterexample', () => {
  it('is kept in a file that replays the same run, and is not kept twice', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'seatrial-'));
    const first = expectOutcome(await fuzz(twice, { runs: 150, failures: 1 }), 'violated').counterexamples[0];
    if (first === undefined) throw new Error('no counterexample');
    const file = saveCounterexample(folder, first, '../web.ts');
    const [kept] = loadCorpus(folder, 'twice-web');
    expect(kept).toMatchObject({ file, property: 'noDuplicateCreates', scenarioFile: '../web.ts', plan: first.plan });

    const again = expectOutcome(await fuzz(twice, { runs: 1, failures: 1, corpus: loadCorpus(folder, 'twice-web') }), 'violated')
      .counterexamples[0];
    expect(again?.digest).toBe(first.digest);
    if (again !== undefined) expect(saveCounterexample(folder, again)).toBe(file);

    const replayed = await replay(twice, kept as NonNullable<typeof kept>, file);
    expect(replayed).toMatchObject({ outcome: 'violated', sameAsRecorded: true });
  });

  it('is out of date when parts of its plan never come into play', async () => {
    const plan = { ...calmPlan(sound.name), faults: [{ kind: 'reply-lost', at: 'create pods default/x by web-operator #1' }] as const };
    expect(await replay(sound, { plan }, 'old.json')).toEqual({
      outcome: 'stale',
      unused: ['reply-lost at create pods default/x by web-operator #1'],
    });
  });

  it('belongs to one scenario', async () => {
    await expect(replay(sound, { plan: calmPlan('twice-web') }, 'a.json')).rejects.toThrow(
      'a.json: this plan is for the scenario twice-web, and this scenario is sound-web',
    );
  });
});

describe('a corpus', () => {
  const folderWith = (name: string, text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'seatrial-'));
    writeFileSync(join(folder, name), text);
    return folder;
  };

  it('is empty where there is no folder', () => {
    expect(loadCorpus('/nowhere/at/all', 'web')).toEqual([]);
  });

  it('names the file that is empty, broken, or of another scenario', () => {
    expect(() => loadCorpus(folderWith('a.json', ''), 'web')).toThrow(/a\.json: the file is empty/);
    expect(() => loadCorpus(folderWith('b.json', '{'), 'web')).toThrow(/b\.json: this is not JSON/);
    expect(() => loadCorpus(folderWith('c.json', '{"version":1,"scenario":"web","faults":[{"kind":"x"}]}'), 'web')).toThrow(
      /c\.json: `faults\[0\]\.kind`/,
    );
    expect(() => loadCorpus(folderWith('d.json', '{"version":1,"scenario":"other"}'), 'web')).toThrow(
      /d\.json: this plan is for the scenario other, and the folder is that of web/,
    );
    expect(() => loadCorpus(folderWith('e.json', '[]'), 'web')).toThrow(/e\.json: expected an object/);
    expect(() => loadCorpus(folderWith('f.json', '{}'), 'web')).toThrow(/f\.json: this is neither a plan/);
  });

  it('leaves what is not JSON alone', () => {
    expect(loadCorpus(folderWith('README.md', 'about'), 'web')).toEqual([]);
  });

  it('reads a plan by itself as well', () => {
    expect(readPlanFile('{"version":1,"scenario":"web"}', 'a.json')).toEqual({ plan: calmPlan('web') });
  });
});
