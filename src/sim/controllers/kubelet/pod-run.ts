import type { KubeObject } from '../../etcd/object.js';
import type { Fates, PodFault } from '../fates.js';
import { type ContainerSpec, containersOf, hasReadinessProbe, initContainersOf, isSidecar } from './containers.js';

/** How long things take on a calm day, in virtual milliseconds. */
const createMs = 2_000;
const initMs = 1_000;
const probeMs = 1_000;
/** How long containers run that are to come to an end, and those that are to crash. */
const runMs = 1_000;
const crashMs = 1_000;
/** How long a pod with a flapping probe is ready in between. */
const readyBetweenMs = 5_000;
/** How long the kubelet takes to notice that a container has ended, and to give up a failed pull. */
const noticeMs = 1_000;
/** The back-off of pulls and of restarts (`MaxContainerBackOff`, `imageBackOffPeriod`). */
const firstBackOffMs = 10_000;
const lastBackOffMs = 300_000;

/** One end of a container. Times are milliseconds since 1970, as everywhere here. */
export interface Exit {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly exitCode: number;
}

/** Where a pod stands. All that goes wrong goes wrong with its first container; the others run as they should. */
export type Stage =
  | { readonly at: 'creating'; readonly untilMs: number }
  /** The pull has just failed, or its back-off runs since then. */
  | { readonly at: 'pull-failed' | 'pull-backoff'; readonly sinceMs: number }
  | { readonly at: 'init'; readonly index: number; readonly sinceMs: number }
  /** The containers run. `readyAtMs`: when the probe succeeds next; `readySinceMs`: it did. */
  | { readonly at: 'up'; readonly sinceMs: number; readonly readyAtMs: number; readonly readySinceMs?: number }
  /** The first container has just ended, or its back-off runs since then. */
  | { readonly at: 'crashed' | 'crash-backoff'; readonly sinceMs: number }
  | { readonly at: 'ended'; readonly phase: 'Succeeded' | 'Failed'; readonly evicted: boolean; readonly exit: Exit };

/** A pod on its node, as far as it has come. */
export interface PodRun {
  readonly startedMs: number;
  readonly ip: string;
  readonly stage: Stage;
  /** Since when its containers other than the first run. */
  readonly upSinceMs?: number;
  /** The runs of its init containers so far; a sidecar has no end. */
  readonly inits: readonly { readonly startedMs: number; readonly endedMs?: number }[];
  /** The ends of its first container so far. */
  readonly exits: readonly Exit[];
  readonly failedPulls: number;
  readonly flaps: number;
}

/** What happens next to a pod by itself. */
export interface Next {
  readonly atMs: number;
  become(): PodRun;
}

/** A pod that has just come to its node. */
export function newRun(pod: KubeObject, fates: Fates, ip: string, nowMs: number): PodRun {
  const slow = hasReadinessProbe(pod) ? undefined : fates.ofPod(pod, 'slow-start');
  if (slow !== undefined) fates.comes(slow);
  const stage: Stage = { at: 'creating', untilMs: nowMs + createMs + (slow?.forMs ?? 0) };
  return { startedMs: nowMs, ip, stage, inits: [], exits: [], failedPulls: 0, flaps: 0 };
}

/** What comes next in the life of a pod, calm or not; undefined: nothing by itself. */
export function nextOf(pod: KubeObject, run: PodRun, fates: Fates): Next | undefined {
  const { stage } = run;
  switch (stage.at) {
    case 'creating':
      return { atMs: stage.untilMs, become: () => pulled(pod, run, fates, stage.untilMs) };
    case 'pull-failed':
      return { atMs: stage.sinceMs + noticeMs, become: () => ({ ...run, stage: { ...stage, at: 'pull-backoff' } }) };
    case 'pull-backoff': {
      const atMs = stage.sinceMs + backOffMs(run.failedPulls);
      return { atMs, become: () => pulled(pod, run, fates, atMs) };
    }
    case 'init': {
      const atMs = stage.sinceMs + initMs;
      const inits = run.inits.with(stage.index, { startedMs: stage.sinceMs, endedMs: atMs });
      return { atMs, become: () => initialized(pod, { ...run, inits }, fates, stage.index + 1, atMs) };
    }
    case 'up':
      return firstOf(whileUp(pod, run, stage, fates));
    case 'crashed': {
      const atMs = stage.sinceMs + noticeMs;
      // The first restart comes at once; the back-off grows from there on.
      if (run.exits.length > 1) return { atMs, become: () => ({ ...run, stage: { ...stage, at: 'crash-backoff' } }) };
      return { atMs, become: () => up(pod, run, fates, atMs) };
    }
    case 'crash-backoff': {
      const atMs = stage.sinceMs + restartBackOffMs(run);
      return { atMs, become: () => up(pod, run, fates, atMs) };
    }
    case 'ended':
      return undefined;
  }
}

/** The pod without what has slowed it down: from now on it takes no longer than on a calm day. Back-offs stay. */
export function hastened(run: PodRun, nowMs: number): PodRun {
  const { stage } = run;
  if (stage.at === 'creating') return { ...run, stage: { ...stage, untilMs: Math.min(stage.untilMs, nowMs + createMs) } };
  if (stage.at !== 'up' || stage.readySinceMs !== undefined) return run;
  return { ...run, stage: { ...stage, readyAtMs: Math.min(stage.readyAtMs, nowMs + probeMs) } };
}

