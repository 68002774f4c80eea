import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { newRevision, templateData } from '../controller-revision.js';
import { templateHash } from '../hashing/template-hash.js';
import type { Look } from '../level-controller.js';
import { claim, selectedBy } from '../ownership.js';
import { about, daemonSets, object, pods, controllerRevisions as resource } from '../requests.js';
import { answeredWith, type Steps, SyncFailed } from '../sync.js';
import { ownedPods } from './owned-pods.js';
import { hashLabel } from './pods.js';

/** The revision of the present template, and those of earlier ones. */
export interface History {
  readonly current: KubeObject;
  readonly old: readonly KubeObject[];
}

/** Finds the revision of the present template, renumbers an older one, or makes one (WL-56, WL-76). @throws SyncFailed */
export function* constructHistory(daemonSet: KubeObject, look: Look): Steps<History> {
  const data = templateData(daemonSet);
  const present: KubeObject[] = [];
  const old: KubeObject[] = [];
  for (const known of yield* owned(daemonSet, look)) {
    const revision = known.metadata.labels?.[hashLabel] === undefined ? yield* labelled(known) : known;
    (deepEqual(revision.data, data) ? present : old).push(revision);
  }
  const number = Math.max(0, ...old.map(numberOf)) + 1;
  if (present.length === 0) return { current: yield* snapshot(daemonSet, data, number), old };
  const current = yield* withoutDuplicates(daemonSet, present, look);
  if (numberOf(current) < number) yield about('update', resource, current, { ...current, revision: number });
  return { current, old };
}

function numberOf(revision: KubeObject): number {
  return Number(revision.revision);
}

function* owned(daemonSet: KubeObject, { view }: Look): Steps<readonly KubeObject[]> {
  return yield* claim(view.list('controllerrevisions.apps', daemonSet.metadata.namespace), {
    owner: daemonSet,
    ownerResource: daemonSets,
    resource,
    matches: (revision) => selectedBy(daemonSet, revision),
  });
}

/** A revision that somebody else has made has no hash: its name stands for it. */
function* labelled(revision: KubeObject): Steps<KubeObject> {
  const { metadata } = revision;
  const labels = { ...metadata.labels, [hashLabel]: metadata.name ?? '' };
  return yield* object(about('update', resource, revision, { ...revision, metadata: { ...metadata, labels } }));
}

function* snapshot(daemonSet: KubeObject, data: unknown, number: number): Steps<KubeObject> {
  const collisions: number | undefined = daemonSet.status?.collisionCount;
  const hash = templateHash(daemonSet.spec?.template, collisions);
  const revision = newRevision(daemonSet, { name: `${daemonSet.metadata.name}-${hash}`, label: [hashLabel, hash], data, number });
  try {
    return yield* object(about('create', resource, revision, revision));
  } catch (error) {
    if (!answeredWith(error, 409)) throw error;
    const there = yield* object(about('get', resource, revision));
    if (deepEqual(there.data, data)) return there;
    const latest = yield* object(about('get', daemonSets, daemonSet));
    if (latest.status?.collisionCount !== collisions) throw new SyncFailed('found a stale collision count');
    const status = { ...latest.status, collisionCount: (collisions ?? 0) + 1 };
    yield about('update', daemonSets, latest, { ...latest, status }, 'status');
    throw error;
  }
}

/** Of several revisions of one template the one of the highest number stays; pods of the others are given its hash. */
function* withoutDuplicates(daemonSet: KubeObject, present: readonly KubeObject[], look: Look): Steps<KubeObject> {
  const kept = present.reduce((best, revision) => (numberOf(revision) >= numberOf(best) ? revision : best));
  if (present.length === 1) return kept;
  const hash = kept.metadata.labels?.[hashLabel];
  for (const pod of yield* ownedPods(daemonSet, look)) {
    if (pod.metadata.labels?.[hashLabel] === hash) continue;
    yield { ...about('patch', pods, pod, { metadata: { labels: { [hashLabel]: hash } } }), contentType: 'application/merge-patch+json' };
  }
  for (const revision of present) if (revision !== kept) yield about('delete', resource, revision);
  return kept;
}

/** WL-68: the oldest revisions that no pod is of, as many as there are more than the limit. */
export function* cleanHistory(daemonSet: KubeObject, old: readonly KubeObject[], look: Look): Steps<void> {
  const pods = yield* ownedPods(daemonSet, look);
  let surplus = old.length - Number(daemonSet.spec?.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return;
  const live = new Set(pods.map((pod) => pod.metadata.labels?.[hashLabel]));
  for (const revision of [...old].sort((a, b) => numberOf(a) - numberOf(b))) {
    if (surplus <= 0) return;
    if (live.has(revision.metadata.labels?.[hashLabel])) continue;
    yield about('delete', resource, revision);
    surplus -= 1;
  }
}
