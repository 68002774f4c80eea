import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'dist/cli/main.js');

/** The command line is tested as it is shipped: compiled, in a process of its own. */
beforeAll(() => {
  spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], { cwd: root });
}, 120_000);

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

function seatrial(folder: string, ...args: readonly string[]): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, error: stderr };
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'seatrial-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A scenario file with one operator; `reconcile` is the body of its reconciler, `setup` comes before. */
function scenarioFile({ name = 'web', reconcile = '', setup = '', crd = 'webCrd', rest = '' } = {}): string {
  return `
import * as fc from 'fast-check';
import { ConfigMap, create, defineKind, defineScenario, isNotFound, newControllerManagedBy, type Operator } from 'seatrial';
const Web = defineKind('example.com/v1', 'Web');
const webCrd = {
  apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'webs.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'webs', singular: 'web', kind: 'Web', listKind: 'WebList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }] },
};
enum Size { Small = 'small' }
const operator: Operator = {
  name: 'web-operator',
  setup(manager) {
    const { client } = manager;
    ${setup}
    newControllerManagedBy(manager).for(Web).complete(async ({ namespace, name }) => {
      ${reconcile}
    });
  },
};
export default defineScenario({
  name: '${name}', crds: [${crd}], operators: [operator],
  workload: [create({ apiVersion: 'example.com/v1', kind: 'Web', metadata: { name: 'a', namespace: 'default' }, spec: { size: Size.Small } })],
  ${rest}
});
`;
}

/** Makes a ConfigMap under a fresh name in every life: twice when it is restarted. */
const makesTwo = scenarioFile({
  name: 'twice',
  reconcile: `
      const web = await client.get(Web, { namespace, name }).catch(() => undefined);
      if (web === undefined || web.metadata.deletionTimestamp !== undefined) return;
      const list = await client.list(ConfigMap, { namespace });
      if (list.items.length > 0) return;
      const owner = { apiVersion: 'example.com/v1', kind: 'Web', name, uid: web.metadata.uid!, controller: true };
      await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-', namespace, ownerReferences: [owner] } });
      await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mark', namespace, ownerReferences: [owner] } });
  `,
});

/** Reports nothing but what the user has to know. */
function expectPlainError({ code, error }: Ended, ...parts: readonly string[]): void {
  for (const part of parts) expect(error).toContain(part);
  expect(error).not.toMatch(/^\s+at /m);
  expect(code).toBe(2);
}

