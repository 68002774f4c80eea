import { namedRandom } from './random.js';

/**
 * How a run departs from the calm order, as a plan says it. `calm`: what is due first goes first. `uniform`: of what could
 * go, each step is as likely as the next; finds bugs in short windows. `pct`: every lane has a priority, and a lane of low
 * priority waits as long as any other can move, but for `depth` - 1 changes of priority during the first `steps` steps;
 * finds what needs one part of the cluster to lag for a long time.
 */
export type Strategy =
  | { readonly kind: 'calm' }
  | { readonly kind: 'uniform' }
  | { readonly kind: 'pct'; readonly depth: number; readonly steps: number };

/** Of two things that could go next, the one with the smaller rank goes. */
export interface Ranking {
  /** Nothing is held back longer than this, in virtual milliseconds, so that every order stays one that a cluster can have. */
  readonly maxLagMs: number;
  rank(lane: string, decision: string): number;
  /** Called with the lane of each step that is taken. */
  taken(lane: string): void;
}

const uniformLagMs = 200;
const pctLagMs = 30_000;

/** @returns undefined for the calm order, which needs no ranking. */
export function rankingOf(strategy: Strategy, seed: number): Ranking | undefined {
  const random = namedRandom(seed);
  switch (strategy.kind) {
    case 'calm':
      return undefined;
    case 'uniform':
      return { maxLagMs: uniformLagMs, rank: (_, decision) => random.unit(`rank ${decision}`), taken: () => {} };
    case 'pct': {
      const ranks = new Map<string, number>();
      const changes = new Set<number>();
      for (let point = 1; point < strategy.depth; point++) changes.add(Math.floor(random.unit(`change ${point}`) * strategy.steps));
      let step = 0;
      return {
        maxLagMs: pctLagMs,
        rank: (lane) => {
          let rank = ranks.get(lane);
          if (rank === undefined) {
            rank = random.unit(`lane ${lane}`);
            ranks.set(lane, rank);
          }
          return rank;
        },
        // Each change puts a lane behind all others, also behind those that earlier changes put back.
        taken: (lane) => {
          if (changes.has(step)) ranks.set(lane, 2 + step);
          step += 1;
        },
      };
    }
  }
}
