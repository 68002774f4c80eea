import { describe, expect, it } from 'vitest';
import { type CampaignResult, fuzz } from '../../src/campaign/campaign.js';
import { type Counterexample, counterexampleOf } from '../../src/campaign/counterexample.js';
import { Examiner } from '../../src/campaign/examine.js';
import { cacheLag } from '../../src/report/cache-lag.js';
import { failureText, wrapped } from '../../src/report/failure.js';
import { campaignJson } from '../../src/report/json.js';
import { failureMarkdown } from '../../src/report/markdown.js';
import { patternOf } from '../../src/report/patterns.js';
import { campaignText } from '../../src/report/summary.js';
import { crashBeforeStatus } from '../../src/scenarios/zoo/p05-crash-before-status.js';
import { calmPlan } from '../../src/sim/plan.js';
import { clockedOperator, sound, twice } from '../campaign/web.js';

const late = 'deliver configmaps default/a-4bspp to web-operator #1';
const examined = await new Examiner(twice).examine({ ...calmPlan('twice-web'), overrides: { [late]: 30_000 } });
const failure = examined.failures[0];
if (failure === undefined) throw new Error('the toy operator has no fault any more');
const counterexample: Counterexample = counterexampleOf(examined, failure, {
  foundBy: { kind: 'random', run: 12 },
  foundEntries: 8,
  executions: 40,
  minimal: true,
});

