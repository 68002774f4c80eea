import type { KubeObject } from '../../etcd/object.js';
import { type Host, isFed, type ObjectFeed } from '../../host.js';
import { calmFates, type Fates } from '../fates.js';
import { type Change, type Look, startLevelController } from '../level-controller.js';
import { isFinished } from '../pod-state.js';
import { pathOfObject } from '../references.js';
import { about, pods, unlessGone } from '../requests.js';
import type { Steps, Sync } from '../sync.js';
import type { View } from '../view.js';
import { podText, pullMessages } from './container-status.js';
import { containersOf } from './containers.js';
import { startNodeStatus } from './node-status.js';
import { hastened, newRun, nextOf, type PodRun, stopped } from './pod-run.js';
import { evictionMessage, statusPatch } from './pod-status.js';
import { runOfStatus } from './seen-run.js';

/**
 * Stands for the kubelets of all nodes: runs the containers of the pods that are bound to a node, says how they stand, and lets
 * those go that are to be deleted. On a calm day each container runs as its author meant it to.
 */
export function startKubelet(host: Host, feed: ObjectFeed, fates: Fates = calmFates): void {
  const runs = new Map<string, PodRun>();
  const parts: Parameters<ObjectFeed['subscribe']>[] = [];
  const shared: ObjectFeed = { subscribe: (...part) => void parts.push(part) };
  startNodeStatus(host, shared, fates);
  startLevelController(host, shared, {
    name: 'kubelet',
    program: 'kubelet',
    resource: 'pods',
    own: (change) => podWakes(change, runs, fates),
    related: { nodes: ({ object }, view) => podsOn(object.metadata.name ?? '', view) },
    wakes: (wake, view) => {
      fates.onNode((node) => podsOn(node, view).forEach(wake));
      fates.onHeal(() => {
        for (const [uid, run] of runs) runs.set(uid, hastened(run, host.nowMs()));
        for (const pod of view.list('pods')) if (pod.spec?.nodeName) wake(pathOfObject(pod));
      });
    },
    readsOwnWrites: true,
    sync: (key, look) => sync(key, look, runs, fates),
  });
  // It hears of everything once, for both of its parts.
  feed.subscribe(
    ['nodes', 'pods'],
    (resource, event) => {
      for (const [resources, observed] of parts) if (isFed(resources, resource)) observed(resource, event);
    },
    () => {
      for (const [, , synced] of parts) synced?.();
    },
  );
}

function podWakes({ type, object }: Change, runs: Map<string, PodRun>, fates: Fates): readonly string[] {
  if (type === 'ADDED') fates.meet('pod', object);
  if (type === 'DELETED') runs.delete(object.metadata.uid ?? '');
  return type === 'DELETED' || !object.spec?.nodeName ? [] : [pathOfObject(object)];
}

function podsOn(node: string, view: View): readonly string[] {
  return view
    .list('pods')
    .filter(({ spec }) => spec?.nodeName === node)
    .map(pathOfObject);
}

function* sync(key: string, look: Look, runs: Map<string, PodRun>, fates: Fates): Sync {
  const { view, host, again } = look;
  const pod = view.get('pods', key);
  const name: string = pod?.spec?.nodeName ?? '';
  const node = view.get('nodes', name);
  if (pod === undefined || node === undefined || fates.silentSinceMs(name) !== undefined) return;
  const nowMs = host.nowMs();
  const uid = pod.metadata.uid ?? '';
  const known = runs.get(uid) ?? runOfStatus(pod, nowMs);
  if (pod.metadata.deletionTimestamp !== undefined) {
    yield* terminate(pod, known, node, look, fates);
    return;
  }
  if (isFinished(pod)) return;
  let run = known ?? newRun(pod, fates, freeAddress(runs, view), nowMs);
  let next = nextOf(pod, run, fates);
  for (; next !== undefined && next.atMs <= nowMs; next = nextOf(pod, run, fates)) {
    run = next.become();
    tell(pod, run, look);
  }
  runs.set(uid, run);
  const patch = statusPatch(pod, run, node, nowMs);
  if (patch !== undefined) yield* unlessGone(about('patch', pods, pod, patch, 'status'));
  if (next !== undefined) again(next.atMs - host.nowMs());
}

/** Stops the containers, says how they ended, and takes the pod out of the cluster (DE-8). */
function* terminate(pod: KubeObject, run: PodRun | undefined, node: KubeObject, { host, again }: Look, fates: Fates): Steps<void> {
  const { uid, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
  if (deletionGracePeriodSeconds === 0) return;
  if (run?.upSinceMs !== undefined && !isFinished(pod)) {
    const deaf = fates.ofPod(pod, 'slow-stop');
    const killedInMs = Date.parse(deletionTimestamp as string) - host.nowMs();
    if (deaf !== undefined) fates.comes(deaf);
    if (deaf !== undefined && killedInMs > 0) {
      again(killedInMs);
      return;
    }
    const patch = statusPatch(pod, stopped(run, exitCodeOf(pod, deaf !== undefined), host.nowMs()), node, host.nowMs());
    if (patch !== undefined && !(yield* unlessGone(about('patch', pods, pod, patch, 'status')))) return;
  }
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid } };
  yield* unlessGone(about('delete', pods, pod, options));
}

/** A server ends well when it is asked to; work that is cut short has not succeeded. */
function exitCodeOf(pod: KubeObject, killed: boolean): number {
  if (killed) return 137;
  return pod.spec?.restartPolicy === 'Always' ? 0 : 143;
}

/** What the kubelet warns of in events. What goes as it should it says in the status alone: nobody waits for such events. */
function tell(pod: KubeObject, run: PodRun, { event }: Look): void {
  const { stage } = run;
  const [container] = containersOf(pod);
  if (container === undefined) return;
  const { failed, backOff } = pullMessages(container);
  const warn = (reason: string, message: string) => event(pod, 'Warning', reason, message);
  if (stage.at === 'pull-failed') {
    warn('Failed', `Failed to pull image "${container.image}": ${failed}`);
    warn('Failed', 'Error: ErrImagePull');
  } else if (stage.at === 'pull-backoff') {
    event(pod, 'Normal', 'BackOff', backOff.slice(0, backOff.indexOf(': ')));
    warn('Failed', 'Error: ImagePullBackOff');
  } else if (stage.at === 'crash-backoff') warn('BackOff', `Back-off restarting failed container ${container.name} in pod ${podText(pod)}`);
  else if (stage.at === 'up' && stage.readySinceMs === undefined && run.flaps > 0)
    warn('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503');
  else if (stage.at === 'ended' && stage.evicted) warn('Evicted', evictionMessage(pod));
}

/** The first address that no pod has. */
function freeAddress(runs: ReadonlyMap<string, PodRun>, view: View): string {
  const taken = new Set([...runs.values()].map(({ ip }) => ip));
  for (const { status } of view.list('pods')) if (status?.podIP !== undefined) taken.add(status.podIP);
  for (let number = 2; ; number++) {
    const ip = `10.244.${Math.floor(number / 256)}.${number % 256}`;
    if (!taken.has(ip)) return ip;
  }
}
