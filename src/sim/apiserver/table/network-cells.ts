import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { age } from './ages.js';
import { firstFew, labelsText, markedName, NONE, nameOf, orElse, selectorCell, UNKNOWN, UNSET } from './cell-text.js';

const SHOWN = 3;

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly nodePort?: number;
  readonly protocol?: string;
}

/** What `kubectl get services -o wide` shows. */
export function serviceCells(service: KubeObject, nowMs: number): readonly JsonValue[] {
  const { type = '', clusterIPs = [], ports = [], selector } = service.spec ?? {};
  const portTexts = (ports as readonly Port[]).map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return [
    nameOf(service),
    type,
    clusterIPs[0] ?? NONE,
    externalAddress(service),
    orElse(portTexts.join(','), NONE),
    age(service, nowMs),
    labelsText(selector),
  ];
}

function externalAddress({ spec, status }: KubeObject): string {
  const external: readonly string[] = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return orElse(external.join(','), NONE);
    case 'LoadBalancer':
      return orElse([...balancers(status), ...external].join(','), '<pending>');
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return UNKNOWN;
  }
}

/** Where load balancers take requests, sorted. */
function balancers(status: KubeObject['status']): readonly string[] {
  const ingress: readonly { readonly ip?: string; readonly hostname?: string }[] = status?.loadBalancer?.ingress ?? [];
  return [...new Set(ingress.map(({ ip, hostname }) => ip || hostname || ''))].filter((each) => each !== '').sort();
}

/** What `kubectl get endpoints` shows. */
export function endpointsCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const subsets: readonly { readonly ports?: readonly Port[]; readonly addresses?: readonly { readonly ip: string }[] }[] =
    object.subsets ?? [];
  const all = subsets.flatMap(({ ports = [], addresses = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`))),
  );
  return [nameOf(object), subsets.length === 0 ? NONE : firstFew(all, SHOWN), age(object, nowMs)];
}

/** What `kubectl get endpointslices` shows. */
export function endpointSliceCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const ports = ((object.ports ?? []) as readonly Port[]).map(({ port, name }) => `${port ?? name ?? '*'}`);
  const endpoints = (object.endpoints ?? []) as readonly { readonly addresses?: readonly string[] }[];
  const addresses = endpoints.flatMap((endpoint) => endpoint.addresses ?? []);
  return [
    nameOf(object),
    object.addressType ?? '',
    orElse(firstFew(ports, SHOWN), UNSET),
    orElse(firstFew(addresses, SHOWN), UNSET),
    age(object, nowMs),
  ];
}

/** What `kubectl get ingresses` shows. */
export function ingressCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { ingressClassName = NONE, rules = [], tls = [] } = object.spec ?? {};
  return [
    nameOf(object),
    ingressClassName,
    hostsText(rules),
    balancers(object.status).join(','),
    tls.length === 0 ? '80' : '80, 443',
    age(object, nowMs),
  ];
}

/** All rules are counted, those without a host too. */
function hostsText(rules: readonly { readonly host?: string }[]): string {
  const hosts: string[] = [];
  for (const { host } of rules) {
    if (hosts.length === SHOWN) return `${hosts.join(',')} + ${rules.length - SHOWN} more...`;
    if (host) hosts.push(host);
  }
  return orElse(hosts.join(','), '*');
}

/** What `kubectl get ingressclasses` shows. */
export function ingressClassCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { controller = '', parameters } = object.spec ?? {};
  const group = parameters?.apiGroup === undefined ? '' : `.${parameters.apiGroup}`;
  return [
    markedName(object, 'ingressclass.kubernetes.io/is-default-class'),
    controller,
    parameters === undefined ? NONE : `${parameters.kind}${group}/${parameters.name}`,
    age(object, nowMs),
  ];
}

/** What `kubectl get networkpolicies` shows. */
export function networkPolicyCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), selectorCell(object.spec?.podSelector), age(object, nowMs)];
}

/** What `kubectl get servicecidrs` shows. */
export function serviceCidrCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), (object.spec?.cidrs ?? []).join(','), age(object, nowMs)];
}

/** What `kubectl get ipaddresses` shows; its age has no column. */
export function ipAddressCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), parentText(object.spec?.parentRef), age(object, nowMs)];
}

function parentText(
  parent: { readonly group?: string; readonly resource?: string; readonly namespace?: string; readonly name?: string } | undefined,
): string {
  if (parent === undefined) return NONE;
  const { group, resource = '', namespace, name = '' } = parent;
  return [(group ? `${resource}.${group}` : resource).toLowerCase(), ...(namespace ? [namespace] : []), name].join('/');
}
