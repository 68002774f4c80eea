import { type DecisionName, Decisions, type Overrides } from './decisions.js';
import { LaneHeap } from './lane-heap.js';
import { type Process, ProcessTable } from './process.js';
import { type Ranking, rankingOf, type Strategy } from './strategy.js';

/** Something that will happen, in its place in a lane. */
export interface Task {
  readonly lane: string;
  readonly decision: DecisionName;
  /** What decides between equal times on a calm day: the order of making, and behind it whatever is late by the plan's wish. */
  readonly sequence: number;
  readonly createdAtMs: number;
  /** The first virtual time at which it may happen. */
  readyAtMs: number;
  /** The process whose memory it lives in: it is gone when the process crashes, and waits while it is frozen. */
  readonly process: Process | undefined;
  /** Waits for the clock and for nothing else. */
  readonly timer: boolean;
  /** A timer that comes again for ever: it does not keep the run from being quiescent. */
  readonly periodic: boolean;
  readonly run: () => void;
  cancelled: boolean;
}

/** Whose a task is, and whether it waits for the clock; see `Task`. */
export interface TaskOptions {
  readonly process?: Process | undefined;
  readonly timer?: boolean;
  readonly periodic?: boolean;
}

/** A step that the kernel has taken. */
export interface Step {
  readonly lane: string;
  readonly decision: DecisionName;
  readonly process: Process | undefined;
  /** Virtual milliseconds between the task's making and its run. */
  readonly waitedMs: number;
  /** How long it was held back although it could have gone, in virtual milliseconds. */
  readonly heldMs: number;
}

/** More than any run has tasks. */
const late = 2 ** 40;

/**
 * The one queue of the simulation. Everything that can happen next waits here in FIFO lanes; one step runs the head of one
 * lane. Time moves only from step to step.
 */
export class Kernel {
  readonly decisions: Decisions;
  readonly processes = new ProcessTable();
  readonly #lanes = new LaneHeap();
  #ranking: Ranking | undefined;
  #current: Step | undefined;
  #nowMs = 0;
  #sequence = 0;
  #steps = 0;
  #active = 0;
  #timers = 0;

  constructor(options: { readonly seed: number; readonly overrides: Overrides; readonly strategy: Strategy }) {
    this.decisions = new Decisions(options.seed, options.overrides);
    this.#ranking = rankingOf(options.strategy, options.seed);
  }

  /** Virtual milliseconds since the run began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Nothing will ever happen again but periodic timers. */
  get quiescent(): boolean {
    return this.#active === 0 && this.#timers === 0;
  }

  /** Nothing is on its way; only timers are left to wait for. */
  get idle(): boolean {
    return this.#active === 0;
  }

