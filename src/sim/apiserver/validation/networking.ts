import type { KubeObject } from '../../etcd/object.js';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue, tooLong, tooMany, unsupportedValue } from '../field-errors.js';
import { labelValueFaults } from '../label-syntax.js';
import { nameFaults } from '../names.js';
import {
  checkDomainPrefixedPath,
  checkImmutable,
  checkLabels,
  checkName,
  checkOption,
  checkPortNumber,
  checkQualifiedName,
  checkSelector,
  type Faults,
  type Fields,
  invalidFor,
  isBlank,
  listOf,
  portNameFaults,
  textsOf,
} from './checks.js';
import { protocols } from './container-parts.js';
import { checkAddress, checkCanonicalAddress, checkRange, checkReachable, isAddress, isInside, isIpv6, isRange } from './ip-addresses.js';

const wildcardFault =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const classAnnotation = 'kubernetes.io/ingress.class';

export function checkIngress(faults: Faults, { metadata, spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  const rules = listOf(spec.rules);
  if (rules.length === 0 && spec.defaultBackend === undefined) {
    faults.push(invalidValue('spec', spec.rules ?? null, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (spec.defaultBackend !== undefined) checkBackend(faults, 'spec.defaultBackend', spec.defaultBackend);
  for (const [index, rule] of rules.entries()) checkIngressRule(faults, `spec.rules[${index}]`, rule);
  for (const [index, { hosts, secretName }] of listOf(spec.tls).entries()) {
    for (const [place, host] of textsOf(hosts).entries()) checkHost(faults, `spec.tls[${index}].hosts[${place}]`, host);
    if (!isBlank(secretName)) checkName(faults, `spec.tls[${index}].secretName`, 'subdomain', secretName);
  }
  if (spec.ingressClassName !== undefined) checkName(faults, 'spec.ingressClassName', 'subdomain', spec.ingressClassName);
  const annotated = metadata.annotations?.[classAnnotation];
  if (stored !== undefined || annotated === undefined || spec.ingressClassName === undefined) return;
  if (annotated !== spec.ingressClassName) {
    faults.push(invalidValue(`annotations.${classAnnotation}`, annotated, 'must match `ingressClassName` when both are specified'));
  }
}

function checkHost(faults: Faults, field: string, host: string): void {
  if (!host.includes('*')) {
    checkName(faults, field, 'subdomain', host);
    return;
  }
  if (host.length > 253) faults.push(invalidValue(field, host, 'must be no more than 253 characters'));
  if (!host.startsWith('*.') || nameFaults('subdomain', host.slice(2)).length > 0) faults.push(invalidValue(field, host, wildcardFault));
}

function checkIngressRule(faults: Faults, field: string, { host, http }: Fields): void {
  if (!isBlank(host)) {
    if (isAddress(host)) faults.push(invalidValue(`${field}.host`, host, 'must be a DNS name, not an IP address'));
    checkHost(faults, `${field}.host`, host);
  }
  if (http === undefined) return;
  const paths = listOf(http.paths);
  if (paths.length === 0) faults.push(requiredValue(`${field}.http.paths`));
  for (const [index, path] of paths.entries()) checkIngressPath(faults, `${field}.http.paths[${index}]`, path);
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function checkIngressPath(faults: Faults, field: string, { path = '', pathType, backend = {} }: Fields): void {
  if (isBlank(pathType)) {
    faults.push(requiredValue(`${field}.pathType`, 'pathType must be specified'));
    return;
  }
  const wrong = (text: string) => faults.push(invalidValue(`${field}.path`, path, text));
  const given = path !== '' || pathType === 'Exact' || pathType === 'Prefix';
  if (!pathTypes.includes(pathType)) faults.push(unsupportedValue(`${field}.pathType`, pathType, pathTypes));
  else if (given && !path.startsWith('/')) wrong('must be an absolute path');
  if (pathType === 'Exact' || pathType === 'Prefix') {
    for (const part of ['//', '/./', '/../', '%2f', '%2F']) if (path.includes(part)) wrong(`must not contain '${part}'`);
    for (const end of ['/..', '/.']) if (path.endsWith(end)) wrong(`cannot end with '${end}'`);
  }
  checkBackend(faults, `${field}.backend`, backend);
}

function checkBackend(faults: Faults, field: string, { service, resource }: Fields): void {
  if (service !== undefined && resource !== undefined) {
    faults.push(invalidValue(field, '', 'cannot set both resource and service backends'));
  } else if (resource !== undefined) checkReference(faults, `${field}.resource`, resource);
  else if (service === undefined) faults.push(invalidValue(field, '', 'resource or service backend is required'));
  else {
    if (isBlank(service.name)) faults.push(requiredValue(`${field}.service.name`));
    else checkName(faults, `${field}.service.name`, 'label', service.name);
    const { name = '', number = 0 } = service.port ?? {};
    if (name !== '' && number !== 0) faults.push(invalidValue(field, '', 'cannot set both port name & port number'));
    else if (name !== '') invalidFor(faults, `${field}.service.port.name`, name, portNameFaults(name));
    else if (number !== 0) checkPortNumber(faults, `${field}.service.port.number`, number);
    else faults.push(requiredValue(field, 'port name or number is required'));
  }
}

function checkReference(faults: Faults, field: string, { apiGroup, kind, name }: Fields): void {
  if (apiGroup !== undefined) checkName(faults, `${field}.apiGroup`, 'subdomain', apiGroup);
  for (const [part, value] of [
    ['kind', kind],
    ['name', name],
  ] as const) {
    if (isBlank(value)) faults.push(requiredValue(`${field}.${part}`));
    else checkName(faults, `${field}.${part}`, 'path segment', value);
  }
}

export function checkIngressClass(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  if (stored !== undefined) checkImmutable(faults, 'spec.controller', spec.controller ?? '', stored.spec?.controller ?? '');
  const controller: string = spec.controller ?? '';
  if (controller.length > 250) faults.push(tooLong('spec.controller', 250));
  checkDomainPrefixedPath(faults, 'spec.controller', controller);
  const { parameters } = spec;
  if (parameters === undefined) return;
  const at = 'spec.parameters';
  checkReference(faults, at, parameters);
  const { scope, namespace } = parameters;
  const scopes = ['Cluster', 'Namespace'];
  if (isBlank(scope)) faults.push(requiredValue(`${at}.scope`));
  else if (!scopes.includes(scope)) faults.push(unsupportedValue(`${at}.scope`, scope, scopes));
  else if (scope === 'Cluster') {
    if (namespace !== undefined) faults.push(forbiddenValue(`${at}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  } else if (namespace === undefined) faults.push(requiredValue(`${at}.namespace`, "`parameters.scope` is set to 'Namespace'"));
  else checkName(faults, `${at}.namespace`, 'label', namespace);
}

export function checkNetworkPolicy(faults: Faults, { spec = {} }: KubeObject): void {
  checkSelector(faults, 'spec.podSelector', spec.podSelector);
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of listOf(spec[direction]).entries()) {
      const at = `spec.${direction}[${index}]`;
      for (const [place, port] of listOf(rule.ports).entries()) checkPolicyPort(faults, `${at}.ports[${place}]`, port);
      for (const [place, peer] of listOf(rule[peers]).entries()) checkPeer(faults, `${at}.${peers}[${place}]`, peer);
    }
  }
  const types = textsOf(spec.policyTypes);
  if (types.length > 2) {
    faults.push(invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes'));
    return;
  }
  for (const [index, type] of types.entries()) {
    if (type !== 'Ingress' && type !== 'Egress') {
      faults.push(unsupportedValue(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']));
    }
  }
}

function checkPolicyPort(faults: Faults, field: string, { protocol, port, endPort }: Fields): void {
  if (protocol !== undefined && !['TCP', 'UDP', 'SCTP'].includes(protocol)) {
    faults.push(unsupportedValue(`${field}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']));
  }
  if (port === undefined) {
    if (endPort !== undefined) {
      faults.push(invalidValue(`${field}.endPort`, endPort, 'may not be specified when `port` is not specified'));
    }
  } else if (typeof port === 'number') {
    checkPortNumber(faults, `${field}.port`, port);
    if (endPort === undefined) return;
    if (endPort < port) faults.push(invalidValue(`${field}.endPort`, port, 'must be greater than or equal to `port`'));
    checkPortNumber(faults, `${field}.endPort`, endPort);
  } else {
    if (endPort !== undefined) {
      faults.push(invalidValue(`${field}.endPort`, endPort, 'may not be specified when `port` is non-numeric'));
    }
    invalidFor(faults, `${field}.port`, port, portNameFaults(port));
  }
}

function checkPeer(faults: Faults, field: string, { podSelector, namespaceSelector, ipBlock }: Fields): void {
  checkSelector(faults, `${field}.podSelector`, podSelector);
  checkSelector(faults, `${field}.namespaceSelector`, namespaceSelector);
  if (ipBlock === undefined) {
    if (podSelector === undefined && namespaceSelector === undefined) faults.push(requiredValue(field, 'must specify a peer'));
    return;
  }
  checkBlock(faults, `${field}.ipBlock`, ipBlock);
  if (podSelector !== undefined || namespaceSelector !== undefined) {
    faults.push(forbiddenValue(field, 'may not specify both ipBlock and another peer'));
  }
}

function checkBlock(faults: Faults, field: string, { cidr, except }: Fields): void {
  if (isBlank(cidr)) {
    faults.push(requiredValue(`${field}.cidr`));
    return;
  }
  checkRange(faults, `${field}.cidr`, cidr);
  if (!isRange(cidr)) return;
  for (const [index, range] of textsOf(except).entries()) {
    checkRange(faults, `${field}.except[${index}]`, range);
    if (isRange(range) && !isInside(range, cidr)) {
      faults.push(invalidValue(`${field}.except[${index}]`, range, 'must be a strict subset of `cidr`'));
    }
  }
}

export function checkEndpointSlice(faults: Faults, object: KubeObject, stored: KubeObject | undefined): void {
  const addressType: string = object.addressType ?? '';
  const types = ['FQDN', 'IPv4', 'IPv6'];
  if (addressType === '') faults.push(requiredValue('addressType'));
  else if (!types.includes(addressType)) faults.push(unsupportedValue('addressType', addressType, types));
  checkEndpointPorts(faults, listOf(object.ports));
  const endpoints = listOf(object.endpoints);
  if (endpoints.length > 1000) faults.push(tooMany('endpoints', endpoints.length, 1000));
  else for (const [index, endpoint] of endpoints.entries()) checkEndpoint(faults, `endpoints[${index}]`, endpoint, addressType);
  if (stored !== undefined) checkImmutable(faults, 'addressType', addressType, stored.addressType);
}

function checkEndpointPorts(faults: Faults, ports: readonly Fields[]): void {
  const names = new Set<string>();
  for (const [index, { name = '', protocol, appProtocol }] of ports.entries()) {
    if (name !== '') checkName(faults, `ports[${index}].name`, 'label', name);
    if (names.has(name)) faults.push(duplicateValue(`ports[${index}].name`, name));
    names.add(name);
    if (protocol === undefined) faults.push(requiredValue(`ports[${index}].protocol`));
    else checkOption(faults, `ports[${index}].protocol`, protocol, protocols);
    if (appProtocol !== undefined) checkQualifiedName(faults, `ports[${index}].appProtocol`, appProtocol);
  }
}

function checkEndpoint(faults: Faults, field: string, endpoint: Fields, addressType: string): void {
  const addresses = textsOf(endpoint.addresses);
  if (addresses.length === 0) faults.push(requiredValue(`${field}.addresses`, 'must contain at least 1 address'));
  else if (addresses.length > 100) faults.push(tooMany(`${field}.addresses`, addresses.length, 100));
  for (const [index, address] of addresses.entries()) checkEndpointAddress(faults, `${field}.addresses`, index, address, addressType);
  if (endpoint.nodeName !== undefined) checkName(faults, `${field}.nodeName`, 'subdomain', endpoint.nodeName);
  checkLabels(faults, `${field}.deprecatedTopology`, endpoint.deprecatedTopology);
  if (endpoint.hostname !== undefined) checkName(faults, `${field}.hostname`, 'label', endpoint.hostname);
  const zones = listOf(endpoint.hints?.forZones);
  if (zones.length > 8) faults.push(tooMany(`${field}.hints.forZones`, zones.length, 8));
  else {
    for (const [index, { name = '' }] of zones.entries()) {
      const at = `${field}.hints.forZones[${index}].name`;
      if (zones.slice(0, index).some((other) => other.name === name)) faults.push(duplicateValue(at, name));
      invalidFor(faults, at, name, labelValueFaults(name));
    }
  }
}

function checkEndpointAddress(faults: Faults, field: string, index: number, address: string, type: string): void {
  const at = `${field}[${index}]`;
  const before = faults.length;
  switch (type) {
    case 'IPv4':
    case 'IPv6':
      if (type === 'IPv4') checkAddress(faults, at, address);
      else checkCanonicalAddress(faults, at, address);
      if (faults.length > before) return;
      if (isIpv6(address) !== (type === 'IPv6')) faults.push(invalidValue(field, address, `must be an ${type} address`));
      checkReachable(faults, at, address);
      return;
    case 'FQDN': {
      const name = address.endsWith('.') ? address.slice(0, -1) : address;
      if (name === '') faults.push(requiredValue(at));
      checkName(faults, at, 'subdomain', name);
      if (faults.length === before && name.split('.').length < 2) {
        faults.push(invalidValue(at, address, 'should be a domain with at least two segments separated by dots'));
      }
    }
  }
}

export function checkLoadBalancerStatus(faults: Faults, { status }: KubeObject): void {
  for (const [index, { ip, hostname }] of listOf(status?.loadBalancer?.ingress).entries()) {
    const at = `status.loadBalancer.ingress[${index}]`;
    if (!isBlank(ip)) checkAddress(faults, `${at}.ip`, ip);
    if (isBlank(hostname)) continue;
    checkName(faults, `${at}.hostname`, 'subdomain', hostname);
    if (isAddress(hostname)) {
      faults.push(invalidValue(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'));
    }
  }
}
