import { deepEqual, type KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import { invalidValue } from './field-errors.js';
import { each, fill, within } from './fill.js';
import { parseIp } from './schema/ip-address.js';
import { invalid } from './status.js';

type Fields = Readonly<Record<string, unknown>>;
type Port = { readonly name?: string; readonly port?: number; readonly protocol?: string; readonly nodePort?: number };

const firstNodePort = 30_000;
const nodePorts = 2768;
/** All of 10.0.0.0/16 but its ends. */
const addresses = 65_534;
const noRange = 'the provided network does not match the current range';

/**
 * A new Service with what the cluster gives out: addresses and node ports (TK-1, TK-6). A dry run gets the network address
 * (ST-17). @throws ApiStatusError 422 when what it asks for is not to be had
 */
export function withAllocations(call: Call, service: KubeObject, dryRun: boolean): KubeObject {
  const spec: Fields = service.spec ?? {};
  if (spec.type === 'ExternalName') return service;
  const { name, namespace } = service.metadata;
  const isOther = ({ metadata }: KubeObject) => metadata.name !== name || metadata.namespace !== namespace;
  const others = call.server.etcd.list('services').filter(isOther);
  const withIp = withClusterIp(call, service, spec, others, dryRun);
  return { ...service, spec: needsNodePorts(spec) ? withNodePorts(call, service, withIp, others, dryRun) : withIp };
}

function needsNodePorts({ type, allocateLoadBalancerNodePorts }: Fields): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

function withClusterIp(call: Call, service: KubeObject, spec: Fields, others: readonly KubeObject[], dryRun: boolean): Fields {
  const headless = spec.clusterIP === 'None';
  const dual = headless && spec.selector === undefined;
  const families = { ipFamilies: dual ? ['IPv4', 'IPv6'] : ['IPv4'], ipFamilyPolicy: dual ? 'RequireDualStack' : 'SingleStack' };
  const taken = new Set(others.flatMap((other) => (other.spec?.clusterIPs ?? []) as readonly string[]));
  let { clusterIP } = spec as { clusterIP?: string };
  if (!clusterIP) clusterIP = dryRun ? '10.0.0.0' : freeAddress(drawing(call, service, dryRun)('clusterIP'), taken);
  else if (!headless && parseIp(clusterIP, 'sloppy') !== undefined) {
    const fault = !isInRange(clusterIP) ? noRange : taken.has(clusterIP) ? 'provided IP is already allocated' : undefined;
    if (fault !== undefined) {
      throw refused(call, service, 'spec.clusterIPs', spec.clusterIPs ?? [clusterIP], `failed to allocate IP ${clusterIP}: ${fault}`);
    }
  }
  const { clusterIP: _, ...rest } = spec;
  return fill({ ...rest, clusterIP }, { clusterIPs: [clusterIP], ...families });
}

function withNodePorts(call: Call, service: KubeObject, spec: Fields, others: readonly KubeObject[], dryRun: boolean): Fields {
  const portKey = ({ protocol, nodePort }: Port) => `${protocol} ${nodePort}`;
  const taken = new Set(others.flatMap((other) => ((other.spec?.ports ?? []) as readonly Port[]).map(portKey)));
  const draw = drawing(call, service, dryRun);
  let index = -1;
  return within(spec, 'ports', (ports: readonly Port[]) =>
    each(ports, (port) => {
      index++;
      const { nodePort = 0, protocol } = port;
      if (nodePort !== 0) {
        const fault =
          nodePort < firstNodePort || nodePort >= firstNodePort + nodePorts
            ? 'provided port is not in the valid range. The range of valid ports is 30000-32767'
            : taken.has(portKey(port))
              ? 'provided port is already allocated'
              : undefined;
        if (fault !== undefined) throw refused(call, service, `spec.ports[${index}].nodePort`, nodePort, fault);
        return port;
      }
      let offset = Math.floor(draw(`nodePort ${port.port}`) * nodePorts);
      while (taken.has(portKey({ protocol: protocol as string, nodePort: firstNodePort + offset }))) offset = (offset + 1) % nodePorts;
      const given = { ...port, nodePort: firstNodePort + offset };
      taken.add(portKey(given));
      return given;
    }),
  );
}

function drawing({ server, kind }: Call, { metadata }: KubeObject, dryRun: boolean): (what: string) => number {
  return (what) => server.randomFor(what, kind, metadata.namespace ?? '', metadata.name ?? '', dryRun);
}

function refused({ kind }: Call, service: KubeObject, field: string, value: unknown, detail: string) {
  return invalid(kind, service.metadata.name ?? '', [invalidValue(field, value, detail)]);
}

function isInRange(text: string): boolean {
  const address = parseIp(text, 'sloppy');
  return address?.length === 4 && address[0] === 10 && address[1] === 0;
}

function freeAddress(random: number, taken: ReadonlySet<string>): string {
  let host = Math.floor(random * addresses);
  while (taken.has(addressOf(host))) host = (host + 1) % addresses;
  return addressOf(host);
}

function addressOf(host: number): string {
  return `10.0.${(host + 1) >> 8}.${(host + 1) & 255}`;
}

const ofCluster = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

/** An update of a Service: it keeps what it was given, gives back what its new type has no use for, and gets what that needs. */
export function withReallocations(call: Call, next: KubeObject, current: KubeObject, dryRun: boolean): KubeObject {
  const before: Fields = current.spec ?? {};
  const kept = withKept(withoutUseless(next.spec ?? {}, before), before);
  const service = { ...next, spec: kept };
  const lacksIp = kept.type !== 'ExternalName' && !kept.clusterIP;
  const lacksPorts = needsNodePorts(kept) && ((kept.ports ?? []) as readonly Port[]).some(({ nodePort = 0 }) => nodePort === 0);
  const asks = needsNodePorts(kept) && !deepEqual(kept.ports, before.ports);
  return lacksIp || lacksPorts || asks ? withAllocations(call, service, dryRun) : service;
}

function withKept(spec: Fields, before: Fields): Fields {
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return spec;
  const fields = ofCluster.filter((field) => before[field] !== undefined).map((field) => [field, before[field]]);
  const filled = fill(spec, Object.fromEntries(fields));
  // Who names one address alone means both fields.
  const renamed = filled.clusterIP !== before.clusterIP && deepEqual(filled.clusterIPs, before.clusterIPs);
  const kept = renamed ? { ...filled, clusterIPs: [filled.clusterIP] } : filled;
  if (!needsNodePorts(spec) || !needsNodePorts(before)) return kept;
  const old = (before.ports ?? []) as readonly Port[];
  const byName = new Map(old.map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  return within(kept, 'ports', (ports: readonly Port[]) => {
    const named = new Set(ports.map(({ nodePort }) => nodePort));
    return each(ports, (port) => {
      const given = byName.get(port.name ?? '') ?? 0;
      return port.nodePort || given === 0 || named.has(given) ? port : { ...port, nodePort: given };
    });
  });
}

/** TK-6: what belongs to the old type goes with it, unless the client has changed it. */
function withoutUseless(spec: Fields, before: Fields): Fields {
  const result: Record<string, unknown> = { ...spec };
  const drop = (field: string) => {
    if (deepEqual(result[field], before[field])) delete result[field];
  };
  if (spec.type === 'ExternalName' && before.type !== 'ExternalName')
    for (const field of [...ofCluster, 'internalTrafficPolicy']) drop(field);
  const exposed = ({ type }: Fields) => type === 'NodePort' || type === 'LoadBalancer';
  if (exposed(before) && !exposed(spec)) {
    drop('externalTrafficPolicy');
    const numbers = (ports: unknown) => ((ports ?? []) as readonly Port[]).map(({ nodePort }) => nodePort);
    if (deepEqual(numbers(spec.ports), numbers(before.ports))) {
      result.ports = ((spec.ports ?? []) as readonly Port[]).map(({ nodePort: _, ...port }) => port);
    }
  }
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    for (const field of ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort']) drop(field);
  }
  return result;
}
