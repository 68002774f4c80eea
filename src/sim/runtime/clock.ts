import type { Host } from '../host.js';

/** Virtual time for the code of an operator. */
export interface Clock {
  nowMs(): number;
  /** Resolves after that much virtual time. */
  sleep(ms: number): Promise<void>;
  /** A number in [0, 1) that depends on the run's seed and this name alone. */
  random(name: string): number;
}

/** @param sleeper names the lane in which the sleeps end, one after the other. */
export function clockOf(host: Host, sleeper: string): Clock {
  return {
    nowMs: () => host.nowMs(),
    sleep: (ms) => new Promise((resolve) => void host.after(ms, `sleep ${sleeper}`, `wake ${sleeper}`, resolve)),
    random: (name) => host.random(name),
  };
}
