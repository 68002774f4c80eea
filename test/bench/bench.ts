import { ApiServer } from '../../src/sim/apiserver/server.js';
import { controllerNames } from '../../src/sim/controllers/controllers.js';
import { Etcd } from '../../src/sim/etcd/etcd.js';
import { calmPlan } from '../../src/sim/plan.js';
import { simulate } from '../../src/sim/simulate.js';
import { reference } from './reference.js';

/** Real milliseconds: the one place that measures them. */
async function timed(run: () => Promise<void> | void): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function row(what: string, figure: string, bar: string): void {
  console.log(`${what.padEnd(52)} ${figure.padStart(22)}   ${bar}`);
}

/** Steps a second and complete runs a second of the reference scenario, after warming up. */
async function speed(): Promise<void> {
  const scenario = reference({ name: 'reference' });
  for (let seed = 0; seed < 50; seed++) await simulate(scenario, calmPlan('reference', seed));
  const rates: number[] = [];
  const perRun: number[] = [];
  for (let round = 0; round < 5; round++) {
    let steps = 0;
    const runs = 100;
    const ms = await timed(async () => {
      for (let seed = 0; seed < runs; seed++) steps += (await simulate(scenario, calmPlan('reference', seed))).steps;
    });
    rates.push((steps / ms) * 1_000);
    perRun.push(((ms / steps) * 100) as number);
  }
  row('scheduler steps a second', `${Math.round(median(rates))}`, '>= 20,000');
  row('complete runs of 100 steps a second', `${Math.round(1_000 / median(perRun))}`, '>= 200');
  const once: number[] = [];
  for (let seed = 0; seed < 50; seed++) once.push(await timed(async () => void (await simulate(scenario, calmPlan('reference', seed)))));
  row('one run (what a replay costs), median', `${median(once).toFixed(1)} ms`, '< 50 ms');
}

/** What runs cost that use more of the server, as ratios to the reference; they take turns, so that a busy machine slows them alike. */
async function kinds(): Promise<void> {
  const withoutControllers = { ...reference({ name: 'reference' }), controllers: [] };
  const scenarios = {
    reference: reference({ name: 'reference' }),
    'a run with a full schema: defaults, patterns, CEL': reference({ name: 'schema', fullSchema: true }),
    'a run that applies and reads managedFields': reference({ name: 'apply', byApply: true }),
    'a quiet run without controllers': { ...withoutControllers, workload: [] },
    'a quiet run with all controllers': { ...withoutControllers, workload: [], controllers: controllerNames },
  };
  const costs = new Map<string, number[]>();
  for (let round = 0; round < 6; round++)
    for (const [name, scenario] of Object.entries(scenarios)) {
      const ms = await timed(async () => {
        for (let seed = 0; seed < 40; seed++) await simulate(scenario, calmPlan(scenario.name, seed));
      });
      if (round > 0) costs.set(name, [...(costs.get(name) ?? []), ms / 40]);
    }
  const cost = (name: keyof typeof scenarios): number => median(costs.get(name) ?? []);
  const against = (name: keyof typeof scenarios, base: keyof typeof scenarios, bar: string): void =>
    row(name, `${cost(name).toFixed(2)} ms (x ${(cost(name) / cost(base)).toFixed(2)})`, bar);
  against('a run with a full schema: defaults, patterns, CEL', 'reference', '');
  against('a run that applies and reads managedFields', 'reference', '');
  against('a quiet run with all controllers', 'a quiet run without controllers', '< x 2');
}

/** What a write costs beside so many objects: a ratio of two medians in one process. */
async function writes(): Promise<void> {
  const costBeside = async (objects: number): Promise<number> => {
    let now = 1_767_225_600_000;
    let chance = 0;
    const server = new ApiServer({ etcd: new Etcd(), environment: { nowMs: () => now++, random: () => (chance = (chance + 0.618) % 1) } });
    const at = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' } as const;
    server.handle({ verb: 'create', group: '', version: 'v1', resource: 'namespaces', body: { metadata: { name: 'default' } } });
    for (let index = 0; index < objects; index++)
      server.handle({ verb: 'create', ...at, body: { metadata: { name: `map-${index}` }, data: { k: 'v' } } });
    const costs: number[] = [];
    for (let round = 0; round < 30; round++) {
      const ms = await timed(() => {
        for (let index = 0; index < 100; index++)
          server.handle({
            verb: 'update',
            ...at,
            name: `map-${index}`,
            body: { metadata: { name: `map-${index}` }, data: { k: `${round}` } },
          });
      });
      costs.push(ms * 10);
    }
    return median(costs);
  };
  await costBeside(100);
  const [few, many] = [await costBeside(100), await costBeside(10_000)];
  row('an update beside 100 objects', `${few.toFixed(1)} µs`, '');
  row('an update beside 10,000 objects', `${many.toFixed(1)} µs (x ${(many / few).toFixed(2)})`, '< x 2');
}

/** A day of a quiet operator with a resync every ten minutes. */
async function day(): Promise<void> {
  const scenario = reference({ name: 'day', syncPeriodMs: 600_000, lastEditAtMs: 24 * 3_600_000 });
  let steps = 0;
  const ms = await timed(async () => {
    steps = (await simulate(scenario, calmPlan('day'))).steps;
  });
  row(`24 simulated hours, quiet, with resync (${steps} steps)`, `${(ms / 1_000).toFixed(2)} s`, '< 10 s');
}

/** The memory of a run of more than 10,000 steps: the process's resident set after it. */
async function memory(): Promise<void> {
  const scenario = reference({ name: 'long', edits: 2_000, lastEditAtMs: 30_000 });
  const trace = await simulate(scenario, calmPlan('long'));
  row(`resident memory after a run of ${trace.steps} steps`, `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`, '< 300 MiB');
}

await memory();
await speed();
await kinds();
await writes();
await day();
