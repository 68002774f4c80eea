import type { KubeObject } from '../../etcd/object.js';
import { byHash } from '../hashing/by-hash.js';
import { isReady } from '../pod-state.js';
import { grouped } from '../services/grouped.js';
import {
  addressesOf,
  type Family,
  familyOf,
  hasNoAddress,
  hostnameFor,
  isAddressed,
  portOf,
  referenceTo,
  type ServicePort,
} from '../services/service-pods.js';

interface Address {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName: string;
  readonly targetRef: { readonly uid?: string };
}

interface Port {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

export interface Subset {
  readonly addresses?: readonly Address[];
  readonly notReadyAddresses?: readonly Address[];
  readonly ports?: readonly Port[];
}

/** An address under one port; the port is absent where the Service has none. */
interface Served {
  readonly address: Address;
  readonly ready: boolean;
  readonly port: Port | undefined;
}

/** WL-112: the subsets of a Service's Endpoints: ports that are served by the same addresses are together. */
export function subsetsOf(service: KubeObject, pods: readonly KubeObject[]): readonly Subset[] {
  const byPort = grouped(
    pods.flatMap((pod) => servedBy(service, pod)),
    ({ port }) => JSON.stringify(port ?? null),
  );
  const byAddresses = grouped(byPort.values(), (served) =>
    JSON.stringify(ordered(served.map(({ address }) => address)).map((address) => [address, isServed(served, address)])),
  );
  const subsets = [...byAddresses.values()].map((groups): Subset => {
    const served = groups[0] as readonly Served[];
    const ready = ordered(served.filter(({ ready }) => ready).map(({ address }) => address));
    const notReady = ordered(served.filter(({ ready }) => !ready).map(({ address }) => address));
    const ports = groups.flatMap(([first]) => first?.port ?? []);
    return {
      ...(ready.length > 0 && { addresses: ready }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady }),
      ...(ports.length > 0 && { ports: byHash('core/v1.EndpointPort', ports) }),
    };
  });
  return byHash('core/v1.EndpointSubset', subsets);
}

function isServed(served: readonly Served[], address: Address): boolean {
  return served.some((each) => each.address === address && each.ready);
}

function servedBy(service: KubeObject, pod: KubeObject): readonly Served[] {
  const unready = service.spec?.publishNotReadyAddresses === true;
  if (!isAddressed(pod) || (pod.metadata.deletionTimestamp !== undefined && !unready)) return [];
  const address = addressOf(service, pod);
  if (address === undefined) return [];
  const ready = unready || isReady(pod);
  const ports: readonly ServicePort[] = service.spec?.ports ?? [];
  if (ports.length === 0) return service.spec?.clusterIP === 'None' ? [{ address, ready, port: undefined }] : [];
  return ports.flatMap((servicePort) => {
    const port = portOf(pod, servicePort);
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    if (port === undefined) return [];
    return [{ address, ready, port: { ...(name !== '' && { name }), port, protocol, ...(appProtocol !== undefined && { appProtocol }) } }];
  });
}

function addressOf(service: KubeObject, pod: KubeObject): Address | undefined {
  const { ipFamilies = [], clusterIP = '' } = service.spec ?? {};
  const asked: string = hasNoAddress(service) ? (pod.status?.podIP ?? '') : clusterIP;
  const family = (ipFamilies[0] as Family | undefined) ?? familyOf(asked);
  const ip = addressesOf(pod).find((address) => familyOf(address) === family);
  if (ip === undefined) return undefined;
  const hostname = hostnameFor(service, pod);
  return { ip, ...(hostname !== undefined && { hostname }), nodeName: pod.spec?.nodeName ?? '', targetRef: referenceTo(pod) };
}

/** By IP, then by the pod's uid. */
function ordered(addresses: readonly Address[]): readonly Address[] {
  const key = ({ ip, targetRef }: Address) => `${ip} ${targetRef.uid ?? ''}`;
  return [...addresses].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
