import { rfc3339 } from '../apiserver/metadata.js';
import { canonicalText, deepEqual, type KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import {
  about,
  controllerReference,
  deployments,
  keyOfController,
  type Look,
  replicaSets,
  startLevelController,
} from './level-controller.js';
import type { Sync } from './steps.js';

/** Keeps one ReplicaSet of a Deployment's present template, and takes the older ones down once the new one serves. */
export function startDeploymentController(host: Host, feed: ObjectFeed): void {
  startLevelController(host, feed, {
    resource: 'deployments.apps',
    related: { 'replicasets.apps': (replicaSet) => keyOfController(replicaSet, 'Deployment') },
    sync,
  });
}

function* sync(key: string, { view, host }: Look): Sync {
  const deployment = view.get('deployments.apps', key);
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
  const owned = view.controlledBy('replicasets.apps', deployment.metadata.uid);
  const hash = templateHash(deployment.spec?.template);
  const wanted = Number(deployment.spec?.replicas ?? 1);

  let current = owned.find((replicaSet) => replicaSet.metadata.labels?.['pod-template-hash'] === hash);
  if (current === undefined) {
    const answer = yield about('create', replicaSets, deployment, replicaSetOf(deployment, hash, wanted));
    current = answer.body as KubeObject;
  } else if (current.spec?.replicas !== wanted) {
    const answer = yield about('update', replicaSets, current, { ...current, spec: { ...current.spec, replicas: wanted } });
    current = answer.body as KubeObject;
  }
  const others = owned.filter((replicaSet) => replicaSet.metadata.uid !== current.metadata.uid);
  if ((current.status?.availableReplicas ?? 0) >= wanted) {
    for (const old of others)
      if (old.spec?.replicas !== 0) yield about('update', replicaSets, old, { ...old, spec: { ...old.spec, replicas: 0 } });
  }

  const status = statusOf(deployment, current, others, host);
  if (!deepEqual(status, deployment.status)) yield about('update', deployments, deployment, { ...deployment, status }, 'status');
}

function replicaSetOf(deployment: KubeObject, hash: string, replicas: number): KubeObject {
  const { template, selector } = deployment.spec ?? {};
  const labels = { ...template?.metadata?.labels, 'pod-template-hash': hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      ...(deployment.metadata.namespace === undefined ? {} : { namespace: deployment.metadata.namespace }),
      labels,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, 'pod-template-hash': hash } },
      template: { ...template, metadata: { ...template?.metadata, labels } },
    },
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastUpdateTime: string;
  readonly lastTransitionTime: string;
}

function statusOf(deployment: KubeObject, current: KubeObject, others: readonly KubeObject[], host: Host): unknown {
  const all = [current, ...others];
  const sum = (field: string) => all.reduce((total, replicaSet) => total + Number(replicaSet.status?.[field] ?? 0), 0);
  const wanted = Number(deployment.spec?.replicas ?? 1);
  const available = sum('availableReplicas');
  const counts = {
    replicas: sum('replicas'),
    updatedReplicas: Number(current.status?.replicas ?? 0),
    readyReplicas: sum('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
  };
  const enough = available >= wanted;
  const complete = counts.updatedReplicas === wanted && counts.replicas === wanted && enough;
  const before: readonly Condition[] = deployment.status?.conditions ?? [];
  const condition = (type: string, status: string, reason: string, message: string): Condition => {
    const old = before.find((each) => each.type === type);
    if (old?.status === status && old.reason === reason) return old;
    const now = rfc3339(host.nowMs());
    return {
      type,
      status,
      reason,
      message,
      lastUpdateTime: now,
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : now,
    };
  };
  return {
    observedGeneration: deployment.metadata.generation,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    conditions: [
      enough
        ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
        : condition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'),
      complete
        ? condition('Progressing', 'True', 'NewReplicaSetAvailable', `ReplicaSet "${current.metadata.name}" has successfully progressed.`)
        : condition('Progressing', 'True', 'ReplicaSetUpdated', `ReplicaSet "${current.metadata.name}" is progressing.`),
    ],
  };
}

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

/** Ten letters that depend on the template alone, in the alphabet that Kubernetes uses for such names. */
function templateHash(template: unknown): string {
  let h = 0x811c9dc5;
  for (const char of canonicalText(template)) h = Math.imul(h ^ char.charCodeAt(0), 0x01000193);
  let text = '';
  for (let rest = h >>> 0, index = 0; index < 10; index++) {
    text += suffixLetters[rest % suffixLetters.length];
    rest = Math.imul(rest ^ (rest >>> 13), 0x5bd1e995) >>> 0;
  }
  return text;
}
