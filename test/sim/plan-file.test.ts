import { describe, expect, it } from 'vitest';
import { calmPlan, type Fault, type Plan } from '../../src/sim/plan.js';
import { PlanError, parseJson, planText, readPlan } from '../../src/sim/plan-file.js';

const oneOfEach: readonly Fault[] = [
  { kind: 'request-lost', at: 'create pods default/a by x #1' },
  { kind: 'rejected', at: 'create pods default/a by x #1', code: 503 },
  { kind: 'conflict', at: 'update pods default/a by x #1' },
  { kind: 'reply-lost', at: 'create pods default/a by x #1' },
  { kind: 'watch-ended', at: 'deliver pods default/a to x #1' },
  { kind: 'watch-reset', at: 'deliver pods default/a to x #1' },
  { kind: 'watch-expired', at: 'watch pods by x #1' },
  { kind: 'stale-read', at: 'list pods by x #2', revisions: 3 },
  { kind: 'crash', at: 'create pods default/a by x #1', when: 'after', restartAfterMs: 10 },
  { kind: 'webhook-unreachable', at: 'call hook.default.svc/mutate for create pods default/a by x #1' },
  { kind: 'webhook-timed-out', at: 'call hook.default.svc/mutate for create pods default/a by x #1' },
  { kind: 'restart', process: 'x', atMs: 100, restartAfterMs: 10 },
  { kind: 'freeze', process: 'kubelet', atMs: 100, forMs: 10 },
  { kind: 'pod', pod: 'default/web-0', nth: 1, life: 'unschedulable', forMs: 10 },
  { kind: 'pod', pod: 'default/web-*', nth: 2, life: 'image-pull', times: 2 },
  { kind: 'pod', pod: 'default/web-0', nth: 1, life: 'slow-start', forMs: 10 },
  { kind: 'pod', pod: 'default/web-0', nth: 1, life: 'crash-loop', times: 3 },
  { kind: 'pod', pod: 'default/web-0', nth: 1, life: 'crash-loop', times: 1, exitCode: 42 },
  { kind: 'pod', pod: 'default/web-0', nth: 1, life: 'flap', times: 2, forMs: 10 },
  { kind: 'pod', pod: 'default/web-0', nth: 1, life: 'evicted', afterMs: 10 },
  { kind: 'pod', pod: 'default/web-0', nth: 1, life: 'slow-stop' },
  { kind: 'claim', claim: 'default/data-web-0', nth: 1, forMs: 10 },
  { kind: 'node', node: 'node-1', atMs: 100, forMs: 10 },
];

const full: Plan = {
  version: 1,
  scenario: 'web',
  seed: -7,
  ops: [
    { op: 'delete', atMs: 5, target: { resource: 'pods', namespace: '', name: 'a' } },
    { op: 'scale', atMs: 6, args: [1, null, { to: 'x' }] },
  ],
  faults: oneOfEach,
  overrides: { 'deliver pods default/a to x #1': 30.5, 'client-go of x': 'deltafifo' },
  strategy: { kind: 'pct', depth: 3, steps: 200 },
  latency: { requestMs: 0, replyMs: 1, watchMs: 2.5 },
};

const problem = (plan: object): string => {
  try {
    readPlan(plan, 'a.json');
  } catch (error) {
    expect(error).toBeInstanceOf(PlanError);
    return (error as Error).message;
  }
  throw new Error('the plan was accepted');
};
const with_ = (part: object): object => ({ version: 1, scenario: 'web', ...part });

