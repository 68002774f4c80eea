import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { ownedBy } from '../references.js';
import type { Family } from '../services/service-pods.js';
import { hasNoAddress } from '../services/service-pods.js';
import { type Endpoint, type EndpointPort, identityOf } from './endpoint.js';

/** How many endpoints a slice has at most (WL-108). */
const mostEndpoints = 100;

export const serviceLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const manager = 'endpointslice-controller.k8s.io';
const headlessLabel = 'service.kubernetes.io/headless';
const reserved = [serviceLabel, managedByLabel, headlessLabel];

/** What is to be done to the slices of a Service. */
export interface Plan {
  readonly create: KubeObject[];
  readonly update: KubeObject[];
  readonly delete: KubeObject[];
}

/** WL-108: the labels of a Service's slices. */
function labelsFor(service: KubeObject): Readonly<Record<string, string>> {
  return {
    ...unreserved(service),
    ...(hasNoAddress(service) && { [headlessLabel]: '' }),
    [serviceLabel]: service.metadata.name ?? '',
    [managedByLabel]: manager,
  };
}

function unreserved({ metadata }: KubeObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => !reserved.includes(key)));
}

/** WL-108 */
export function newSlice(
  service: KubeObject,
  addressType: Family,
  ports: readonly EndpointPort[],
  endpoints: readonly Endpoint[],
): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${service.metadata.name}-`,
      labels: labelsFor(service),
      ...ownedBy(service),
    },
    addressType,
    endpoints: endpoints.length === 0 ? null : endpoints,
    ports: ports.length === 0 ? null : ports,
  };
}

/** Whether a slice is the empty one of the Service, as it would be made now. */
export function isPlaceholder(slice: KubeObject, service: KubeObject, addressType: Family): boolean {
  const isEmpty = endpointsOf(slice).length === 0 && (slice.ports ?? []).length === 0;
  return slice.addressType === addressType && isEmpty && deepEqual(slice.metadata.labels, labelsFor(service));
}

export function endpointsOf(slice: KubeObject): readonly Endpoint[] {
  return slice.endpoints ?? [];
}

/** Puts the wanted endpoints of one set of ports into its slices: as few writes as it takes, rather than as few slices (WL-111). */
export function planFor(
  service: KubeObject,
  addressType: Family,
  ports: readonly EndpointPort[],
  existing: readonly KubeObject[],
  wanted: Map<string, Endpoint>,
): Plan {
  const plan: Plan = { create: [], update: [], delete: [] };
  const unchanged: KubeObject[] = [];
  for (const slice of existing) {
    const kept: Endpoint[] = [];
    let changed = false;
    for (const endpoint of endpointsOf(slice)) {
      const found = wanted.get(identityOf(endpoint));
      if (found === undefined) continue;
      kept.push(found);
      changed ||= !deepEqual(withoutHints(found), withoutHints(endpoint));
      wanted.delete(identityOf(endpoint));
    }
    changed ||= kept.length !== endpointsOf(slice).length;
    const relabelled = !deepEqual(unreserved(slice), unreserved(service));
    if (changed && kept.length === 0) plan.delete.push(slice);
    else if (changed || relabelled) plan.update.push(withEndpoints(service, slice, changed ? kept : endpointsOf(slice)));
    else unchanged.push(slice);
  }
  const left = [...wanted.values()];
  const filled = (slice: KubeObject) =>
    withEndpoints(service, slice, [...endpointsOf(slice), ...left.splice(0, mostEndpoints - endpointsOf(slice).length)]);
  // Those that are written anyway take what they can, the fullest first.
  const order = [...plan.update.keys()].sort((a, b) => lengthAt(plan.update, b) - lengthAt(plan.update, a));
  for (const index of order) plan.update[index] = filled(plan.update[index] as KubeObject);
  while (left.length > 0) {
    const room = left.length < mostEndpoints ? bestFit(unchanged, left.length) : undefined;
    if (room !== undefined) plan.update.push(filled(unchanged.splice(unchanged.indexOf(room), 1)[0] as KubeObject));
    else plan.create.push(newSlice(service, addressType, ports, left.splice(0, mostEndpoints)));
  }
  return plan;
}

function lengthAt(slices: readonly KubeObject[], index: number): number {
  return endpointsOf(slices[index] as KubeObject).length;
}

function withoutHints({ hints: _, ...endpoint }: Endpoint): object {
  return endpoint;
}

function withEndpoints(service: KubeObject, slice: KubeObject, endpoints: readonly Endpoint[]): KubeObject {
  return { ...slice, metadata: { ...slice.metadata, labels: labelsFor(service) }, endpoints };
}

/** The slice that is fullest once the rest is in it. */
function bestFit(slices: readonly KubeObject[], count: number): KubeObject | undefined {
  const fitting = slices.filter((slice) => endpointsOf(slice).length + count <= mostEndpoints);
  return fitting.reduce<KubeObject | undefined>(
    (best, slice) => (best === undefined || endpointsOf(slice).length > endpointsOf(best).length ? slice : best),
    undefined,
  );
}
