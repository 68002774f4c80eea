import { rfc3339 } from '../../apiserver/metadata.js';
import type { KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { calmFates, type Fates } from '../fates.js';
import { type Change, type Look, startLevelController } from '../level-controller.js';
import { claimsOf, isAssigned, isFinished, podCondition } from '../pod-state.js';
import { pathOfObject } from '../references.js';
import { about, persistentVolumeClaims, pods, unlessGone } from '../requests.js';
import type { Steps, Sync } from '../sync.js';
import type { View } from '../view.js';
import { obstacleOf, selectedNodeOf, unboundClaims, withSelectedNode } from './claims.js';
import { fitting } from './fitting.js';

/** What the scheduler remembers. */
interface Memory {
  /** Where it has put pods that it does not see there yet, by uid. */
  readonly assumed: Map<string, string>;
  /** Until when the plan keeps a pod from fitting anywhere, by uid. */
  readonly unfitUntilMs: Map<string, number>;
}

/** Stands for the scheduler: binds each pod to the fitting node with the fewest pods, once its claims are bound; says of the others why not. */
export function startScheduler(host: Host, feed: ObjectFeed, fates: Fates = calmFates): void {
  const memory: Memory = { assumed: new Map(), unfitUntilMs: new Map() };
  startLevelController(host, feed, {
    name: 'scheduler',
    program: 'kube-scheduler',
    component: 'default-scheduler',
    resource: 'pods',
    own: (change) => podWakes(change, memory, fates),
    related: {
      nodes: ({ type }, view) => (type === 'DELETED' ? [] : waiting(view)),
      'storageclasses.storage.k8s.io': (_, view) => waiting(view),
      persistentvolumeclaims: ({ object }, view) => waiting(view, (pod) => claimsOf(pod).includes(pathOfObject(object))),
    },
    wakes: (wake, view) => fates.onHeal(() => waiting(view).forEach(wake)),
    sync: (key, look) => sync(key, look, memory, fates),
  });
}

function podWakes({ type, object }: Change, { assumed, unfitUntilMs }: Memory, fates: Fates): readonly string[] {
  const uid = object.metadata.uid ?? '';
  if (type === 'ADDED') fates.meet('pod', object);
  if (type === 'DELETED') unfitUntilMs.delete(uid);
  if (type === 'DELETED' || isAssigned(object)) assumed.delete(uid);
  return type !== 'DELETED' && isWaiting(object) ? [pathOfObject(object)] : [];
}

/** Whether the pod is this scheduler's to bind. */
function isWaiting(pod: KubeObject): boolean {
  const { schedulerName = 'default-scheduler', schedulingGates = [] } = pod.spec ?? {};
  const wanted = pod.metadata.deletionTimestamp === undefined && !isFinished(pod);
  return wanted && !isAssigned(pod) && schedulerName === 'default-scheduler' && schedulingGates.length === 0;
}

function waiting(view: View, concerned: (pod: KubeObject) => boolean = () => true): readonly string[] {
  return view
    .list('pods')
    .filter((pod) => isWaiting(pod) && concerned(pod))
    .map(pathOfObject);
}

function* sync(key: string, look: Look, memory: Memory, fates: Fates): Sync {
  const { view, host, again } = look;
  const pod = view.get('pods', key);
  const uid = pod?.metadata.uid ?? '';
  if (pod === undefined || !isWaiting(pod) || memory.assumed.has(uid)) return;
  const nodes = view.list('nodes');
  const trouble = fates.ofPod(pod, 'unschedulable');
  if (trouble !== undefined) {
    fates.comes(trouble);
    const untilMs = memory.unfitUntilMs.get(uid) ?? host.nowMs() + trouble.forMs;
    memory.unfitUntilMs.set(uid, untilMs);
    if (untilMs > host.nowMs()) {
      again(untilMs - host.nowMs());
      yield* unschedulable(
        pod,
        look,
        unavailable(nodes, `${nodes.length} Insufficient memory`, 'No preemption victims found for incoming pod'),
      );
      return;
    }
  }
  const obstacle = obstacleOf(pod, view);
  if (obstacle !== undefined) {
    yield* unschedulable(pod, look, unavailable(nodes, obstacle, notHelpful));
    return;
  }
  const { fit, reasons } = fitting(pod, nodes);
  if (fit.length === 0) {
    const message = nodes.length === 0 ? 'no nodes available to schedule pods' : unavailable(nodes, reasons, notHelpful);
    yield* unschedulable(pod, look, message);
    return;
  }
  const unbound = unboundClaims(pod, view);
  const node = emptiest(fit, view, memory.assumed);
  for (const claim of unbound) {
    if (selectedNodeOf(claim) !== undefined) continue;
    yield* unlessGone(about('update', persistentVolumeClaims, claim, withSelectedNode(claim, node)));
  }
  if (unbound.length === 0) yield* bind(pod, node, memory);
}

const notHelpful = 'Preemption is not helpful for scheduling';

function unavailable({ length }: readonly KubeObject[], reasons: string, preemption: string): string {
  return `0/${length} nodes are available: ${reasons}. preemption: 0/${length} nodes are available: ${length} ${preemption}.`;
}

/** Says why the pod has no node, unless that is known. */
function* unschedulable(pod: KubeObject, { host, event }: Look, message: string): Steps<void> {
  const known = podCondition(pod, 'PodScheduled');
  if (known?.reason === 'Unschedulable' && known.message === message) return;
  const condition = {
    type: 'PodScheduled',
    ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
    status: 'False',
    ...(known?.status !== 'False' && { lastProbeTime: null, lastTransitionTime: rfc3339(host.nowMs()) }),
    reason: 'Unschedulable',
    message,
  };
  yield* unlessGone(about('patch', pods, pod, { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } }, 'status'));
  event(pod, 'Warning', 'FailedScheduling', message);
}

/** The node with the fewest pods; among equals the first. */
function emptiest(nodes: readonly KubeObject[], view: View, assumed: ReadonlyMap<string, string>): string {
  const counts = new Map(nodes.map(({ metadata }) => [metadata.name ?? '', 0]));
  const count = (node: string) => {
    const before = counts.get(node);
    if (before !== undefined) counts.set(node, before + 1);
  };
  for (const pod of view.list('pods')) if (isAssigned(pod) && !isFinished(pod)) count(pod.spec?.nodeName);
  for (const node of assumed.values()) count(node);
  const fewest = Math.min(...counts.values());
  return [...counts].find(([, pods]) => pods === fewest)?.[0] ?? '';
}

/** TK-11 */
function* bind(pod: KubeObject, node: string, { assumed }: Memory): Steps<void> {
  const { name, namespace, uid = '' } = pod.metadata;
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target: { kind: 'Node', name: node } };
  assumed.set(uid, node);
  try {
    yield* unlessGone(about('create', pods, pod, binding, 'binding'));
  } catch (error) {
    assumed.delete(uid);
    throw error;
  }
}
