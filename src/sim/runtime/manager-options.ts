import type { LeaderElectionOptions } from './election.js';
import type { Kind } from './kind.js';

/** What a Go program gives to `ctrl.NewManager`. */
export interface ManagerOptions {
  /** Kinds that the client reads live: controller-runtime's DisableFor (D21). */
  readonly disableCacheFor?: readonly Kind[];
  /** How often every object is handed to the handlers again, a tenth either way, in ms. Default: never within a run; 10 h in Go (D26). */
  readonly syncPeriodMs?: number;
  /** How long a stop waits for what runs, in ms. Default 30,000; 0 does not wait (D41, D73). */
  readonly gracefulShutdownTimeoutMs?: number;
  /** Absent: the process takes itself for the leader (D39). */
  readonly leaderElection?: LeaderElectionOptions;
}