describe('seatrial fuzz', () => {
  it('ends with 0 when all is well, whatever the name of the file', () => {
    const folder = folderWith({ 'quiet.ts': scenarioFile() });
    const { code, out } = seatrial(folder, 'fuzz', 'quiet.ts', '--runs', '30');
    expect(out).toMatch(/^✓ web: every property held/);
    expect(code).toBe(0);
  });

  it('ends with 1 when something is broken, keeps the plan, and replays it', () => {
    const folder = folderWith({ 'scenario.ts': makesTwo });
    const first = seatrial(folder, 'fuzz', '.', '--runs', '60', '--report', 'report.md');
    expect(first.code).toBe(1);
    const [command] = /npx seatrial (replay corpus\/twice\/\S+\.json)/.exec(first.out)?.slice(1) ?? [];
    expect(command).toBeDefined();
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('## twice: `');

    const replayed = seatrial(folder, ...(command ?? '').split(' '));
    expect(replayed.code).toBe(1);
    expect(replayed.out).toContain('is broken');

    const kept = readdirSync(join(folder, 'corpus/twice'));
    const again = seatrial(folder, 'fuzz', '.', '--runs', '1', '--json');
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out)).toMatchObject([{ outcome: 'violated', corpusPlans: kept.length }]);
    expect(readdirSync(join(folder, 'corpus/twice'))).toEqual(kept);
  });

  it('ends with 3 when something that must be seen never was', () => {
    const rest = `properties: [{ name: 'blue', kind: 'sometimes', about: 'a blue web', check: () => ({ evidence: 'not seen' }) }],`;
    const { code, out } = seatrial(folderWith({ 'scenario.ts': scenarioFile({ rest }) }), 'fuzz', '.', '--runs', '3');
    expect(out).toContain('not decided: no run has shown blue');
    expect(code).toBe(3);
  });

  it('ends with 4 when an operator reads the real clock', () => {
    const reconcile = `
      const data = { at: String(Date.now() + Math.random()) };
      await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }).catch(() => undefined);`;
    const { code, out } = seatrial(folderWith({ 'scenario.ts': scenarioFile({ reconcile }) }), 'fuzz', '.', '--runs', '3');
    expect(out).toContain('the same plan gave two different runs');
    expect(code).toBe(4);
  });

  it('takes an operator that throws in its reconcile for one that is broken, not for bad input', () => {
    const folder = folderWith({ 'scenario.ts': scenarioFile({ reconcile: `throw new Error('no luck');` }) });
    const { code, out } = seatrial(folder, 'fuzz', '.', '--runs', '3');
    expect(out).toContain('no luck');
    expect(code).toBe(1);
  });

  it('does not let what an operator prints get into its result', () => {
    const folder = folderWith({ 'scenario.ts': scenarioFile({ reconcile: `console.log('hello', name);` }) });
    const { out, error } = seatrial(folder, 'fuzz', '.', '--runs', '3', '--json');
    expect(JSON.parse(out)).toMatchObject([{ outcome: 'held' }]);
    expect(error).toContain('hello a');
  });

  it('stops an operator that hangs, says which, and keeps the plan', async () => {
    const folder = folderWith({ 'scenario.ts': scenarioFile({ reconcile: 'for (;;);' }) });
    const { runJob } = await import(join(root, 'dist/cli/run-job.js'));
    const errors: string[] = [];
    const output = { out: () => {}, error: (text: string) => errors.push(text), progress: { isTTY: false, write: () => true } };
    const job = { kind: 'fuzz', path: join(folder, 'scenario.ts'), json: false, colour: false };
    expect(await runJob(job, output, 6_000)).toBe(1);
    expect(errors.join('\n')).toMatch(/web: the operator web-operator hangs: .* 6 s of real time/);
    const file = join(folder, 'corpus/web/hang.json');
    expect(existsSync(file)).toBe(true);
    expect(await runJob({ kind: 'replay', planFile: file, colour: false }, output, 6_000)).toBe(1);
  });
});

