#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import { fuzzDefaults } from '../campaign/defaults.js';
import { version } from '../campaign/version.js';
import { exitCodes, exitCodesHelp } from './exit-codes.js';
import type { Job } from './job.js';
import { runJob } from './run-job.js';

interface FuzzFlags {
  readonly runs: number;
  readonly seed: number;
  readonly time?: number;
  readonly corpus?: string;
  readonly report?: string;
  readonly json?: boolean;
}

const program = new Command('seatrial')
  .description('Sea trials for Kubernetes operators: finds, shrinks and replays the runs in which a reconciler goes wrong.')
  .version(version)
  .addHelpText('after', exitCodesHelp)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCodes.held : exitCodes.badInput));

const colour = pc.isColorSupported && process.stdout.isTTY === true;

program
  .command('fuzz')
  .description('search for plans that break a property, shrink them, and keep them in the corpus')
  .argument('<path>', 'a file that exports scenarios, or the folder of a scenario.ts')
  .option('--runs <n>', 'plans to try', wholeNumber(1), fuzzDefaults.runs)
  .option('--seed <n>', 'the same seed makes the same plans', wholeNumber(Number.MIN_SAFE_INTEGER), fuzzDefaults.seed)
  .option('--time <seconds>', 'stop after this much real time', seconds)
  .option('--corpus <folder>', 'where failing plans are kept and tried first (default: corpus, beside the file)')
  .option('--report <file>', 'write what is broken as Markdown')
  .option('--json', 'print the result as JSON')
  .addHelpText('after', exitCodesHelp)
  .action((path: string, { runs, seed, time, corpus, report, json }: FuzzFlags) =>
    perform({
      kind: 'fuzz',
      path,
      runs,
      seed,
      json: json === true,
      colour,
      ...(time === undefined ? {} : { timeMs: time * 1_000 }),
      ...(corpus === undefined ? {} : { corpus }),
      ...(report === undefined ? {} : { report }),
    }),
  );

program
  .command('replay')
  .description('play one plan again')
  .argument('<plan>', 'a file that fuzz has written, or a plan by itself')
  .argument('[path]', 'the scenario’s file, when the plan’s file does not name it')
  .addHelpText('after', exitCodesHelp)
  .action((planFile: string, path: string | undefined) =>
    perform({ kind: 'replay', planFile, colour, ...(path === undefined ? {} : { path }) }),
  );

program
  .command('list')
  .description('show the scenarios of files')
  .argument('<paths...>', 'files that export scenarios, or folders of a scenario.ts')
  .action((paths: string[]) => perform({ kind: 'list', paths, colour }));

// Whoever reads the output may stop reading, as `| head -1` does: what is said after that is lost, what is done is not.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

await program.parseAsync();

async function perform(job: Job): Promise<void> {
  process.exitCode = await runJob(job, {
    out: (text) => process.stdout.write(`${text}\n`),
    error: (text) => process.stderr.write(`${text}\n`),
    progress: process.stderr,
  });
}

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isSafeInteger(value) || value < least)
      throw new InvalidArgumentError(least === 1 ? 'expected a whole number, 1 or more' : 'expected a whole number');
    return value;
  };
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('expected seconds, more than 0');
  return value;
}
