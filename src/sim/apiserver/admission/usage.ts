import type { KubeObject } from '../../etcd/object.js';
import type { KindInfo } from '../kinds.js';
import { qosClassOf } from '../pod-defaults.js';
import { parseQuantity, type Quantity } from '../quantity.js';
import { type Amounts, type Container, podAmountsWithOverhead, type ResourcePart } from './pod-amounts.js';

const one = parseQuantity('1');
const zero = parseQuantity('0');

/** Kinds that quotas also know by their bare plural. */
const countedByName: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/**
 * What an object takes of a namespace's quotas (RQ-1, RQ-3).
 * @param nowMs milliseconds since 1970: a pod that should be gone by then is only counted as stored
 */
export function usageOf(kind: KindInfo, object: KubeObject, nowMs: number): Amounts {
  const usage = new Map<string, Quantity>([[`count/${kind.resource}`, one]]);
  if (kind.resource === 'pods' && isOver(object, nowMs)) return usage;
  if (countedByName.has(kind.resource)) usage.set(kind.resource, one);
  switch (kind.resource) {
    case 'pods':
      return podUsage(usage, object);
    case 'services':
      return serviceUsage(usage, object);
    case 'persistentvolumeclaims':
      return claimUsage(usage, object);
    default:
      return usage;
  }
}

/** Whether a quota's name for something is about objects of a kind: also those that take nothing of it are held to it. */
export function concerns(kind: KindInfo, name: string): boolean {
  if (name === `count/${kind.resource}` || (name === kind.resource && countedByName.has(name))) return true;
  switch (kind.resource) {
    case 'pods':
      return (
        /^((requests|limits)\.)?(cpu|memory|ephemeral-storage)$/.test(name) || /^(requests\.)?hugepages-/.test(name) || isExtended(name)
      );
    case 'services':
      return name === 'services.loadbalancers' || name === 'services.nodeports';
    case 'persistentvolumeclaims':
      return name === 'requests.storage' || /\.storageclass\.storage\.k8s\.io\/(persistentvolumeclaims|requests\.storage)$/.test(name);
    default:
      return false;
  }
}

/** `requests.vendor.example.com/gpu` */
function isExtended(name: string): boolean {
  return /^requests\.[^/]+\/.+$/.test(name) && !/^requests\.([^/]+\.)?kubernetes\.io\//.test(name);
}

function serviceUsage(usage: Map<string, Quantity>, { spec }: KubeObject): Amounts {
  const ports: readonly { readonly nodePort?: number }[] = spec?.ports ?? [];
  const balanced = spec?.type === 'LoadBalancer';
  const byItself = balanced && spec.allocateLoadBalancerNodePorts === false;
  const nodePorts = byItself ? ports.filter(({ nodePort = 0 }) => nodePort !== 0).length : ports.length;
  usage.set('services.loadbalancers', balanced ? one : zero);
  usage.set('services.nodeports', spec?.type === 'NodePort' || balanced ? parseQuantity(String(nodePorts)) : zero);
  return usage;
}

function claimUsage(usage: Map<string, Quantity>, { metadata, spec, status }: KubeObject): Amounts {
  const storageClass: string = metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';
  const ofClass = (name: string) => `${storageClass}.storageclass.storage.k8s.io/${name}`;
  if (storageClass !== '') usage.set(ofClass('persistentvolumeclaims'), one);
  const requested: string | undefined = spec?.resources?.requests?.storage;
  if (requested === undefined) return usage;
  const allocated = wholeBytes(status?.allocatedResources?.storage ?? '0');
  const asked = wholeBytes(requested);
  const storage = allocated.nanos > asked.nanos ? allocated : asked;
  usage.set('requests.storage', storage);
  if (storageClass !== '') usage.set(ofClass('requests.storage'), storage);
  return usage;
}

function wholeBytes(text: string): Quantity {
  const { nanos, format } = parseQuantity(text);
  const beyond = nanos % 1_000_000_000n;
  return { nanos: beyond > 0n ? nanos - beyond + 1_000_000_000n : nanos, format };
}

