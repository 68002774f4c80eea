import type { KubeObject } from '../../etcd/object.js';
import { isReady } from '../pod-state.js';
import type { Exit, PodRun, Stage } from './pod-run.js';

interface Terminated {
  readonly exitCode: number;
  readonly startedAt: string;
  readonly finishedAt: string;
}

interface SeenStatus {
  readonly restartCount?: number;
  readonly state?: { readonly running?: { readonly startedAt: string }; readonly terminated?: Terminated };
  readonly lastState?: { readonly terminated?: Terminated };
}

/**
 * How a pod stands by what the server has of it: what a kubelet finds on its node when it starts. Undefined: its containers do
 * not run yet, so it begins anew.
 */
export function runOfStatus(pod: KubeObject, nowMs: number): PodRun | undefined {
  const { startTime, podIP, phase, containerStatuses, initContainerStatuses } = pod.status ?? {};
  if (phase !== 'Running' || startTime === undefined) return undefined;
  const statuses: readonly SeenStatus[] = containerStatuses ?? [];
  const inits: readonly SeenStatus[] = initContainerStatuses ?? [];
  const [first = {}, ...others] = statuses;
  const ended = first.state?.terminated ?? (first.state?.running === undefined ? first.lastState?.terminated : undefined);
  const last = exitOf(ended ?? first.lastState?.terminated);
  const sinceMs = Date.parse(first.state?.running?.startedAt ?? startTime);
  const ready = isReady(pod) ? { readySinceMs: nowMs } : {};
  const stage: Stage =
    last !== undefined && ended !== undefined
      ? { at: 'crashed', sinceMs: last.endedMs }
      : { at: 'up', sinceMs, readyAtMs: nowMs, ...ready };
  const crashes = (first.restartCount ?? 0) + (stage.at === 'crashed' ? 1 : 0);
  return {
    startedMs: Date.parse(startTime),
    ip: podIP ?? '',
    stage,
    upSinceMs: Date.parse(others[0]?.state?.running?.startedAt ?? startTime),
    inits: inits.map(({ state }) => ({
      startedMs: Date.parse(state?.running?.startedAt ?? state?.terminated?.startedAt ?? startTime),
      ...(state?.terminated !== undefined && { endedMs: Date.parse(state.terminated.finishedAt) }),
    })),
    exits: last === undefined ? [] : Array.from({ length: crashes }, () => last),
    failedPulls: 0,
    flaps: 0,
  };
}

function exitOf(terminated: Terminated | undefined): Exit | undefined {
  if (terminated === undefined) return undefined;
  const { exitCode, startedAt, finishedAt } = terminated;
  return { exitCode, startedMs: Date.parse(startedAt), endedMs: Date.parse(finishedAt) };
}
