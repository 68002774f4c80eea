import { backOffMs } from './controllers/kubelet/pod-run.js';
import type { Fault, PodTrouble } from './plan.js';

/** How long after the last act of people the disturbance goes on at least, in virtual milliseconds. */
const afterLastActMs = 60_000;
/** What comes between the parts of a trouble: a container that runs for a moment, a pod that is ready for a moment. */
const betweenMs = 10_000;

/**
 * Until when people and the plan disturb the cluster, in virtual milliseconds: long enough for each trouble of a pod, a claim
 * or a node to take its course.
 */
export function stormEndMs(lastActMs: number, faults: readonly Fault[]): number {
  return Math.max(lastActMs + afterLastActMs, ...faults.map((fault) => endMs(lastActMs, fault)));
}

function endMs(lastActMs: number, fault: Fault): number {
  switch (fault.kind) {
    case 'node':
      return fault.atMs + fault.forMs + betweenMs;
    case 'claim':
      return lastActMs + fault.forMs + betweenMs;
    case 'pod':
      return lastActMs + lastsMs(fault) + betweenMs;
    default:
      return 0;
  }
}

/** How long a trouble takes from the making of the pod on, with a generous measure. */
function lastsMs(trouble: PodTrouble): number {
  switch (trouble.life) {
    case 'unschedulable':
    case 'slow-start':
      return trouble.forMs;
    case 'image-pull':
    case 'crash-loop':
      return Array.from({ length: trouble.times }, (_, failures) => backOffMs(failures + 1) + betweenMs).reduce((sum, ms) => sum + ms, 0);
    case 'flap':
      return trouble.times * (trouble.forMs + betweenMs);
    case 'evicted':
      return trouble.afterMs;
    case 'slow-stop':
      return 0;
  }
}