/** The pod after its containers have been stopped. @param exitCode 137 when they had to be killed */
export function stopped(run: PodRun, exitCode: number, nowMs: number, evicted = false): PodRun {
  const startedMs = run.stage.at === 'up' ? run.stage.sinceMs : (run.upSinceMs ?? nowMs);
  const exit = { startedMs, endedMs: nowMs, exitCode };
  const ended = run.inits.map(({ startedMs: began, endedMs = nowMs }) => ({ startedMs: began, endedMs }));
  return { ...run, inits: ended, stage: { at: 'ended', phase: exitCode === 0 ? 'Succeeded' : 'Failed', evicted, exit } };
}

/** How long the first container waits for its next restart, in milliseconds. */
export function restartBackOffMs({ exits }: PodRun): number {
  return backOffMs(exits.length - 1);
}

/** How long the kubelet waits after so many failures in a row, in milliseconds: 10 s, doubled each time, at most 5 min. */
export function backOffMs(failures: number): number {
  return Math.min(firstBackOffMs * 2 ** (failures - 1), lastBackOffMs);
}

function pulled(pod: KubeObject, run: PodRun, fates: Fates, nowMs: number): PodRun {
  const fault = fates.ofPod(pod, 'image-pull');
  if (fault === undefined || run.failedPulls >= fault.times) return initialized(pod, run, fates, 0, nowMs);
  fates.comes(fault);
  return { ...run, failedPulls: run.failedPulls + 1, stage: { at: 'pull-failed', sinceMs: nowMs } };
}

/** Goes on with the init container of that index: a sidecar only starts, any other must come to its end first. */
function initialized(pod: KubeObject, run: PodRun, fates: Fates, index: number, nowMs: number): PodRun {
  const container = initContainersOf(pod)[index];
  if (container === undefined) return up(pod, run, fates, nowMs);
  const begun = { ...run, inits: [...run.inits.slice(0, index), { startedMs: nowMs }] };
  if (isSidecar(container)) return initialized(pod, begun, fates, index + 1, nowMs);
  return { ...begun, stage: { at: 'init', index, sinceMs: nowMs } };
}

function up(pod: KubeObject, run: PodRun, fates: Fates, nowMs: number): PodRun {
  const upSinceMs = run.upSinceMs ?? nowMs;
  if (!hasReadinessProbe(pod)) {
    return { ...run, upSinceMs, stage: { at: 'up', sinceMs: nowMs, readyAtMs: nowMs, readySinceMs: nowMs } };
  }
  const slow = fates.ofPod(pod, 'slow-start');
  if (slow !== undefined) fates.comes(slow);
  const readyAtMs = nowMs + initialDelayMs(containersOf(pod)) + probeMs + (slow?.forMs ?? 0);
  return { ...run, upSinceMs, stage: { at: 'up', sinceMs: nowMs, readyAtMs } };
}

function initialDelayMs(containers: readonly ContainerSpec[]): number {
  return Math.max(0, ...containers.map(({ readinessProbe }) => readinessProbe?.initialDelaySeconds ?? 0)) * 1000;
}

/** All that may happen to a pod that runs; of two things at one time the one named first happens. */
function* whileUp(pod: KubeObject, run: PodRun, stage: Extract<Stage, { readonly at: 'up' }>, fates: Fates): Iterable<Next> {
  const crash = fates.ofPod(pod, 'crash-loop');
  if (crash !== undefined && run.exits.length < crash.times) {
    const atMs = stage.sinceMs + crashMs;
    yield trouble(fates, crash, atMs, () => crashed(pod, run, stage.sinceMs, atMs, crash.exitCode ?? 1));
  }
  const eviction = fates.ofPod(pod, 'evicted');
  if (eviction !== undefined) {
    const atMs = (run.upSinceMs ?? stage.sinceMs) + eviction.afterMs;
    yield trouble(fates, eviction, atMs, () => stopped(run, 137, atMs, true));
  }
  if (pod.spec?.restartPolicy !== 'Always') {
    const atMs = stage.sinceMs + runMs;
    yield { atMs, become: () => stopped(run, 0, atMs) };
  }
  if (stage.readySinceMs === undefined) {
    yield { atMs: stage.readyAtMs, become: () => ({ ...run, stage: { ...stage, readySinceMs: stage.readyAtMs } }) };
    return;
  }
  const flap = hasReadinessProbe(pod) ? fates.ofPod(pod, 'flap') : undefined;
  if (flap !== undefined && run.flaps < flap.times) {
    const atMs = stage.readySinceMs + readyBetweenMs;
    const unready: Stage = { at: 'up', sinceMs: stage.sinceMs, readyAtMs: atMs + flap.forMs };
    yield trouble(fates, flap, atMs, () => ({ ...run, flaps: run.flaps + 1, stage: unready }));
  }
}

function trouble(fates: Fates, fault: PodFault, atMs: number, become: () => PodRun): Next {
  return {
    atMs,
    become: () => {
      fates.comes(fault);
      return become();
    },
  };
}

function firstOf(all: Iterable<Next>): Next | undefined {
  let first: Next | undefined;
  for (const next of all) if (first === undefined || next.atMs < first.atMs) first = next;
  return first;
}

function crashed(pod: KubeObject, run: PodRun, startedMs: number, nowMs: number, exitCode: number): PodRun {
  if (pod.spec?.restartPolicy === 'Never') return stopped(run, exitCode, nowMs);
  return { ...run, exits: [...run.exits, { startedMs, endedMs: nowMs, exitCode }], stage: { at: 'crashed', sinceMs: nowMs } };
}