  /**
   * Puts something into a lane, behind everything in it that is due no later.
   * @param what names the decision how long it takes; the kernel adds which time of that name it is.
   * @param calmMs how long it takes on a calm day, in virtual milliseconds.
   */
  enqueue(lane: string, what: string, calmMs: number, run: () => void, options: TaskOptions = {}): Task {
    const decision = this.decisions.name(what);
    const delayMs = this.decisions.delayMs(decision, calmMs);
    const thawsAtMs = options.process?.frozenUntilMs ?? 0;
    const task: Task = {
      lane,
      decision,
      sequence: this.#sequence++ + (delayMs > calmMs ? late : 0),
      createdAtMs: this.#nowMs,
      readyAtMs: Math.max(this.#nowMs + delayMs, thawsAtMs),
      process: options.process,
      timer: options.timer ?? false,
      periodic: options.periodic ?? false,
      run,
      cancelled: options.process?.alive === false,
    };
    // What comes for a process that has died reaches nobody.
    if (task.cancelled) return task;
    this.#lanes.add(task);
    this.#count(task, 1);
    return task;
  }

  /** Takes a task back. Taking back what has run or was taken back already does nothing. */
  cancel(task: Task): void {
    if (task.cancelled) return;
    task.cancelled = true;
    this.#count(task, -1);
  }

  /** The time of the next task, or undefined when there is none. */
  nextAtMs(): number | undefined {
    const head = this.#lanes.first();
    return head === undefined ? undefined : Math.max(head.readyAtMs, this.#nowMs);
  }

  /** Lets time pass up to `untilMs` without a step; nothing may be due before. */
  advanceTo(untilMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  /** Takes one step. @returns undefined when no task is left. */
  step(): Step | undefined {
    const task = this.#ranking === undefined ? this.#lanes.first() : this.#pick(this.#ranking);
    if (task === undefined) return undefined;
    const readyAtMs = Math.max(task.readyAtMs, task.createdAtMs);
    this.#nowMs = Math.max(this.#nowMs, readyAtMs);
    this.#lanes.remove(task);
    this.#count(task, -1);
    task.cancelled = true;
    this.#steps += 1;
    this.#ranking?.taken(task.lane);
    const { lane, decision, process } = task;
    this.#current = { lane, decision, process, waitedMs: this.#nowMs - task.createdAtMs, heldMs: this.#nowMs - readyAtMs };
    task.run();
    return this.#current;
  }

  /** The step that is being taken, or the last one. */
  get current(): Step | undefined {
    return this.#current;
  }

  /** A process loses its memory: whatever waited in it is gone. */
  forget(process: Process): void {
    for (const task of this.#lanes.all()) if (task.process === process) this.cancel(task);
  }

  /** A process stops until a time: what was due in it before then is due then. */
  freeze(process: Process, untilMs: number): void {
    process.frozenUntilMs = untilMs;
    this.#lanes.reschedule((task) => (task.process === process ? Math.max(task.readyAtMs, untilMs) : task.readyAtMs));
  }

  /** From now on the calm order holds, and what was held back is due at once. */
  heal(): void {
    this.#ranking = undefined;
    this.decisions.heal();
    for (const process of this.processes.all()) process.frozenUntilMs = 0;
    this.#lanes.reschedule((task) => (task.timer ? task.readyAtMs : Math.min(task.readyAtMs, this.#nowMs)));
  }

  /** Timers that are not periodic, by due time: what a run that is idle still waits for. */
  timers(): readonly Task[] {
    return this.#lanes.all().filter((task) => task.timer && !task.periodic && !task.cancelled);
  }

  /**
   * Of the heads of all lanes, the one of smallest rank whose choice holds nothing back for too long. Timers take part
   * once they are due: a clock cannot be early, and waiting for one must not overtake what is on its way.
   */
  #pick(ranking: Ranking): Task | undefined {
    for (;;) {
      const first = this.#lanes.first();
      if (first === undefined) return undefined;
      const heads = this.#lanes.heads();
      let latestMs = Number.POSITIVE_INFINITY;
      let timerAtMs = Number.POSITIVE_INFINITY;
      for (const head of heads) {
        latestMs = Math.min(latestMs, head.readyAtMs + ranking.maxLagMs);
        if (head.timer && head.readyAtMs > this.#nowMs) timerAtMs = Math.min(timerAtMs, head.readyAtMs);
      }
      let best: Task | undefined;
      let bestRank = 0;
      for (const head of heads) {
        if (head.readyAtMs > latestMs || (head.timer && head.readyAtMs > this.#nowMs)) continue;
        const rank = ranking.rank(head.lane, head.decision);
        if (best === undefined || rank < bestRank || (rank === bestRank && head.sequence < best.sequence)) {
          best = head;
          bestRank = rank;
        }
      }
      // Only timers are left, or one comes due on the way to the choice: it must have its say first.
      if (best === undefined) return first;
      if (timerAtMs >= best.readyAtMs) return best;
      this.#nowMs = timerAtMs;
    }
  }

  #count(task: Task, by: 1 | -1): void {
    if (task.periodic) return;
    if (task.timer) this.#timers += by;
    else this.#active += by;
  }
}
