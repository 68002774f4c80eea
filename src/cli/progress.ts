import type { JobProgress } from './job.js';

/** Where progress is shown. */
export interface Progress {
  show(progress: JobProgress): void;
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
}

const linesEveryMs = 100;
const plainEveryMs = 10_000;

/** One line that is written over on a terminal; elsewhere a line for each new stage and one every ten seconds. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? terminalProgress(stream) : plainProgress(stream);
}

function terminalProgress(stream: NodeJS.WriteStream): Progress {
  const startedAt = performance.now();
  let shownAt = 0;
  return {
    show(progress) {
      const now = performance.now();
      if (now - shownAt < linesEveryMs) return;
      shownAt = now;
      const rate = Math.round(progress.runs / ((now - startedAt) / 1_000));
      stream.write(`\r\u001b[K${lineOf(progress)}, ${rate} runs/s`.slice(0, (stream.columns ?? 80) + 4));
    },
    clear() {
      stream.write('\r\u001b[K');
    },
  };
}

function plainProgress(stream: NodeJS.WriteStream): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  let stage = '';
  return {
    show(progress) {
      const now = performance.now();
      const here = `${progress.scenario} ${progress.stage}`;
      if (progress.stage === 'shrinking' || (here === stage && now - shownAt < plainEveryMs)) return;
      shownAt = now;
      stage = here;
      stream.write(`${lineOf(progress)}\n`);
    },
    clear() {},
  };
}

function lineOf({ scenario, stage, done, of, runs, failures }: JobProgress): string {
  const where = of === undefined ? '' : ` ${done} of ${of}`;
  return `${scenario}: ${stage}${where}, ${runs} runs${failures === 0 ? '' : `, ${failures} broken`}`;
}
