import type { KubeObject } from '../../etcd/object.js';
import type { KindInfo } from '../kinds.js';
import { type LabelSelector, selects } from '../object-selector.js';
import type { ApiServer } from '../server.js';
import type { Attributes } from './attributes.js';
import type { Rule } from './hooks.js';

/** What decides, with the conditions, whether a request is somebody's concern. */
export interface Concern {
  readonly rules?: readonly Rule[];
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
}

/** AD-26: no webhook and no policy is asked about these, whatever its rules say. */
export function isAdmissionConfiguration(kind: KindInfo): boolean {
  return kind.group === 'admissionregistration.k8s.io';
}

/**
 * The kind in whose version somebody wants to see a request, or undefined when the request does not concern it (AD-19,
 * AD-20).
 */
export function concernedKind(server: ApiServer, concern: Concern, attributes: Attributes): KindInfo | undefined {
  if (!selectsNamespace(server, concern.namespaceSelector, attributes)) return undefined;
  if (!selectsObject(concern.objectSelector, attributes)) return undefined;
  const { rules = [], matchPolicy = 'Equivalent' } = concern;
  const { kind } = attributes;
  if (rules.some((rule) => covers(rule, attributes, kind))) return kind;
  if (matchPolicy === 'Exact') return undefined;
  const equivalents = equivalentKinds(server, kind);
  for (const rule of rules) {
    for (const equivalent of equivalents) if (covers(rule, attributes, equivalent)) return equivalent;
  }
  return undefined;
}

function selectsObject(selector: LabelSelector | undefined, { object, oldObject }: Attributes): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  const selected = (candidate: KubeObject | null) => candidate !== null && selects(selector, candidate.metadata.labels);
  return selected(object) || selected(oldObject);
}

function selectsNamespace(server: ApiServer, selector: LabelSelector | undefined, attributes: Attributes): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  const { kind, namespace, subresource, operation, object } = attributes;
  if (kind.resource === 'namespaces') {
    // AD-19: a namespace is its own, and what is written now counts.
    const own = operation === 'DELETE' || subresource !== '' || object === null ? storedNamespace(server, namespace) : object;
    return selects(selector, own?.metadata.labels);
  }
  if (namespace === '') return true;
  return selects(selector, storedNamespace(server, namespace)?.metadata.labels);
}

export function storedNamespace(server: ApiServer, name: string): KubeObject | undefined {
  return server.etcd.get({ resource: 'namespaces', namespace: '', name });
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return matchExpressions.length === 0 && Object.keys(matchLabels).length === 0;
}

/** AD-7 */
function covers(rule: Rule, { operation, subresource, namespace, kind: asked }: Attributes, kind: KindInfo): boolean {
  const { operations, apiGroups, apiVersions, resources, scope = '*' } = rule;
  if (scope === 'Cluster' && namespace !== '' && asked.resource !== 'namespaces') return false;
  if (scope === 'Namespaced' && (namespace === '' || asked.resource === 'namespaces')) return false;
  if (!has(operations, operation) || !has(apiGroups, kind.group) || !has(apiVersions, kind.version)) return false;
  return resources.some((text) => {
    const [resource, sub = ''] = text.split('/') as [string, string?];
    return (resource === '*' || resource === kind.plural) && (sub === '*' || sub === subresource);
  });
}

function has(values: readonly string[], wanted: string): boolean {
  return values.includes(wanted) || values.includes('*');
}

/** AD-20: other versions of the kind, and the Event of the other group. */
function equivalentKinds(server: ApiServer, kind: KindInfo): readonly KindInfo[] {
  const equivalents: KindInfo[] = [];
  for (const other of server.kinds.all()) if (other !== kind && other.storedAs === kind.storedAs) equivalents.push(other);
  return equivalents;
}
