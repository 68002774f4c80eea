import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlanError } from '../sim/plan-file.js';
import { type Counterexample, counterexampleFileName, counterexampleText, type PlanFile, readPlanFile } from './counterexample.js';

/** A plan of the corpus, and the file it comes from. */
export interface CorpusPlan extends PlanFile {
  readonly file: string;
}

/**
 * The plans of a folder in the order of their names; none when there is no such folder. A corpus has one folder for each
 * scenario, so a plan that was made for another one is an error.
 * @throws PlanError that names the first broken file
 */
export function loadCorpus(folder: string, scenario: string): readonly CorpusPlan[] {
  return filesOf(folder).map((name) => {
    const file = join(folder, name);
    const read = readPlanFile(readWhole(file), file);
    if (read.plan.scenario !== scenario)
      throw new PlanError(file, `this plan is for the scenario ${read.plan.scenario}, and the folder is that of ${scenario}`);
    return { ...read, file };
  });
}

/** Keeps a counterexample for all later campaigns, unless it comes from the corpus itself. @returns the file's path */
export function saveCounterexample(folder: string, counterexample: Counterexample, scenarioFile?: string): string {
  if (counterexample.foundBy.kind === 'corpus') return counterexample.foundBy.file;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, counterexampleFileName(counterexample));
  writeWhole(file, counterexampleText(counterexample, scenarioFile));
  return file;
}

/** @throws PlanError when the file cannot be read: it is gone, a folder, or not ours to read */
export function readWhole(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PlanError(file, `this cannot be read: ${(error as Error).message}`);
  }
}

/** Writes a file so that nobody ever reads a part of it, and a writer that dies leaves none. */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
