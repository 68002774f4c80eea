import { selects } from '../../apiserver/object-selector.js';
import { deepEqual, type KubeObject } from '../../etcd/object.js';
import type { Change } from '../level-controller.js';
import { isFinished, isReady } from '../pod-state.js';
import { pathOfObject } from '../references.js';
import type { View } from '../view.js';

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly appProtocol?: string;
}

interface ContainerPort {
  readonly name?: string;
  readonly protocol?: string;
  readonly containerPort: number;
}

/** Whether the Service asks for endpoints to be kept (WL-112). */
export function wantsEndpoints({ spec }: KubeObject): boolean {
  return spec?.type !== 'ExternalName' && spec?.selector !== undefined;
}

/** The pods that a Service selects. */
export function podsOf(service: KubeObject, view: View): readonly KubeObject[] {
  return view.list('pods', service.metadata.namespace).filter((pod) => selectsPod(service, pod));
}

function selectsPod(service: KubeObject, pod: KubeObject): boolean {
  const { selector } = service.spec ?? {};
  return selector !== undefined && selects({ matchLabels: selector }, pod.metadata.labels);
}

/** WL-110: the Services for which a change of a pod matters. */
export function servicesConcerned({ type, object, previous }: Change, view: View): readonly string[] {
  const services = view.list('services', object.metadata.namespace);
  const selecting = (pod: KubeObject) => services.filter((service) => selectsPod(service, pod)).map(pathOfObject);
  if (previous === undefined || type === 'DELETED') return selecting(object);
  const relabelled =
    !deepEqual(previous.metadata.labels, object.metadata.labels) ||
    previous.spec?.hostname !== object.spec?.hostname ||
    previous.spec?.subdomain !== object.spec?.subdomain;
  const changed = endpointChanged(previous, object);
  if (!relabelled) return changed ? selecting(object) : [];
  const [before, after] = [selecting(previous), selecting(object)];
  if (changed) return [...new Set([...after, ...before])];
  return [...after.filter((key) => !before.includes(key)), ...before.filter((key) => !after.includes(key))];
}

/** Two times of deletion are never the same to the real controllers, which compare where they are kept. */
function endpointChanged(previous: KubeObject, pod: KubeObject): boolean {
  if (previous.metadata.deletionTimestamp !== undefined || pod.metadata.deletionTimestamp !== undefined) return true;
  return isReady(previous) !== isReady(pod) || !deepEqual(addressesOf(previous), addressesOf(pod));
}

/** All addresses of a pod. */
export function addressesOf(pod: KubeObject): readonly string[] {
  return ((pod.status?.podIPs ?? []) as readonly { readonly ip: string }[]).map(({ ip }) => ip);
}

export type Family = 'IPv4' | 'IPv6';

export function familyOf(address: string): Family {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** WL-110: pods that have ended or have no address yet serve nobody. */
export function isAddressed(pod: KubeObject): boolean {
  return !isFinished(pod) && (addressesOf(pod).length > 0 || (pod.status?.podIP ?? '') !== '');
}

/** Its hostname, if the pod is known by it to users of the Service. */
export function hostnameFor(service: KubeObject, pod: KubeObject): string | undefined {
  const { hostname = '', subdomain } = pod.spec ?? {};
  return hostname !== '' && subdomain === service.metadata.name ? hostname : undefined;
}

export function hasNoAddress(service: KubeObject): boolean {
  const { clusterIP = '' } = service.spec ?? {};
  return clusterIP === '' || clusterIP === 'None';
}

/** WL-111: the port of the pod that a Service's port leads to; undefined: the pod has none of that name. */
export function portOf(pod: KubeObject, { targetPort, protocol }: ServicePort): number | undefined {
  if (typeof targetPort !== 'string') return targetPort ?? 0;
  type Container = { readonly ports?: readonly ContainerPort[]; readonly restartPolicy?: string };
  const sidecars = ((pod.spec?.initContainers ?? []) as readonly Container[]).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports = [...((pod.spec?.containers ?? []) as readonly Container[]), ...sidecars].flatMap((container) => container.ports ?? []);
  return ports.find((port) => port.name === targetPort && port.protocol === protocol)?.containerPort;
}

/** What an endpoint says of the pod that it stands for. */
export function referenceTo(pod: KubeObject): object {
  const { namespace, name, uid } = pod.metadata;
  return { kind: 'Pod', ...(namespace !== undefined && { namespace }), name, uid };
}
