import { match } from 'ts-pattern';
import type { Fault } from '../sim/plan.js';
import { durationText, ordinal, timeText } from './numbers.js';

/** Trouble of a pod, a claim or a node. */
export type LifeFault = Extract<Fault, { readonly kind: 'pod' | 'claim' | 'node' }>;

/** Whether a fault is trouble of a pod, a claim or a node. */
export function isLifeFault(fault: Fault): fault is LifeFault {
  return fault.kind === 'pod' || fault.kind === 'claim' || fault.kind === 'node';
}

/** What a pod, a claim or a node went through, without a full stop: `Pod default/web-0 crashed 3 times before it ran`. */
export function lifeWords(fault: LifeFault): string {
  return match(fault)
    .with(
      { kind: 'node' },
      ({ node, atMs, forMs }) => `Nothing was heard of Node ${node} for ${durationText(forMs)} from ${timeText(atMs)} on`,
    )
    .with(
      { kind: 'claim' },
      ({ claim, nth, forMs }) => `${which('PersistentVolumeClaim', claim, nth)} was bound only after ${durationText(forMs)}`,
    )
    .with({ life: 'unschedulable' }, ({ pod, nth, forMs }) => `${podText(pod, nth)} fitted on no node for ${durationText(forMs)}`)
    .with(
      { life: 'image-pull' },
      ({ pod, nth, times }) => `${podText(pod, nth)} started late: its image could not be pulled ${often(times, 'the first time')}`,
    )
    .with({ life: 'slow-start' }, ({ pod, nth, forMs }) => `${podText(pod, nth)} took ${durationText(forMs)} longer to become ready`)
    .with({ life: 'crash-loop' }, ({ pod, nth, times, exitCode }) => {
      const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
      return `${podText(pod, nth)} crashed ${often(times, 'once')}${code} before it ran`;
    })
    .with(
      { life: 'flap' },
      ({ pod, nth, times, forMs }) =>
        `${podText(pod, nth)} became unready ${often(times, 'once')} for ${durationText(forMs)}: its probe failed`,
    )
    .with(
      { life: 'evicted' },
      ({ pod, nth, afterMs }) => `${podText(pod, nth)} was evicted by its node ${durationText(afterMs)} after its containers had started`,
    )
    .with(
      { life: 'slow-stop' },
      ({ pod, nth }) => `${podText(pod, nth)} did not heed SIGTERM: once deleted it stayed for its whole grace period`,
    )
    .exhaustive();
}

/** The same in a few words, for a line of a timeline. */
export function lifeInBrief(fault: LifeFault): string {
  return match(fault)
    .with({ kind: 'node' }, ({ node }) => `nothing is heard of Node ${node} from now on`)
    .with({ kind: 'claim' }, ({ claim }) => `nobody binds PersistentVolumeClaim ${claim} for a while`)
    .with({ life: 'unschedulable' }, ({ pod }) => `Pod ${pod} fits on no node`)
    .with({ life: 'image-pull' }, ({ pod }) => `the image of Pod ${pod} cannot be pulled`)
    .with({ life: 'slow-start' }, ({ pod }) => `Pod ${pod} takes long to become ready`)
    .with({ life: 'crash-loop' }, ({ pod }) => `Pod ${pod} crashes`)
    .with({ life: 'flap' }, ({ pod }) => `the readiness probe of Pod ${pod} fails`)
    .with({ life: 'evicted' }, ({ pod }) => `Pod ${pod} is evicted by its node`)
    .with({ life: 'slow-stop' }, ({ pod }) => `Pod ${pod} does not heed SIGTERM`)
    .exhaustive();
}

function podText(pod: string, nth: number): string {
  return which('Pod', pod, nth);
}

/** A name that several objects have had, one after the other or side by side, is told apart by a number. */
function which(kind: string, name: string, nth: number): string {
  return nth === 1 && !name.endsWith('*') ? `${kind} ${name}` : `The ${ordinal(nth)} ${kind} ${name}`;
}

function often(times: number, once: string): string {
  return times === 1 ? once : `${times} times`;
}
