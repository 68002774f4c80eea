import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { newRevision, templateData } from '../controller-revision.js';
import { revisionHash } from '../hashing/template-hash.js';
import type { Look } from '../level-controller.js';
import { selectedBy } from '../ownership.js';
import { controllerOf, controllerReference } from '../references.js';
import { about, object, controllerRevisions as resource } from '../requests.js';
import { answeredWith, type Steps } from '../sync.js';
import { revisionOf } from './pods.js';

/** The revision that pods have and the one that they shall have. */
export interface Revisions {
  readonly current: KubeObject;
  readonly update: KubeObject;
  readonly collisions: number;
}

/** The set's revisions, the lowest number first; orphans among them are adopted (WL-73). */
export function* revisionsFor(set: KubeObject, { view }: Look): Steps<readonly KubeObject[]> {
  const known = view.list('controllerrevisions.apps', set.metadata.namespace).filter((revision) => {
    const owner = controllerOf(revision);
    return selectedBy(set, revision) && (owner === undefined || owner.uid === set.metadata.uid);
  });
  for (const revision of known) {
    if (controllerOf(revision) !== undefined || set.metadata.deletionTimestamp !== undefined) continue;
    const metadata = { uid: revision.metadata.uid, ownerReferences: [controllerReference(set)] };
    yield about('patch', resource, revision, { metadata });
  }
  return [...known].sort((a, b) => Number(a.revision) - Number(b.revision));
}

/** WL-56, WL-65: finds the revision of the set's template, renumbers an older one, or makes one. */
export function* syncRevisions(set: KubeObject, known: readonly KubeObject[]): Steps<Revisions> {
  const last = known.at(-1);
  const number = last === undefined ? 1 : Number(last.revision) + 1;
  const data = templateData(set);
  const equal = known.filter((revision) => deepEqual(revision.data, data)).at(-1);
  let collisions = Number(set.status?.collisionCount ?? 0);
  let update: KubeObject;
  if (equal !== undefined && last !== undefined && deepEqual(last.data, equal.data)) update = last;
  else if (equal !== undefined) update = yield* object(about('update', resource, equal, { ...equal, revision: number }));
  else {
    const made = yield* make(set, data, number, collisions);
    update = made.revision;
    collisions = made.collisions;
  }
  const current = known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  return { current, update, collisions };
}

function* make(
  set: KubeObject,
  data: unknown,
  number: number,
  known: number,
): Steps<{ readonly revision: KubeObject; readonly collisions: number }> {
  const first = revisionHash(data, known);
  for (let collisions = known; ; collisions++) {
    const revision = newRevision(set, {
      name: `${set.metadata.name}-${revisionHash(data, collisions)}`,
      label: ['controller.kubernetes.io/hash', first],
      data,
      number,
    });
    try {
      return { revision: yield* object(about('create', resource, revision, revision)), collisions };
    } catch (error) {
      if (!answeredWith(error, 409)) throw error;
    }
    const there = yield* object(about('get', resource, revision));
    if (deepEqual(there.data, data)) return { revision: there, collisions };
  }
}

/** The set as it was at a revision. */
export function atRevision(set: KubeObject, revision: KubeObject): KubeObject {
  const { $patch: _, ...template } = revision.data.spec.template;
  return { ...set, spec: { ...set.spec, template } };
}

/** WL-68 */
export function* truncateHistory(
  set: KubeObject,
  pods: readonly KubeObject[],
  known: readonly KubeObject[],
  live: Revisions | undefined,
): Steps<void> {
  const names = new Set([live?.current.metadata.name, live?.update.metadata.name, ...pods.map(revisionOf)]);
  const dead = known.filter(({ metadata }) => !names.has(metadata.name));
  const limit = Number(set.spec?.revisionHistoryLimit ?? 10);
  if (limit < 0) return;
  for (const revision of dead.slice(0, Math.max(0, dead.length - limit))) yield about('delete', resource, revision);
}
