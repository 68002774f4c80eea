/**
 * Plays the recorded conversations with a real API server against the simulated one:
 *
 *   npm run golden                              how much is equal, per group
 *   npm run golden -- --only 064                the differences of one sequence, or of those whose name holds a text
 *   npm run golden -- --dir DIR                 another folder with sequences/ and recorded/
 *   npm run golden -- --json FILE               every difference, as JSON
 *   npm run golden -- --update-ratchet          adds what is equal now to the ratchet; never takes anything away
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { barOf, describeBar } from './golden-bar.js';
import { count, equalParts, groupOf, isWorthKeeping, type Played, play, sequencesIn } from './golden-report.js';

const { values: options } = parseArgs({
  options: {
    dir: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
    'update-ratchet': { type: 'boolean' },
  },
});
const directory = options.dir ?? fileURLToPath(new URL('./golden', import.meta.url));
const ratchetFile = fileURLToPath(new URL('./golden-ratchet.json', import.meta.url));
const only = options.only;
const files = sequencesIn(directory).filter((file) => only === undefined || file.includes(only));
const all: Played[] = [];
for (const file of files) all.push(await play(directory, file));

if (only !== undefined) for (const played of all) printDifferences(played);
printGroups(all);
console.log(describeBar(barOf(all)));

if (options.json !== undefined) {
  const differences = all.map(({ sequence, failures, parts }) => ({
    name: sequence.name,
    failures,
    parts: parts.filter((part) => part.differences.length > 0).map(({ side, id, differences }) => ({ side, id, differences })),
  }));
  writeFileSync(options.json, `${JSON.stringify(differences, null, 1)}\n`);
}
if (options['update-ratchet']) {
  const ratchet = readRatchet();
  for (const played of all.filter(isWorthKeeping)) {
    const known = new Set([...(ratchet[played.sequence.name] ?? []), ...equalParts(played)]);
    if (known.size > 0) ratchet[played.sequence.name] = [...known].sort();
  }
  const sorted = Object.fromEntries(Object.entries(ratchet).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(ratchetFile, `${JSON.stringify(sorted, null, 1)}\n`);
}

function readRatchet(): Record<string, readonly string[]> {
  try {
    return JSON.parse(readFileSync(ratchetFile, 'utf8'));
  } catch {
    return {};
  }
}

function printGroups(played: readonly Played[]): void {
  const groups = new Map<string, Played[]>();
  for (const each of played) groups.set(groupOf(each.sequence), [...(groups.get(groupOf(each.sequence)) ?? []), each]);
  console.log('equal / recorded (whole | without managedFields)');
  for (const [group, members] of groups) console.log(line(group, members));
  if (groups.size > 1) console.log(line('ALL', played));
}

function line(name: string, members: readonly Played[]): string {
  const parts = members.flatMap((each) => each.parts);
  const cells = (['exchanges', 'watches', 'calls'] as const).flatMap((side) => {
    const whole = count(parts, side, 'differences');
    const essential = count(parts, side, 'essential');
    return whole.total === 0 ? [] : [`${side} ${whole.equal}/${whole.total} | ${essential.equal}/${essential.total}`];
  });
  const complete = members.filter((each) => each.parts.every((part) => part.essential.length === 0)).length;
  return `  ${name.padEnd(12)} ${cells.map((cell) => cell.padEnd(36)).join('')} sequences ${complete}/${members.length}`;
}

function printDifferences({ sequence, failures, parts }: Played): void {
  console.log(`${String(sequence.number).padStart(3, '0')} ${sequence.name}: ${sequence.about}`);
  for (const { step, message } of failures) console.log(`  NOT PLAYED ${step}: ${message}`);
  for (const part of parts) {
    if (part.differences.length === 0) continue;
    const beyond = part.essential.length === 0 ? ' (managedFields only)' : '';
    console.log(`  ${part.side}/${part.id}${beyond}`);
    for (const { at, kind, expected, actual } of part.essential.slice(0, 12)) {
      const where = at.slice(`${part.side}/${part.id}`.length) || '/';
      console.log(`    ${kind} ${where}`);
      console.log(`      expected ${short(expected)}`);
      console.log(`      actual   ${short(actual)}`);
    }
    if (part.essential.length > 12) console.log(`    and ${part.essential.length - 12} more`);
  }
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 600 ? `${text.slice(0, 600)}...` : text;
}
