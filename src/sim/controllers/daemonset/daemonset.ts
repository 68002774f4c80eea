import { deepEqual, type KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { type Change, type Look, startLevelController, type Wake } from '../level-controller.js';
import { ownersConcerned, ownersOfPod } from '../ownership.js';
import { controllerOf, pathOfObject } from '../references.js';
import { attempt, type Steps, type Sync } from '../sync.js';
import type { View } from '../view.js';
import { changesFor } from './manage.js';
import { emptyMemory, type Memory } from './memory.js';
import { wishFor } from './nodes.js';
import { cleanHistory, constructHistory, type History } from './revisions.js';
import { rollingChanges } from './rolling.js';
import { updateStatus } from './status.js';
import { syncNodes } from './sync-nodes.js';

/** How much longer it waits for a ready pod to be available than that takes. */
const availableSlackMs = 1_000;

/** Keeps a pod of a DaemonSet on each node that it is meant for (WL-75 to WL-81). */
export function startDaemonSetController(host: Host, feed: ObjectFeed): void {
  const memory = emptyMemory();
  startLevelController(host, feed, {
    name: 'daemonset-controller',
    resource: 'daemonsets.apps',
    related: { pods: podWakes, nodes: nodeWakes, 'controllerrevisions.apps': revisionWakes },
    readsOwnWrites: true,
    sync: (key, look) => sync(key, look, memory),
  });
}

function podWakes(change: Change, view: View): readonly Wake[] {
  return ownersOfPod('daemonsets.apps', 'DaemonSet', change, view, availableSlackMs);
}

function revisionWakes(change: Change, view: View): readonly Wake[] {
  if (change.type === 'ADDED' && controllerOf(change.object) !== undefined) return [];
  return ownersConcerned('daemonsets.apps', 'DaemonSet', change, view);
}

/** WL-79 */
function nodeWakes({ type, object: node, previous }: Change, view: View): readonly Wake[] {
  const sets = view.list('daemonsets.apps');
  if (sets.length === 0 || type === 'DELETED') return [];
  const same =
    deepEqual(previous?.metadata.labels ?? {}, node.metadata.labels ?? {}) && deepEqual(previous?.spec?.taints, node.spec?.taints);
  if (previous !== undefined && same) return [];
  const there = view.list('pods').filter((pod) => pod.spec?.nodeName === node.metadata.name);
  const wakes = sets.filter((set) => {
    const { shouldRun, mayStay } = wishFor(set, node);
    const isScheduled = there.some((pod) => {
      const owner = controllerOf(pod);
      return owner?.kind === 'DaemonSet' && owner.name === set.metadata.name && pod.metadata.namespace === set.metadata.namespace;
    });
    if (!isScheduled) return shouldRun;
    return !mayStay || Number(set.status?.numberMisscheduled ?? 0) > 0;
  });
  return wakes.map(pathOfObject);
}

function* sync(key: string, look: Look, memory: Memory): Sync {
  const { view } = look;
  const daemonSet = view.get('daemonsets.apps', key);
  if (daemonSet === undefined) {
    memory.deletions.forget(key);
    return;
  }
  if (deepEqual(daemonSet.spec?.selector, {})) {
    look.event(daemonSet, 'Warning', 'SelectingAll', 'This daemon set is selecting all pods. A non-empty selector is required.');
    return;
  }
  // The collector may have taken its revisions and left its pods: there is no telling how it is.
  if (daemonSet.metadata.deletionTimestamp !== undefined) return;
  const nodes = view.list('nodes');
  const history = yield* constructHistory(daemonSet, look);
  const hash: string = history.current.metadata.labels?.['controller-revision-hash'] ?? '';
  if (!memory.deletions.satisfied(key, view)) {
    yield* updateStatus(daemonSet, nodes, hash, false, look);
    return;
  }
  const failed = yield* attempt(update(key, daemonSet, nodes, hash, history, look, memory));
  const untold = yield* attempt(updateStatus(daemonSet, nodes, hash, true, look));
  const failure = failed ?? untold;
  if (failure !== undefined) throw failure;
}

function* update(
  key: string,
  daemonSet: KubeObject,
  nodes: readonly KubeObject[],
  hash: string,
  { old }: History,
  look: Look,
  memory: Memory,
): Steps<void> {
  const changes = yield* changesFor(daemonSet, nodes, hash, look, memory);
  const seen = yield* syncNodes(key, daemonSet, changes, hash, look, memory);
  if (seen && daemonSet.spec?.updateStrategy?.type === 'RollingUpdate')
    yield* syncNodes(key, daemonSet, yield* rollingChanges(daemonSet, nodes, hash, look), hash, look, memory);
  yield* cleanHistory(daemonSet, old, look);
}
