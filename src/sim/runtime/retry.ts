import { isConflict } from './api-errors.js';
import type { Clock } from './context.js';

/** apimachinery's wait.Backoff. */
export interface Backoff {
  readonly durationMs: number;
  /** Multiplies the duration after every step; 0 leaves it as it is. */
  readonly factor: number;
  /** Adds up to this share of the duration, at random. */
  readonly jitter: number;
  readonly steps: number;
  readonly capMs?: number;
}

/** 5 tries, 10 to 11 ms apart (D37). */
export const defaultRetry: Backoff = Object.freeze({ steps: 5, durationMs: 10, factor: 1, jitter: 0.1 });

/** client-go's other stock backoff: 10, 50, 250 ms. */
export const defaultBackoff: Backoff = Object.freeze({ steps: 4, durationMs: 10, factor: 5, jitter: 0.1 });

/**
 * Calls `update` again as long as it rejects with a Conflict (D37, D71). A closure that reads from a stale cache fails every time.
 * @param clock the manager, or the context of a reconcile
 * @throws the last Conflict when all tries are used up; every other error at once
 */
export function retryOnConflict<T>(clock: Clock, update: () => Promise<T>, backoff: Backoff = defaultRetry): Promise<T> {
  return onError(clock, backoff, isConflict, update);
}

/** client-go's retry.OnError: tries again as long as the error is one to try again. @throws the error that ends it */
export async function onError<T>(
  clock: Clock,
  backoff: Backoff,
  retriable: (error: unknown) => boolean,
  attempt: () => Promise<T>,
): Promise<T> {
  const steps = new BackoffSteps(backoff, () => clock.random('backoff'));
  let last: unknown = new Error('timed out waiting for the condition');
  while (steps.left > 0) {
    try {
      return await attempt();
    } catch (error) {
      if (!retriable(error)) throw error;
      last = error;
    }
    if (steps.left === 1) break;
    await clock.sleep(steps.next());
  }
  throw last;
}

/** The state of a wait.Backoff. */
export class BackoffSteps {
  #durationMs: number;
  #left: number;

  constructor(
    private readonly backoff: Backoff,
    private readonly random: () => number,
  ) {
    this.#durationMs = backoff.durationMs;
    this.#left = backoff.steps;
  }

  /** How many tries are left. None are when the cap is reached (D71). */
  get left(): number {
    return this.#left;
  }

  /** The next wait, in ms. It goes on at the last duration when no tries are left (D71). */
  next(): number {
    const { factor, jitter, capMs } = this.backoff;
    const waitMs = this.#durationMs;
    if (this.#left > 0) {
      this.#left -= 1;
      if (factor !== 0) this.#durationMs *= factor;
      if (capMs !== undefined && this.#durationMs > capMs) {
        this.#durationMs = capMs;
        this.#left = 0;
      }
    }
    return jitter > 0 ? waitMs + this.random() * jitter * waitMs : waitMs;
  }
}
