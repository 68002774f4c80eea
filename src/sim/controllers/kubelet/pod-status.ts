import { rfc3339 } from '../../apiserver/metadata.js';
import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { type PodCondition, podCondition } from '../pod-state.js';
import { type ContainerStatus, containerStatuses, initContainerStatuses } from './container-status.js';
import { containersOf, initContainersOf, isSidecar } from './containers.js';
import type { PodRun } from './pod-run.js';

type Json = Readonly<Record<string, unknown>>;

/** Why a node that runs out of memory gets rid of a pod. */
export function evictionMessage(pod: KubeObject): string {
  const [container] = containersOf(pod);
  return `The node was low on resource: memory. Threshold quantity: 100Mi, available: 64Mi. Container ${container?.name} was using 512Mi, request is 0, has larger consumption of memory. `;
}

/**
 * What the kubelet has to write to say how the pod stands: a strategic merge patch of `pods/status`, guarded by the uid, since
 * a namesake is another pod. Undefined: the server has it already.
 */
export function statusPatch(pod: KubeObject, run: PodRun, node: KubeObject, nowMs: number): unknown {
  const current: Json = pod.status ?? {};
  const wanted = statusOf(pod, run, node);
  const own = conditionsOf(pod, run);
  const conditions = conditionPatches(pod, own, nowMs);
  const changed = Object.entries(wanted).filter(([field, value]) => !deepEqual(current[field], value));
  if (changed.length === 0 && conditions.length === 0) return undefined;
  const others = ((current.conditions ?? []) as readonly PodCondition[])
    .map(({ type }) => ({ type }))
    .filter(({ type }) => !own.some((each) => each.type === type));
  const order =
    conditions.length === 0 ? {} : { '$setElementOrder/conditions': [...others, ...own.map(({ type }) => ({ type }))], conditions };
  return { metadata: { uid: pod.metadata.uid }, status: { ...Object.fromEntries(changed), ...order } };
}

function statusOf(pod: KubeObject, run: PodRun, node: KubeObject): Json {
  const { stage } = run;
  const { generation } = pod.metadata;
  const hostIP = addressOf(node);
  const podIP = pod.spec?.hostNetwork === true ? hostIP : run.ip;
  const inits = initContainerStatuses(pod, run);
  return {
    ...(generation !== undefined && { observedGeneration: generation }),
    phase: phaseOf(run),
    ...(stage.at === 'ended' && stage.evicted && { reason: 'Evicted', message: evictionMessage(pod) }),
    startTime: rfc3339(run.startedMs),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(stage.at !== 'creating' && { podIP, podIPs: [{ ip: podIP }] }),
    ...(inits.length > 0 && { initContainerStatuses: inits }),
    containerStatuses: containerStatuses(pod, run),
  };
}

function phaseOf({ stage, upSinceMs }: PodRun): string {
  if (stage.at === 'ended') return stage.phase;
  return upSinceMs === undefined ? 'Pending' : 'Running';
}

function addressOf(node: KubeObject): string {
  const addresses: readonly { readonly type: string; readonly address: string }[] = node.status?.addresses ?? [];
  return addresses.find(({ type }) => type === 'InternalIP')?.address ?? '192.168.0.1';
}

interface WantedCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

/** The conditions that are the kubelet's own, in its order. */
function conditionsOf(pod: KubeObject, run: PodRun): readonly WantedCondition[] {
  const { stage } = run;
  const evicted = stage.at === 'ended' && stage.evicted;
  const ready = containersReady(pod, run);
  return [
    ...(evicted
      ? [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message: evictionMessage(pod) } as const]
      : []),
    { type: 'PodReadyToStartContainers', status: stage.at === 'creating' || stage.at === 'ended' ? 'False' : 'True' },
    { type: 'Initialized', ...initialized(pod, run) },
    { type: 'Ready', ...(ready.status === 'True' ? gatesPassed(pod) : ready) },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
}

type Answer = Omit<WantedCondition, 'type'>;

function containersReady(pod: KubeObject, run: PodRun): Answer {
  const { stage } = run;
  if (stage.at === 'ended') return { status: 'False', reason: stage.phase === 'Failed' ? 'PodFailed' : 'PodCompleted' };
  const sidecars = initContainersOf(pod)
    .filter(isSidecar)
    .map(({ name }) => name);
  const counted = [...initContainerStatuses(pod, run).filter(({ name }) => sidecars.includes(name)), ...containerStatuses(pod, run)];
  const unready = names(counted.filter(({ ready }) => !ready));
  if (unready === '') return { status: 'True' };
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready}]` };
}

function initialized(pod: KubeObject, run: PodRun): Answer {
  const { stage } = run;
  if (stage.at === 'ended' && stage.phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (run.upSinceMs !== undefined) return { status: 'True' };
  const incomplete = names(
    initContainerStatuses(pod, run).filter(({ ready, started }, index) =>
      isSidecar(initContainersOf(pod)[index] as never) ? !started : !ready,
    ),
  );
  if (incomplete === '') return { status: 'True' };
  return { status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${incomplete}]` };
}

/** Whether the conditions are there that the pod's readiness waits for besides its containers. */
function gatesPassed(pod: KubeObject): Answer {
  const gates: readonly { readonly conditionType: string }[] = pod.spec?.readinessGates ?? [];
  const closed = gates.flatMap(({ conditionType }) => {
    const status = podCondition(pod, conditionType)?.status;
    if (status === 'True') return [];
    if (status === undefined) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${status}`];
  });
  if (closed.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: closed.join(', ') };
}

function names(statuses: readonly ContainerStatus[]): string {
  return statuses.map(({ name }) => name).join(' ');
}

/** Those that are otherwise than the server has them; the time moves only with the status. */
function conditionPatches(pod: KubeObject, own: readonly WantedCondition[], nowMs: number): readonly Json[] {
  const { generation } = pod.metadata;
  return own.flatMap((wanted) => {
    const before = podCondition(pod, wanted.type) as (PodCondition & Json) | undefined;
    const { type, status, reason, message } = wanted;
    const same = before?.status === status;
    if (same && before.reason === reason && before.message === message && before.observedGeneration === generation) return [];
    const changed = { reason, message };
    const texts = Object.fromEntries(
      Object.entries(changed).flatMap(([field, value]): [string, string | null][] => {
        if (value !== undefined) return [[field, value]];
        return before?.[field] === undefined ? [] : [[field, null]];
      }),
    );
    return [
      {
        type,
        ...(generation !== undefined && { observedGeneration: generation }),
        status,
        ...(!same && { lastProbeTime: null, lastTransitionTime: rfc3339(nowMs) }),
        ...texts,
      },
    ];
  });
}
