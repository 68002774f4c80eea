import type { KubeObject } from '../../etcd/object.js';
import type { KindInfo } from '../kinds.js';
import { parseQuantity } from '../quantity.js';
import { goQuote } from '../status.js';
import { type Fields, isBlank, listOf } from './checks.js';

/** Where the pods of a kind are described: the path of what has a pod's metadata and spec. */
const places: ReadonlyMap<string, readonly string[]> = new Map([
  ['pods', []],
  ['podtemplates', ['template']],
  ['replicationcontrollers', ['spec', 'template']],
  ['deployments.apps', ['spec', 'template']],
  ['replicasets.apps', ['spec', 'template']],
  ['statefulsets.apps', ['spec', 'template']],
  ['daemonsets.apps', ['spec', 'template']],
  ['jobs.batch', ['spec', 'template']],
  ['cronjobs.batch', ['spec', 'jobTemplate', 'spec', 'template']],
]);

/**
 * What the server says of a pod, or of a template, that is legal and still a mistake (HT-5).
 * @param stored what was there before: of pods nothing more is said, of the others only when they have changed.
 */
export function podWarnings({ resource }: KindInfo, object: KubeObject, stored?: KubeObject): string[] {
  const path = places.get(resource);
  if (path === undefined) return [];
  const at = (from: KubeObject | undefined) => path.reduce<Fields | undefined>((place, step) => place?.[step], from);
  const described = at(object);
  if (described?.spec === undefined) return [];
  const isSilent = path.length === 0 || object.metadata.generation === stored?.metadata.generation;
  if (stored !== undefined && isSilent) return [];
  return [
    ...nameWarnings(resource, object, stored),
    ...labelWarnings([...path, 'spec'].join('.'), described.spec),
    ...specWarnings([...path, 'spec'].join('.'), described.spec, annotationWarnings([...path, 'metadata'].join('.'), described)),
  ];
}

const namesPods = ['deployments.apps', 'replicasets.apps', 'replicationcontrollers', 'jobs.batch', 'cronjobs.batch'];

/** CR-7 */
function nameWarnings(resource: string, { metadata }: KubeObject, stored: KubeObject | undefined): string[] {
  if (stored !== undefined || !metadata.name?.includes('.')) return [];
  const texts: Readonly<Record<string, string>> = {
    pods: "this is used in the Pod's hostname",
    ...Object.fromEntries(namesPods.map((each) => [each, 'this is used in Pod names and hostnames'])),
  };
  const text = Object.hasOwn(texts, resource) ? texts[resource] : undefined;
  if (text === undefined) return [];
  return [`metadata.name: ${text}, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]`];
}

/** Kinds of volumes that are no more. */
const obsolete: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** What is said of a volume whose source is one of these kinds and is no more. */
export function obsoleteVolumes(field: string, volume: Fields, kinds: readonly string[]): string[] {
  const found = kinds.filter((kind) => volume[kind] !== undefined);
  return found.map((kind) => `${field}.${kind === 'storageos' ? 'storageOS' : kind}: ${obsolete[kind]}`);
}

/** Labels of nodes that have other names now. */
const oldLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** What is better than a label of nodes; undefined for one that is of today. */
export function oldLabel(label: string): string | undefined {
  return Object.hasOwn(oldLabels, label) ? oldLabels[label] : undefined;
}

function labelWarnings(field: string, { nodeSelector = {} }: Fields): string[] {
  return Object.keys(nodeSelector).flatMap((label) =>
    Object.hasOwn(oldLabels, label) ? [`${field}.nodeSelector[${label}]: ${oldLabels[label]}`] : [],
  );
}

const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

function annotationWarnings(field: string, { metadata }: Fields): string[] {
  return Object.keys(metadata?.annotations ?? {}).flatMap((key) =>
    Object.hasOwn(oldAnnotations, key) ? [`${field}.annotations[${key}]: ${oldAnnotations[key]}`] : [],
  );
}

