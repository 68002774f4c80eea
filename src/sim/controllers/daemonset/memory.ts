import type { KubeObject } from '../../etcd/object.js';
import { ExpectedDeletions } from '../deletions.js';

const firstDelayMs = 1_000;
const lastDelayMs = 15 * 60_000;

/** What the controller remembers of its DaemonSets. */
export interface Memory {
  readonly deletions: ExpectedDeletions;
  readonly failures: FailedPods;
}

export function emptyMemory(): Memory {
  return { deletions: new ExpectedDeletions(), failures: new FailedPods() };
}

/** How often pods have failed on a node: they are replaced after one second, and after twice as long each time (WL-80). */
export class FailedPods {
  readonly #delays = new Map<string, { readonly delayMs: number; readonly sinceMs: number }>();

  /** How long a failed pod has to stay yet, in milliseconds; when it may go, the next has to stay longer. */
  tooSoonMs(daemonSet: KubeObject, node: string, nowMs: number): number {
    const key = `${daemonSet.metadata.uid}/${daemonSet.status?.observedGeneration ?? 0}/${node}`;
    const before = this.#delays.get(key);
    const forgotten = before === undefined || nowMs - before.sinceMs > 2 * lastDelayMs;
    if (!forgotten && nowMs - before.sinceMs < before.delayMs) return before.delayMs;
    this.#delays.set(key, { delayMs: forgotten ? firstDelayMs : Math.min(before.delayMs * 2, lastDelayMs), sinceMs: nowMs });
    return 0;
  }
}
