import type { KubeObject } from '../etcd/object.js';
import type { ExpectedDeletions } from './deletions.js';
import type { Look } from './level-controller.js';
import { ownedBy } from './references.js';
import { about, object, pods } from './requests.js';
import { answeredWith, attempt, isNamespaceTerminating, RequestFailed, type Steps, SyncFailed } from './sync.js';

/** WL-2: a pod of a template, for its owner. */
export function podOf(owner: KubeObject, template: KubeObject | undefined): KubeObject {
  const { metadata, spec } = template ?? { metadata: {} };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      ...(metadata?.labels !== undefined && { labels: metadata.labels }),
      ...(metadata?.annotations !== undefined && { annotations: metadata.annotations }),
      ...(metadata?.finalizers !== undefined && { finalizers: metadata.finalizers }),
      ...ownedBy(owner),
    },
    spec,
  };
}

/** Creates a pod and says so in an event. @throws RequestFailed */
function* createPod(owner: KubeObject, pod: KubeObject, { event }: Look): Steps<KubeObject> {
  try {
    const created = yield* object(about('create', pods, pod, pod));
    event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
    return created;
  } catch (error) {
    if (error instanceof RequestFailed && !isNamespaceTerminating(error))
      event(owner, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
    throw error;
  }
}

/** Deletes a pod and says so in an event (WL-23). @throws RequestFailed when there is none. @throws SyncFailed */
export function* deletePod(owner: KubeObject, pod: KubeObject, { event }: Look): Steps<void> {
  const { name } = pod.metadata;
  try {
    yield about('delete', pods, pod);
  } catch (error) {
    if (!(error instanceof RequestFailed) || answeredWith(error, 404)) throw error;
    event(owner, 'Warning', 'FailedDelete', `Error deleting: ${error.message}`);
    throw new SyncFailed(`unable to delete pods: ${error.message}`);
  }
  event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
}

/**
 * Deletes pods and says so in events, and expects to see them go (WL-8). One that is gone already is as good as deleted.
 * @returns the first error; all have been tried
 */
export function* deletePods(
  owner: KubeObject,
  victims: readonly KubeObject[],
  { key, look, deletions }: { readonly key: string; readonly look: Look; readonly deletions: ExpectedDeletions },
): Steps<SyncFailed | undefined> {
  deletions.expect(key, victims);
  let failure: SyncFailed | undefined;
  for (const pod of victims) {
    const error = yield* attempt(deletePod(owner, pod, look));
    if (error === undefined) continue;
    deletions.drop(key, pod);
    if (!answeredWith(error, 404)) failure ??= error;
  }
  return failure;
}

/**
 * Creates so many pods and says so in events (WL-9); in a namespace that is going none is missed (WL-11).
 * @returns those that were made, how many nobody has to try again, and the first error
 */
export function* createPods(
  owner: KubeObject,
  count: number,
  podAt: (index: number) => KubeObject,
  look: Look,
): Steps<{ readonly made: readonly KubeObject[]; readonly done: number; readonly error?: SyncFailed }> {
  const made: KubeObject[] = [];
  const started = yield* slowStart(count, function* (index) {
    try {
      made.push(yield* createPod(owner, podAt(index), look));
    } catch (failure) {
      if (!isNamespaceTerminating(failure)) throw failure;
    }
  });
  return { made, ...started };
}

/**
 * WL-9: does something so many times, in batches of one, two, four and so on; none comes after a batch with an error.
 * @returns how often it succeeded, and the first error
 */
export function* slowStart(
  count: number,
  act: (index: number) => Steps<unknown>,
): Steps<{ readonly done: number; readonly error?: SyncFailed }> {
  let done = 0;
  let next = 0;
  for (let batch = 1; next < count; batch *= 2) {
    let failure: SyncFailed | undefined;
    for (const last = Math.min(next + batch, count); next < last; next++) {
      const error = yield* attempt(act(next));
      if (error === undefined) done += 1;
      else failure ??= error;
    }
    if (failure !== undefined) return { done, error: failure };
  }
  return { done };
}
