import type { KubeObject } from '../../etcd/object.js';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import {
  checkEnum,
  checkLabels,
  checkName,
  checkOption,
  checkPort,
  checkPortNumber,
  checkQualifiedName,
  type Faults,
  type Fields,
  isBlank,
  listOf,
  textsOf,
} from './checks.js';
import { protocols } from './container-parts.js';
import { checkAddress, checkRange, checkReachable, isIpv6 } from './ip-addresses.js';

export function checkService(faults: Faults, { metadata, spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  if (stored !== undefined) checkServiceChange(faults, spec, stored.spec ?? {});
  const ports = listOf(spec.ports);
  const headless = isHeadless(spec);
  if (ports.length === 0 && !headless && spec.type !== 'ExternalName') faults.push(requiredValue('spec.ports'));
  checkType(faults, spec, headless);
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) checkServicePort(faults, `spec.ports[${index}]`, port, ports.length > 1, names);
  checkLabels(faults, 'spec.selector', spec.selector);
  checkAffinity(faults, spec);
  if (spec.type !== 'ExternalName') checkClusterIps(faults, spec, textsOf(stored?.spec?.clusterIPs));
  for (const [index, ip] of textsOf(spec.externalIPs).entries()) {
    const before = faults.length;
    checkAddress(faults, `spec.externalIPs[${index}]`, ip, textsOf(stored?.spec?.externalIPs));
    if (faults.length === before) checkReachable(faults, `spec.externalIPs[${index}]`, ip);
  }
  checkEnum(faults, 'spec.type', spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  checkNodePorts(faults, spec, ports);
  checkLoadBalancer(faults, metadata, spec);
  checkTraffic(faults, spec);
}

function isHeadless(spec: Fields): boolean {
  const ips = textsOf(spec.clusterIPs);
  return ips.length === 1 && ips[0] === 'None';
}

function checkType(faults: Faults, spec: Fields, headless: boolean): void {
  switch (spec.type) {
    case 'LoadBalancer':
    case 'NodePort':
      if (headless) faults.push(invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`));
      return;
    case 'ExternalName': {
      const refuse = (name: string) => faults.push(forbiddenValue(`spec.${name}`, 'may not be set for ExternalName services'));
      if (textsOf(spec.clusterIPs).length > 0) refuse('clusterIPs');
      if (textsOf(spec.ipFamilies).length > 0) refuse('ipFamilies');
      if (spec.ipFamilyPolicy !== undefined) refuse('ipFamilyPolicy');
      const name = (spec.externalName ?? '').replace(/\.$/, '');
      if (name === '') faults.push(requiredValue('spec.externalName'));
      else checkName(faults, 'spec.externalName', 'subdomain', name);
    }
  }
}

function checkServicePort(faults: Faults, field: string, sent: Fields, named: boolean, names: Set<string>): void {
  const { name = '', port = 0, protocol, targetPort, appProtocol } = sent;
  if (name !== '') {
    checkName(faults, `${field}.name`, 'label', name);
    if (names.has(name)) faults.push(duplicateValue(`${field}.name`, name));
    names.add(name);
  } else if (named) faults.push(requiredValue(`${field}.name`));
  checkPortNumber(faults, `${field}.port`, port);
  checkEnum(faults, `${field}.protocol`, protocol, protocols);
  checkPort(faults, `${field}.targetPort`, targetPort);
  if (appProtocol !== undefined) checkQualifiedName(faults, `${field}.appProtocol`, appProtocol);
}

const longestAffinity = 86_400;

function checkAffinity(faults: Faults, { sessionAffinity, sessionAffinityConfig: config }: Fields): void {
  checkEnum(faults, 'spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']);
  const at = 'spec.sessionAffinityConfig';
  if (sessionAffinity === 'None' && config !== undefined) {
    faults.push(forbiddenValue(at, 'must not be set when session affinity is None'));
  }
  if (sessionAffinity !== 'ClientIP') return;
  const why = 'when session affinity type is ClientIP';
  const seconds: number | undefined = config?.clientIP?.timeoutSeconds;
  if (config === undefined) faults.push(requiredValue(at, why));
  else if (config.clientIP === undefined) faults.push(requiredValue(`${at}.clientIP`, why));
  else if (seconds === undefined) faults.push(requiredValue(`${at}.clientIP.timeoutSeconds`, why));
  else if (seconds <= 0 || seconds > longestAffinity) {
    faults.push(invalidValue(`${at}.clientIP.timeoutSeconds`, seconds, `must be greater than 0 and less than ${longestAffinity}`));
  }
}

function checkClusterIps(faults: Faults, spec: Fields, stored: readonly string[]): void {
  const ips = textsOf(spec.clusterIPs);
  const families = textsOf(spec.ipFamilies);
  const field = 'spec.clusterIPs';
  if (!isBlank(spec.clusterIP)) {
    if (ips.length === 0) faults.push(requiredValue(field));
    else if (ips[0] !== spec.clusterIP) faults.push(invalidValue(field, ips, 'first value must match `clusterIP`'));
  } else if (ips.length > 0) faults.push(invalidValue(field, ips, 'must be empty when `clusterIP` is not specified'));
  for (const [index, family] of families.entries()) {
    checkOption(faults, `spec.ipFamilies[${index}]`, family, ['IPv4', 'IPv6']);
    if (families.indexOf(family) < index) faults.push(duplicateValue(`spec.ipFamilies[${index}]`, family));
  }
  checkOption(faults, 'spec.ipFamilyPolicy', spec.ipFamilyPolicy, ['PreferDualStack', 'RequireDualStack', 'SingleStack']);
  const before = faults.length;
  for (const [index, ip] of ips.entries()) {
    if (index > 0 || ip !== 'None') checkAddress(faults, `${field}[${index}]`, ip, stored);
    else if (ips.length > 1) faults.push(invalidValue(field, ips, "'None' must be the first and only value"));
  }
  const good = faults.length === before;
  if (ips.length > 2) faults.push(invalidValue(field, ips, 'may only hold up to 2 values'));
  if (!good) return;
  if (ips.length > 1 && new Set(ips.map(isIpv6)).size < 2) {
    faults.push(invalidValue(field, ips, 'may specify no more than one IP for each IP family'));
  }
  if (isHeadless(spec)) return;
  for (const [index, ip] of ips.entries()) {
    const family = families[index];
    if (family === undefined || (family === 'IPv6') === isIpv6(ip)) continue;
    const text = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    faults.push(invalidValue(`${field}[${index}]`, ip, text));
  }
}

function checkNodePorts(faults: Faults, { type }: Fields, ports: readonly Fields[]): void {
  if (type === 'ClusterIP') {
    for (const [index, { nodePort = 0 }] of ports.entries()) {
      if (nodePort === 0) continue;
      faults.push(forbiddenValue(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
  }
  for (const [index, { nodePort = 0, protocol }] of ports.entries()) {
    const again = ports.slice(0, index).some((other) => other.nodePort === nodePort && other.protocol === protocol);
    if (nodePort !== 0 && again) faults.push(duplicateValue(`spec.ports[${index}].nodePort`, nodePort));
  }
  for (const [index, { port = 0, protocol }] of ports.entries()) {
    if (!ports.slice(0, index).some((other) => other.port === port && other.protocol === protocol)) continue;
    // The server makes a port of the two, and prints all of it.
    const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
    faults.push(duplicateValue(`spec.ports[${index}]`, shown));
  }
}

const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const rangesKey = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function checkLoadBalancer(faults: Faults, metadata: KubeObject['metadata'], spec: Fields): void {
  const balanced = spec.type === 'LoadBalancer';
  const ranges = textsOf(spec.loadBalancerSourceRanges);
  const annotated = metadata.annotations?.[rangesKey];
  if (ranges.length > 0) {
    if (!balanced) faults.push(forbiddenValue('spec.LoadBalancerSourceRanges', onlyBalanced));
    for (const [index, range] of ranges.entries()) checkRange(faults, `spec.LoadBalancerSourceRanges[${index}]`, range.trim());
  } else if (annotated !== undefined) {
    const at = `metadata.annotations[${rangesKey}]`;
    if (!balanced) faults.push(forbiddenValue(at, onlyBalanced));
    if (annotated.trim() !== '') for (const range of annotated.split(',')) checkRange(faults, at, range.trim());
  }
  const { allocateLoadBalancerNodePorts: allocate, loadBalancerClass } = spec;
  if (allocate !== undefined && !balanced) faults.push(forbiddenValue('spec.allocateLoadBalancerNodePorts', onlyBalanced));
  if (allocate === undefined && balanced) faults.push(requiredValue('allocateLoadBalancerNodePorts'));
  if (loadBalancerClass === undefined) return;
  if (balanced) checkQualifiedName(faults, 'spec.loadBalancerClass', loadBalancerClass);
  else faults.push(forbiddenValue('spec.loadBalancerClass', onlyBalanced));
}

function needsHealthCheck({ type, externalTrafficPolicy }: Fields): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

function checkTraffic(faults: Faults, spec: Fields): void {
  const { type, externalTrafficPolicy: policy = '', healthCheckNodePort: port = 0 } = spec;
  const reachable = type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && textsOf(spec.externalIPs).length > 0);
  if (reachable) checkEnum(faults, 'spec.externalTrafficPolicy', policy, ['Cluster', 'Local']);
  else if (policy !== '') {
    faults.push(invalidValue('spec.externalTrafficPolicy', policy, 'may only be set for externally-accessible services'));
  }
  if (!needsHealthCheck(spec)) {
    const text = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    if (port !== 0) faults.push(invalidValue('spec.healthCheckNodePort', port, text));
  } else if (port === 0) faults.push(requiredValue('spec.healthCheckNodePort'));
  else checkPortNumber(faults, 'spec.healthCheckNodePort', port);
  if (spec.internalTrafficPolicy === undefined) {
    if (['NodePort', 'LoadBalancer', 'ClusterIP'].includes(type)) faults.push(requiredValue('spec.internalTrafficPolicy'));
  } else checkOption(faults, 'spec.internalTrafficPolicy', spec.internalTrafficPolicy, ['Cluster', 'Local']);
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  const { trafficDistribution } = spec;
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution)) {
    faults.push(unsupportedValue('spec.trafficDistribution', trafficDistribution, distributions));
  }
}

/** TK-10: addresses stay; TK-6: a Service may get a second one, or give it back. */
function checkServiceChange(faults: Faults, spec: Fields, stored: Fields): void {
  if (spec.type !== 'ExternalName' && stored.type !== 'ExternalName') {
    const next = textsOf(spec.clusterIPs);
    const before = textsOf(stored.clusterIPs);
    const headless = isHeadless(spec);
    if (!headless || !isHeadless(stored)) checkIpChange(faults, 'clusterIPs', next, before, spec);
    if (!headless && !isHeadless(stored)) checkIpChange(faults, 'ipFamilies', textsOf(spec.ipFamilies), textsOf(stored.ipFamilies), spec);
  }
  if (spec.type === 'LoadBalancer' && stored.type === 'LoadBalancer' && spec.loadBalancerClass !== stored.loadBalancerClass) {
    faults.push(invalidValue('spec.loadBalancerClass', spec.loadBalancerClass ?? null, 'may not change once set'));
  }
  if (needsHealthCheck(spec) && needsHealthCheck(stored) && spec.healthCheckNodePort !== stored.healthCheckNodePort) {
    faults.push(forbiddenValue('spec.healthCheckNodePort', 'field is immutable'));
  }
}

function checkIpChange(faults: Faults, name: string, next: readonly string[], before: readonly string[], spec: Fields): void {
  const what = name === 'clusterIPs' ? 'clusterIP' : 'ipFamily';
  if (next.length === before.length) {
    for (const [index, old] of before.entries()) {
      if (old === next[index]) continue;
      faults.push(invalidValue(`spec.${name}[${name === 'clusterIPs' ? index : 0}]`, next, 'may not change once set'));
    }
    return;
  }
  if (next.length === 0) faults.push(invalidValue(`spec.${name}[0]`, next, `primary ${what} can not be unset`));
  else if (before.length > 0 && next[0] !== before[0]) {
    // Of families too the server shows the addresses.
    faults.push(invalidValue(`spec.${name}[0]`, textsOf(spec.clusterIPs), 'may not change once set'));
  }
  if (next.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const text = `must be set to 'SingleStack' when releasing the secondary ${what}`;
    faults.push(invalidValue('spec.ipFamilyPolicy', spec.ipFamilyPolicy ?? null, text));
  }
}
