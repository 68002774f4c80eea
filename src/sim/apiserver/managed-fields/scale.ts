import { FieldSet } from '../structured-merge/field-set.js';
import { fieldElement, type Path } from '../structured-merge/path-element.js';
import type { VersionedSet } from '../structured-merge/updating.js';
import { decodeEntries, encodeEntries, identityOf, infoOf, type Managed, managedBy } from './entries.js';

/** Where each version of the object has its number of replicas; a version without one has undefined. */
export type ReplicasPaths = ReadonlyMap<string, Path | undefined>;

const scaleVersion = 'autoscaling/v1';
const pathInScale: Path = [fieldElement('spec'), fieldElement('replicas')];

/** The owners of an object as its Scale has them: those who own the number of replicas, in the Scale's version (PA-20, PA-52). */
export function ownersOfScale({ managers, times }: Managed, paths: ReplicasPaths): Managed {
  const ofScale = new Map<string, VersionedSet>();
  const timesOfScale = new Map<string, string>();
  for (const [identity, { set, apiVersion, applied }] of managers) {
    const path = paths.get(apiVersion);
    if (path === undefined || !set.has(path)) continue;
    const inScale = identityOf({ ...infoOf(identity), apiVersion: scaleVersion });
    ofScale.set(inScale, { set: FieldSet.of([pathInScale]), apiVersion: scaleVersion, applied });
    const time = times.get(identity);
    if (time !== undefined) timesOfScale.set(inScale, time);
  }
  return managedBy(ofScale, timesOfScale);
}

/** The owners of an object after its Scale was written (PA-52). @param apiVersion the version that the object was scaled in. */
export function ownersAfterScale(parent: Managed, scale: Managed, paths: ReplicasPaths, apiVersion: string): Managed {
  const managers = new Map<string, VersionedSet>();
  const ofScale = new Map(scale.managers);
  for (const [identity, versioned] of parent.managers) {
    if (!paths.has(versioned.apiVersion)) continue;
    const path = paths.get(versioned.apiVersion);
    if (path === undefined || !versioned.set.has(path) || ofScale.delete(identity)) {
      managers.set(identity, versioned);
      continue;
    }
    const set = versioned.set.difference(FieldSet.of([path]));
    if (!set.isEmpty) managers.set(identity, { ...versioned, set });
  }
  const path = paths.get(apiVersion);
  for (const [identity, { set, applied }] of ofScale) {
    if (path !== undefined && set.has(pathInScale)) managers.set(identity, { set: FieldSet.of([path]), apiVersion, applied });
  }
  // Who is new here has no time. Two entries may look alike now: both are shown, and the next write keeps the later.
  const shown = encodeEntries(managedBy(managers, parent.times));
  return { ...(decodeEntries(shown) as Managed), shown };
}
