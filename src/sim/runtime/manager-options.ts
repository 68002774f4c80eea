import type { LeaderElectionOptions } from './election.js';
import type { Kind } from './kind.js';

/** What a Go program gives to `ctrl.NewManager`. */
export interface ManagerOptions {
  /** Kinds that the client reads live: controller-runtime's DisableFor (D21). */
  readonly disableCacheFor?: readonly Kind[];
  /** A cached read of a kind that nothing watches fails instead of starting a watch: ReaderFailOnMissingInformer (D25). */
  readonly readerFailOnMissingInformer?: boolean;
  /**
   * How many requests a second, and how many at once, a client makes for one kind; the others wait. Default: no limit, as with
   * controller-runtime's GetConfig; a bare rest.Config has 5 and 10 (A37).
   */
  readonly clientRateLimit?: { readonly qps: number; readonly burst: number };
  /** How often every object is handed to the handlers again, a tenth either way, in ms. Default: never within a run; 10 h in Go (D26). */
  readonly syncPeriodMs?: number;
  /** How long a stop waits for what runs, in ms. Default 30,000; 0 does not wait (D41, D73). */
  readonly gracefulShutdownTimeoutMs?: number;
  /** Absent: the process takes itself for the leader (D39). */
  readonly leaderElection?: LeaderElectionOptions;
}
