import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { age, durationText } from './ages.js';
import { containerCells, labelsText, NONE, nameOf, orElse } from './cell-text.js';

interface Terminated {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly finishedAt?: string | null;
}

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state?: { readonly waiting?: { readonly reason?: string }; readonly running?: object; readonly terminated?: Terminated };
  readonly lastState?: { readonly terminated?: Terminated };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** What the containers of a pod add up to. */
interface Sum {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  /** When a container that was started again had ended last. */
  readonly lastEndMs: number;
}

/** What `kubectl get pods -o wide` shows. */
export function podCells(pod: KubeObject, nowMs: number): readonly JsonValue[] {
  const { ready, reason, restarts, lastEndMs } = sumOf(pod);
  const conditions: readonly Condition[] = pod.status?.conditions ?? [];
  const gates: readonly { readonly conditionType: string }[] = pod.spec?.readinessGates ?? [];
  const open = gates.filter(({ conditionType }) => conditions.find(({ type }) => type === conditionType)?.status === 'True');
  const ago = restarts !== 0 && lastEndMs !== NEVER ? ` (${durationText(nowMs - lastEndMs)} ago)` : '';
  const all = (pod.spec?.containers ?? []).length + sidecarsOf(pod).size;
  return [
    nameOf(pod),
    `${ready}/${all}`,
    shownReason(pod, reason),
    `${restarts}${ago}`,
    age(pod, nowMs),
    orElse(pod.status?.podIP || pod.status?.podIPs?.[0]?.ip, NONE),
    orElse(pod.spec?.nodeName, NONE),
    orElse(pod.status?.nominatedNodeName, NONE),
    gates.length === 0 ? NONE : `${open.length}/${gates.length}`,
  ];
}

/** The conditions of a pod's row: kubectl hides what is done, if it is asked to. Undefined: none. */
export function podRowConditions(pod: KubeObject): JsonValue | undefined {
  const row = (reason: string, message: string) => [{ type: 'Completed', status: 'True', reason, message }];
  switch (pod.status?.phase) {
    case 'Succeeded':
      return row('Succeeded', 'The pod has completed successfully.');
    case 'Failed':
      return row('Failed', 'The pod failed.');
    default:
      return undefined;
  }
}

/** What `kubectl get podtemplates` shows. */
export function podTemplateCells(object: KubeObject): readonly JsonValue[] {
  const { template } = object;
  return [nameOf(object), ...containerCells(template?.spec?.containers), labelsText(template?.metadata?.labels)];
}

function shownReason(pod: KubeObject, reason: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  if (pod.status?.reason === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(pod.status?.phase) ? reason : 'Terminating';
}

function sumOf(pod: KubeObject): Sum {
  const conditions: readonly Condition[] = pod.status?.conditions ?? [];
  const gated = conditions.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');
  const phase = gated ? 'SchedulingGated' : pod.status?.reason || pod.status?.phase || '';
  const { initializing, whole, sidecars } = initSum(pod, phase);
  const initialized = conditions.find(({ type }) => type === 'Initialized')?.status === 'True';
  if (initializing && !initialized) return whole;
  return containerSum(pod, { ...sidecars, reason: whole.reason, ready: whole.ready }, conditions);
}

/** Containers that stay: init containers that are always started again. */
function sidecarsOf(pod: KubeObject): ReadonlySet<string> {
  const init: readonly { readonly name: string; readonly restartPolicy?: string }[] = pod.spec?.initContainers ?? [];
  return new Set(init.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name));
}

/** Up to the first init container that is not done, which says what the pod is waiting for. */
function initSum(pod: KubeObject, phase: string): { readonly initializing: boolean; readonly whole: Sum; readonly sidecars: Sum } {
  const statuses: readonly ContainerStatus[] = pod.status?.initContainerStatuses ?? [];
  const staying = sidecarsOf(pod);
  let whole: Sum = { reason: phase, ready: 0, restarts: 0, lastEndMs: NEVER };
  let sidecars = whole;
  for (const [index, status] of statuses.entries()) {
    const stays = staying.has(status.name);
    whole = withRestarts(whole, status);
    if (stays) sidecars = withRestarts(sidecars, status);
    if (status.state?.terminated?.exitCode === 0) continue;
    if (stays && status.started === true) {
      if (status.ready === true) whole = { ...whole, ready: whole.ready + 1 };
      continue;
    }
    const reason = initReason(status) ?? `${index}/${(pod.spec?.initContainers ?? []).length}`;
    return { initializing: true, whole: { ...whole, reason: `Init:${reason}` }, sidecars };
  }
  return { initializing: false, whole, sidecars };
}

function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated !== undefined) return endReason(state.terminated);
  const waiting = state?.waiting?.reason;
  return waiting === undefined || waiting === '' || waiting === 'PodInitializing' ? undefined : waiting;
}

function endReason({ reason, signal, exitCode }: Terminated): string {
  if (reason !== undefined && reason !== '') return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

/** From the last container to the first, so that the first one has the last word. */
function containerSum(pod: KubeObject, before: Sum, conditions: readonly Condition[]): Sum {
  const statuses: readonly ContainerStatus[] = pod.status?.containerStatuses ?? [];
  let sum = before;
  let running = false;
  let fault = '';
  for (const status of [...statuses].reverse()) {
    sum = withRestarts(sum, status);
    const { waiting, terminated, running: runs } = status.state ?? {};
    if (waiting?.reason) sum = { ...sum, reason: waiting.reason };
    else if (terminated !== undefined) {
      sum = { ...sum, reason: endReason(terminated) };
      if (terminated.exitCode !== 0) fault = sum.reason;
    } else if (status.ready === true && runs !== undefined) {
      running = true;
      sum = { ...sum, ready: sum.ready + 1 };
    }
  }
  if (sum.reason !== 'Completed') return sum;
  if (running && conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return { ...sum, reason: 'Running' };
  return { ...sum, reason: fault || (running ? 'NotReady' : sum.reason) };
}

function withRestarts(sum: Sum, { restartCount = 0, lastState }: ContainerStatus): Sum {
  const end = lastState?.terminated?.finishedAt;
  const endMs = end === undefined || end === null ? NEVER : Date.parse(end);
  return { ...sum, restarts: sum.restarts + restartCount, lastEndMs: Math.max(sum.lastEndMs, endMs) };
}
