import { describe, expect, it } from 'vitest';
import { traceDigest } from '../../src/sim/digest.js';
import { calmPlan, type Fault, type Plan } from '../../src/sim/plan.js';
import { simulate } from '../../src/sim/simulate.js';
import type { Trace, TraceEvent } from '../../src/sim/trace.js';
import { reference } from '../bench/reference.js';

const scenario = reference({ name: 'reference' });
const calm = calmPlan('reference', 1);
const createDeployment = 'create deployments.apps default/a by web-operator #1';

function run(plan: Partial<Plan>): Promise<Trace> {
  return simulate(scenario, { ...calm, ...plan });
}

function events<K extends TraceEvent['kind']>(trace: Trace, kind: K) {
  return trace.entries
    .filter((entry) => entry.event.kind === kind)
    .map((entry) => ({ atMs: entry.atMs, ...(entry.event as Extract<TraceEvent, { kind: K }>) }));
}

function readyAtEnd(trace: Trace): unknown {
  const settled = trace.phases.find(({ phase }) => phase === 'settle');
  return trace.stateAt(settled?.revision ?? 0).get('webs.bench.seatrial.dev', 'default', 'a')?.status;
}

function calls(trace: Trace, start: string): readonly string[] {
  return events(trace, 'sent')
    .map(({ call }) => call)
    .filter((call) => call.startsWith(start));
}

describe('a calm run', () => {
  it('comes to rest though an operator asks to be woken once a day', async () => {
    const once = (requeueAfterMs: number) => simulate(reference({ name: 'reference', requeueAfterMs }), calm);
    for (const requeueAfterMs of [3_600_000, 24 * 3_600_000])
      expect((await once(requeueAfterMs)).phases.slice(1).map(({ end }) => end)).not.toContain('budget');
  });

  it('comes to rest in every phase, with the wishes of people fulfilled', async () => {
    const trace = await run({});
    expect(trace.phases.map(({ phase, end }) => `${phase} ${end}`)).toEqual([
      'disturb quiescent',
      'settle quiescent',
      'probe-restart quiescent',
      'probe-redelivery quiescent',
      'probe-deletion quiescent',
    ]);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
    expect(trace.unused).toEqual([]);
  });

  it('is the same every time, and another one for another seed', async () => {
    expect(traceDigest(await run({}))).toBe(traceDigest(await run({})));
    expect(traceDigest(await run({}))).not.toBe(traceDigest(await run({ seed: 2 })));
  });

  it('leaves nothing when people delete what they made', async () => {
    const trace = await run({});
    const left = trace
      .stateAt(trace.phases.at(-1)?.revision ?? 0)
      .all()
      .map(({ key }) => key.resource);
    // Events are nobody's to delete: they go by themselves, after an hour.
    expect(left.filter((resource) => !/^(namespaces|nodes|events|customresourcedefinitions)/.test(resource))).toEqual([]);
  });
});