describe('bad input', () => {
  it('is a path that leads nowhere', () => {
    const folder = folderWith({ 'README.md': '' });
    expectPlainError(seatrial(folder, 'fuzz', 'nope.ts'), 'there is no file or folder nope.ts');
    expectPlainError(seatrial(folder, 'fuzz', '.'), 'the folder . has no scenario file; expected one of scenario.ts');
    expectPlainError(seatrial(folder, 'replay', 'nope.json'), 'there is no file nope.json');
  });

  it('is a file that is no scenario', () => {
    const folder = folderWith({
      'none.ts': 'export const x = 1;',
      'syntax.ts': 'export default {{',
      'throws.ts': `const late: string = 'x';\nthrow new Error('not today');`,
      'missing.ts': `import './nothing-here.js';`,
    });
    expectPlainError(seatrial(folder, 'fuzz', 'none.ts'), 'none.ts exports no scenario', 'defineScenario');
    expectPlainError(seatrial(folder, 'fuzz', 'syntax.ts'), 'syntax.ts cannot be loaded');
    expectPlainError(seatrial(folder, 'fuzz', 'throws.ts'), 'throws.ts cannot be loaded: not today (line 2)');
    expectPlainError(seatrial(folder, 'list', 'missing.ts'), 'missing.ts cannot be loaded', 'nothing-here');
  });

  it('is a scenario that cannot be simulated', () => {
    const folder = folderWith({
      'pod.ts': scenarioFile({ crd: `{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }` }),
      'refused.ts': scenarioFile({ crd: `{ ...webCrd, metadata: { name: 'wrong.example.com' } }` }),
      'setup.ts': scenarioFile({ setup: `throw new Error('no config');` }),
      'waits.ts': scenarioFile({ reconcile: 'await new Promise((resolve) => setTimeout(resolve, 1e6));' }),
      'asleep.ts': scenarioFile({ setup: 'return new Promise(() => {});' }),
      'climbs.ts': scenarioFile({ name: '../evil' }),
      'soon.ts': scenarioFile({ rest: `clientGo: 'next',` }),
      'stranger.ts': scenarioFile({ rest: `propertys: [],` }),
      'except.ts': scenarioFile({ rest: `except: { noHotloop: 'it is slow' },` }),
      'reason.ts': scenarioFile({ rest: `except: 'idempotent',` }),
      'taken.ts': scenarioFile({ rest: `acts: { delete: {} },` }),
      'act.ts': scenarioFile({ rest: `acts: { grow: () => {} },` }),
    });
    expectPlainError(seatrial(folder, 'fuzz', 'pod.ts'), 'one of its `crds` is a Pod, not a CustomResourceDefinition');
    expectPlainError(
      seatrial(folder, 'fuzz', 'refused.ts'),
      'the scenario web cannot be set up: the server refuses CustomResourceDefinition wrong.example.com',
    );
    expectPlainError(seatrial(folder, 'fuzz', 'setup.ts'), 'the operator web-operator cannot be started', 'no config');
    expectPlainError(seatrial(folder, 'fuzz', 'waits.ts'), 'the operator web-operator waits in its reconcile', 'a real timer');
    expectPlainError(seatrial(folder, 'fuzz', 'asleep.ts'), 'the operator web-operator waits in its setup', 'a real timer');
    expectPlainError(seatrial(folder, 'fuzz', 'climbs.ts'), 'its `name` names a folder');
    expectPlainError(seatrial(folder, 'fuzz', 'soon.ts'), 'there is no `clientGo` next');
    expectPlainError(seatrial(folder, 'fuzz', 'stranger.ts'), 'it has `propertys`, which means nothing here', 'properties');
    expectPlainError(seatrial(folder, 'fuzz', 'except.ts'), 'there is no built-in property noHotloop', 'noHotLoop');
    expectPlainError(seatrial(folder, 'fuzz', 'reason.ts'), '`except` must say why');
    expectPlainError(seatrial(folder, 'fuzz', 'taken.ts'), 'one of its `acts` is called delete', 'another name');
    expectPlainError(seatrial(folder, 'fuzz', 'act.ts'), '`acts.grow` is no act', 'act(arbitrary');
  });

  it('is a plan that cannot be played', () => {
    const folder = folderWith({
      'scenario.ts': scenarioFile(),
      'empty.json': '',
      'broken.json': '{"version":1,',
      'fault.json': '{"version":1,"scenario":"web","faults":[{"kind":"meteor","at":"x"}]}',
      'other.json': '{"version":1,"scenario":"other"}',
      'homeless.json': '{"version":1,"scenario":"web"}',
      'corpus/web/a.json': '',
    });
    expectPlainError(seatrial(folder, 'replay', 'empty.json', '.'), 'empty.json: the file is empty');
    expectPlainError(seatrial(folder, 'replay', 'broken.json', '.'), 'broken.json: this is not JSON');
    expectPlainError(seatrial(folder, 'replay', 'fault.json', '.'), 'fault.json: `faults[0].kind` should be one of', 'and is "meteor"');
    expectPlainError(seatrial(folder, 'replay', 'other.json', '.'), 'other.json is for the scenario other, and . has web');
    expectPlainError(seatrial(folder, 'replay', 'homeless.json'), 'homeless.json does not say where its scenario is');
    expectPlainError(seatrial(folder, 'fuzz', '.'), 'a.json: the file is empty');
  });

  it('is a flag that makes no sense', () => {
    const folder = folderWith({ 'scenario.ts': scenarioFile() });
    expectPlainError(seatrial(folder, 'fuzz', '.', '--runs', 'many'), "'many' is invalid", 'whole number, 1 or more');
    expectPlainError(seatrial(folder, 'fuzz', '.', '--time', '-1'), 'expected seconds, more than 0');
    expectPlainError(seatrial(folder, 'fuzz', '.', '--wind', '9'), "unknown option '--wind'");
    expectPlainError(seatrial(folder, 'sail'), "unknown command 'sail'");
  });

  it("is an author's own function that fails", () => {
    const throws = `() => { throw new Error('not mine'); }`;
    const folder = folderWith({
      'goal.ts': scenarioFile({ rest: `goal: ${throws},` }),
      'no-answer.ts': scenarioFile({ rest: 'goal: () => false as never,' }),
      'act.ts': scenarioFile({ rest: `acts: { storm: { args: fc.constant(1), act: ${throws} } },` }),
    });
    expectPlainError(seatrial(folder, 'fuzz', 'goal.ts', '--runs', '3'), 'its `goal` failed: not mine');
    expectPlainError(seatrial(folder, 'fuzz', 'no-answer.ts', '--runs', '3'), 'its `goal` must answer true, or what is missing');
    expectPlainError(seatrial(folder, 'fuzz', 'act.ts', '--runs', '30'), 'the act `storm` of the scenario failed: not mine');
  });

  it('is a file or a folder that cannot be used, and what was found is told all the same', () => {
    const folder = folderWith({ 'scenario.ts': makesTwo, taken: '', 'plans/twice/a.json/b': '' });
    expectPlainError(seatrial(folder, 'replay', 'plans', '.'), 'plans: this cannot be read');
    expectPlainError(seatrial(folder, 'fuzz', '.', '--corpus', 'plans'), 'a.json: this cannot be read');
    expectPlainError(seatrial(folder, 'fuzz', '.', '--corpus', 'taken'), 'a file or folder cannot be used', 'taken');
    const unreported = seatrial(folder, 'fuzz', '.', '--runs', '60', '--report', 'nowhere/report.md');
    expectPlainError(unreported, 'a file or folder cannot be used', 'nowhere/report.md');
    expect(unreported.out).toContain('is broken');
  });

  it('is code that ends the process', () => {
    const folder = folderWith({ 'scenario.ts': scenarioFile({ reconcile: 'process.exit(0);' }), 'now.ts': 'process.exit(0);' });
    expectPlainError(seatrial(folder, 'fuzz', '.'), 'process.exit(0) was called in a run of web');
    expectPlainError(seatrial(folder, 'list', 'now.ts'), 'process.exit(0) was called while the scenario was loaded');
  });

  it('is an operator whose promise nobody awaits', () => {
    const folder = folderWith({ 'scenario.ts': scenarioFile({ reconcile: `Promise.reject(new Error('adrift'));` }) });
    const { code, error } = seatrial(folder, 'fuzz', '.', '--runs', '3');
    expect(error).toContain('where nobody could handle it: adrift');
    expect(code).toBe(2);
  });
});

