import type { KubeObject } from '../../etcd/object.js';
import type { KindInfo } from '../kinds.js';
import { qosClassOf } from '../pod-defaults.js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../quantity.js';

/** Amounts by the names that quotas have for them. */
export type Amounts = ReadonlyMap<string, Quantity>;

type Resources = Readonly<Record<string, string>>;

interface Container {
  readonly name?: string;
  readonly resources?: { readonly requests?: Resources; readonly limits?: Resources };
  readonly restartPolicy?: string;
}

const one = parseQuantity('1');

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

/** What an object takes of a namespace's quotas (RQ-1). */
export function usageOf(kind: KindInfo, object: KubeObject): Amounts {
  const usage = new Map<string, Quantity>([[`count/${kind.resource}`, one]]);
  if (countedByName.has(kind.resource)) usage.set(kind.resource, one);
  switch (kind.resource) {
    case 'pods':
      return podUsage(usage, object);
    case 'services':
      return serviceUsage(usage, object);
    case 'persistentvolumeclaims': {
      const storage: string | undefined = object.spec?.resources?.requests?.storage;
      if (storage !== undefined) usage.set('requests.storage', parseQuantity(storage));
      return usage;
    }
    default:
      return usage;
  }
}

function serviceUsage(usage: Map<string, Quantity>, { spec }: KubeObject): Amounts {
  const ports = parseQuantity(String((spec?.ports ?? []).length));
  if (spec?.type === 'LoadBalancer') usage.set('services.loadbalancers', one);
  if (spec?.type === 'NodePort' || (spec?.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)) {
    usage.set('services.nodeports', ports);
  }
  return usage;
}

function podUsage(usage: Map<string, Quantity>, { spec }: KubeObject): Amounts {
  for (const part of ['requests', 'limits'] as const) {
    for (const [name, amount] of podAmounts(spec ?? {}, part)) {
      usage.set(`${part}.${name}`, amount);
      if (part === 'requests' && (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage')) usage.set(name, amount);
    }
  }
  return usage;
}

/** Containers run side by side, init containers before them one after the other: the larger of the two counts. */
function podAmounts(
  spec: { readonly containers?: readonly Container[]; readonly initContainers?: readonly Container[] },
  part: 'requests' | 'limits',
) {
  const total = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) {
    for (const [name, text] of Object.entries(container.resources?.[part] ?? {})) {
      const before = total.get(name);
      const amount = parseQuantity(String(text));
      total.set(name, before === undefined ? amount : addQuantities(before, amount));
    }
  }
  for (const container of spec.initContainers ?? []) {
    for (const [name, text] of Object.entries(container.resources?.[part] ?? {})) {
      const before = total.get(name);
      const amount = parseQuantity(String(text));
      if (before === undefined || compareQuantities(amount, before) > 0) total.set(name, amount);
    }
  }
  return total;
}

const mustBeSpecified = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** RQ-3: where a quota limits it, every container has to say how much it wants. Undefined: all do. */
export function unspecified(kind: KindInfo, { spec }: KubeObject, limited: readonly string[]): string | undefined {
  if (kind.resource !== 'pods') return undefined;
  const containers: readonly Container[] = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const texts = mustBeSpecified
    .filter((name) => limited.includes(name))
    .sort()
    .flatMap((name) => {
      const [part, resource] = name.includes('.') ? (name.split('.') as ['requests' | 'limits', string]) : (['requests', name] as const);
      const silent = containers
        .filter(({ resources }) => resources?.[part]?.[resource] === undefined)
        .map((container) => container.name ?? '');
      return silent.length === 0 ? [] : [`${name} for: ${silent.sort().join(',')}`];
    });
  return texts.length === 0 ? undefined : `must specify ${texts.join('; ')}`;
}

export interface Scope {
  readonly scopeName: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** RQ-3: quotas with scopes are about pods alone. */
export function isInScope(kind: KindInfo, object: KubeObject, { scopeName, operator = 'Exists', values = [] }: Scope): boolean {
  if (kind.resource !== 'pods') return false;
  switch (scopeName) {
    case 'BestEffort':
      return qosClassOf(object.spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(object.spec) !== 'BestEffort';
    case 'Terminating':
      return object.spec?.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return object.spec?.activeDeadlineSeconds === undefined;
    case 'PriorityClass': {
      const name: string | undefined = object.spec?.priorityClassName;
      if (operator === 'Exists') return name !== undefined;
      if (operator === 'DoesNotExist') return name === undefined;
      return operator === 'In' ? name !== undefined && values.includes(name) : name === undefined || !values.includes(name);
    }
    default:
      return false;
  }
}
