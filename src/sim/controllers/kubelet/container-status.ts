import { rfc3339 } from '../../apiserver/metadata.js';
import type { KubeObject } from '../../etcd/object.js';
import { type ContainerSpec, containersOf, initContainersOf, isSidecar } from './containers.js';
import { type Exit, type PodRun, restartBackOffMs } from './pod-run.js';

type Json = Readonly<Record<string, unknown>>;

/** Where one container stands. */
interface ContainerRun {
  readonly state: Json;
  readonly lastState?: Json;
  readonly restarts?: number;
  readonly ready?: boolean;
  readonly started?: boolean;
}

/** A container's status as the API has it. */
export interface ContainerStatus extends Json {
  readonly name: string;
  readonly ready: boolean;
  readonly started: boolean;
}

/** What the kubelet says of each container, in the order of the spec. */
export function containerStatuses(pod: KubeObject, run: PodRun): readonly ContainerStatus[] {
  return containersOf(pod).map((container, index) => statusOf(pod, container, containerRun(pod, run, container, index)));
}

/** What the kubelet says of each init container, in the order of the spec. */
export function initContainerStatuses(pod: KubeObject, run: PodRun): readonly ContainerStatus[] {
  return initContainersOf(pod).map((container, index) => statusOf(pod, container, initContainerRun(pod, run, container, index)));
}

/** What a pull of the first image that fails is answered with, and what is said during its back-off. */
export function pullMessages({ image }: ContainerSpec): { readonly failed: string; readonly backOff: string } {
  const failed = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": not found`;
  return { failed, backOff: `Back-off pulling image "${image}": ErrImagePull: ${failed}` };
}

/** `web-0_default(3f0c...)`, as the kubelet calls a pod. */
export function podText({ metadata: { name, namespace, uid } }: KubeObject): string {
  return `${name}_${namespace}(${uid})`;
}

function containerRun(pod: KubeObject, run: PodRun, container: ContainerSpec, index: number): ContainerRun {
  const { stage, exits, upSinceMs } = run;
  const first = index === 0;
  switch (stage.at) {
    case 'creating':
    case 'pull-failed':
    case 'pull-backoff':
      return { state: waiting(creatingReason(pod, run, container, first)) };
    case 'init':
      return { state: waiting({ reason: 'PodInitializing' }) };
    case 'up': {
      const ready = stage.readySinceMs !== undefined;
      if (!first) return running(upSinceMs ?? stage.sinceMs, container.readinessProbe === undefined || ready);
      return { ...running(stage.sinceMs, ready), ...last(pod, exits, index), restarts: exits.length };
    }
    case 'crashed': {
      if (!first) return running(upSinceMs ?? stage.sinceMs, true);
      const before = exits.slice(0, -1);
      return { state: terminated(pod, exits.at(-1) as Exit, index, before.length), ...last(pod, before, index), restarts: before.length };
    }
    case 'crash-backoff': {
      if (!first) return running(upSinceMs ?? stage.sinceMs, true);
      const message = `back-off ${durationText(restartBackOffMs(run))} restarting failed container=${container.name} pod=${podText(pod)}`;
      const restarts = exits.length - 1;
      return { state: waiting({ reason: 'CrashLoopBackOff', message }), ...last(pod, exits, index), restarts };
    }
    case 'ended': {
      const exit = first ? stage.exit : { ...stage.exit, startedMs: upSinceMs ?? stage.exit.startedMs };
      if (!first) return { state: terminated(pod, exit, index, 0) };
      return { state: terminated(pod, exit, index, exits.length), ...last(pod, exits, index), restarts: exits.length };
    }
  }
}

function creatingReason(pod: KubeObject, { stage }: PodRun, container: ContainerSpec, first: boolean): Json {
  if (stage.at !== 'creating' && first) {
    const { failed, backOff } = pullMessages(container);
    if (stage.at === 'pull-failed') return { reason: 'ErrImagePull', message: failed };
    return { reason: 'ImagePullBackOff', message: backOff };
  }
  return { reason: initContainersOf(pod).length > 0 ? 'PodInitializing' : 'ContainerCreating' };
}

function initContainerRun(pod: KubeObject, { inits, stage }: PodRun, container: ContainerSpec, index: number): ContainerRun {
  const begun = inits[index];
  if (begun === undefined) return { state: waiting({ reason: 'PodInitializing' }) };
  const { startedMs, endedMs } = begun;
  // Sidecars are stopped when the others are done.
  if (endedMs === undefined) return running(startedMs, isSidecar(container));
  const exitCode = stage.at === 'ended' && endedMs === stage.exit.endedMs && !isSidecar(container) ? stage.exit.exitCode : 0;
  return { state: terminated(pod, { startedMs, endedMs, exitCode }, index + mostContainers, 0), ready: exitCode === 0 };
}

/** Init containers are numbered apart from the others. */
const mostContainers = 1_000;

function waiting(why: Json): Json {
  return { waiting: why };
}

function running(sinceMs: number, ready: boolean): ContainerRun {
  return { state: { running: { startedAt: rfc3339(sinceMs) } }, ready, started: true };
}

function terminated(pod: KubeObject, { startedMs, endedMs, exitCode }: Exit, index: number, restarts: number): Json {
  return {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: rfc3339(startedMs),
      finishedAt: rfc3339(endedMs),
      containerID: containerId(pod, index, restarts),
    },
  };
}

function last(pod: KubeObject, exits: readonly Exit[], index: number): Pick<ContainerRun, 'lastState'> {
  const exit = exits.at(-1);
  return exit === undefined ? {} : { lastState: terminated(pod, exit, index, exits.length - 1) };
}

function statusOf(pod: KubeObject, { name, image }: ContainerSpec, run: ContainerRun): ContainerStatus {
  const { state, lastState = {}, restarts = 0, ready = false, started = false } = run;
  const { terminated: ended } = state as { readonly terminated?: { readonly containerID: string } };
  const { terminated: before } = lastState as { readonly terminated?: { readonly containerID: string } };
  const waits = state.waiting !== undefined;
  const id = waits ? before?.containerID : (ended?.containerID ?? containerId(pod, indexOf(pod, name), restarts));
  const imageID = waits && restarts === 0 && before === undefined ? '' : `${image}@sha256:${sum}`;
  return { ...(id !== undefined && { containerID: id }), image, imageID, lastState, name, ready, restartCount: restarts, started, state };
}

/** All images are the same: none has any content. */
const sum = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function indexOf(pod: KubeObject, name: string): number {
  const init = initContainersOf(pod).findIndex((container) => container.name === name);
  return init >= 0 ? init + mostContainers : containersOf(pod).findIndex((container) => container.name === name);
}

/** Each run of a container has its own id. */
function containerId({ metadata: { uid = '' } }: KubeObject, index: number, restarts: number): string {
  return `containerd://${(uid.replaceAll('-', '') + index.toString(16).padStart(16, '0')).padEnd(48, '0')}${restarts.toString(16).padStart(16, '0')}`;
}

/** As Go prints a duration: `1m20s`. */
function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
