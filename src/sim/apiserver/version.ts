import { deepFreeze, type KubeObject } from '../etcd/object.js';
import { autoscalerIn, autoscalers } from './autoscaler-versions.js';
import { prunedBy, shapeStored } from './custom-resource.js';
import { asCoreEvent, asEventsApi } from './event-api.js';
import type { KindInfo, Kinds } from './kinds.js';
import { ownersOfObject, recordOwners } from './managed-fields/owners.js';
import { asReadBack, withoutEmptyMetadata } from './read-back.js';
import { ApiStatusError, internalWithoutReason } from './status.js';

const eventsApi = 'events.events.k8s.io';

/** What each stored object looks like in a version; a changed definition is another `KindInfo`. */
const views = new WeakMap<KindInfo, WeakMap<KubeObject, KubeObject>>();

/**
 * A stored object as a version shows it (CD-3, CD-15). The same frozen object when nothing is different. What a webhook has to
 * convert is converted anew each time. @throws ApiStatusError 500 (CD-27, CD-29)
 */
export function inVersion(kind: KindInfo, object: KubeObject): KubeObject {
  const converts = kind.conversion !== undefined && kind.apiVersion !== object.apiVersion;
  return converts ? remembered(kind, object, view(kind, object)) : inCache(kind, object);
}

/** As the watch cache of a version shows it: an object is converted once (CD-48). @throws ApiStatusError 500 */
export function inCache(kind: KindInfo, object: KubeObject): KubeObject {
  if (kind.resource === eventsApi && object.apiVersion === 'v1') return asEventsApi(object);
  if (kind.resource === autoscalers) return deepFreeze(autoscalerIn(object, kind.apiVersion));
  if (!kind.custom) return kind.apiVersion === object.apiVersion ? object : Object.freeze({ ...object, apiVersion: kind.apiVersion });
  return views.get(kind)?.get(object) ?? remembered(kind, object, view(kind, object));
}

/** Shows what was written to the caches of the versions that a webhook has to be asked for (CD-16). */
export function fillCaches(kinds: Kinds, resource: string, object: KubeObject): void {
  for (const kind of kinds.converted(resource)) {
    try {
      inCache(kind, object);
    } catch (error) {
      // Whoever wants to see the object will be told.
      if (!(error instanceof ApiStatusError)) throw error;
    }
  }
}

function view(kind: KindInfo, object: KubeObject): KubeObject {
  const known = kind.definitions?.some(({ name }) => `${kind.group}/${name}` === object.apiVersion) ?? true;
  if (!known) throw internalWithoutReason(`request to convert CR from an invalid group/version: ${object.apiVersion}`);
  const shaped = shapeStored(kind, object);
  if (kind.apiVersion === shaped.apiVersion) return shaped;
  return prunedBy(kind.definition, converted(kind, shaped, kind.apiVersion, true));
}

function remembered(kind: KindInfo, object: KubeObject, shown: KubeObject): KubeObject {
  let known = views.get(kind);
  if (known === undefined) {
    known = new WeakMap();
    views.set(kind, known);
  }
  known.set(object, deepFreeze(shown));
  recordOwners(shown, ownersOfObject(object));
  return shown;
}

/** @param fromEtcd a webhook does not see the revision of what is stored. */
function converted(kind: KindInfo, object: KubeObject, apiVersion: string, fromEtcd: boolean): KubeObject {
  const { conversion } = kind;
  if (conversion === undefined) return { ...object, apiVersion };
  if (!fromEtcd) return conversion.convert(kind, object, apiVersion);
  const { resourceVersion, ...metadata } = object.metadata;
  const answer = conversion.convert(kind, { ...object, metadata }, apiVersion);
  return { ...answer, metadata: { ...answer.metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
}

/** What a dry run answers: an object as it would be read back (CD-3). @param toStore the same as etcd would keep it. */
export function readBack(kind: KindInfo, object: KubeObject, toStore: KubeObject): KubeObject {
  if (!kind.custom) return asReadBack(kind, object);
  return kind.apiVersion === toStore.apiVersion ? withoutEmptyMetadata(object) : view(kind, toStore);
}

/** An object of the kind in the version in which etcd keeps it, as it is read from there. */
export function stored(kind: KindInfo, given: KubeObject): KubeObject {
  const object = kind.custom ? withoutEmptyMetadata(given) : asReadBack(kind, given);
  if (object.apiVersion === kind.storedVersion) return object;
  if (kind.resource === eventsApi) return asCoreEvent(object);
  if (kind.resource === autoscalers) return autoscalerIn(object, kind.storedVersion);
  if (!kind.custom) return { ...object, apiVersion: kind.storedVersion };
  const storage = kind.definitions?.find((definition) => definition.storage);
  return prunedBy(storage, converted(kind, object, kind.storedVersion, false));
}
