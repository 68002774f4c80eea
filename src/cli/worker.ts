import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import pc from 'picocolors';
import { type CampaignResult, fuzz } from '../campaign/campaign.js';
import { loadCorpus, readWhole, saveCounterexample } from '../campaign/corpus.js';
import { readPlanFile } from '../campaign/counterexample.js';
import { replay } from '../campaign/replay.js';
import { failureText } from '../report/failure.js';
import type { Ink } from '../report/ink.js';
import { campaignJson } from '../report/json.js';
import { failureMarkdown } from '../report/markdown.js';
import { replayCommand, replayText } from '../report/replay.js';
import { campaignText } from '../report/summary.js';
import type { Scenario } from '../scenarios/scenario.js';
import { type ExitCode, exitCodeOf, exitCodes, gravest } from './exit-codes.js';
import { InputError, userMessage } from './input-error.js';
import type { Job, JobMessage, JobProgress } from './job.js';
import { listText } from './list.js';
import { loadScenarios } from './load.js';

/** The thread that loads the user's code and runs it. Whoever started it may end it at any time. */
const port = parentPort;
if (port === null) throw new Error('this file is the body of a worker thread');

try {
  const exitCode = await perform(workerData as Job);
  say({ kind: 'done', exitCode });
} catch (error) {
  const message = userMessage(error);
  if (message === undefined) throw error;
  say({ kind: 'bad input', message });
}

function say(message: JobMessage): void {
  port?.postMessage(message);
}

/** Once the user's files are loaded the thread says every second that its event loop turns: a long run is no hang. */
function showLife(): void {
  setInterval(() => say({ kind: 'alive' }), 1_000).unref();
}

function perform(what: Job): Promise<ExitCode> {
  switch (what.kind) {
    case 'fuzz':
      return fuzzAll(what);
    case 'replay':
      return replayPlan(what);
    case 'list':
      return list(what);
  }
}

async function fuzzAll(what: Extract<Job, { kind: 'fuzz' }>): Promise<ExitCode> {
  const { file, scenarios } = await loadScenarios(what.path);
  showLife();
  const codes: ExitCode[] = [];
  const results: object[] = [];
  const sections: string[] = [];
  const unkept: unknown[] = [];
  for (const scenario of scenarios) {
    const corpus = join(what.corpus ?? join(dirname(file), 'corpus'), scenario.name);
    const result = await fuzz(scenario, {
      ...(what.runs === undefined ? {} : { runs: what.runs }),
      ...(what.seed === undefined ? {} : { seed: what.seed }),
      ...(what.timeMs === undefined ? {} : { timeMs: what.timeMs }),
      corpus: loadCorpus(corpus, scenario.name),
      onProgress: (progress) => tell(scenario, file, corpus, progress),
    });
    codes.push(exitCodeOf[result.outcome]);
    let commands: readonly string[] = [];
    try {
      commands = keep(result, corpus, file);
    } catch (error) {
      // What was found is told, even where it cannot be kept.
      unkept.push(error);
    }
    if (what.json) results.push({ ...campaignJson(result), replay: commands });
    else say({ kind: 'text', text: resultText(result, commands, inkFor(what.colour)) });
    if (result.outcome === 'violated')
      sections.push(...result.counterexamples.map((each, index) => failureMarkdown(each, commands[index])));
  }
  if (what.json) say({ kind: 'text', text: JSON.stringify(results, undefined, 2) });
  if (unkept.length > 0) throw unkept[0];
  if (what.report !== undefined && sections.length > 0) writeFileSync(what.report, sections.join('\n'));
  return gravest(codes);
}

/** Keeps what was found in the corpus. @returns the commands that play it again */
function keep(result: CampaignResult, corpus: string, scenarioFile: string): readonly string[] {
  if (result.outcome !== 'violated') return [];
  return result.counterexamples.map((each) => replayCommand(saveCounterexample(corpus, each, relative(corpus, scenarioFile))));
}

function resultText(result: CampaignResult, commands: readonly string[], ink: Ink): string {
  const failures =
    result.outcome === 'violated'
      ? result.counterexamples.map(
          (each, index) => `${failureText(each, { ...(commands[index] !== undefined && { replay: commands[index] }), ink })}\n\n`,
        )
      : [];
  return `${failures.join('')}${campaignText(result, ink)}`;
}

async function replayPlan(what: Extract<Job, { kind: 'replay' }>): Promise<ExitCode> {
  const { planFile } = what;
  if (!existsSync(planFile)) throw new InputError(`there is no file ${planFile}`);
  const kept = readPlanFile(readWhole(planFile), planFile);
  const path = what.path ?? (kept.scenarioFile === undefined ? undefined : join(dirname(planFile), kept.scenarioFile));
  if (path === undefined)
    throw new InputError(`${planFile} does not say where its scenario is; name the file: seatrial replay ${planFile} SCENARIO_FILE`);
  const { file, scenarios } = await loadScenarios(path);
  showLife();
  const scenario = scenarios.find(({ name }) => name === kept.plan.scenario);
  if (scenario === undefined)
    throw new InputError(
      `${planFile} is for the scenario ${kept.plan.scenario}, and ${path} has ${scenarios.map(({ name }) => name).join(', ')}`,
    );
  tell(scenario, file, dirname(resolve(planFile)), { stage: 'replay', runs: 0, done: 0, failures: 0, plan: kept.plan });
  const result = await replay(scenario, kept, planFile);
  say({ kind: 'text', text: replayText(result, kept, planFile, inkFor(what.colour)) });
  return exitCodeOf[result.outcome];
}

async function list(what: Extract<Job, { kind: 'list' }>): Promise<ExitCode> {
  for (const path of what.paths)
    for (const scenario of (await loadScenarios(path)).scenarios)
      say({ kind: 'text', text: listText(scenario, path, inkFor(what.colour)) });
  return exitCodes.held;
}

function tell(
  { name, operators }: Scenario,
  scenarioFile: string,
  corpus: string,
  progress: Pick<JobProgress, 'stage' | 'runs' | 'done' | 'failures' | 'plan'> & { readonly of?: number },
): void {
  const about = { scenario: name, operators: operators.map((operator) => operator.name), scenarioFile, corpus };
  say({ kind: 'progress', progress: { ...about, ...progress } });
}

function inkFor(colour: boolean): Ink {
  const { bold, red, green, yellow, dim } = pc.createColors(colour);
  return { strong: bold, bad: red, good: green, doubtful: yellow, faint: dim };
}
