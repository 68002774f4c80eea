import { deepCopy, type KubeObject } from '../../etcd/object.js';
import { findCondition } from '../conditions.js';
import { templateHash } from '../hashing/template-hash.js';
import type { Look } from '../level-controller.js';
import { controllerOf, ownedBy } from '../references.js';
import { about, object, replicaSets as resource } from '../requests.js';
import { answeredWith, attempt, isNamespaceTerminating, RequestFailed, type Steps, SyncFailed } from '../sync.js';
import {
  desiredAnnotation,
  hashLabel,
  historyAnnotation,
  isRolling,
  maxAnnotation,
  maxSurge,
  numberIn,
  type ReplicaSets,
  revisionAnnotation,
  sameTemplate,
  split,
  sumWanted,
  wantedOf,
} from './replica-sets.js';
import { hasDeadline, putStatus, setProgress } from './status.js';

/** How long the list of former revisions may be, in characters. */
const longestHistory = 2000;

/** Annotations of a Deployment that its ReplicaSets do not get (WL-30). */
const ownAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  'deprecated.deployment.rollback.to',
]);

/**
 * The Deployment's ReplicaSets, with the present one's revision and annotations brought up to date.
 * @param draft may be changed: it is written with a new revision or condition, and keeps its old resourceVersion (WL-31)
 * @param create whether the present one is made when it is not there
 */
export function* syncRevision(draft: KubeObject, owned: readonly KubeObject[], create: boolean, look: Look): Steps<ReplicaSets> {
  const { current, old } = split(draft, owned);
  const revision = 1 + Math.max(0, ...old.map((replicaSet) => numberIn(replicaSet, revisionAnnotation) ?? 0));
  if (current !== undefined) return { current: yield* bringUpToDate(draft, current, revision, look), old };
  return { current: create ? yield* make(draft, old, revision, look) : undefined, old };
}

function* bringUpToDate(draft: KubeObject, found: KubeObject, revision: number, look: Look): Steps<KubeObject> {
  const annotations = annotationsOf(draft, found, revision);
  const minReadySeconds = Number(draft.spec?.minReadySeconds ?? 0);
  if (annotations !== undefined || Number(found.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
    const { minReadySeconds: _, ...spec } = found.spec ?? {};
    const changed = {
      ...found,
      metadata: { ...found.metadata, annotations: annotations ?? found.metadata.annotations ?? {} },
      spec: { ...spec, ...(minReadySeconds > 0 && { minReadySeconds }) },
    };
    return yield* object(about('update', resource, found, changed));
  }
  let changed = setRevision(draft, found.metadata.annotations?.[revisionAnnotation] ?? '');
  if (hasDeadline(draft) && findCondition(draft.status?.conditions, 'Progressing') === undefined) {
    setProgress(draft, 'True', 'FoundNewReplicaSet', `Found new replica set "${found.metadata.name}"`, look);
    changed = true;
  }
  if (changed) yield* putStatus(draft);
  return found;
}

function* make(draft: KubeObject, old: readonly KubeObject[], revision: number, look: Look): Steps<KubeObject> {
  const wanted = newReplicaSet(draft, old, revision);
  const name = wanted.metadata.name as string;
  let made: KubeObject;
  let fresh = true;
  try {
    made = yield* object(about('create', resource, wanted, wanted));
  } catch (error) {
    if (!(error instanceof RequestFailed) || isNamespaceTerminating(error)) throw error;
    if (!answeredWith(error, 409)) {
      yield* reportFailure(draft, `Failed to create new replica set "${name}": ${error.message}`, look);
      throw error;
    }
    const there = look.view.get('replicasets.apps', `${draft.metadata.namespace}/${name}`);
    if (there === undefined) throw new SyncFailed(`replicaset.apps "${name}" not found`);
    if (controllerOf(there)?.uid !== draft.metadata.uid || !sameTemplate(draft, there)) {
      // WL-51
      draft.status = { ...draft.status, collisionCount: Number(draft.status?.collisionCount ?? 0) + 1 };
      // Written or not, there is a bigger trouble already.
      yield* attempt(putStatus(draft));
      throw error;
    }
    made = there;
    fresh = false;
  }
  if (fresh && wantedOf(wanted) > 0)
    look.event(draft, 'Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${wantedOf(wanted)}`);
  let changed = setRevision(draft, String(revision));
  if (fresh && hasDeadline(draft)) {
    setProgress(draft, 'True', 'NewReplicaSetCreated', `Created new replica set "${name}"`, look);
    changed = true;
  }
  if (changed) yield* putStatus(draft);
  return made;
}

/** WL-52 */
function* reportFailure(draft: KubeObject, message: string, look: Look): Steps<void> {
  if (hasDeadline(draft)) {
    setProgress(draft, 'False', 'ReplicaSetCreateError', message, look);
    yield* attempt(putStatus(draft));
  }
  look.event(draft, 'Warning', 'ReplicaSetCreateError', message);
}

/** WL-30 */
function newReplicaSet(deployment: KubeObject, old: readonly KubeObject[], revision: number): KubeObject {
  const { template, selector, minReadySeconds } = deployment.spec ?? {};
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...template?.metadata?.labels, [hashLabel]: hash };
  const wanted = wantedOf(deployment);
  const replicas = isRolling(deployment) ? Math.max(0, Math.min(wanted, wanted + maxSurge(deployment) - sumWanted(old))) : wanted;
  const made: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      labels,
      ...ownedBy(deployment),
    },
    spec: {
      replicas,
      ...(minReadySeconds > 0 && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template?.metadata, labels } },
    },
  };
  const annotations = { ...(annotationsOf(deployment, made, revision) ?? {}), ...replicasAnnotations(deployment) };
  return { ...made, metadata: { ...made.metadata, annotations } };
}

export function replicasAnnotations(deployment: KubeObject): Readonly<Record<string, string>> {
  const wanted = wantedOf(deployment);
  return { [desiredAnnotation]: String(wanted), [maxAnnotation]: String(wanted + maxSurge(deployment)) };
}

/** What the ReplicaSet's annotations must be; undefined when they are so already (WL-42, WL-44). */
function annotationsOf(deployment: KubeObject, replicaSet: KubeObject, revision: number): Record<string, string> | undefined {
  const annotations: Record<string, string> = deepCopy(replicaSet.metadata.annotations ?? {});
  let changed = false;
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (ownAnnotations.has(key) || (Object.hasOwn(annotations, key) && annotations[key] === value)) continue;
    annotations[key] = value;
    changed = true;
  }
  const before = annotations[revisionAnnotation];
  if (before !== undefined && before !== '' && !/^[-+]?\d+$/.test(before)) return undefined;
  if (Number(before ?? 0) < revision) {
    annotations[revisionAnnotation] = String(revision);
    changed = true;
    if (before !== undefined) {
      const history = [...(annotations[historyAnnotation] ?? '').split(',').filter((each) => each !== ''), before];
      while (history.join().length > longestHistory) history.shift();
      annotations[historyAnnotation] = history.join();
    }
  }
  return changed ? annotations : undefined;
}

/** WL-32 */
function setRevision(draft: KubeObject, revision: string): boolean {
  if (draft.metadata.annotations?.[revisionAnnotation] === revision) return false;
  draft.metadata.annotations = { ...draft.metadata.annotations, [revisionAnnotation]: revision };
  return true;
}