describe('a plan file', () => {
  it('gives back every plan that was written to it', () => {
    expect(readPlan(parseJson(planText(full), 'a.json'), 'a.json')).toEqual(full);
    expect(readPlan(parseJson(planText(calmPlan('web', 3)), 'a.json'), 'a.json')).toEqual(calmPlan('web', 3));
  });

  it('has one text for a plan, whatever the order in which it was built', () => {
    const { version, scenario, ...rest } = full;
    expect(planText({ ...rest, scenario, version })).toBe(planText(full));
  });

  it('takes what is left out as on a calm day', () => {
    expect(readPlan({ version: 1, scenario: 'web' }, 'a.json')).toEqual(calmPlan('web'));
  });

  it('names the file, the place, what is there and what was expected', () => {
    expect(problem(with_({ faults: [oneOfEach[0], { kind: 'crsh', at: 'x' }] }))).toBe(
      'a.json: `faults[1].kind` should be one of request-lost, rejected, conflict, reply-lost, watch-ended, watch-reset, watch-expired, stale-read, crash, webhook-unreachable, webhook-timed-out, restart, freeze, pod, claim, node, and is "crsh"',
    );
  });

  it.each([
    ['another version', { version: 2 }, '`version` should be 1, and is 2'],
    ['no scenario', { scenario: undefined }, '`scenario` should be a text, and is missing'],
    ['a broken seed', { seed: 1.5 }, '`seed` should be a whole number, and is 1.5'],
    ['a list that is none', { faults: {} }, '`faults` should be a list, and is {}'],
    ['a fault without its place', { faults: [{ kind: 'conflict' }] }, '`faults[0].at` should be a text, and is missing'],
    ['a code that no server sends', { faults: [{ kind: 'rejected', at: 'x', code: 418 }] }, 'should be one of 429, 500, 503, and is 418'],
    ['a misspelt field', { faults: [{ kind: 'conflict', at: 'x', whne: 1 }] }, '`faults[0].whne` is not known here; known are kind, at'],
    [
      'a life that no pod has',
      { faults: [{ kind: 'pod', pod: 'default/a', nth: 1, life: 'bored' }] },
      '`faults[0].life` should be one of unschedulable, image-pull, slow-start, crash-loop, flap, evicted, slow-stop, and is "bored"',
    ],
    [
      'a crash that is none',
      { faults: [{ kind: 'pod', pod: 'default/a', nth: 1, life: 'crash-loop', times: 1, exitCode: 0 }] },
      '`faults[0].exitCode` should be an exit code from 1 to 255, and is 0',
    ],
    ...(['image-pull', 'crash-loop', 'flap'] as const).map((life): [string, object, string] => [
      `more ${life} than a run can take`,
      { faults: [{ kind: 'pod', pod: 'default/a', nth: 1, life, times: 1e9, ...(life === 'flap' && { forMs: 1 }) }] },
      '`faults[0].times` should be a whole number from 1 to 1000, and is 1000000000',
    ]),
    [
      'more changes of priority than a run can take',
      { strategy: { kind: 'pct', depth: 1e9, steps: 1e9 } },
      '`strategy.depth` should be a whole number from 1 to 1000, and is 1000000000',
    ],
    [
      'a field of another life',
      { faults: [{ kind: 'pod', pod: 'default/a', nth: 1, life: 'slow-stop', forMs: 1 }] },
      '`faults[0].forMs` is not known here; known are kind, pod, nth, life',
    ],
    [
      'a time before the beginning',
      { ops: [{ op: 'delete', atMs: -1 }] },
      '`ops[0].atMs` should be virtual milliseconds, 0 or more, and is -1',
    ],
    ['an override that is neither', { overrides: { x: null } }, '`overrides["x"]` should be virtual milliseconds, 0 or more, and is null'],
    ['an unknown strategy', { strategy: { kind: 'wild' } }, '`strategy.kind` should be one of calm, uniform, pct, and is "wild"'],
    [
      'an unknown part',
      { chaos: true },
      '`chaos` is not known here; known are version, scenario, seed, ops, faults, overrides, strategy, latency',
    ],
  ])('refuses %s', (_, part, message) => {
    expect(problem(with_(part))).toContain(message);
  });

  it('refuses what is no plan at all', () => {
    expect(() => parseJson('  \n', 'a.json')).toThrow('a.json: the file is empty; expected a plan as JSON');
    expect(() => parseJson('{"version": 1,', 'a.json')).toThrow('a.json: this is not JSON');
    expect(problem([])).toContain('`the plan` should be an object, and is []');
  });

  it('takes a decision called __proto__ for a decision', () => {
    const plan = readPlan(JSON.parse('{"version":1,"scenario":"web","overrides":{"__proto__":5}}'), 'a.json');
    expect(Object.keys(plan.overrides)).toEqual(['__proto__']);
  });
});