describe('the rest of the command line', () => {
  it('replays a plan that no longer says anything with 3', () => {
    const plan = '{"version":1,"scenario":"web","faults":[{"kind":"reply-lost","at":"create pods default/x by web-operator #1"}]}';
    const folder = folderWith({ 'scenario.ts': scenarioFile(), 'old.json': plan });
    const { code, out } = seatrial(folder, 'replay', 'old.json', '.');
    expect(out).toContain('the plan is out of date');
    expect(code).toBe(3);
  });

  it('does not mind a reader that has read enough', () => {
    const folder = folderWith({ 'scenario.ts': makesTwo });
    const script = `"$0" "$1" fuzz . --runs 60 | true; exit \${PIPESTATUS[0]}`;
    const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, main], { cwd: folder, encoding: 'utf8' });
    expect(stderr).not.toContain('EPIPE');
    expect(status).toBe(1);
  });

  it('takes the scenarios of a test file, which it does not run', () => {
    const test = scenarioFile({ name: 'tested' }).replace('export default defineScenario', 'const tested = defineScenario');
    const folder = folderWith({
      'web.test.ts': `import { describe, expect, it } from 'vitest';\nimport { trial } from 'seatrial/vitest';\n${test}
describe('a web', () => {
  trial(tested);
  it.each([1])('is not run', () => expect(1).toBe(2));
});\n`,
      'plan.json': JSON.stringify({ scenarioFile: 'web.test.ts', plan: { version: 1, scenario: 'tested', seed: 1 } }),
    });
    const { code, out } = seatrial(folder, 'replay', 'plan.json');
    expect(out).toContain('✓ tested under plan.json: every property held');
    expect(code).toBe(0);
  });

  it('lists scenarios', () => {
    const folder = folderWith({ 'scenario.ts': scenarioFile({ rest: `about: 'a small web', except: { noHotLoop: 'it polls' },` }) });
    const { code, out } = seatrial(folder, 'list', '.');
    expect(out).toContain('web-operator');
    expect(out).toContain('a small web');
    expect(out).toContain('except      noHotLoop: it polls');
    expect(code).toBe(0);
  });

  it('documents its exit codes', () => {
    for (const args of [['--help'], ['fuzz', '--help']]) {
      const { code, out } = seatrial(tmpdir(), ...args);
      for (const exit of [0, 1, 2, 3, 4]) expect(out).toMatch(new RegExp(`^ {2}${exit} {2}\\w`, 'm'));
      expect(code).toBe(0);
    }
  });
});
