import type { KubeObject } from '../../../src/sim/etcd/object.js';
import type { Client } from '../../../src/sim/runtime/client.js';
import type { Context } from '../../../src/sim/runtime/context.js';
import type { Kind } from '../../../src/sim/runtime/kind.js';
import { asReconciler } from '../../../src/sim/runtime/object-reconciler.js';
import { keyOfRequest, type ReconcileFunction, type Result, TerminalError } from '../../../src/sim/runtime/reconciler.js';
import type { Journal } from './journal.js';
import { goDuration } from './recorded-queue.js';
import { shorten } from './script.js';

interface Outcome {
  readonly requeueAfterMs?: number;
  readonly requeue?: boolean;
  readonly priority?: number;
  readonly error?: string;
  readonly terminal?: string;
  readonly panic?: string;
  readonly hold?: boolean;
  readonly untilCancelled?: boolean;
}

/** Outcomes by key, `*` for all others; the last one comes again and again. */
export type ReconcilePlan = Readonly<Record<string, readonly Outcome[]>>;

/** A reconciler that does what a script says. */
export class ScriptedReconciler {
  private readonly runs = new Map<string, number>();
  private readonly held: { readonly key: string; readonly release: () => void }[] = [];

  constructor(
    private readonly name: string,
    private readonly plan: ReconcilePlan,
    private readonly journal: Journal,
  ) {}

  readonly reconcile: ReconcileFunction = (request, context) => this.run(keyOfRequest(request), context);

  ofObjects(client: Client, kind: Kind): ReconcileFunction {
    return asReconciler(client, kind, (object, context) => {
      this.note(`gets ${shorten(object as KubeObject)}`);
      const { namespace = '', name = '' } = object.metadata;
      return this.run(keyOfRequest({ namespace, name }), context);
    });
  }

  release(key: string): void {
    const index = this.held.findIndex((held) => held.key === key);
    if (index >= 0) this.held.splice(index, 1)[0]!.release();
  }

  private async run(key: string, context: Context): Promise<Result> {
    const { hold, untilCancelled, panic, error, terminal, ...result } = this.next(key);
    this.note(`start ${key}`);
    if (hold) await new Promise<void>((release) => this.held.push({ key, release }));
    if (untilCancelled) {
      await context.done;
      this.note(`cancelled ${key}: ${context.cause}`);
    }
    if (panic !== undefined) {
      this.note(`panics ${key}`);
      this.journal.note('panics', panic);
      throw new TypeError(panic);
    }
    const failure = failureOf(error, terminal);
    const { requeueAfterMs, requeue } = result;
    const shown = [
      requeueAfterMs === undefined ? '' : ` requeueAfter ${goDuration(requeueAfterMs)}`,
      requeue ? ' requeue' : '',
      failure === undefined ? '' : ` error ${failure.message}`,
    ];
    this.note(`end ${key}${shown.join('')}`);
    if (failure !== undefined) throw failure;
    return result;
  }

  private next(key: string): Outcome {
    const outcomes = this.plan[key] ?? this.plan['*'] ?? [{}];
    const run = this.runs.get(key) ?? 0;
    this.runs.set(key, run + 1);
    return outcomes[Math.min(run, outcomes.length - 1)]!;
  }

  private note(what: string): void {
    this.journal.note(`reconcile ${this.name}`, what);
  }
}

function failureOf(error: string | undefined, terminal: string | undefined): Error | undefined {
  if (terminal === 'nil') return new TerminalError();
  if (terminal !== undefined) {
    const inner = new TerminalError(new Error(terminal));
    return new Error(`wrapped: ${inner.message}`, { cause: inner });
  }
  return error === undefined ? undefined : new Error(error);
}
