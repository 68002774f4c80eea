import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type FuzzOptions, fuzz } from '../campaign/campaign.js';
import { loadCorpus, saveCounterexample } from '../campaign/corpus.js';
import { failureText } from '../report/failure.js';
import { replayCommand } from '../report/replay.js';
import { campaignText } from '../report/summary.js';
import type { Scenario } from '../scenarios/scenario.js';

/** How long a test searches, and where its corpus is. */
export interface TrialOptions extends Pick<FuzzOptions, 'runs' | 'seed' | 'timeMs'> {
  /** The corpus folder; by default `corpus` beside the test's file. */
  readonly corpus?: string;
}

/** Plans that a test tries unless told otherwise: few enough for every save of a file. */
const defaultRuns = 300;
const loadingMs = 30_000;

/**
 * Registers a test that runs the scenario's corpus and then a campaign. It fails with the texts of all
 * failures, and keeps their plans in the corpus, from where `seatrial replay` plays them again.
 */
export function trial(scenario: Scenario, { corpus, runs = defaultRuns, ...rest }: TrialOptions = {}): void {
  const timeoutMs = loadingMs + (rest.timeMs ?? runs * 100);
  test(
    `${scenario.name} keeps its properties whatever happens`,
    async () => {
      const file = expect.getState().testPath as string;
      const folder = resolve(corpus ?? join(dirname(file), 'corpus'), scenario.name);
      const result = await fuzz(scenario, { ...rest, runs, corpus: loadCorpus(folder, scenario.name) });
      if (result.outcome === 'held') {
        if (result.unattended.length > 0) console.warn(campaignText(result));
        return;
      }
      if (result.outcome !== 'violated') throw withoutStack(campaignText(result));
      const texts = result.counterexamples.map((each) =>
        failureText(each, { replay: replayCommand(saveCounterexample(folder, each, relative(folder, file))) }),
      );
      throw withoutStack(texts.join('\n\n'));
    },
    timeoutMs,
  );
}

/** The place in seatrial where a failure was noticed tells nobody anything. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
