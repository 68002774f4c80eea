import { match } from 'ts-pattern';
import type { CampaignResult } from '../campaign/campaign.js';
import { entryCount } from '../campaign/plan-entries.js';
import type { Divergence } from '../sim/digest.js';
import type { Plan } from '../sim/plan.js';
import type { TraceEntry } from '../sim/trace.js';
import { kindsSeen } from './decision-names.js';
import { wrapped } from './failure.js';
import { type Ink, noInk } from './ink.js';
import { counted, timeText } from './numbers.js';
import { planWords } from './words.js';

/** What a campaign came to, in a few lines; counterexamples have texts of their own. */
export function campaignText(result: CampaignResult, ink: Ink = noInk): string {
  const { scenario } = result;
  return [
    ...match(result)
      .returnType<readonly string[]>()
      .with({ outcome: 'held' }, () => [`${ink.good('✓')} ${ink.strong(scenario.name)}: every property held`])
      .with({ outcome: 'violated' }, ({ counterexamples }) => [
        `${ink.bad('✗')} ${ink.strong(scenario.name)}: ${counted(counterexamples.length, 'property', 'properties')} broken: ${counterexamples.map(({ property }) => property).join(', ')}`,
      ])
      .with({ outcome: 'inconclusive' }, ({ why, plan }) => [
        `${ink.doubtful('?')} ${ink.strong(scenario.name)}: not decided: ${why}`,
        ...(plan === undefined ? [] : planLines(plan)),
      ])
      .with({ outcome: 'goal-not-reached' }, ({ missing }) => [
        `${ink.bad('✗')} ${ink.strong(scenario.name)}: the goal is not reached, on a calm day and without any fault`,
        ...wrapped(missing, 2),
      ])
      .with({ outcome: 'not-deterministic' }, ({ plan, divergence }) => [
        `${ink.bad('✗')} ${ink.strong(scenario.name)}: the same plan gave two different runs, so no result can be trusted`,
        ...divergenceLines(divergence),
        ...planLines(plan),
        ...wrapped(
          'Something in an operator or in the scenario depends on more than the cluster: the real clock (Date.now), Math.random, a real timer, or a variable that outlives a run. Use the context’s clock, and make all state inside setup.',
          2,
        ),
      ])
      .exhaustive(),
    ...unattendedLines(result.unattended, ink),
    `  ${ink.faint(countsText(result))}`,
    ...result.stale.map(
      ({ file, unused, entries }) =>
        `  ${ink.doubtful('!')} ${file} is out of date: ${unused.length} of ${counted(entries, 'entry', 'entries')} never came into play (${unused.join('; ')})`,
    ),
  ].join('\n');
}

function countsText({ runs, seed, corpusPlans, singleFaults, randomPlans, outOfTime }: CampaignResult): string {
  return [
    `${counted(runs, 'run')} with seed ${seed}`,
    ...(corpusPlans === 0 ? [] : [counted(corpusPlans, 'corpus plan')]),
    ...(singleFaults.placements === 0
      ? []
      : [
          `${singleFaults.survived} of ${singleFaults.tried} single faults survived${singleFaults.tried === singleFaults.placements ? '' : ` (${singleFaults.placements} are possible)`}`,
        ]),
    ...(randomPlans.tried === 0 ? [] : [`${randomPlans.survived} of ${counted(randomPlans.tried, 'random plan')} survived`]),
    ...(outOfTime ? ['the time was up'] : []),
  ].join(', ');
}

function unattendedLines(objects: readonly string[], ink: Ink): readonly string[] {
  if (objects.length === 0) return [];
  return [`  ${ink.doubtful('!')} ${objects.join(', ')}: no simulated controller acts on ${objects.length === 1 ? 'it' : 'them'}`];
}

function planLines(plan: Plan): readonly string[] {
  if (entryCount(plan) === 0) return ['  It happens on a calm day.'];
  return ['  The plan:', ...planWords(plan, kindsSeen()).flatMap((words) => wrapped(words, 6, '    - '))];
}

/** Where two runs of one plan part, as indented lines. */
export function divergenceLines({ seq, first, second }: Divergence): readonly string[] {
  if (seq === 0) return ['  The failure was there once and not again.'];
  const [once, again] = [entryText(first), entryText(second)];
  let same = 0;
  while (same < once.length && once[same] === again[same]) same += 1;
  return [
    `  They part at event ${seq}${first === undefined ? '' : `, ${timeText(first.atMs)}, ${first.event.kind}`}:`,
    `    once:  ${excerpt(once, same)}`,
    `    again: ${excerpt(again, same)}`,
  ];
}

/** The text around the place where it begins to differ. */
function excerpt(text: string, at: number): string {
  const from = Math.max(0, at - 60);
  return `${from > 0 ? '…' : ''}${text.slice(from, at + 60)}${at + 60 < text.length ? '…' : ''}`;
}

function entryText(entry: TraceEntry | undefined): string {
  return entry === undefined ? '(the run is over)' : JSON.stringify(entry.event);
}
