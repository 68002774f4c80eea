/**
 * Plays edits of workloads that were drawn by chance against the controllers of a real cluster and the simulated ones, and
 * shows where they come to rest differently:
 *
 *   npm run differential:controllers -- --server https://127.0.0.1:6443
 *     --token TOKEN      golden
 *     --scripts N        how many scripts (50)
 *     --seed S           another seed, other scripts (1)
 *     --kinds a,b        only scripts about these plurals
 *     --events           compares what events tell, too
 *     --at-once N        how many scripts are played at a time (8)
 *     --folder DIR       where each kind of difference is kept as a script (reports/differential)
 *     --replay FILE      plays this script instead; may be given more than once
 *
 * How to get a real cluster: test/oracle/README.md. Exit code 1: there are differences.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import type { Difference } from '../../golden/runner.mjs';
import { realServer } from '../real-server.js';
import { type Both, playBoth, signatureOf, stepOf } from './both.js';
import { makeNodes } from './play.js';
import { collections, type EditScript, type Plural } from './script.js';
import { smallerEdits } from './smaller-edits.js';
import { editScripts } from './workloads.js';

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'golden' },
    scripts: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: '' },
    events: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '8' },
    folder: { type: 'string', default: 'reports/differential' },
    replay: { type: 'string', multiple: true },
  },
});
const server = realServer(options.server, options.token);
const run = Date.now().toString(36);
let plays = 0;
const play = (script: EditScript) =>
  playBoth(script, server, `w${run}-${plays++}`, options.events ? (Object.keys(collections) as Plural[]) : undefined);

await makeNodes(server);
if (options.replay === undefined) await search();
else for (const file of options.replay) await replay(file);

async function search(): Promise<void> {
  const scripts = fc.sample(editScripts(options.kinds.split(',').filter((each) => each !== '')), {
    seed: Number(options.seed),
    numRuns: Number(options.scripts),
  });
  const found = new Map<string, number>();
  const left = [...scripts.entries()];
  let steps = 0;
  let chance = 0;
  const player = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [number, script] = next;
      const { differences } = await play(script);
      steps += script.length;
      const [first] = differences;
      if (first === undefined) continue;
      const signature = signatureOf(first);
      const before = found.get(signature);
      if (before === undefined && !(await showsAgain(script, signature))) {
        console.log(`did not show again: ${signature}`);
        chance += 1;
        continue;
      }
      found.set(signature, (before ?? 0) + 1);
      if (before === undefined) await keep(script.slice(0, stepOf(first) + 1), signature, number + 1);
    }
  };
  await Promise.all(Array.from({ length: Number(options['at-once']) }, player));
  console.log(
    `${scripts.length} scripts of ${steps} steps, ${[...found.values()].reduce((sum, each) => sum + each, 0)} differ, ${chance} by chance`,
  );
  for (const [signature, count] of [...found].sort(([, a], [, b]) => b - a)) console.log(`${String(count).padStart(4)}  ${signature}`);
  if (found.size > 0) process.exitCode = 1;
}

/** Chance may decide the same way twice, hardly ever three times. */
async function showsAgain(script: EditScript, signature: string): Promise<boolean> {
  return (await shows(script, signature)) && (await shows(script, signature));
}

async function shows(script: EditScript, signature: string): Promise<boolean> {
  const [first] = (await play(script)).differences;
  return first !== undefined && signatureOf(first) === signature;
}

/** Makes the script small, prints it and writes it to the folder. */
async function keep(script: EditScript, signature: string, number: number): Promise<void> {
  const small = await smallerEdits(script, (trial) => shows(trial, signature));
  mkdirSync(options.folder, { recursive: true });
  const file = join(options.folder, `controllers-seed-${options.seed}-${number}.json`);
  writeFileSync(file, `[\n${small.map((edit) => `  ${JSON.stringify(edit)}`).join(',\n')}\n]\n`);
  print(file, small, await play(small));
}

async function replay(file: string): Promise<void> {
  const script = JSON.parse(readFileSync(file, 'utf8')) as EditScript;
  const both = await play(script);
  print(file, script, both);
  if (both.differences.length > 0) process.exitCode = 1;
}

function print(file: string, script: EditScript, { differences }: Both): void {
  const lines = [`\n${file}: ${differences.length} differences`, ...script.map((edit) => `    ${clipped(edit)}`)];
  const [first] = differences;
  if (first !== undefined) {
    lines.push(`  first after step ${stepOf(first) + 1}`);
    for (const difference of differences.filter((each) => stepOf(each) === stepOf(first)).slice(0, 8)) lines.push(...told(difference));
  }
  console.log(lines.join('\n'));
}

function told({ at, kind, expected, actual }: Difference): readonly string[] {
  return [`  ${kind} ${at}`, `      real      ${clipped(expected)}`, `      simulated ${clipped(actual)}`];
}

function clipped(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 700 ? `${text.slice(0, 700)}…` : text;
}
