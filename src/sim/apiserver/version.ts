import { deepFreeze, type KubeObject } from '../etcd/object.js';
import { autoscalerIn, autoscalers } from './autoscaler-versions.js';
import { shapeConverted, shapeStored } from './custom-resource.js';
import { DecodeFault } from './decode-fault.js';
import { asCoreEvent, asEventsApi } from './event-api.js';
import type { CustomVersion, KindInfo } from './kinds.js';
import { type Owners, ownersOfObject, recordOwners } from './managed-fields/owners.js';
import { asReadBack, withoutEmptyMetadata } from './read-back.js';
import { internalWithoutReason } from './status.js';

const eventsApi = 'events.events.k8s.io';

/** What each stored object looks like in a version; a changed definition is another `KindInfo`. */
const views = new WeakMap<KindInfo, WeakMap<KubeObject, KubeObject>>();

/**
 * A stored object as a version shows it (CD-3, CD-15). The same frozen object when nothing is different. What a webhook has to
 * convert is converted anew each time. @throws ApiStatusError 500 (CD-27, CD-29)
 */
export function inVersion(kind: KindInfo, object: KubeObject): KubeObject {
  if (kind.resource === eventsApi && object.apiVersion === 'v1') return asEventsApi(object);
  if (kind.resource === autoscalers) return deepFreeze(autoscalerIn(object, kind.apiVersion));
  if (!kind.custom) return kind.apiVersion === object.apiVersion ? object : Object.freeze({ ...object, apiVersion: kind.apiVersion });
  if (kind.conversion !== undefined && kind.apiVersion !== object.apiVersion) return shownAs(object, view(kind, object));
  let known = views.get(kind);
  if (known === undefined) {
    known = new WeakMap();
    views.set(kind, known);
  }
  let shown = known.get(object);
  if (shown === undefined) {
    shown = shownAs(object, view(kind, object));
    known.set(object, shown);
  }
  return shown;
}

function shownAs(object: KubeObject, shown: KubeObject): KubeObject {
  deepFreeze(shown);
  recordOwners(shown, ownersOfObject(object));
  return shown;
}

/** @param owners whose they will be, when the object is not stored yet. */
function view(kind: KindInfo, object: KubeObject, owners = ownersOfObject(object), dryRun = false): KubeObject {
  const known = kind.definitions?.some(({ name }) => `${kind.group}/${name}` === object.apiVersion) ?? true;
  if (!known) throw internalWithoutReason(`request to convert CR from an invalid group/version: ${object.apiVersion}`);
  const shaped = shapeStored(kind, object);
  if (kind.apiVersion === shaped.apiVersion) return shaped;
  return shapedAs(kind.definition, converted(kind, shaped, kind.apiVersion, owners, dryRun));
}

/** @throws ApiStatusError 500 when the embedded resources of what came from a webhook are none */
function shapedAs(definition: CustomVersion | undefined, object: KubeObject): KubeObject {
  try {
    return withoutEmptyMetadata(shapeConverted(definition, object));
  } catch (error) {
    throw error instanceof DecodeFault ? internalWithoutReason(error.message) : error;
  }
}

/**
 * CD-16: on the way from and to etcd a webhook does not see the revision, and sees who owns what.
 * @param dryRun nothing comes from or goes to etcd, and the revision stays where it is
 */
function converted(kind: KindInfo, object: KubeObject, apiVersion: string, owners: Owners | undefined, dryRun: boolean): KubeObject {
  const { conversion } = kind;
  if (conversion === undefined) return { ...object, apiVersion };
  const { resourceVersion, ...metadata } = object.metadata;
  const entries = owners?.entries() ?? [];
  const sent = {
    ...metadata,
    ...(entries.length > 0 && { managedFields: [...entries] }),
    ...(dryRun && resourceVersion !== undefined && { resourceVersion }),
  };
  const answer = conversion.convert(kind, { ...object, metadata: sent }, apiVersion);
  const { managedFields: _, ...answered } = answer.metadata;
  return { ...answer, metadata: { ...answered, ...(resourceVersion !== undefined && { resourceVersion }) } };
}

/**
 * What a dry run answers: an object as it would be read back (CD-3).
 * @param toStore the same as etcd would keep it
 * @param owners who owns what of it, should a webhook be asked
 */
export function readBack(kind: KindInfo, object: KubeObject, toStore: KubeObject, owners: () => Owners): KubeObject {
  if (!kind.custom) return asReadBack(kind, object);
  return kind.apiVersion === toStore.apiVersion ? withoutEmptyMetadata(object) : view(kind, toStore, owners(), true);
}

/**
 * An object of the kind in the version in which etcd keeps it, as it is read from there.
 * @param owners who owns what of it, should a webhook be asked
 */
export function stored(kind: KindInfo, given: KubeObject, owners: () => Owners | undefined, dryRun = false): KubeObject {
  const object = kind.custom ? withoutEmptyMetadata(given) : asReadBack(kind, given);
  if (object.apiVersion === kind.storedVersion) return object;
  if (kind.resource === eventsApi) return asCoreEvent(object);
  if (kind.resource === autoscalers) return autoscalerIn(object, kind.storedVersion);
  if (!kind.custom) return { ...object, apiVersion: kind.storedVersion };
  const storage = kind.definitions?.find((definition) => definition.storage);
  const known = kind.conversion === undefined ? undefined : owners();
  return shapedAs(storage, converted(kind, object, kind.storedVersion, known, dryRun));
}
