import type { Host } from '../host.js';

/** Virtual time for the code of an operator. */
export interface Clock {
  nowMs(): number;
  /** Resolves after that much virtual time. */
  sleep(ms: number): Promise<void>;
  /** A number in [0, 1) that depends on the run's seed and this name alone. */
  random(name: string): number;
}

/** What Go passes as `ctx`, and what a program needs of the world besides its client. */
export interface Context extends Clock {
  log(message: string): void;
  /** True once the context has ended. */
  readonly aborted: boolean;
  /** Resolves when the context ends: Go's `<-ctx.Done()`. */
  readonly done: Promise<void>;
  /** Why the context has ended: `context canceled`, `reconciliation timeout`. */
  readonly cause: string | undefined;
}

/** @param sleeper names the lane in which the sleeps end, one after the other. */
export function clockOf(host: Host, sleeper: string): Clock {
  return {
    nowMs: () => host.nowMs(),
    sleep: (ms) => new Promise((resolve) => void host.after(ms, `sleep ${sleeper}`, `wake ${sleeper}`, resolve)),
    random: (name) => host.random(name),
  };
}

/** A context, and the function that ends it. */
export function newContext(host: Host, sleeper: string): { readonly context: Context; end(cause: string): void } {
  let cause: string | undefined;
  let done: Promise<void> | undefined;
  let resolveDone = () => {};
  const context: Context = {
    ...clockOf(host, sleeper),
    log: (message) => host.note({ kind: 'log', level: 'info', message }),
    get aborted() {
      return cause !== undefined;
    },
    get done() {
      done ??= new Promise((resolve) => {
        if (cause === undefined) resolveDone = resolve;
        else resolve();
      });
      return done;
    },
    get cause() {
      return cause;
    },
  };
  return {
    context,
    end(why) {
      if (cause !== undefined) return;
      cause = why;
      resolveDone();
    },
  };
}
