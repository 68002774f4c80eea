import { deepEqual, type KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import {
  about,
  controllerReference,
  keyOfController,
  pathOfObject,
  pods,
  replicaSets,
  startLevelController,
  type View,
} from './level-controller.js';
import type { Sync } from './steps.js';

/** Keeps as many pods of a ReplicaSet's template as it asks for. */
export function startReplicaSetController(host: Host, feed: ObjectFeed): void {
  // What it has created or deleted and not yet seen: until then it does not count again, or it would create twice.
  const expected = new Map<string, Set<string>>();
  startLevelController(host, feed, {
    resource: 'replicasets.apps',
    related: { pods: (pod) => keyOfController(pod, 'ReplicaSet') },
    sync: (key, { view }) => sync(key, view, expected),
  });
}

function* sync(key: string, view: View, expected: Map<string, Set<string>>): Sync {
  const replicaSet = view.get('replicasets.apps', key);
  if (replicaSet === undefined || replicaSet.metadata.deletionTimestamp !== undefined) {
    expected.delete(key);
    return;
  }
  const owned = view.controlledBy('pods', replicaSet.metadata.uid);
  const awaited = expected.get(key) ?? new Set();
  for (const pod of owned) {
    awaited.delete(`create ${pathOfObject(pod)}`);
  }
  for (const each of [...awaited])
    if (each.startsWith('delete ') && !owned.some((pod) => alive(pod) && each === `delete ${pathOfObject(pod)}`)) awaited.delete(each);
  expected.set(key, awaited);

  const living = owned.filter(alive);
  const wanted = Number(replicaSet.spec?.replicas ?? 1);
  if (awaited.size === 0) {
    for (let missing = wanted - living.length; missing > 0; missing--) {
      const answer = yield about('create', pods, replicaSet, podOf(replicaSet));
      awaited.add(`create ${pathOfObject(answer.body as KubeObject)}`);
    }
    const surplus = living.length - wanted;
    for (const pod of surplus > 0 ? [...living].sort(unreadyFirst).slice(0, surplus) : []) {
      yield about('delete', pods, pod, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: pod.metadata.uid } });
      awaited.add(`delete ${pathOfObject(pod)}`);
    }
  }

  const ready = living.filter(isReady).length;
  const status = {
    replicas: living.length,
    ...(living.length > 0 ? { fullyLabeledReplicas: living.length } : {}),
    ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
    observedGeneration: replicaSet.metadata.generation,
  };
  if (!deepEqual(status, replicaSet.status)) yield about('update', replicaSets, replicaSet, { ...replicaSet, status }, 'status');
}

function podOf(replicaSet: KubeObject): KubeObject {
  const { metadata, spec } = replicaSet.spec?.template ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${replicaSet.metadata.name}-`,
      ...(replicaSet.metadata.namespace === undefined ? {} : { namespace: replicaSet.metadata.namespace }),
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ownerReferences: [controllerReference(replicaSet)],
    },
    spec,
  };
}

function alive(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && pod.status?.phase !== 'Failed' && pod.status?.phase !== 'Succeeded';
}

export function isReady(pod: KubeObject): boolean {
  const conditions: readonly { readonly type: string; readonly status: string }[] = pod.status?.conditions ?? [];
  return conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}

/** Pods that serve nobody go first, and of equals the youngest. */
function unreadyFirst(a: KubeObject, b: KubeObject): number {
  return Number(isReady(a)) - Number(isReady(b)) || Number(b.metadata.resourceVersion) - Number(a.metadata.resourceVersion);
}
