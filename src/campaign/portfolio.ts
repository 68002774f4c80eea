import * as fc from 'fast-check';
import type { Scenario } from '../scenarios/scenario.js';
import type { JsonValue } from '../sim/etcd/object.js';
import { namedRandom } from '../sim/kernel/random.js';
import type { Strategy } from '../sim/kernel/strategy.js';
import { calmLatency, type Fault, type FaultKind, type Latency, type Plan, type PlannedOp } from '../sim/plan.js';
import { clientGoProfiles } from '../sim/runtime/profile.js';
import { lifeArbitraries } from './life-faults.js';
import { nextNames, type Vocabulary } from './vocabulary.js';

const delaysMs = [1_000, 100, 10, 5_000, 30_000, 60_000];
const mostFaults = 6;
const mostOps = 4;
const mostHolds = 4;

/**
 * The plan of one run of the random portfolio. It depends on the campaign's seed, the number of the run and the names that
 * the vocabulary holds by then, and on nothing else.
 * @param steps how many steps the calm run takes: the length over which `pct` spreads its changes.
 */
export function randomPlan(scenario: Scenario, known: Vocabulary, steps: number, seed: number, run: number): Plan {
  const random = namedRandom(seed);
  const drawn = fc.sample(
    draftOf(scenario, known, steps, (what) => random.unit(`${what} of run ${run}`)),
    {
      numRuns: 1,
      seed: Math.floor(random.unit(`plan of run ${run}`) * 0x7fffffff),
    },
  );
  const { holds, clientGo, ...rest } = drawn[0] as Draft;
  const overrides = Object.fromEntries([...holds, ...clientGo.filter(([, profile]) => profile !== 'default')]);
  return { version: 1, scenario: scenario.name, ...rest, overrides };
}

/** A plan as the arbitraries build it: overrides are pairs until they are all there. */
interface Draft {
  readonly seed: number;
  readonly ops: PlannedOp[];
  readonly faults: Fault[];
  readonly holds: [string, number][];
  readonly clientGo: [string, string][];
  readonly strategy: Strategy;
  readonly latency: Latency;
}

/**
 * Swarm testing: each kind of trouble is on in half of the runs, so that it cannot hide what only shows without it.
 * @param unit a number in [0, 1) for a question about this run.
 */
function draftOf(scenario: Scenario, known: Vocabulary, steps: number, unit: (what: string) => number): fc.Arbitrary<Draft> {
  const on = (what: string): boolean => unit(what) < 0.5;
  const strategy = strategyOf(unit('strategy'), steps);
  const kinds = faultArbitraries(known);
  const some = kinds.filter(([kind]) => on(kind)).map(([, arbitrary]) => arbitrary);
  const faults = some.length > 0 ? some : kinds.map(([, arbitrary]) => arbitrary);
  const ops = opArbitraries(scenario, known, on);
  const names = [
    ...known.deliveries.flatMap((name) => [name, name]),
    ...known.calls.flatMap(({ name }) => [`send ${name}`, `reply to ${name}`]),
  ];
  const pinned = scenario.clientGo !== undefined || !on('client-go');
  const clientGo = known.operators.map((operator) =>
    fc.tuple(fc.constant(`client-go of ${operator}`), pinned ? fc.constant('default') : fc.constantFrom(...Object.keys(clientGoProfiles))),
  );
  return fc.record(
    {
      seed: fc.integer({ min: 0, max: 0x7fffffff }),
      ops: several(ops, 0, on('ops') ? mostOps : 0),
      faults: several(faults, strategy.kind === 'calm' ? 1 : 0, Math.ceil(unit('faults') * mostFaults)),
      holds: several(names.length === 0 ? [] : [fc.tuple(fc.constantFrom(...names), delay)], 0, on('holds') ? mostHolds : 0),
      clientGo: fc.tuple(...clientGo),
      strategy: fc.constant(strategy),
      latency: on('latency') ? latency : fc.constant(calmLatency),
    },
    { noNullPrototype: true },
  );
}