describe('the text of a failure', () => {
  const text = failureText(counterexample, { replay: 'npx seatrial replay corpus/twice-web/x.json' });

  it('says what broke, what it takes, what happened, what it looks like and how to see it again, in this order', () => {
    const parts = [
      'twice-web: noDuplicateCreates is broken',
      'although ConfigMap default/a-4bspp is there',
      'What it takes (without it all is well)',
      '1. web-operator heard of the 1st event of ConfigMap default/a-4bspp only 30 s after it',
      'What happened',
      'This looks like: created again from a stale cache',
      'Usual remedy:',
      'Play it again',
      'npx seatrial replay corpus/twice-web/x.json',
      'Found by random plan 12; its plan of 8 entries was shrunk to 1 (40 runs).',
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('shows the two creates as evidence, and what the cache did not show in between', () => {
    const lines = text.split('\n');
    expect(lines.filter((line) => line.includes('►') && line.includes('create ConfigMap'))).toHaveLength(2);
    expect(lines.some((line) => line.includes('reconcile default/a; its cache is behind: ConfigMap default/a-4bspp'))).toBe(true);
    expect(lines.some((line) => line.includes('reads ConfigMaps in default from its cache: nothing there'))).toBe(true);
  });

  it('has at most 25 events and no line that a terminal would break', () => {
    const events = text.split('\n').filter((line) => /^\s+►?\s*t=/.test(line));
    expect(events.length).toBeLessThanOrEqual(25);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200);
  });

  it('says so when nothing is needed', () => {
    const calm = { ...counterexample, plan: calmPlan('twice-web') };
    expect(failureText(calm)).toContain('What it takes: nothing. It happens on a calm day.');
  });

  it('does not claim that all is needed when shrinking was cut short', () => {
    expect(failureText({ ...counterexample, minimal: false })).toContain('What it takes (perhaps not all of it)');
  });
});

describe('the pattern of a failure', () => {
  const looksLike = (property: string, culprit: string, plan: Partial<Counterexample['plan']> = {}): string | undefined =>
    patternOf({
      ...counterexample,
      property,
      finding: { ...counterexample.finding, culprit },
      plan: { ...calmPlan('twice-web'), ...plan },
    })?.name;
  const crash = { faults: [{ kind: 'crash', at: 'create pods x by web-operator #1', when: 'after', restartAfterMs: 1 }] } as const;

  it.each([
    [
      'noDuplicateCreates',
      'Pod',
      { faults: [{ kind: 'reply-lost', at: 'create pods x by y #1' }] } as const,
      'created twice after a lost reply',
    ],
    ['noDuplicateCreates', 'Pod', crash, 'created twice across a crash'],
    ['noDuplicateCreates', 'Pod', {}, 'created again from a stale cache'],
    ['statusHonest', 'Web status written to the main endpoint', {}, 'status written to the main endpoint'],
    ['statusHonest', 'Web observedGeneration ahead', {}, 'observedGeneration runs ahead'],
    ['statusHonest', 'Web observedGeneration goes back', {}, 'status from a stale view'],
    ['statusHonest', 'Web status', crash, 'status from a stale view'],
    ['statusHonest', 'Web status', {}, 'status from a stale view'],
    ['noLostUpdate', 'Web spec.text', {}, 'blind overwrite of somebody else’s change'],
    ['finalizersServed', 'finalizer of Web', {}, 'finalizer that is never removed'],
    ['noOrphans', 'Pod without an owner', {}, 'missing owner reference'],
    ['noPrematureDelete', 'Pod deleted by the collector', {}, 'owner reference with a dead uid'],
    ['noPrematureDelete', 'Pod deleted by the operator', {}, 'deleted by a stale view'],
    ['noHotLoop', 'update Web', {}, 'a write in every reconcile'],
    ['noHotLoop', 'reconcile of web never ends', {}, 'a reconcile that never returns'],
    ['noHotLoop', 'web fails for ever', {}, 'an error that repeats for ever'],
    ['noDeadEnd', 'Pod error swallowed', {}, 'error swallowed'],
    ['noDeadEnd', 'Pod deletion not noticed', {}, 'missed wake-up'],
    ['converges', 'Pod missing', crash, 'another end than on a calm day'],
    [
      'converges',
      'Pod missing',
      { faults: [{ kind: 'webhook-unreachable', at: 'call h.default.svc for create pods x by y #1' }] } as const,
      'outage of a webhook taken for its word',
    ],
    ['converges', 'Pod missing', {}, 'another end than on a calm day'],
    ['idempotent', 'create Pod after a restart', {}, 'not idempotent'],
    ['my own rule', 'my own rule', {}, undefined],
  ])('%s (%s)', (property, culprit, plan, name) => {
    expect(looksLike(property, culprit, plan)).toBe(name);
  });

  it('speaks of two writes only when the operator that was struck makes two in one reconcile', async () => {
    const { trace: calm } = await new Examiner(crashBeforeStatus.broken).examine(calmPlan(crashBeforeStatus.broken.name));
    const struckAt = (process: string) =>
      ({
        ...counterexample,
        calm,
        property: 'converges',
        plan: {
          ...counterexample.plan,
          faults: [{ kind: 'crash', at: `create pods x by ${process} #1`, when: 'after', restartAfterMs: 1 }],
        },
      }) satisfies Counterexample;
    expect(patternOf(struckAt('database-operator'))?.name).toBe('crash between two writes');
    expect(patternOf(struckAt('another-operator'))?.name).toBe('another end than on a calm day');
  });
});

describe('what a cache does not show', () => {
  it('is the objects of which news is still on its way', () => {
    const { trace } = counterexample;
    const behind = cacheLag(trace);
    const [first, second] = trace.entries.filter(({ event }) => event.kind === 'process' && event.event.kind === 'reconcile-start');
    expect(behind('web-operator', first?.seq ?? 0)).toEqual([]);
    expect(behind('web-operator', second?.seq ?? 0)).toEqual([{ resource: 'configmaps', namespace: 'default', name: 'a-4bspp' }]);
  });
});

describe('the other forms', () => {
  it('hold the same as Markdown, with the plan to copy', () => {
    const markdown = failureMarkdown(counterexample, 'npx seatrial replay x.json');
    expect(markdown).toContain('## twice-web: `noDuplicateCreates` is broken');
    expect(markdown).toContain('1. web-operator heard of the 1st event of ConfigMap default/a-4bspp');
    expect(markdown).toContain(`{ "${late}": 30000 }`);
    expect(markdown.match(/```/g)?.length).toBe(6);
  });

  it('hold the same as JSON that can be written and read again', async () => {
    const result = await fuzz(twice, { runs: 150, failures: 1 });
    const json = campaignJson(result);
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(json).toMatchObject({ scenario: 'twice-web', outcome: 'violated', counterexamples: [{ property: 'noDuplicateCreates' }] });
  });
});

describe('the summary of a campaign', () => {
  it('counts what was tried and what survived', async () => {
    expect(campaignText(await fuzz(sound, { runs: 30 }))).toMatch(
      /^✓ sound-web: every property held\n {2}\d+ runs with seed 1, 20 of 20 single faults survived \(\d+ are possible\), 10 of 10 random plans survived$/,
    );
  });

  it('shows where two runs of one plan part', async () => {
    const text = campaignText(await fuzz({ ...sound, name: 'clocked', operators: [clockedOperator] }, { runs: 5 }));
    expect(text).toContain('the same plan gave two different runs');
    expect(text).toMatch(/once: {2}.*\n {4}again: /);
    expect(text).toContain('Date.now');
  });

  it('says what is missing of a goal, and why nothing is decided', async () => {
    const base = await fuzz(sound, { runs: 3 });
    const inconclusive = { ...base, outcome: 'inconclusive', why: 'converges could not be judged' } as CampaignResult;
    expect(campaignText(inconclusive)).toContain('? sound-web: not decided: converges could not be judged');
    const missed = await fuzz({ ...sound, goal: () => 'no moon' }, { runs: 3 });
    expect(campaignText(missed)).toContain('the goal is not reached, on a calm day and without any fault\n  no moon');
  });
});

describe('a long sentence', () => {
  it('is broken between words, and is not broken within one', () => {
    const lines = wrapped(`${'word '.repeat(40)}${'x'.repeat(130)}`, 4, '  1.');
    expect(lines[0]?.startsWith('  1.word')).toBe(true);
    expect(lines.slice(0, -1).every((line) => line.length <= 110)).toBe(true);
    expect(lines.at(-1)).toBe(`    ${'x'.repeat(130)}`);
  });
});
