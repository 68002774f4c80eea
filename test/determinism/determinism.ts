import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** Runs the same plans in processes that differ in everything a run must not depend on, and compares what came of them. */
const count = process.argv[2] ?? '500';
const jiti = new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url).pathname;
const script = new URL('./digests.ts', import.meta.url).pathname;

interface Surroundings {
  readonly about: string;
  readonly order: 'forwards' | 'backwards';
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const surroundings: readonly Surroundings[] = [
  { about: 'as it is', order: 'forwards', flags: [], env: {} },
  { about: 'once more', order: 'forwards', flags: [], env: {} },
  { about: 'in reverse order', order: 'backwards', flags: [], env: {} },
  { about: 'with a smaller stack', order: 'forwards', flags: ['--stack-size=600'], env: {} },
  { about: 'with much garbage collection', order: 'backwards', flags: ['--max-semi-space-size=1', '--gc-interval=2000'], env: {} },
  { about: 'in Tokyo, in Turkish', order: 'forwards', flags: [], env: { TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' } },
];

let reference: readonly string[] | undefined;
let differences = 0;
for (const { about, order, flags, env } of surroundings) {
  const startedAt = performance.now();
  const output = execFileSync(process.execPath, [...flags, jiti, script, count, order], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  const digests = JSON.parse(output) as readonly string[];
  reference ??= digests;
  const different = digests.flatMap((digest, index) => (digest === reference?.[index] ? [] : [index]));
  differences += different.length;
  const all = createHash('sha256').update(output).digest('hex').slice(0, 16);
  const verdict = different.length === 0 ? 'the same' : `${different.length} differ, the first is plan ${different[0]}`;
  console.log(
    `${about.padEnd(30)} ${digests.length} plans  ${all}  ${verdict}  (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`,
  );
}
console.log(differences === 0 ? 'deterministic' : 'NOT deterministic');
process.exitCode = differences === 0 ? 0 : 1;
