import * as fc from 'fast-check';
import type { Scenario } from '../scenarios/scenario.js';
import { namedRandom } from '../sim/kernel/random.js';
import { calmPlan, type Fault, type Plan, type PlannedOp } from '../sim/plan.js';
import { singleLives } from './life-faults.js';
import { nextNames, type SeenCall, type Vocabulary } from './vocabulary.js';

/** One fault, at one place of the calm run. */
export interface Placement {
  /** What is placed, in a few words: `crash after a write`. */
  readonly about: string;
  readonly plan: Plan;
}

/** Long enough for an operator to act on what it does not know yet, and long enough for it to give up. */
const holdsMs = [5_000, 60_000];
const restartAfterMs = 1_000;
/** A server whose cache is just behind, and one that is far behind. */
const revisionsBehind = [1, 2, 4, 8, 16, 32];
const freezesMs = [10_000, 60_000];
const freezePoints = 12;
const silencePoints = 4;
const actSamples = 3;

/** Every single fault that the names of the calm run allow, each as a plan of its own. */
export function singleFaults(scenario: Scenario, calm: Vocabulary, seed: number): readonly Placement[] {
  const empty = calmPlan(scenario.name);
  const withFaults = (about: string, ...faults: readonly Fault[]): Placement => ({ about, plan: { ...empty, faults } });
  const withOp = (about: string, op: PlannedOp): Placement => ({ about, plan: { ...empty, ops: [op] } });
  const lists = calm.calls.filter((call) => call.effect === 'list' || call.effect === 'watch');
  return [
    ...calm.calls.flatMap((call) => callFaults(call).map(([about, fault]) => withFaults(about, fault))),
    ...calm.deliveries.flatMap((name) => [
      ...holdsMs.map((ms) => ({ about: 'late watch event', plan: { ...empty, overrides: { [name]: ms } } })),
      withFaults('watch ended', { kind: 'watch-ended', at: name }),
      withFaults('watch reset', { kind: 'watch-reset', at: name }),
      withFaults('watch expired', { kind: 'watch-expired', at: name }),
    ]),
    ...calm.webhookCalls.flatMap((name) => [
      withFaults('webhook out of reach', { kind: 'webhook-unreachable', at: name }),
      withFaults('webhook out of time', { kind: 'webhook-timed-out', at: name }),
    ]),
    ...calm.calls
      .filter((call) => call.effect === 'write')
      .flatMap((call) => {
        const again = lists.filter((list) => list.process === call.process && list.atMs <= call.atMs);
        const crash: Fault = { kind: 'crash', at: call.name, when: 'after', restartAfterMs };
        return behind(again).map((stale) => withFaults('restart onto a server that is behind', crash, ...stale));
      }),
    ...calm.operators.flatMap((process) =>
      calm.moments.flatMap((atMs) => {
        const again = lists.filter((list) => list.process === process && list.atMs < atMs);
        const restart: Fault = { kind: 'restart', process, atMs, restartAfterMs };
        return [
          withFaults('restart', restart),
          ...behind(again).map((stale) => withFaults('restart onto a server that is behind', restart, ...stale)),
        ];
      }),
    ),
    ...calm.processes.flatMap((process) =>
      spread(calm.moments, freezePoints).flatMap((atMs) =>
        freezesMs.map((forMs) => withFaults('process stands still', { kind: 'freeze', process, atMs, forMs })),
      ),
    ),
    ...singleLives(calm.lives, spread(calm.moments, silencePoints)).map(([about, fault]) => withFaults(about, fault)),
    ...calm.roots.flatMap((target) =>
      calm.moments.flatMap((atMs) =>
        ['delete', 'recreate', 'touch'].map((op) => withOp(`${op} of an object that people made`, { op, atMs, target })),
      ),
    ),
    ...Object.keys(scenario.acts).flatMap((op) =>
      calm.moments.flatMap((atMs) =>
        argumentsOf(scenario, op, seed).map((args) => withOp(`act ${op}`, { op, atMs, ...(args === undefined ? {} : { args }) })),
      ),
    ),
  ];
}

/** As many of the placements as there is room for, spread over all by the seed alone, in their order. */
export function sample(placements: readonly Placement[], room: number, seed: number): readonly Placement[] {
  if (placements.length <= room) return placements;
  const random = namedRandom(seed);
  return placements
    .map((placement, index) => ({ placement, index, rank: random.unit(`placement ${index}`) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, room)
    .sort((a, b) => a.index - b.index)
    .map(({ placement }) => placement);
}

function callFaults({ name: at, effect, locked }: SeenCall): readonly (readonly [string, Fault])[] {
  const what = effect === 'watch' ? 'an opening of a watch' : `a ${effect}`;
  return [
    [`crash before ${what}`, { kind: 'crash', at, when: 'before', restartAfterMs }],
    [`crash after ${what}`, { kind: 'crash', at, when: 'after', restartAfterMs }],
    [`lost request of ${what}`, { kind: 'request-lost', at }],
    ...([500, 503, 429] as const).map((code): [string, Fault] => [`${code} to ${what}`, { kind: 'rejected', at, code }]),
    ...(effect === 'write' ? [[`lost reply to ${what}`, { kind: 'reply-lost', at }] as [string, Fault]] : []),
    ...(locked ? [['conflict of a locked write', { kind: 'conflict', at }] as [string, Fault]] : []),
    ...(effect === 'watch' ? [['watch refused as expired', { kind: 'watch-expired', at }] as [string, Fault]] : []),
  ];
}

/** For each lag: every list that a restarted process makes anew comes from a server that is so far behind. */
function behind(lists: readonly SeenCall[]): readonly (readonly Fault[])[] {
  if (lists.length === 0) return [];
  return revisionsBehind.map((revisions) => nextNames(lists).map((at): Fault => ({ kind: 'stale-read', at, revisions })));
}

function spread<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T);
}

function argumentsOf(scenario: Scenario, act: string, seed: number) {
  const args = scenario.actArguments[act];
  return args === undefined ? [undefined] : fc.sample(args, { numRuns: actSamples, seed });
}
