import type { KubeObject } from '../etcd/object.js';
import { prunedBy, shapeStored } from './custom-resource.js';
import { withNullLists } from './defaults.js';
import { asCoreEvent, asEventsApi } from './event-api.js';
import type { KindInfo } from './kinds.js';

const eventsApi = 'events.events.k8s.io';

/** What each stored object looks like in a version; a changed definition is another `KindInfo`. */
const views = new WeakMap<KindInfo, WeakMap<KubeObject, KubeObject>>();

/** A stored object as a version shows it (CD-3, CD-15). The same frozen object when nothing is different. */
export function inVersion(kind: KindInfo, object: KubeObject): KubeObject {
  if (kind.resource === eventsApi && object.apiVersion === 'v1') return asEventsApi(object);
  if (!kind.custom) return kind.apiVersion === object.apiVersion ? object : Object.freeze({ ...object, apiVersion: kind.apiVersion });
  let known = views.get(kind);
  if (known === undefined) {
    known = new WeakMap();
    views.set(kind, known);
  }
  let view = known.get(object);
  if (view === undefined) {
    const shaped = shapeStored(kind, object);
    view = kind.apiVersion === shaped.apiVersion ? shaped : prunedBy(kind.definition, { ...shaped, apiVersion: kind.apiVersion });
    if (view !== object) Object.freeze(view);
    known.set(object, view);
  }
  return view;
}

/** An object of the kind in the version in which etcd keeps it. */
export function stored(kind: KindInfo, given: KubeObject): KubeObject {
  const object = kind.custom ? given : withNullLists(kind, given);
  if (object.apiVersion === kind.storedVersion) return object;
  if (kind.resource === eventsApi) return asCoreEvent(object);
  const converted = { ...object, apiVersion: kind.storedVersion };
  if (!kind.custom) return converted;
  return prunedBy(
    kind.definitions?.find(({ storage }) => storage),
    converted,
  );
}
