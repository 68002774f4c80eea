import type { KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { each, within } from '../fill.js';
import { type Quantity, quantityText } from '../quantity.js';
import { forbidden } from '../status.js';
import type { Attributes, Operation } from './attributes.js';
import { type Amounts, amountsOf, type Container, type PodSpec, podAmounts, type ResourceTexts } from './pod-amounts.js';

/** One entry of a LimitRange's `spec.limits`. */
interface Limit {
  readonly type: string;
  readonly min?: ResourceTexts;
  readonly max?: ResourceTexts;
  readonly default?: ResourceTexts;
  readonly defaultRequest?: ResourceTexts;
  readonly maxLimitRequestRatio?: ResourceTexts;
}

const annotation = 'kubernetes.io/limit-ranger';
const none: readonly KubeObject[] = [];

/** A pod with the amounts that the LimitRanges of its namespace have for containers that do not say theirs, and a note of them (AD-17). */
export function withLimitDefaults(call: Call, pod: KubeObject): KubeObject {
  return rangesOf(call).reduce(defaulted, pod);
}

/** Holds a pod or a claim to the LimitRanges of its namespace, every fault of one range at once (AD-17). @throws ApiStatusError 403 */
export function checkLimits(call: Call, operation: Operation, attributes: () => Attributes): void {
  if (!isLimited(call, operation)) return;
  const ranges = rangesOf(call);
  if (ranges.length === 0) return;
  const { object, oldObject, name } = attributes();
  if (object === null || oldObject?.metadata.deletionTimestamp !== undefined) return;
  for (const range of ranges) {
    const faults = [...new Set(limitsOf(range).flatMap((limit) => faultsOf(call.kind.resource, limit, object)))];
    if (faults.length > 0) throw forbidden(call.kind, name, faults.length === 1 ? (faults[0] as string) : `[${faults.join(', ')}]`);
  }
}

/** What pods take is fixed, except by a resize. */
function isLimited({ kind, request: { subresource } }: Call, operation: Operation): boolean {
  switch (kind.resource) {
    case 'pods':
      return (operation === 'CREATE' && subresource === undefined) || (operation === 'UPDATE' && subresource === 'resize');
    case 'persistentvolumeclaims':
      return operation !== 'DELETE' && subresource === undefined;
    default:
      return false;
  }
}

function rangesOf({ server, request }: Call): readonly KubeObject[] {
  const all = server.etcd.list('limitranges');
  return all.length === 0 ? none : all.filter(({ metadata }) => metadata.namespace === request.namespace);
}

function limitsOf({ spec }: KubeObject): readonly Limit[] {
  return spec?.limits ?? [];
}

function defaulted(pod: KubeObject, range: KubeObject): KubeObject {
  const ofContainers = limitsOf(range).filter(({ type }) => type === 'Container');
  const defaults = {
    requests: Object.assign({}, ...ofContainers.map(({ defaultRequest }) => defaultRequest)) as ResourceTexts,
    limits: Object.assign({}, ...ofContainers.map((limit) => limit.default)) as ResourceTexts,
  };
  const notes: string[] = [];
  const fillIn = (what: string) => (containers: readonly Container[]) =>
    each(containers, (container) => {
      const { resources = {}, name = '' } = container;
      let filled = resources;
      for (const part of ['requests', 'limits'] as const) {
        const missing = Object.keys(defaults[part])
          .filter((resource) => resources[part]?.[resource] === undefined)
          .sort();
        if (missing.length === 0) continue;
        notes.push(`${missing.join(', ')} ${part === 'requests' ? 'request' : 'limit'} for ${what} ${name}`);
        const added = Object.fromEntries(missing.map((resource) => [resource, defaults[part][resource] as string]));
        filled = { ...filled, [part]: { ...filled[part], ...added } };
      }
      return filled === resources ? container : { ...container, resources: filled };
    });
  const filled = within(pod, 'spec', (spec: Readonly<Record<string, unknown>>) =>
    within(within(spec, 'containers', fillIn('container')), 'initContainers', fillIn('init container')),
  );
  if (notes.length === 0) return filled;
  const annotations = { ...filled.metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` };
  return { ...filled, metadata: { ...filled.metadata, annotations } };
}

function faultsOf(resource: string, limit: Limit, { spec }: KubeObject): readonly string[] {
  if (resource === 'persistentvolumeclaims') return limit.type === 'PersistentVolumeClaim' ? claimFaults(limit, spec ?? {}) : [];
  const pod: PodSpec = spec ?? {};
  switch (limit.type) {
    case 'Container':
      return [...(pod.containers ?? []), ...(pod.initContainers ?? [])].flatMap(({ resources }) =>
        amountFaults(limit, amountsOf(resources?.requests), amountsOf(resources?.limits)),
      );
    case 'Pod':
      return amountFaults(limit, podAmounts(pod, 'requests'), podAmounts(pod, 'limits'));
    default:
      return [];
  }
}

/** The server goes through each of the three lists in no order; here it is that of names. */
function sorted(texts: ResourceTexts | undefined): readonly (readonly [string, Quantity])[] {
  return [...amountsOf(texts)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function amountFaults(limit: Limit, requests: Amounts, limits: Amounts): readonly string[] {
  return [
    ...sorted(limit.min).flatMap(([name, min]) =>
      minFault(`minimum ${name} usage per ${limit.type}`, min, requests.get(name), limits.get(name)),
    ),
    ...sorted(limit.max).flatMap(([name, max]) =>
      maxFault(`maximum ${name} usage per ${limit.type}`, max, requests.get(name), limits.get(name)),
    ),
    ...sorted(limit.maxLimitRequestRatio).flatMap(([name, ratio]) =>
      ratioFault(`${name} max limit to request ratio per ${limit.type}`, ratio, requests.get(name), limits.get(name)),
    ),
  ];
}

function minFault(what: string, min: Quantity, request: Quantity | undefined, limit: Quantity | undefined): readonly string[] {
  const is = `${what} is ${quantityText(min)}`;
  if (request === undefined) return [`${is}.  No request is specified`];
  if (thousandths(request) < thousandths(min)) return [`${is}, but request is ${quantityText(request)}`];
  if (limit !== undefined && thousandths(limit) < thousandths(min)) return [`${is}, but limit is ${quantityText(limit)}`];
  return [];
}

function maxFault(what: string, max: Quantity, request: Quantity | undefined, limit: Quantity | undefined): readonly string[] {
  const is = `${what} is ${quantityText(max)}`;
  if (limit === undefined) return [`${is}.  No limit is specified`];
  if (thousandths(limit) > thousandths(max)) return [`${is}, but limit is ${quantityText(limit)}`];
  if (request !== undefined && thousandths(request) > thousandths(max)) return [`${is}, but request is ${quantityText(request)}`];
  return [];
}

function ratioFault(what: string, ratio: Quantity, request: Quantity | undefined, limit: Quantity | undefined): readonly string[] {
  const is = `${what} is ${quantityText(ratio)}`;
  if (request === undefined || request.nanos === 0n) return [`${is}, but no request is specified or request is 0`];
  if (limit === undefined || limit.nanos === 0n) return [`${is}, but no limit is specified or limit is 0`];
  const provided = Number(thousandths(limit)) / Number(thousandths(request));
  return provided * 1000 > Number(thousandths(ratio)) ? [`${is}, but provided ratio is ${provided.toFixed(6)}`] : [];
}

/** Of a claim only what it requests counts. */
function claimFaults(limit: Limit, spec: Pick<Container, 'resources'>): readonly string[] {
  const requests = amountsOf(spec.resources?.requests);
  return [
    ...sorted(limit.min).flatMap(([name, min]) => minFault(`minimum ${name} usage per ${limit.type}`, min, requests.get(name), undefined)),
    ...sorted(limit.max).flatMap(([name, max]) => {
      const is = `maximum ${name} usage per ${limit.type} is ${quantityText(max)}`;
      const request = requests.get(name);
      if (request === undefined) return [`${is}.  No request is specified`];
      return thousandths(request) > thousandths(max) ? [`${is}, but request is ${quantityText(request)}`] : [];
    }),
  ];
}

/** Amounts are compared in thousandths, rounded up. */
function thousandths({ nanos }: Quantity): bigint {
  return nanos > 0n ? (nanos + 999_999n) / 1_000_000n : nanos / 1_000_000n;
}
