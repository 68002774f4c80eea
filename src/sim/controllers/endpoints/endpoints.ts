import { deepEqual, type KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { type Change, type Look, startLevelController, type Wake } from '../level-controller.js';
import { pathOfObject } from '../references.js';
import { about, endpoints, services, unlessGone } from '../requests.js';
import { hasNoAddress, podsOf, servicesConcerned, wantsEndpoints } from '../services/service-pods.js';
import { TriggerTimes, triggerAnnotation } from '../services/trigger-times.js';
import { answeredWith, isNamespaceTerminating, RequestFailed, type Sync } from '../sync.js';
import type { View } from '../view.js';
import { subsetsOf } from './subsets.js';

const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const manager = 'endpoint-controller';
const headlessLabel = 'service.kubernetes.io/headless';
const overCapacity = 'endpoints.kubernetes.io/over-capacity';
/** Before the path of Endpoints that are there when the controller starts: their Service may be gone. */
const leftoverKey = 'leftover ';

/** Keeps the Endpoints of Services that select pods (WL-112). */
export function startEndpointsController(host: Host, feed: ObjectFeed): void {
  const times = new TriggerTimes();
  startLevelController(host, feed, {
    name: 'endpoint-controller',
    resource: 'services',
    related: { pods: servicesConcerned, endpoints: endpointsWakes },
    retries: { firstMs: 5, most: 15 },
    readsOwnWrites: true,
    sync: (key, look) => (key.startsWith(leftoverKey) ? cleanUp(key.slice(leftoverKey.length), look) : sync(key, look, times)),
  });
}

function endpointsWakes({ type, object }: Change, view: View): readonly Wake[] {
  const key = pathOfObject(object);
  if (type === 'DELETED') return [key];
  const isOurs = object.metadata.labels?.[managedByLabel] === manager;
  return type === 'ADDED' && isOurs && view.get('services', key) === undefined ? [leftoverKey + key] : [];
}

function* cleanUp(key: string, { view }: Look): Sync {
  const known = view.get('endpoints', key);
  if (known === undefined || view.get('services', key) !== undefined) return;
  // The Service may be there and not be known yet.
  if (yield* unlessGone(about('get', services, known))) return;
  yield* unlessGone(about('delete', endpoints, known));
}

function* sync(key: string, look: Look, times: TriggerTimes): Sync {
  const { view, event } = look;
  const service = view.get('services', key);
  if (service === undefined) {
    const [namespace = '', name = ''] = key.split('/');
    yield* unlessGone(about('delete', endpoints, { metadata: { namespace, name } }));
    times.forget(key);
    return;
  }
  if (!wantsEndpoints(service)) return;
  const pods = podsOf(service, view);
  const triggerTime = times.next(service, pods);
  const subsets = subsetsOf(service, pods);
  const current = view.get('endpoints', key);
  if (current !== undefined && isUpToDate(current, service, subsets)) return;
  const wanted = endpointsFor(service, current, subsets, triggerTime);
  try {
    yield about(current === undefined ? 'create' : 'update', endpoints, wanted, wanted);
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    if (current !== undefined) event(wanted, 'Warning', 'FailedToUpdateEndpoint', `Failed to update endpoint ${key}: ${error.message}`);
    else if (isNamespaceTerminating(error) && answeredWith(error, 403)) return;
    else event(wanted, 'Warning', 'FailedToCreateEndpoint', `Failed to create endpoint for service ${key}: ${error.message}`);
    throw error;
  }
}

function isUpToDate({ metadata, subsets = [] }: KubeObject, service: KubeObject, wanted: readonly unknown[]): boolean {
  const { [headlessLabel]: _, [managedByLabel]: by, ...labels } = metadata.labels ?? {};
  const told = metadata.annotations?.[overCapacity] === undefined;
  return told && by === manager && deepEqual(labels, service.metadata.labels ?? {}) && deepEqual(subsets, wanted);
}

function endpointsFor(
  service: KubeObject,
  current: KubeObject | undefined,
  subsets: readonly unknown[],
  triggerTime: string | undefined,
): KubeObject {
  const { name = '', namespace } = service.metadata;
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {};
  const { [triggerAnnotation]: __, [overCapacity]: ___, ...others } = current?.metadata.annotations ?? {};
  const annotations = { ...others, ...(triggerTime !== undefined && { [triggerAnnotation]: triggerTime }) };
  const { annotations: ____, ...metadata } = current?.metadata ?? { name, ...(namespace !== undefined && { namespace }) };
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...metadata,
      labels: { ...labels, ...(hasNoAddress(service) && { [headlessLabel]: '' }), [managedByLabel]: manager },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...(subsets.length > 0 && { subsets }),
  };
}