/** A pod that has ended, or should be gone, takes nothing but its place in the store. */
function isOver({ metadata, status }: KubeObject, nowMs: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return nowMs > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function podUsage(usage: Map<string, Quantity>, { spec }: KubeObject): Amounts {
  for (const [name, amount] of podAmountsWithOverhead(spec ?? {}, 'requests')) {
    if (/^(cpu|memory|ephemeral-storage|hugepages-.+)$/.test(name)) {
      usage.set(name, amount);
      usage.set(`requests.${name}`, amount);
    } else if (isExtended(`requests.${name}`)) usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podAmountsWithOverhead(spec ?? {}, 'limits')) {
    if (/^(cpu|memory|ephemeral-storage)$/.test(name)) usage.set(`limits.${name}`, amount);
  }
  return usage;
}

const mustBeSpecified = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** RQ-3: where a quota limits it, every container has to say how much it wants, unless the pod does. Undefined: all do. */
export function unspecified(kind: KindInfo, { spec }: KubeObject, limited: readonly string[]): string | undefined {
  if (kind.resource !== 'pods' || saysItself(spec?.resources)) return undefined;
  const containers: readonly Container[] = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const texts = mustBeSpecified
    .filter((name) => limited.includes(name))
    .sort()
    .flatMap((name) => {
      const [part, resource] = name.includes('.') ? (name.split('.') as [ResourcePart, string]) : (['requests', name] as const);
      const silent = containers
        .filter(({ resources }) => resources?.[part]?.[resource] === undefined)
        .map((container) => container.name ?? '');
      return silent.length === 0 ? [] : [`${name} for: ${[...new Set(silent)].sort().join(',')}`];
    });
  return texts.length === 0 ? undefined : `must specify ${texts.join('; ')}`;
}

function saysItself(resources: Container['resources']): boolean {
  return [resources?.requests, resources?.limits].some((part) => part?.cpu !== undefined || part?.memory !== undefined);
}

export interface Scope {
  readonly scopeName: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** RQ-3: quotas with scopes are about pods alone, and about claims by the class of their attributes. */
export function isInScope(kind: KindInfo, object: KubeObject, scope: Scope): boolean {
  if (kind.resource === 'persistentvolumeclaims') {
    return scope.scopeName === 'VolumeAttributesClass' && isSelected(scope, attributesClasses(object));
  }
  if (kind.resource !== 'pods') return false;
  const { spec } = object;
  switch (scope.scopeName) {
    case 'BestEffort':
      return qosClassOf(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(spec) !== 'BestEffort';
    case 'Terminating':
      return isTerminating(object);
    case 'NotTerminating':
      return !isTerminating(object);
    case 'PriorityClass':
      return isSelected(scope, spec?.priorityClassName ? [spec.priorityClassName] : []);
    case 'CrossNamespacePodAffinity':
      return reachesOtherNamespaces(spec?.affinity?.podAffinity) || reachesOtherNamespaces(spec?.affinity?.podAntiAffinity);
    default:
      return false;
  }
}

/** Whether a pod is to end by itself, at its deadline. */
export function isTerminating({ spec }: KubeObject): boolean {
  return spec?.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds !== null;
}

function isSelected({ operator = 'Exists', values = [] }: Scope, names: readonly string[]): boolean {
  switch (operator) {
    case 'Exists':
      return names.length > 0;
    case 'DoesNotExist':
      return names.length === 0;
    case 'In':
      return names.some((name) => values.includes(name));
    default:
      return names.length === 0 || names.some((name) => !values.includes(name));
  }
}

function attributesClasses({ spec, status }: KubeObject): readonly string[] {
  const named = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return named.filter((name) => typeof name === 'string' && name !== '');
}

interface Affinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly podAffinityTerm?: AffinityTerm }[];
}

interface AffinityTerm {
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: object;
}

function reachesOtherNamespaces(affinity: Affinity | undefined): boolean {
  const preferred = (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm = {} }) => podAffinityTerm);
  const terms = [...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []), ...preferred];
  return terms.some(({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined);
}
