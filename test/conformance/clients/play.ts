import { isDeepStrictEqual } from 'node:util';
import type { Journal } from './journal.js';
import type { Script, Step, StepRecord } from './script.js';
import type { Stage } from './stage.js';

/** The client under a script. */
export interface Client {
  /** Carries out a step that is none of the server's, the network's or the clock's. */
  do(step: Step): void | Promise<void>;
  /** What can be read from it at a quiet point. */
  state(): Readonly<Record<string, unknown>>;
}

/** Plays all steps: after each one waits for the quiet point and keeps what happened since the last. */
export async function playSteps(script: Script, stage: Stage, journal: Journal, client: Client): Promise<StepRecord[]> {
  const records: StepRecord[] = [];
  let before: unknown = {};
  for (const [number, step] of script.steps.entries()) {
    if (!(await stage.do(step))) await client.do(step);
    await stage.settle();
    if (typeof step.thenMs === 'number') await stage.advance(step.thenMs);
    const record: Record<string, unknown> = {
      step: number,
      does: describe(step),
      ...journal.flush(step.anyOrder as readonly string[] | undefined),
    };
    const state = client.state();
    if (!isDeepStrictEqual(state, before)) record.state = state;
    before = state;
    records.push(record);
  }
  return records;
}

function describe(step: Step): string {
  const verb = ['answer', 'send', 'end', 'cut'].find((name) => name in step);
  if (verb !== undefined) return `${verb} ${String(step[verb])}`;
  const { anyOrder: _anyOrder, note: _note, ...rest } = step;
  return JSON.stringify(rest);
}
