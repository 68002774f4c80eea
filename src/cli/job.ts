import type { Stage } from '../campaign/campaign.js';
import type { Plan } from '../sim/plan.js';
import type { ExitCode } from './exit-codes.js';

/** What a worker is asked to do: data only, for it crosses to another thread. */
export type Job =
  | {
      readonly kind: 'fuzz';
      readonly path: string;
      readonly runs?: number;
      readonly seed?: number;
      readonly timeMs?: number;
      /** The corpus folder; by default `corpus` beside the scenario's file. */
      readonly corpus?: string;
      /** Where a Markdown report goes when something is broken. */
      readonly report?: string;
      readonly json: boolean;
      readonly colour: boolean;
    }
  | { readonly kind: 'replay'; readonly planFile: string; readonly path?: string; readonly colour: boolean }
  | { readonly kind: 'list'; readonly paths: readonly string[]; readonly colour: boolean };

/** What a worker is doing: told before each run. */
export interface JobProgress {
  readonly scenario: string;
  readonly operators: readonly string[];
  /** Where a plan of this scenario is kept, and where its scenario is. */
  readonly corpus: string;
  readonly scenarioFile: string;
  readonly stage: Stage | 'replay';
  readonly runs: number;
  readonly done: number;
  readonly of?: number;
  readonly failures: number;
  readonly plan: Plan;
}

export type JobMessage =
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  /** The thread's event loop still turns: its run may be long, but it does not hang. */
  | { readonly kind: 'alive' }
  /** A part of the result that is ready. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bad input'; readonly message: string }
  | { readonly kind: 'done'; readonly exitCode: ExitCode };