function specWarnings(field: string, spec: Fields, ofAnnotations: readonly string[]): string[] {
  const warnings: string[] = [];
  for (const [index, { labelSelector, topologyKey = '' }] of listOf(spec.topologySpreadConstraints).entries()) {
    const place = `${field}.topologySpreadConstraints[${index}]`;
    if (Object.hasOwn(oldLabels, topologyKey)) warnings.push(`${place}.topologyKey: ${topologyKey} is ${oldLabels[topologyKey]}`);
    if (labelSelector !== undefined) continue;
    warnings.push(`${field}.topologySpreadConstraints[${index}].labelSelector: a null labelSelector results in matching no pod`);
  }
  warnings.push(...ofAnnotations);
  for (const [index, volume] of listOf(spec.volumes).entries()) {
    warnings.push(...obsoleteVolumes(`${field}.volumes[${index}]`, volume, Object.keys(obsolete)));
  }
  warnings.push(...repeated(`${field}.hostAliases`, listOf(spec.hostAliases), 'ip'));
  warnings.push(...repeated(`${field}.imagePullSecrets`, listOf(spec.imagePullSecrets), 'name'));
  for (const [index, { name }] of listOf(spec.imagePullSecrets).entries()) {
    if (isBlank(name)) warnings.push(`${field}.imagePullSecrets[${index}].name: invalid empty name ""`);
  }
  const containers = containersOf(field, spec);
  for (const { at, container } of containers) warnings.push(...amountWarnings(at, container), ...variableWarnings(at, container));
  warnings.push(...portWarnings(containers));
  if (spec.terminationGracePeriodSeconds < 0) {
    warnings.push(`${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`);
  }
  return warnings;
}

function repeated(field: string, list: readonly Fields[], name: string): string[] {
  return list.flatMap((item, index) =>
    list.slice(0, index).some((other) => other[name] === item[name])
      ? [`${field}[${index}].${name}: duplicate ${name} ${goQuote(item[name] ?? '')}`]
      : [],
  );
}

interface Place {
  readonly at: string;
  readonly container: Fields;
}

function containersOf(field: string, spec: Fields): Place[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    listOf(spec[list]).map((container, index) => ({ at: `${field}.${list}[${index}]`, container })),
  );
}

function amountWarnings(at: string, { resources = {} }: Fields): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    ['limits', 'requests'].flatMap((list) => fractionWarnings(`${at}.resources.${list}[${name}]`, resources[list]?.[name])),
  );
}

/** What is said of an amount of bytes that is no whole number. */
export function fractionWarnings(field: string, amount: string | undefined): string[] {
  if (amount === undefined || parseQuantity(amount).nanos % 1_000_000_000n === 0n) return [];
  return [`${field}: fractional byte value ${goQuote(amount)} is invalid, must be an integer`];
}

function variableWarnings(at: string, { env }: Fields): string[] {
  const variables = listOf(env);
  return variables.flatMap(({ name, value = '', valueFrom }, index) => {
    if (!variables.slice(0, index).some((other) => other.name === name)) return [];
    // One that is built on the one before it is meant.
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) return [];
    return [`${at}.env[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`];
  });
}

function portWarnings(containers: readonly Place[]): string[] {
  const warnings: string[] = [];
  const ports = containers.flatMap(({ at, container }) =>
    listOf(container.ports).map((port, index) => ({ at: `${at}.ports[${index}]`, port })),
  );
  for (const [index, { at, port }] of ports.entries()) {
    for (const { at: there, port: other } of ports.slice(0, index)) {
      if (other.containerPort !== port.containerPort || other.protocol !== port.protocol) continue;
      const [ip = '', otherIp = ''] = [port.hostIP, other.hostIP];
      const [host = 0, otherHost = 0] = [port.hostPort, other.hostPort];
      if (ip === otherIp && host === otherHost) warnings.push(`${at}: duplicate port definition with ${there}`);
      else if (host === 0 || otherHost === 0) warnings.push(`${at}: overlapping port definition with ${there}`);
      else if (host === otherHost && (ip === '') !== (otherIp === '')) {
        warnings.push(`${at}: dangerously ambiguous port definition with ${there}`);
      }
    }
  }
  for (const [index, { at, port }] of ports.entries()) {
    const first = isBlank(port.name) ? undefined : ports.slice(0, index).find((other) => other.port.name === port.name);
    if (first === undefined) continue;
    const effect = `services and probes that select ports by name will use ${first.at}`;
    warnings.push(`${at}: duplicate port name ${goQuote(port.name)} with ${first.at}, ${effect}`);
  }
  return warnings;
}
