import type { KubeObject } from '../sim/etcd/object.js';
import type { DecisionName } from '../sim/kernel/decisions.js';
import { user } from '../sim/people.js';
import type { ObjectTarget } from '../sim/plan.js';
import type { Trace, TraceEntry } from '../sim/trace.js';
import type { World } from '../sim/world.js';
import { SeenLives } from './seen-lives.js';

/** A call that an operator made. */
export interface SeenCall {
  readonly name: DecisionName;
  readonly process: string;
  /** A `list` or a `watch` brings first contents, and so can come from a server that is behind. */
  readonly effect: 'write' | 'get' | 'list' | 'watch';
  /** A write that the server refuses when somebody else has written in between. */
  readonly locked: boolean;
  readonly atMs: number;
}

/** Enough names to point at; a campaign of many runs would gather them without end. */
const mostNames = 1_000;

/** What a plan can point at: names and moments that earlier runs of the scenario have shown. */
export class Vocabulary {
  readonly operators: readonly string[];
  readonly lives: SeenLives;
  readonly #controllers: readonly string[];
  readonly #calls = new Map<DecisionName, SeenCall>();
  readonly #deliveries = new Set<DecisionName>();
  readonly #webhookCalls = new Set<DecisionName>();
  readonly #roots = new Map<string, ObjectTarget>();
  readonly #moments = new Set<number>();
  /** Who has changed the cluster. */
  readonly #writers = new Set<string>();

  constructor(world: World) {
    this.operators = world.operators.map((operator) => operator.name);
    this.lives = new SeenLives(world);
    this.#controllers = world.controllers;
  }

  /** Those whose standing still can change anything: the operators, and the controllers that have done something. */
  get processes(): readonly string[] {
    return [...this.operators, ...this.#controllers.filter((name) => this.#writers.has(name))];
  }

  get calls(): readonly SeenCall[] {
    return [...this.#calls.values()];
  }

  /** Watch events that came to an operator. */
  get deliveries(): readonly DecisionName[] {
    return [...this.#deliveries];
  }

  /** Calls of admission webhooks by the API server, for requests of an operator. */
  get webhookCalls(): readonly DecisionName[] {
    return [...this.#webhookCalls];
  }

  /** Objects that people made. */
  get roots(): readonly ObjectTarget[] {
    return [...this.#roots.values()];
  }

  /** The first whole virtual millisecond after each change of the cluster, in order. */
  get moments(): readonly number[] {
    return [...this.#moments].sort((a, b) => a - b);
  }

  /** Takes in the names of the run's disturbed part; faults do not happen later. */
  learn(trace: Trace): void {
    for (const entry of trace.entries) if (entry.phase === 'disturb') this.#take(entry);
    this.lives.learn(trace);
  }

  #take({ event, atMs, decision }: TraceEntry): void {
    if (event.kind === 'sent') {
      if (!this.operators.includes(event.process)) return;
      const { verb, body } = event.request;
      const effect = verb === 'watch' || verb === 'list' || verb === 'get' ? verb : 'write';
      const locked = (verb === 'update' || verb === 'patch') && (body as KubeObject | undefined)?.metadata?.resourceVersion !== undefined;
      if (this.#calls.size < mostNames) this.#calls.set(event.call, { name: event.call, process: event.process, effect, locked, atMs });
    } else if (event.kind === 'delivered') {
      if (this.operators.includes(event.process) && this.#deliveries.size < mostNames) this.#deliveries.add(decision);
    } else if (event.kind === 'webhook') {
      if (this.operators.includes(event.process) && this.#webhookCalls.size < mostNames) this.#webhookCalls.add(event.call);
    } else if (event.kind === 'handled' && event.commits.length > 0) {
      this.#writers.add(event.process);
      if (this.#moments.size < mostNames) this.#moments.add(Math.floor(atMs) + 1);
      const made = event.commits.find((commit) => commit.previous === undefined);
      if (event.process === user && made !== undefined) this.#roots.set(JSON.stringify(made.key), { ...made.key });
    }
  }
}

/** The names that the next calls of these kinds will have: what a restarted process asks for again. */
export function nextNames(calls: readonly SeenCall[]): readonly DecisionName[] {
  const occurrences = new Map<string, number>();
  for (const { name } of calls) {
    const hash = name.lastIndexOf(' #');
    const what = name.slice(0, hash);
    occurrences.set(what, Math.max(occurrences.get(what) ?? 0, Number(name.slice(hash + 2))));
  }
  return [...occurrences].map(([what, last]) => `${what} #${last + 1}`);
}
