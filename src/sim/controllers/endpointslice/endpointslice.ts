import type { KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { type Change, type Look, startLevelController, type Wake } from '../level-controller.js';
import { pathOfObject } from '../references.js';
import { podsOf, servicesConcerned, wantsEndpoints } from '../services/service-pods.js';
import { TriggerTimes } from '../services/trigger-times.js';
import { type Sync, SyncFailed } from '../sync.js';
import { OwnSlices } from './own-slices.js';
import { reconcile } from './reconcile.js';
import { managedByLabel, manager, serviceLabel } from './slices.js';

/** How long the controller waits before it puts right what others do to its slices. */
const foreignMs = 1_000;

interface Memory {
  readonly own: OwnSlices;
  readonly times: TriggerTimes;
}

/** Keeps the EndpointSlices of Services that select pods (WL-108 to WL-111). */
export function startEndpointSliceController(host: Host, feed: ObjectFeed): void {
  const memory: Memory = { own: new OwnSlices(), times: new TriggerTimes() };
  startLevelController(host, feed, {
    name: 'endpointslice-controller',
    component: 'endpoint-slice-controller',
    resource: 'services',
    related: {
      pods: servicesConcerned,
      nodes: () => [],
      'endpointslices.discovery.k8s.io': (change) => sliceWakes(change, memory.own),
    },
    retries: { firstMs: 1_000, most: 15 },
    readsOwnWrites: true,
    sync: (key, look) => sync(key, look, memory),
  });
}

function isManaged({ metadata }: KubeObject): boolean {
  return metadata.labels?.[managedByLabel] === manager;
}

/** The Service that a slice is of. */
function serviceOf({ metadata }: KubeObject): string | undefined {
  const name = metadata.labels?.[serviceLabel] ?? '';
  return name === '' ? undefined : `${metadata.namespace}/${name}`;
}

function sliceWakes({ type, object: slice, previous }: Change, own: OwnSlices): readonly Wake[] {
  const service = serviceOf(slice);
  const before = previous === undefined ? undefined : serviceOf(previous);
  const wake = (keys: readonly (string | undefined)[]) =>
    keys.filter((key) => key !== undefined).map((key) => ({ key, afterMs: foreignMs }));
  if (type === 'DELETED') return isManaged(slice) && service !== undefined && own.gone(service, slice) ? wake([service]) : [];
  if (previous !== undefined && before !== service) return wake([service, before]);
  const handedOver = previous !== undefined && isManaged(previous) !== isManaged(slice);
  const foreign = isManaged(slice) && (service === undefined || !own.isOwn(service, slice));
  return handedOver || foreign ? wake([service]) : [];
}

function* sync(key: string, look: Look, { own, times }: Memory): Sync {
  const { view, event } = look;
  const service = view.get('services', key);
  if (service === undefined) {
    times.forget(key);
    own.forget(key);
    return;
  }
  if (!wantsEndpoints(service)) return;
  const pods = podsOf(service, view);
  const slices = view
    .list('endpointslices.discovery.k8s.io', service.metadata.namespace)
    .filter((slice) => isManaged(slice) && serviceOf(slice) === pathOfObject(service) && slice.metadata.deletionTimestamp === undefined);
  try {
    yield* reconcile({ service, pods, slices, triggerTime: times.next(service, pods), own, look });
  } catch (error) {
    if (error instanceof SyncFailed)
      event(service, 'Warning', 'FailedToUpdateEndpointSlices', `Error updating Endpoint Slices for Service ${key}: ${error.message}`);
    throw error;
  }
}