describe('faults at the gates of a request', () => {
  const faulty = (...faults: Fault[]) => run({ faults });

  it('reply-lost: the server has done it, and the client hears of a lost connection', async () => {
    const trace = await faulty({ kind: 'reply-lost', at: createDeployment });
    const answer = events(trace, 'answered').find(({ call }) => call === createDeployment);
    const handled = events(trace, 'handled').find(({ call }) => call === createDeployment);
    expect([answer?.lost, handled?.response.code]).toEqual(['eof', 201]);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('request-lost: the server never sees it', async () => {
    const trace = await faulty({ kind: 'request-lost', at: createDeployment });
    expect(events(trace, 'handled').map(({ call }) => call)).not.toContain(createDeployment);
    expect(calls(trace, 'create deployments.apps')).toHaveLength(2);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('rejected with 500: the reconcile fails and is tried again', async () => {
    const trace = await faulty({ kind: 'rejected', at: createDeployment, code: 500 });
    const failed = events(trace, 'process').filter(({ event }) => event.kind === 'reconcile-end' && event.error !== undefined);
    expect(failed).toHaveLength(1);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('rejected with 429: the client itself sends it again after the second that the server asked for (A36)', async () => {
    const trace = await faulty({ kind: 'rejected', at: createDeployment, code: 429 });
    const [first, second] = events(trace, 'sent').filter(({ call }) => call.startsWith('create deployments.apps'));
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(events(trace, 'process').filter(({ event }) => event.kind === 'reconcile-end' && event.error !== undefined)).toEqual([]);
  });

  it('conflict: somebody else was faster, so a locked write gets the 409 of the server', async () => {
    const at = 'update deployments.apps default/a by web-operator #1';
    const trace = await faulty({ kind: 'conflict', at });
    const handled = events(trace, 'handled').find(({ call }) => call === at);
    expect(handled?.response.code).toBe(409);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('crash before: nothing is sent, and the next life does it', async () => {
    const trace = await faulty({ kind: 'crash', at: createDeployment, when: 'before', restartAfterMs: 5_000 });
    expect(calls(trace, 'create deployments.apps')).toEqual(['create deployments.apps default/a by web-operator #2']);
    const lives = events(trace, 'started').filter(({ process }) => process === 'web-operator');
    expect((lives[1]?.atMs ?? 0) - (events(trace, 'crashed')[0]?.atMs ?? 0)).toBe(5_000);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('crash after: it is done, nobody hears of it, and the next life finds it', async () => {
    const trace = await faulty({ kind: 'crash', at: createDeployment, when: 'after', restartAfterMs: 1_000 });
    expect(events(trace, 'answered').map(({ call }) => call)).not.toContain(createDeployment);
    expect(calls(trace, 'create deployments.apps')).toHaveLength(1);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('says which faults never came into play', async () => {
    const trace = await faulty({ kind: 'reply-lost', at: 'create pods default/nobody by web-operator #1' });
    expect(trace.unused).toEqual(['reply-lost at create pods default/nobody by web-operator #1']);
  });
});

describe('faults of a watch', () => {
  const delivery = 'deliver deployments.apps default/a to web-operator #1';

  for (const kind of ['watch-ended', 'watch-reset'] as const)
    it(`${kind}: the client opens it again from where it was and misses nothing`, async () => {
      const trace = await run({ faults: [{ kind, at: delivery }] });
      expect(events(trace, 'watch-ended')).toHaveLength(1);
      expect(calls(trace, 'list deployments.apps')).toEqual([]);
      expect(readyAtEnd(trace)).toEqual({ ready: 2 });
    });

  it('watch-expired in the stream: the client lists or streams everything anew', async () => {
    const trace = await run({ faults: [{ kind: 'watch-expired', at: delivery }] });
    expect(calls(trace, 'watch deployments.apps').length).toBeGreaterThan(1);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('a held delivery leaves the cache stale for as long as it is held, and no longer', async () => {
    const trace = await run({ overrides: { [delivery]: 20_000 } });
    const delivered = events(trace, 'delivered').find(
      ({ process, resource }) => process === 'web-operator' && resource === 'deployments.apps',
    );
    expect(delivered?.atMs).toBeGreaterThan(20_000);
    expect(calls(trace, 'create deployments.apps')).toEqual([createDeployment]);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });
});

describe('faults of processes', () => {
  it('freeze: nothing of it happens until it goes on, with what it knew', async () => {
    const trace = await run({ faults: [{ kind: 'freeze', process: 'web-operator', atMs: 900, forMs: 10_000 }] });
    const during = trace.entries.filter(
      ({ atMs, event }) => atMs > 900 && atMs < 10_900 && 'process' in event && event.process === 'web-operator',
    );
    expect(during).toEqual([]);
    expect(events(trace, 'started').filter(({ process }) => process === 'web-operator')).toHaveLength(2);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('restart: the operator begins again with empty memory', async () => {
    const trace = await run({ faults: [{ kind: 'restart', process: 'web-operator', atMs: 1_004, restartAfterMs: 100 }] });
    expect(events(trace, 'crashed')[0]?.atMs).toBe(1_004);
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });

  it('a lagging API server shows a restarted operator the past', async () => {
    const scenarioOfOldClient = { ...scenario, clientGo: 'deltafifo' } as const;
    const faults: Fault[] = [
      { kind: 'restart', process: 'web-operator', atMs: 20_000, restartAfterMs: 100 },
      { kind: 'stale-read', at: 'list webs.bench.seatrial.dev by web-operator #2', revisions: 100 },
    ];
    const trace = await simulate(scenarioOfOldClient, { ...calm, faults });
    const second = events(trace, 'handled').find(({ call }) => call === 'list webs.bench.seatrial.dev by web-operator #2');
    expect(second?.response.body).toMatchObject({ items: [] });
    expect(readyAtEnd(trace)).toEqual({ ready: 2 });
  });
});

describe('strategies', () => {
  it('bring a sound operator to the same end in every order', async () => {
    for (let seed = 0; seed < 20; seed++)
      for (const strategy of [{ kind: 'uniform' }, { kind: 'pct', depth: 3, steps: 120 }] as const) {
        const trace = await run({ seed, strategy });
        expect(readyAtEnd(trace)).toEqual({ ready: 2 });
        expect(trace.held.length).toBeGreaterThan(0);
      }
  });
});

describe('an operator whose code cannot go on', () => {
  const withOperator = (setup: (typeof scenario.operators)[number]['setup']) => ({ ...scenario, operators: [{ name: 'broken', setup }] });

  it('that throws in setup ends the run with its name and what it threw', async () => {
    const world = withOperator(() => {
      throw new Error('no configuration');
    });
    await expect(simulate(world, calm)).rejects.toThrow(/the operator broken cannot be started: .*no configuration/);
  });
});
