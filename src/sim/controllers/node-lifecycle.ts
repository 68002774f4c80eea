import { rfc3339 } from '../apiserver/metadata.js';
import type { KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { calmFates, type Fates } from './fates.js';
import { type Look, startLevelController } from './level-controller.js';
import { type Taint, type Toleration, tolerates } from './node-fit.js';
import { disruptionTarget, isFinished, oneMoreCondition, podCondition } from './pod-state.js';
import { pathOfObject } from './references.js';
import { about, nodes, object, pods, unlessGone } from './requests.js';
import type { Steps, Sync } from './sync.js';

/** How long a node may be silent before it counts as lost (`--node-monitor-grace-period`), in milliseconds. */
export const graceMs = 50_000;

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';

/** A taint that has a time, as only those with NoExecute have. */
interface TimedTaint extends Taint {
  readonly timeAdded?: string;
}

/**
 * Stands for the controllers that watch over nodes: takes the taint from a node that is ready; says of one that is silent that
 * nothing is known of it and that its pods are not ready, taints it, and deletes its pods once they have tolerated that for as
 * long as they may. A node that is well writes nothing: that its heartbeats stop is known to this controller without them.
 */
export function startNodeLifecycle(host: Host, feed: ObjectFeed, fates: Fates = calmFates): void {
  startLevelController(host, feed, {
    name: 'node-lifecycle-controller',
    component: 'node-controller',
    resource: 'nodes',
    own: ({ type, object: node }) => (type === 'DELETED' || isAsItShouldBe(node, fates) ? [] : [pathOfObject(node)]),
    related: {
      pods: ({ type, object: { spec } }) =>
        type !== 'DELETED' && spec?.nodeName && fates.silentSinceMs(spec.nodeName) !== undefined ? [spec.nodeName] : [],
    },
    wakes: (wake) => fates.onNode(wake),
    sync: (key, look) => sync(key, look, fates),
  });
}

function isAsItShouldBe(node: KubeObject, fates: Fates): boolean {
  return fates.silentSinceMs(node.metadata.name ?? '') === undefined && taintsOf(node).every((taint) => !isOwn(taint));
}

function* sync(key: string, look: Look, fates: Fates): Sync {
  const { view, host, again } = look;
  const node = view.get('nodes', key);
  if (node === undefined) return;
  const sinceMs = fates.silentSinceMs(key);
  if (sinceMs === undefined) {
    if (podCondition(node, 'Ready')?.status === 'True') yield* setTaints(node, []);
    return;
  }
  const leftMs = sinceMs + graceMs - host.nowMs();
  if (leftMs > 0) {
    again(leftMs);
    return;
  }
  yield* sayUnknown(node, host.nowMs());
  const timeAdded = taintsOf(node).find(({ key: of, effect }) => of === unreachable && effect === 'NoExecute')?.timeAdded;
  const taint: TimedTaint = { key: unreachable, effect: 'NoExecute', timeAdded: timeAdded ?? rfc3339(host.nowMs()) };
  if (timeAdded === undefined) yield* setTaints(node, [{ key: unreachable, effect: 'NoSchedule' }, taint]);
  for (const pod of view.list('pods')) {
    if (pod.spec?.nodeName !== key || isFinished(pod)) continue;
    yield* markNotReady(pod, look);
    const inMs = evictedInMs(pod, taint, host.nowMs());
    if (inMs === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
    if (inMs > 0) again(inMs);
    else yield* evict(pod, look);
  }
}

function taintsOf(node: KubeObject): readonly TimedTaint[] {
  return node.spec?.taints ?? [];
}

function isOwn({ key }: Taint): boolean {
  return key === notReady || key === unreachable;
}

/** Gives the node these taints of the controller's own, and leaves those of others. */
function* setTaints(node: KubeObject, own: readonly TimedTaint[]): Steps<void> {
  if (own.length === 0 && !taintsOf(node).some(isOwn)) return;
  const current = yield* object(about('get', nodes, node));
  const taints = [...taintsOf(current).filter((taint) => !isOwn(taint)), ...own];
  const { taints: _, ...spec } = current.spec ?? {};
  yield about('update', nodes, node, { ...current, spec: taints.length === 0 ? spec : { ...spec, taints } });
}

/** The node's conditions, of which nothing is known any more. */
function* sayUnknown(node: KubeObject, nowMs: number): Steps<void> {
  if (podCondition(node, 'Ready')?.status === 'Unknown') return;
  const condition = (type: string) => ({
    type,
    status: 'Unknown',
    lastTransitionTime: rfc3339(nowMs),
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  });
  const conditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map(condition);
  yield about('patch', nodes, node, { status: { conditions } }, 'status');
}

function* markNotReady(pod: KubeObject, { host, event }: Look): Steps<void> {
  if (podCondition(pod, 'Ready')?.status !== 'True') return;
  const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: rfc3339(host.nowMs()) }];
  yield* unlessGone(about('patch', pods, pod, { metadata: { uid: pod.metadata.uid }, status: { conditions } }, 'status'));
  event(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
}

/** In how many milliseconds a pod has tolerated the taint long enough; undefined: it tolerates it for ever. */
function evictedInMs(pod: KubeObject, taint: TimedTaint, nowMs: number): number | undefined {
  const all: readonly (Toleration & { readonly tolerationSeconds?: number })[] = pod.spec?.tolerations ?? [];
  const used = all.filter((toleration) => tolerates(toleration, taint));
  if (used.length === 0) return 0;
  const seconds = used.flatMap(({ tolerationSeconds }) => (tolerationSeconds === undefined ? [] : [tolerationSeconds]));
  if (seconds.length === 0) return undefined;
  return Date.parse(taint.timeAdded as string) + Math.min(...seconds) * 1000 - nowMs;
}

function* evict(pod: KubeObject, { host, event }: Look): Steps<void> {
  event(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${pathOfObject(pod)}`);
  const condition = disruptionTarget(pod, 'DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint', host.nowMs());
  const patch = { metadata: { uid: pod.metadata.uid }, status: oneMoreCondition(pod, condition) };
  if (yield* unlessGone(about('patch', pods, pod, patch, 'status'))) yield* unlessGone(about('delete', pods, pod));
}
