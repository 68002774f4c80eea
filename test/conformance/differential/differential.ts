/**
 * Plays conversations that were drawn by chance against a real API server and the simulated one, and shows where they differ:
 *
 *   npm run differential -- --server https://127.0.0.1:6443
 *     --token TOKEN      golden
 *     --requests N       stop after so many answers were compared (500)
 *     --seed S           another seed, other conversations (1)
 *     --kinds a,b        only conversations about these plurals
 *     --everyday         leaves aside how a request is refused that both servers refuse
 *     --folder DIR       where each kind of difference is kept as a script (reports/differential)
 *     --replay FILE      plays this script instead; may be given more than once
 *     --record DIR       with --replay: writes DIR/sequences/FILE and DIR/recorded/FILE from the real server's answers
 *
 * How to get a real server: test/oracle/README.md. Exit code 1: there are differences.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { compare, type Difference, type Normal } from '../golden/runner.mjs';
import { type Both, playBoth, signatureOf, stepOf } from './both.js';
import { removeCrds } from './clean-up.js';
import { conversations } from './conversation.js';
import { realServer } from './real-server.js';
import type { Script } from './script.js';
import { smaller } from './smaller.js';

const NUMBER = 900;

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'golden' },
    requests: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: '' },
    folder: { type: 'string', default: 'reports/differential' },
    everyday: { type: 'boolean', default: false },
    replay: { type: 'string', multiple: true },
    record: { type: 'string' },
  },
});
const server = realServer(options.server, options.token);
let plays = 0;
const run = Date.now().toString(36);
const group = `d${run}.example.com`;
const play = (script: Script) => playBoth(script, server, `${run}${(plays++).toString(36)}`, group);

if (options.replay === undefined) await search();
else for (const file of options.replay) await replay(file);
await removeCrds(server, group);

async function search(): Promise<void> {
  const drawn = fc.sample(conversations(options.kinds.split(',').filter((each) => each !== '')), {
    seed: Number(options.seed),
    numRuns: 10_000,
  });
  const found = new Map<string, number>();
  let compared = 0;
  let equal = 0;
  let number = 0;
  const refused = new Map<string, number>();
  for (const make of drawn) {
    if (compared >= Number(options.requests)) break;
    number += 1;
    const script = make(NUMBER, `differential/seed-${options.seed}-${number}`);
    const both = await play(script);
    compared += both.compared;
    const parts = new Set(both.differences.map(({ at }) => at.split('/').slice(0, 2).join('/')));
    equal += both.compared - parts.size;
    const aside = options.everyday ? both.differences.filter((each) => isAboutRefusal(both, each)) : [];
    for (const at of new Set(aside.map((each) => each.at.split('/')[1]))) {
      const signature = signatureOf(script, aside.find((each) => each.at.split('/')[1] === at) as Difference);
      refused.set(signature, (refused.get(signature) ?? 0) + 1);
    }
    const first = both.differences.find((each) => !aside.includes(each));
    if (first === undefined) continue;
    const signature = signatureOf(script, first);
    const before = found.get(signature);
    if (before === undefined) {
      if (!(await shows(script, signature))) {
        console.log(`did not show again: ${signature}`);
        continue;
      }
      await keep(script, signature, number);
    }
    found.set(signature, (before ?? 0) + 1);
  }
  console.log(`${number} conversations, ${compared} answers and watches, ${equal} equal`);
  for (const [signature, count] of [...found].sort(([, a], [, b]) => b - a)) console.log(`${String(count).padStart(4)}  ${signature}`);
  if (refused.size > 0) console.log('left aside:');
  for (const [signature, count] of [...refused].sort(([, a], [, b]) => b - a)) console.log(`${String(count).padStart(4)}  ${signature}`);
  process.exitCode = found.size > 0 ? 1 : 0;
}

/** Whether both servers have refused, and differ in how they say it. */
function isAboutRefusal({ real, simulated }: Both, { at }: Difference): boolean {
  const [side, id] = at.split('/');
  return [real, simulated].every((normal) => {
    const part = (side === 'watches' ? normal.watches : normal.exchanges).find((each) => each.id === id);
    return Number(part?.status ?? 0) >= 400;
  });
}

async function shows(script: Script, signature: string): Promise<boolean> {
  const { differences } = await play(script);
  return differences.some((difference) => signatureOf(script, difference) === signature);
}

/** Makes the script small, prints it and writes it to the folder. */
async function keep(script: Script, signature: string, number: number): Promise<void> {
  const small = { ...(await smaller(script, (trial) => shows(trial, signature))), about: signature };
  const both = await play(small);
  mkdirSync(options.folder, { recursive: true });
  const file = join(options.folder, `seed-${options.seed}-${number}.json`);
  writeFileSync(file, scriptText(small));
  console.log(`\n${file}`);
  print(small, both);
}

async function replay(file: string): Promise<void> {
  const script = JSON.parse(readFileSync(file, 'utf8')) as Script;
  const both = await play(script);
  console.log(`${file}: ${both.compared} compared, ${both.differences.length} differences`);
  print(script, both);
  if (both.differences.length > 0) process.exitCode = 1;
  if (options.record !== undefined)
    record(options.record, script, file, [
      (await playBoth(script, server, `${run}r1`)).real,
      (await playBoth(script, server, `${run}r2`)).real,
    ]);
}

/** What two plays of the real server do not agree about is volatile. */
function record(directory: string, script: Script, file: string, [first, second]: readonly [Normal, Normal]): void {
  const volatile = compare(first, second).map(({ at }) => at);
  for (const folder of ['sequences', 'recorded']) mkdirSync(join(directory, folder), { recursive: true });
  const recorded = { server: 'kube-apiserver v1.36.3, etcd 3.6', ...first, ...(volatile.length > 0 && { volatile }) };
  writeFileSync(join(directory, 'sequences', basename(file)), scriptText(script));
  writeFileSync(join(directory, 'recorded', basename(file)), `${JSON.stringify(recorded, null, 1)}\n`);
}

/** One line for each step. */
function scriptText({ steps, ...head }: Script): string {
  return `${JSON.stringify(head).slice(0, -1)},\n  "steps": [\n${steps.map((step) => `    ${JSON.stringify(step)}`).join(',\n')}\n  ] }\n`;
}

function print(script: Script, { differences }: Both): void {
  const first = differences[0];
  if (first === undefined) return;
  for (const step of script.steps.filter((each) => !each.path?.includes('customresourcedefinitions')))
    console.log(`    ${clipped(step, 700)}`);
  console.log(`  at step ${clipped(stepOf(script, first)?.id, 40)}`);
  for (const difference of differences.slice(0, 4)) printDifference(difference);
}

function printDifference({ at, kind, expected, actual }: Difference): void {
  console.log(`  ${kind} ${at}\n      real      ${clipped(expected, 900)}\n      simulated ${clipped(actual, 900)}`);
}

function clipped(value: unknown, length: number): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