/** A quarter of the runs keep the calm order, the others share chance and priorities: each is blind to what another finds. */
function strategyOf(unit: number, steps: number): Strategy {
  if (unit < 0.25) return { kind: 'calm' };
  if (unit < 0.6) return { kind: 'uniform' };
  return { kind: 'pct', depth: 2 + Math.floor((unit - 0.6) * 10), steps };
}

const delay = fc.constantFrom(...delaysMs);

const latency: fc.Arbitrary<Latency> = fc.record(
  { requestMs: fc.constantFrom(1, 20, 200), replyMs: fc.constantFrom(1, 20, 200), watchMs: fc.constantFrom(2, 50, 500) },
  { noNullPrototype: true },
);

function several<T>(arbitraries: readonly fc.Arbitrary<T>[], minLength: number, maxLength: number): fc.Arbitrary<T[]> {
  if (arbitraries.length === 0 || maxLength === 0) return fc.constant([]);
  return fc.array(fc.oneof(...arbitraries), { minLength, maxLength, size: 'max' });
}

/** One arbitrary for each kind of fault that has a place to happen. */
function faultArbitraries(known: Vocabulary): readonly (readonly [FaultKind, fc.Arbitrary<Fault>])[] {
  const { calls, deliveries, webhookCalls, processes, operators, moments } = known;
  const lists = calls.filter((call) => call.effect === 'list' || call.effect === 'watch');
  const names = (of: readonly { readonly name: string }[]): readonly string[] => of.map((each) => each.name);
  const writes = names(calls.filter((call) => call.effect === 'write'));
  const kinds: readonly (readonly [FaultKind, readonly string[], Readonly<Record<string, fc.Arbitrary<unknown>>>])[] = [
    ['crash', names(calls), { when: fc.constantFrom('before', 'after'), restartAfterMs: delay }],
    ['reply-lost', writes, {}],
    ['request-lost', names(calls), {}],
    ['rejected', names(calls), { code: fc.constantFrom(500, 503, 429) }],
    ['conflict', names(calls.filter((call) => call.locked)), {}],
    ['watch-ended', deliveries, {}],
    ['watch-reset', deliveries, {}],
    ['watch-expired', [...deliveries, ...names(calls.filter((call) => call.effect === 'watch'))], {}],
    ['stale-read', [...names(lists), ...nextNames(lists)], { revisions: fc.constantFrom(1, 2, 4, 8, 16, 32) }],
    ['webhook-unreachable', webhookCalls, {}],
    ['webhook-timed-out', webhookCalls, {}],
  ];
  const at = kinds
    .filter(([, places]) => places.length > 0)
    .map(([kind, places, fields]) => [kind, entry<Fault>({ kind: fc.constant(kind), at: fc.constantFrom(...places), ...fields })] as const);
  if (moments.length === 0) return at;
  const time = fc.constantFrom(...moments);
  return [
    ...at,
    ['restart', entry({ kind: fc.constant('restart'), process: fc.constantFrom(...operators), atMs: time, restartAfterMs: delay })],
    ['freeze', entry({ kind: fc.constant('freeze'), process: fc.constantFrom(...processes), atMs: time, forMs: delay })],
    ...lifeArbitraries(known.lives, moments),
  ];
}

function opArbitraries(
  scenario: Scenario,
  { roots, moments }: Vocabulary,
  on: (what: string) => boolean,
): readonly fc.Arbitrary<PlannedOp>[] {
  if (moments.length === 0) return [];
  const atMs = fc.constantFrom(...moments);
  const onRoots = ['touch', 'delete', 'recreate']
    .filter((op) => roots.length > 0 && on(op))
    .map((op) => entry<PlannedOp>({ op: fc.constant(op), atMs, target: fc.constantFrom(...roots) }));
  const acts = Object.entries(scenario.actArguments).map(([op, args]) => entry<PlannedOp>({ op: fc.constant(op), atMs, args }));
  return [...onRoots, ...acts];
}

function entry<T>(fields: Readonly<Record<string, fc.Arbitrary<unknown | JsonValue>>>): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
}
