import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { writeWhole } from '../campaign/corpus.js';
import { readableJson } from '../sim/plan-file.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import type { Job, JobMessage, JobProgress } from './job.js';
import { progressOn } from './progress.js';

/** Where a job's words go. */
export interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly progress: NodeJS.WriteStream;
}

/** How long a run may take without a sign of life, in wall-clock milliseconds: it gives one every second. */
const hangAfterMs = 20_000;

/** How often the thread is listened to in that time. */
const beats = 20;

/**
 * Does a job in a thread of its own, so that an operator that never gives the thread back can be stopped.
 * @param wallLimitMs how long the thread may be silent
 */
export function runJob(job: Job, { out, error, progress: stream }: Output, wallLimitMs = hangAfterMs): Promise<ExitCode> {
  return new Promise((resolve) => {
    // What an operator prints must not get between the lines of a result.
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: job, stdout: true });
    worker.stdout.pipe(process.stderr, { end: false });
    const progress = progressOn(stream);
    let last: JobProgress | undefined;
    /** Counted in beats and not in time, so that a machine that sleeps is no hang. */
    let silentBeats = 0;
    const watchdog = setInterval(() => {
      silentBeats += 1;
      if (silentBeats < beats) return;
      error(hangText(last, wallLimitMs));
      end(last === undefined ? exitCodes.badInput : exitCodes.violated);
    }, wallLimitMs / beats);
    let ended = false;
    const end = (exitCode: ExitCode): void => {
      ended = true;
      clearInterval(watchdog);
      progress.clear();
      void worker.terminate().then(() => resolve(exitCode));
    };
    worker.on('message', (message: JobMessage) => {
      silentBeats = 0;
      if (message.kind === 'progress') {
        last = message.progress;
        progress.show(message.progress);
      } else if (message.kind === 'text') {
        progress.clear();
        out(message.text);
      } else if (message.kind === 'bad input') {
        progress.clear();
        error(message.message);
        end(exitCodes.badInput);
      } else if (message.kind === 'done') end(message.exitCode);
    });
    worker.on('error', (thrown: Error) => {
      progress.clear();
      error(unexpectedText(thrown, last));
      end(exitCodes.badInput);
    });
    worker.on('exit', (code) => {
      if (ended) return;
      progress.clear();
      error(exitText(code, last));
      end(exitCodes.badInput);
    });
  });
}

/** Code of the user has ended the thread; an operator would have ended its process, and with it every run. */
function exitText(code: number, last: JobProgress | undefined): string {
  const where = last === undefined ? 'while the scenario was loaded' : `in a run of ${last.scenario}`;
  return `process.exit(${code}) was called ${where}; an operator whose process must end throws in its \`setup\` or in a runnable instead`;
}

/** An operator that does not come back: who, under which plan, and how to see it again. */
function hangText(last: JobProgress | undefined, wallLimitMs: number): string {
  const seconds = Math.round(wallLimitMs / 100) / 10;
  if (last === undefined)
    return `nothing has happened for ${seconds} s while the scenario was loaded: does its file wait for something, or run in an endless loop?`;
  const { scenario, operators, plan, corpus, scenarioFile } = last;
  const file = join(corpus, 'hang.json');
  const who = operators.length === 1 ? `the operator ${operators[0]}` : `one of the operators ${operators.join(', ')}`;
  return [
    `${scenario}: ${who} hangs: in one run nothing else could run for ${seconds} s of real time.`,
    'Its code is in a loop that never ends and awaits nothing, so no other code can run. Look for a `while` whose condition no longer changes.',
    keptText(file, `${readableJson({ scenarioFile: relative(corpus, scenarioFile), property: 'hang', plan })}\n`),
  ].join('\n');
}

function keptText(file: string, plan: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeWhole(file, plan);
  } catch (error) {
    return `The plan of that run cannot be kept: ${(error as Error).message}. It is:\n${plan}`;
  }
  return `The plan of that run is in ${relative('.', file)}; play it again with: npx seatrial replay ${relative('.', file)}`;
}

function unexpectedText(thrown: Error, last: JobProgress | undefined): string {
  if (last === undefined) return `${thrown.stack ?? thrown.message}\nThis is a mistake in seatrial itself; please report it.`;
  return [
    `an error came out of the run of ${last.scenario} where nobody could handle it: ${thrown.message}`,
    'Either an operator has a promise that it does not await, or this is a mistake in seatrial itself:',
    thrown.stack ?? '',
  ].join('\n');
}
