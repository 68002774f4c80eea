import type { Kinds } from '../../apiserver/kinds.js';
import { groupVersionOf, type KubeObject, type OwnerReference } from '../../etcd/object.js';
import { scaled } from '../int-or-percent.js';
import type { Look } from '../level-controller.js';
import { controllerOf } from '../references.js';
import { about, object } from '../requests.js';
import { answeredWith, type Steps, SyncFailed } from '../sync.js';
import type { View } from '../view.js';

/** How many pods a budget counts with. */
export interface Expectation {
  readonly expected: number;
  /** How many of them shall be healthy at least. */
  readonly desired: number;
  /** Whether there are pods that nobody controls, where that matters. */
  readonly unmanaged: boolean;
}

/** WL-113. @throws SyncFailed when it cannot be told how many pods there shall be (WL-114) */
export function* expectationOf(budget: KubeObject, pods: readonly KubeObject[], look: Look, kinds: Kinds): Steps<Expectation> {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== 'string')
    return { expected: minAvailable === undefined ? 0 : pods.length, desired: minAvailable ?? 0, unmanaged: false };
  const { expected, unmanaged } = yield* wantedPods(pods, look, kinds);
  const desired =
    maxUnavailable === undefined
      ? scaled(minAvailable, expected, Math.ceil)
      : Math.max(0, expected - scaled(maxUnavailable, expected, Math.ceil));
  return { expected, desired, unmanaged };
}

/** What the controllers of the pods want together. */
function* wantedPods(
  pods: readonly KubeObject[],
  look: Look,
  kinds: Kinds,
): Steps<{ readonly expected: number; readonly unmanaged: boolean }> {
  const scales = new Map<string, number>();
  let unmanaged = false;
  for (const pod of pods) {
    const reference = controllerOf(pod);
    if (reference === undefined) unmanaged = true;
    else if (!scales.has(reference.uid)) {
      const found =
        knownScale(reference, pod.metadata.namespace, look.view) ?? (yield* askedScale(reference, pod.metadata.namespace, kinds));
      if (found === undefined) throw new SyncFailed(`found no controllers for pod "${pod.metadata.name}"`);
      scales.set(found.uid, found.replicas);
    }
  }
  return { expected: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), unmanaged };
}

interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

/** The workloads that the controller has in its cache. */
function knownScale(reference: OwnerReference, namespace: string | undefined, view: View): Scale | undefined {
  const { group } = groupVersionOf(reference.apiVersion);
  const find = (resource: string, { name, uid }: OwnerReference) => {
    const found = view.get(resource, `${namespace}/${name}`);
    return found?.metadata.uid === uid ? found : undefined;
  };
  switch (`${reference.kind}.${group}`) {
    case 'ReplicationController.':
      return scaleOf(find('replicationcontrollers', reference));
    case 'StatefulSet.apps':
      return scaleOf(find('statefulsets.apps', reference));
    case 'ReplicaSet.apps':
    case 'ReplicaSet.extensions': {
      const replicaSet = find('replicasets.apps', reference);
      const owner = replicaSet === undefined ? undefined : controllerOf(replicaSet);
      if (owner?.kind !== 'Deployment') return scaleOf(replicaSet);
      return ['apps', 'extensions'].includes(groupVersionOf(owner.apiVersion).group) ? scaleOf(find('deployments.apps', owner)) : undefined;
    }
    default:
      return undefined;
  }
}

function scaleOf(workload: KubeObject | undefined): Scale | undefined {
  return workload === undefined ? undefined : { uid: workload.metadata.uid ?? '', replicas: Number(workload.spec?.replicas ?? 1) };
}

/** Any other kind of controller is asked for its scale. @throws SyncFailed when it has none */
function* askedScale(reference: OwnerReference, namespace: string | undefined, kinds: Kinds): Steps<Scale | undefined> {
  const { group, version } = groupVersionOf(reference.apiVersion);
  const kind = kinds.findKind(group, version, reference.kind);
  if (kind === undefined) throw new SyncFailed(`no matches for kind "${reference.kind}" in version "${reference.apiVersion}"`);
  const controller = { metadata: { name: reference.name, ...(namespace !== undefined && { namespace }) } };
  try {
    const scale = yield* object(about('get', { group, version, plural: kind.plural }, controller, undefined, 'scale'));
    return scale.metadata.uid === reference.uid ? scaleOf(scale) : undefined;
  } catch (error) {
    if (!answeredWith(error, 404)) throw error;
    if (kind.subresources.has('scale')) return undefined;
    throw new SyncFailed(`${kind.resource} does not implement the scale subresource`);
  }
}
