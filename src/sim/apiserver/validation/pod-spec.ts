import { podAmounts, type ResourcePart } from '../admission/pod-amounts.js';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue, tooLong, unsupportedValue } from '../field-errors.js';
import { ownMember } from '../json.js';
import { relaxedSubdomainFaults } from '../names.js';
import { compareQuantities, parseQuantity, quantityText } from '../quantity.js';
import {
  checkEnum,
  checkLabels,
  checkName,
  checkOption,
  checkQualifiedName,
  type Faults,
  type Fields,
  inRange,
  invalidFor,
  isBlank,
  largestInt32,
  listOf,
  notFoundValue,
  textsOf,
} from './checks.js';
import { checkContainers, checkEphemeralContainers, checkInitContainers } from './containers.js';
import { internalForm } from './internal-form.js';
import { checkAddress } from './ip-addresses.js';
import { checkResources, isHugePages } from './resources.js';
import { checkAffinity, checkSpread, checkTolerations } from './scheduling.js';
import { checkHostUsers, checkPodSecurityContext } from './security.js';
import { checkVolumes } from './volumes.js';

/** Who a pod spec belongs to: a pod with a name, or a template. */
export interface PodSpecOwner {
  readonly podName?: string | undefined;
  readonly isPod: boolean;
}

/** The server's checks of a pod spec with its defaults, in their order. */
export function checkPodSpec(faults: Faults, field: string, spec: Fields, { podName, isPod }: PodSpecOwner): void {
  const volumes = checkVolumes(faults, `${field}.volumes`, listOf(spec.volumes), podName);
  const claims = checkResourceClaims(faults, `${field}.resourceClaims`, listOf(spec.resourceClaims));
  const context = { spec, volumes, claims, gracePeriod: spec.terminationGracePeriodSeconds ?? 30 };
  checkContainers(faults, `${field}.containers`, context);
  checkInitContainers(faults, `${field}.initContainers`, context);
  checkEphemeralContainers(faults, `${field}.ephemeralContainers`, context);
  if (spec.resources !== undefined) checkWholePod(faults, field, spec, claims);
  if (spec.hostNetwork === true) checkHostNetwork(faults, `${field}.containers`, spec, isPod);
  checkEnum(faults, `${field}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']);
  checkEnum(faults, `${field}.dnsPolicy`, spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']);
  checkLabels(faults, `${field}.nodeSelector`, spec.nodeSelector);
  checkPodSecurityContext(faults, `${field}.securityContext`, spec);
  checkAffinity(faults, `${field}.affinity`, spec.affinity);
  checkDns(faults, `${field}.dnsConfig`, spec.dnsConfig, spec.dnsPolicy);
  for (const [index, { conditionType = '' }] of listOf(spec.readinessGates).entries()) {
    checkQualifiedName(faults, `${field}.readinessGates[${index}].conditionType`, conditionType);
  }
  checkGates(faults, `${field}.schedulingGates`, listOf(spec.schedulingGates));
  checkSpread(faults, `${field}.topologySpreadConstraints`, listOf(spec.topologySpreadConstraints));
  checkHostUsers(faults, field, spec);
  checkHostName(faults, field, spec);
  checkNames(faults, field, spec);
  const deadline: number | undefined = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > largestInt32)) {
    faults.push(invalidValue(`${field}.activeDeadlineSeconds`, deadline, inRange(1, largestInt32)));
  }
  if (!isBlank(spec.hostname)) checkName(faults, `${field}.hostname`, 'label', spec.hostname);
  if (!isBlank(spec.subdomain)) checkName(faults, `${field}.subdomain`, 'label', spec.subdomain);
  checkTolerations(faults, `${field}.tolerations`, listOf(spec.tolerations));
  for (const [index, { ip = '', hostnames }] of listOf(spec.hostAliases).entries()) {
    checkAddress(faults, `${field}.hostAliases[${index}].ip`, ip);
    for (const [place, name] of textsOf(hostnames).entries()) {
      checkName(faults, `${field}.hostAliases[${index}].hostnames[${place}]`, 'subdomain', name);
    }
  }
  if (!isBlank(spec.priorityClassName)) checkName(faults, `${field}.priorityClassName`, 'subdomain', spec.priorityClassName);
  if (spec.runtimeClassName !== undefined) checkName(faults, `${field}.runtimeClassName`, 'subdomain', spec.runtimeClassName);
  checkOption(faults, `${field}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never']);
  if (spec.overhead !== undefined) checkResources(faults, `${field}.overhead`, { limits: spec.overhead }, new Set());
  if (spec.os !== undefined) checkOs(faults, `${field}.os`, spec.os);
  checkFileKeys(faults, field, spec);
}

function checkResourceClaims(faults: Faults, field: string, claims: readonly Fields[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const at = `${field}[${index}]`;
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === '') faults.push(requiredValue(`${at}.name`));
    else if (names.has(name)) faults.push(duplicateValue(`${at}.name`, name));
    else {
      checkName(faults, `${at}.name`, 'label', name);
      names.add(name);
    }
    const wrong = (text: string) => faults.push(invalidValue(at, internalForm('core.PodResourceClaim', claim), text));
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      wrong('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      wrong('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    }
    if (resourceClaimName !== undefined) checkName(faults, `${at}.resourceClaimName`, 'subdomain', resourceClaimName);
    if (resourceClaimTemplateName !== undefined) {
      checkName(faults, `${at}.resourceClaimTemplateName`, 'subdomain', resourceClaimTemplateName);
    }
  }
  return names;
}

