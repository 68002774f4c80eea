import type { KubeObject } from '../../etcd/object.js';
import { byHash } from '../hashing/by-hash.js';
import { isReady } from '../pod-state.js';
import {
  addressesOf,
  type Family,
  familyOf,
  hasNoAddress,
  hostnameFor,
  portOf,
  referenceTo,
  type ServicePort,
} from '../services/service-pods.js';

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready: boolean; readonly serving: boolean; readonly terminating: boolean };
  readonly hostname?: string;
  readonly targetRef?: { readonly namespace?: string; readonly name?: string };
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hints?: object;
}

export interface EndpointPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly appProtocol?: string;
}

/** WL-109 */
export function endpointOf(service: KubeObject, pod: KubeObject, node: KubeObject | undefined, family: Family): Endpoint {
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const hostname = hostnameFor(service, pod);
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'] ?? '';
  return {
    addresses: addressesOf(pod).filter((address) => familyOf(address) === family),
    conditions: { ready: service.spec?.publishNotReadyAddresses === true || (serving && !terminating), serving, terminating },
    ...(hostname !== undefined && { hostname }),
    targetRef: referenceTo(pod),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName as string }),
    ...(zone !== '' && { zone }),
  };
}

/** What tells endpoints apart: of the same addresses, hostname and pod there is one. */
export function identityOf({ addresses, hostname = '', targetRef }: Endpoint): string {
  return JSON.stringify([[...addresses].sort(), hostname, targetRef?.namespace ?? '', targetRef?.name ?? '']);
}

/** WL-111: the ports of a pod by which a Service is reached, in their order. */
export function portsOf(service: KubeObject, pod: KubeObject): readonly EndpointPort[] {
  const ports: readonly ServicePort[] = service.spec?.ports ?? [];
  if (ports.length === 0 && hasNoAddress(service)) return [];
  const found = ports.flatMap((servicePort) => {
    const port = portOf(pod, servicePort);
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return port === undefined ? [] : [{ name, protocol, port, ...(appProtocol !== undefined && { appProtocol }) }];
  });
  return byHash('discovery/v1.EndpointPort', found);
}

/** What tells sets of ports apart. */
export function portsKey(ports: readonly EndpointPort[] | null | undefined): string {
  const plain = (ports ?? []).map(({ name, protocol, port, appProtocol }) => JSON.stringify([name, protocol, port, appProtocol ?? null]));
  return plain.sort().join();
}
