import type { KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { pathOfObject } from '../references.js';
import { about, endpointSlices, object } from '../requests.js';
import { grouped } from '../services/grouped.js';
import { type Family, familyOf, isAddressed } from '../services/service-pods.js';
import { triggerAnnotation } from '../services/trigger-times.js';
import { isNamespaceTerminating, RequestFailed, type Steps, SyncFailed } from '../sync.js';
import { type Endpoint, type EndpointPort, endpointOf, identityOf, portsKey, portsOf } from './endpoint.js';
import { withHints } from './hints.js';
import type { OwnSlices } from './own-slices.js';
import { isPlaceholder, newSlice, type Plan, planFor } from './slices.js';

/** Everything that one look at a Service needs. */
export interface Slicing {
  readonly service: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly slices: readonly KubeObject[];
  readonly triggerTime: string | undefined;
  readonly own: OwnSlices;
  readonly look: Look;
}

/** WL-108 to WL-111. @throws SyncFailed when something could not be done, or a pod's node is not known; the rest has been done */
export function* reconcile(slicing: Slicing): Steps<void> {
  const families = familiesOf(slicing.service);
  const failures: string[] = [];
  for (const family of families) {
    try {
      yield* reconcileFamily(slicing, family, failures);
    } catch (error) {
      if (!(error instanceof SyncFailed)) throw error;
      failures.push(error.message);
    }
  }
  for (const slice of slicing.slices) {
    if (families.includes(slice.addressType)) continue;
    yield about('delete', endpointSlices, slice);
    slicing.own.deleted(pathOfObject(slicing.service), slice);
  }
  const [first = '', ...more] = [...new Set(failures)];
  if (failures.length > 0) throw new SyncFailed(more.length === 0 ? first : `[${[first, ...more].join(', ')}]`);
}

function familiesOf({ spec }: KubeObject): readonly Family[] {
  const families: readonly Family[] = spec?.ipFamilies ?? [];
  if (families.length > 0) return families;
  const { clusterIP = '' } = spec ?? {};
  return clusterIP === '' || clusterIP === 'None' ? ['IPv4', 'IPv6'] : [familyOf(clusterIP)];
}

/** The endpoints that are wanted of one set of ports. */
interface Wanted {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

function* reconcileFamily(slicing: Slicing, family: Family, failures: string[]): Steps<void> {
  const { service, slices } = slicing;
  const existing = slices.filter(({ addressType }) => addressType === family);
  const plan: Plan = { create: [], update: [], delete: existing.filter((slice) => !isOwnedBy(slice, service)) };
  const byPorts = grouped(
    existing.filter((slice) => isOwnedBy(slice, service)),
    (slice) => portsKey(slice.ports),
  );
  const wanted = wantedEndpoints(slicing, family, failures);
  for (const [key, { ports, endpoints }] of wanted) {
    const part = planFor(service, family, ports, byPorts.get(key) ?? [], endpoints);
    plan.create.push(...part.create);
    plan.update.push(...part.update);
    plan.delete.push(...part.delete);
  }
  for (const [key, surplus] of byPorts) if (!wanted.has(key)) plan.delete.push(...surplus);
  if (plan.delete.length === existing.length && plan.create.length === 0) {
    const [only] = plan.delete;
    // The last slice stays, and is empty.
    if (plan.delete.length === 1 && only !== undefined && isPlaceholder(only, service, family)) plan.delete.length = 0;
    else plan.create.push(newSlice(service, family, [], []));
  }
  yield* carryOut(slicing, hintedPlan(service, existing, plan));
}

/** The plan with hints in all that is written; a slice that has others than it shall have is written too. */
function hintedPlan(service: KubeObject, existing: readonly KubeObject[], plan: Plan): Plan {
  const written = new Set([...plan.update, ...plan.delete].map(({ metadata }) => metadata.name));
  const update = plan.update.map((slice) => withHints(service, slice));
  for (const slice of existing) {
    const hinted = withHints(service, slice);
    if (hinted !== slice && !written.has(slice.metadata.name)) update.push(hinted);
  }
  return { create: plan.create.map((slice) => withHints(service, slice)), update, delete: plan.delete };
}

function isOwnedBy(slice: KubeObject, service: KubeObject): boolean {
  return (slice.metadata.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1',
  );
}

function wantedEndpoints({ service, pods, look }: Slicing, family: Family, failures: string[]): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const pod of pods.filter(isAddressed)) {
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    const { endpoints } = wanted.get(key) ?? { endpoints: new Map<string, Endpoint>() };
    wanted.set(key, { ports, endpoints });
    const nodeName: string = pod.spec?.nodeName ?? '';
    const node = look.view.get('nodes', nodeName);
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      // WL-110
      const { namespace, name } = service.metadata;
      failures.push(`skipping Pod ${pod.metadata.name} for Service ${namespace}/${name}: Node ${nodeName} Not Found`);
      continue;
    }
    const endpoint = endpointOf(service, pod, node, family);
    if (endpoint.addresses.length > 0) endpoints.set(identityOf(endpoint), endpoint);
  }
  return wanted;
}

/** Writes what is planned; a slice that is not needed any more is used for one that is. @throws SyncFailed at the first failure */
function* carryOut({ service, triggerTime, own }: Slicing, plan: Plan): Steps<void> {
  const key = pathOfObject(service);
  const create = [...plan.create];
  const update = [...plan.update];
  const surplus: KubeObject[] = [];
  for (const slice of plan.delete) {
    const next = create.at(-1);
    if (next === undefined || !isOwnedBy(slice, service)) surplus.push(slice);
    else {
      create.pop();
      update.push({ ...next, metadata: { ...next.metadata, name: slice.metadata.name ?? '' } });
    }
  }
  const where = `for Service ${key}`;
  if (service.metadata.deletionTimestamp === undefined) {
    for (const slice of create) {
      const timed = withTriggerTime(slice, triggerTime);
      try {
        own.wrote(key, yield* object(about('create', endpointSlices, timed, timed)));
      } catch (error) {
        if (isNamespaceTerminating(error)) return;
        throw failed(error, `failed to create EndpointSlice ${where}`);
      }
    }
  }
  for (const slice of update) {
    const timed = withTriggerTime(slice, triggerTime);
    try {
      own.wrote(key, yield* object(about('update', endpointSlices, timed, timed)));
    } catch (error) {
      throw failed(error, `failed to update ${slice.metadata.name} EndpointSlice ${where}`);
    }
  }
  for (const slice of surplus) {
    try {
      yield about('delete', endpointSlices, slice);
      own.deleted(key, slice);
    } catch (error) {
      throw failed(error, `failed to delete ${slice.metadata.name} EndpointSlice ${where}`);
    }
  }
}

function failed(error: unknown, what: string): unknown {
  return error instanceof RequestFailed ? new SyncFailed(`${what}: ${error.message}`) : error;
}

function withTriggerTime(slice: KubeObject, time: string | undefined): KubeObject {
  const { [triggerAnnotation]: _, ...others } = slice.metadata.annotations ?? {};
  const annotations = { ...others, ...(time !== undefined && { [triggerAnnotation]: time }) };
  const { annotations: __, ...metadata } = slice.metadata;
  return { ...slice, metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata };
}
