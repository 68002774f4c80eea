import type { Crew } from './crew.js';
import type { Etcd } from './etcd/etcd.js';
import { isHeartbeat } from './heartbeat.js';
import type { Kernel } from './kernel/kernel.js';
import { turn } from './kernel/turn.js';
import type { PhaseEnd } from './trace.js';

/** How far a phase may go before it counts as endless. */
export interface Budget {
  /** Steps of this phase. */
  readonly steps: number;
  /** Virtual milliseconds of this phase. */
  readonly forMs: number;
  /** How long, in virtual milliseconds, polling must have changed nothing to count as rest. */
  readonly quietMs: number;
}

/** How many full rounds of all timers must change nothing before polling counts as rest. */
const quietRounds = 2;
/** Whoever asks to be woken later than this, in virtual milliseconds, is asleep: a certificate that is renewed once a day. */
const longestWaitMs = 3_600_000;

/**
 * Runs the kernel until nothing will ever happen again, or until what still happens changes nothing: then every timer that
 * was waiting has come twice, and nobody has written more than that he is alive.
 * @param budget `quietMs`: and for so long, since whoever polls may wait for something that takes its time
 */
export async function runUntilSettled(kernel: Kernel, crew: Crew, etcd: Etcd, budget: Budget): Promise<PhaseEnd> {
  const revision = lastWord(etcd);
  const lastStep = kernel.steps + budget.steps;
  const lastMs = kernel.nowMs + budget.forMs;
  let round: { readonly revision: number; readonly sinceMs: number; readonly untilMs: number; readonly number: number } | undefined;
  for (;;) {
    if (kernel.quiescent) return 'quiescent';
    const nextMs = kernel.nextAtMs();
    if (nextMs === undefined) return 'quiescent';
    if (kernel.idle && nextMs - kernel.nowMs > longestWaitMs) return 'polling';
    if (nextMs > lastMs || kernel.steps >= lastStep) return 'budget';
    if (kernel.idle && nextMs > kernel.nowMs) {
      if (round === undefined || round.revision !== revision())
        round = { revision: revision(), sinceMs: kernel.nowMs, untilMs: lastTimerMs(kernel, crew), number: 1 };
      else if (nextMs > round.untilMs) {
        if (round.number >= quietRounds && kernel.nowMs - round.sinceMs >= budget.quietMs) return 'polling';
        round = { ...round, untilMs: lastTimerMs(kernel, crew), number: round.number + 1 };
      }
    }
    await oneStep(kernel, crew);
  }
}

/** Takes one step and lets the promises of operators settle. @throws OperatorError when an operator's code cannot go on. */
export async function oneStep(kernel: Kernel, crew: Crew): Promise<void> {
  const step = kernel.step();
  if (step !== undefined && crew.runsOperator(step.process)) await turn();
  if (crew.failure !== undefined) throw crew.failure;
}

/** The revision of the last commit that was more than a heartbeat, as far as can be seen since now. */
function lastWord(etcd: Etcd): () => number {
  let seen = etcd.revision;
  let word = etcd.revision;
  return () => {
    for (const commit of etcd.revision === seen ? [] : etcd.since(seen)) if (!isHeartbeat(commit)) word = commit.revision;
    seen = etcd.revision;
    return word;
  };
}

/** A queue has one timer for the first of its keys; what its other keys wait for, only the crew knows. */
function lastTimerMs(kernel: Kernel, crew: Crew): number {
  const last = kernel.timers().reduce((latest, task) => Math.max(latest, task.readyAtMs), Math.max(kernel.nowMs, crew.lastWakeMs()));
  return Math.min(last, kernel.nowMs + longestWaitMs);
}