/** What a whole pod asks for must be enough for its containers. */
function checkWholePod(faults: Faults, field: string, spec: Fields, claims: ReadonlySet<string>): void {
  const at = `${field}.resources`;
  const { limits = {}, requests = {}, claims: own } = spec.resources;
  if (own !== undefined) faults.push(forbiddenValue(`${at}.claims`, 'claims may not be set for Resources at pod-level'));
  checkResources(faults, at, spec.resources, claims, true);
  const sums = (part: ResourcePart) => podAmounts({ containers: listOf(spec.containers) }, part);
  for (const [name, total] of sums('requests')) {
    const request = ownMember<string>(requests, name);
    if (request === undefined || compareQuantities(total, parseQuantity(request)) <= 0) continue;
    const text = `must be greater than or equal to aggregate container requests of ${quantityText(total)}`;
    faults.push(invalidValue(`${at}.requests[${name}]`, request, text));
  }
  for (const [name, total] of sums('limits')) {
    if (!isHugePages(name) || limits[name] === undefined || compareQuantities(total, parseQuantity(limits[name])) <= 0) continue;
    const text = `must be greater than or equal to aggregate container limits of ${quantityText(total)}`;
    faults.push(invalidValue(`${at}.limits[${name}]`, limits[name], text));
  }
  for (const [index, container] of listOf(spec.containers).entries()) {
    for (const [name, amount] of Object.entries((container.resources?.limits ?? {}) as Record<string, string>)) {
      const limit = ownMember<string>(limits, name);
      if (limit === undefined || compareQuantities(parseQuantity(amount), parseQuantity(limit)) <= 0) continue;
      const text = `must be less than or equal to pod limits of ${limit}`;
      faults.push(invalidValue(`${at}.containers[${index}][${name}].limits`, amount, text));
    }
  }
}

function checkHostNetwork(faults: Faults, field: string, spec: Fields, isPod: boolean): void {
  for (const [index, container] of listOf(spec.containers).entries()) {
    for (const [place, { hostPort = 0, containerPort = 0 }] of listOf(container.ports).entries()) {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) continue;
      const text = 'must match `containerPort` when `hostNetwork` is true';
      faults.push(invalidValue(`${field}[${index}].ports[${place}].hostPort`, hostPort, text));
    }
  }
}

function checkDns(faults: Faults, field: string, config: Fields | undefined, policy: string | undefined): void {
  const servers = textsOf(config?.nameservers);
  if (policy === 'None') {
    if (config === undefined) {
      faults.push(requiredValue(field, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    if (servers.length === 0) {
      faults.push(requiredValue(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
      return;
    }
  }
  if (config === undefined) return;
  if (servers.length > 3) faults.push(invalidValue(`${field}.nameservers`, servers, 'must not have more than 3 nameservers'));
  for (const [index, server] of servers.entries()) checkAddress(faults, `${field}.nameservers[${index}]`, server);
  const searches = textsOf(config.searches);
  if (searches.length > 32) faults.push(invalidValue(`${field}.searches`, searches, 'must not have more than 32 search paths'));
  if (searches.join(' ').length > 2048) {
    const text = 'must not have more than 2048 characters (including spaces) in the search list';
    faults.push(invalidValue(`${field}.searches`, searches, text));
  }
  for (const [index, sent] of searches.entries()) {
    const search = sent.replace(/\.$/, '');
    if (sent !== '.') invalidFor(faults, `${field}.searches[${index}]`, search, relaxedSubdomainFaults(search));
  }
  for (const [index, { name }] of listOf(config.options).entries()) {
    if (isBlank(name)) faults.push(requiredValue(`${field}.options[${index}]`, 'must not be empty'));
  }
}

function checkGates(faults: Faults, field: string, gates: readonly Fields[]): void {
  const seen = new Set<string>();
  for (const [index, { name = '' }] of gates.entries()) {
    checkQualifiedName(faults, `${field}[${index}]`, name);
    if (seen.has(name)) faults.push(duplicateValue(`${field}[${index}]`, name));
    seen.add(name);
  }
}

function checkHostName(faults: Faults, field: string, spec: Fields): void {
  const name: string | undefined = spec.hostnameOverride;
  if (name === undefined) return;
  const at = `${field}.hostnameOverride`;
  if (spec.setHostnameAsFQDN === true) faults.push(forbiddenValue(at, 'may not be specified when setHostnameAsFQDN is true'));
  if (spec.hostNetwork === true) faults.push(forbiddenValue(at, 'may not be specified when hostNetwork is true'));
  if (name.length > 64) faults.push(tooLong(at, 64));
  checkName(faults, at, 'subdomain', name);
}

function checkNames(faults: Faults, field: string, spec: Fields): void {
  for (const name of ['serviceAccountName', 'nodeName']) {
    if (!isBlank(spec[name])) checkName(faults, `${field}.${name}`, 'subdomain', spec[name]);
  }
}

function checkOs(faults: Faults, field: string, { name }: Fields): void {
  if (isBlank(name)) faults.push(requiredValue(`${field}.name`));
  else if (name !== 'linux' && name !== 'windows') faults.push(unsupportedValue(field, name, ['linux', 'windows']));
}

function checkFileKeys(faults: Faults, field: string, spec: Fields): void {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const [index, container] of listOf(spec[list]).entries()) {
      for (const [place, { valueFrom }] of listOf(container.env).entries()) {
        const name: string | undefined = valueFrom?.fileKeyRef?.volumeName;
        if (name === undefined) continue;
        const at = `${field}.${list}[${index}].env[${place}].valueFrom.fileKeyRef.volumeName`;
        const volume = listOf(spec.volumes).find((each) => each.name === name);
        if (volume === undefined) faults.push(notFoundValue(at, name));
        else if (volume.emptyDir === undefined) faults.push(invalidValue(at, name, 'referenced volume must be of type emptyDir'));
      }
    }
  }
}
