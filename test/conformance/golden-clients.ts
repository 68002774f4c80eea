import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareAll, type Outcome } from './clients/compare.js';
import { equalOnes, readRatchet, writeRatchet } from './clients/ratchet.js';
import { loadConversations } from './clients/script.js';

const usage = `npm run golden:clients -- [--dir DIR] [--only NNN] [--json FILE] [--ratchet]
  --dir DIR    a folder with scripts/ and recorded/; by default the project's own
  --only NNN   one script, with its differences
  --json FILE  writes every difference there
  --ratchet    keeps what is equal now as what must stay equal`;

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
    ratchet: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (values.help) console.log(usage);
else await run();

async function run(): Promise<void> {
  const dir = values.dir ?? fileURLToPath(new URL('clientgo', import.meta.url));
  const only = values.only === undefined ? undefined : Number(values.only);
  const outcomes = await compareAll(loadConversations(dir), (number) => only === undefined || number === only);
  if (only !== undefined) for (const outcome of outcomes) printDifferences(outcome);
  printTotals(outcomes);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(outcomes.filter(isDifferent), undefined, 1));
  if (values.dir !== undefined || only !== undefined) return;
  const lost = readRatchet().filter((name) => !equalOnes(outcomes).includes(name));
  if (lost.length > 0) console.log(`lost since the last ratchet: ${lost.join(', ')}`);
  if (values.ratchet) writeRatchet(equalOnes(outcomes));
  process.exitCode = lost.length > 0 ? 1 : 0;
}

function isDifferent({ differences }: Outcome): boolean {
  return differences.length > 0;
}

function printDifferences(outcome: Outcome): void {
  console.log(`${outcome.name} ${outcome.profile}: ${outcome.differences.length === 0 ? 'equal' : (outcome.reason ?? 'different')}`);
  for (const { step, does, lane, expected, found } of outcome.differences) {
    console.log(`  step ${step} (${does}) ${lane}\n    expected ${shown(expected)}\n    found    ${shown(found)}`);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

/** Per kind: scripts that are equal with all their profiles, then script and profile pairs, then the pairs of each profile. */
function printTotals(outcomes: readonly Outcome[]): void {
  for (const [kind, ofKind] of grouped(outcomes, ({ kind }) => kind)) {
    const scripts = [...grouped(ofKind, ({ number }) => String(number)).values()];
    const profiles = [...grouped(ofKind, ({ profile }) => profile)].map(([profile, some]) => `${profile} ${ratio(some)}`);
    const whole = scripts.filter((some) => !some.some(isDifferent)).length;
    console.log(`${kind.padEnd(12)} ${whole}/${scripts.length} scripts, ${ratio(ofKind)} with profile (${profiles.join(', ')})`);
    const different = ofKind.filter(isDifferent).map(({ number, profile }) => `${number} ${profile}`);
    if (different.length > 0) console.log(`  different: ${different.join(', ')}`);
  }
}

function ratio(outcomes: readonly Outcome[]): string {
  return `${outcomes.filter((outcome) => !isDifferent(outcome)).length}/${outcomes.length}`;
}

function grouped(outcomes: readonly Outcome[], by: (outcome: Outcome) => string): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) groups.set(by(outcome), [...(groups.get(by(outcome)) ?? []), outcome]);
  return groups;
}
