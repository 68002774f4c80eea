import type { JsonValue, KubeObject } from '../../etcd/object.js';
import type { LabelSelector } from '../object-selector.js';
import { age, durationText } from './ages.js';
import { NONE, nameOf, orElse, UNSET } from './cell-text.js';

/** What `kubectl get rolebindings -o wide` shows, and of ClusterRoleBindings. */
export function bindingCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const subjects: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[] = object.subjects ?? [];
  const namesOf = (wanted: string) => subjects.filter(({ kind }) => kind === wanted);
  return [
    nameOf(object),
    `${object.roleRef?.kind ?? ''}/${object.roleRef?.name ?? ''}`,
    age(object, nowMs),
    namesOf('User')
      .map(({ name }) => name)
      .join(', '),
    namesOf('Group')
      .map(({ name }) => name)
      .join(', '),
    namesOf('ServiceAccount')
      .map(({ name, namespace = '' }) => `${namespace}/${name}`)
      .join(', '),
  ];
}

/** What `kubectl get` shows of webhook configurations. */
export function webhookCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), (object.webhooks ?? []).length, age(object, nowMs)];
}

/** What `kubectl get` shows of admission policies. */
export function admissionPolicyCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { validations, mutations, paramKind } = object.spec ?? {};
  const count = (validations ?? mutations ?? []).length;
  const parameters = paramKind === undefined ? UNSET : `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}`;
  return [nameOf(object), count, parameters, age(object, nowMs)];
}

/** What `kubectl get` shows of the bindings of admission policies. */
export function policyBindingCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), object.spec?.policyName ?? '', parameterText(object.spec?.paramRef), age(object, nowMs)];
}

function parameterText(
  reference: { readonly name?: string; readonly namespace?: string; readonly selector?: LabelSelector } | undefined,
): string {
  if (reference?.name) return `${reference.namespace || '*'}/${reference.name}`;
  return reference?.selector === undefined ? UNSET : goSelector(reference.selector);
}

/** A selector as Go prints the structure. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`)
    .join('');
  const expressions = matchExpressions
    .map(({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`)
    .join('');
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}

/** What `kubectl get certificatesigningrequests` shows. */
export function signingRequestCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { signerName, username = '', expirationSeconds } = object.spec ?? {};
  return [
    nameOf(object),
    age(object, nowMs),
    orElse(signerName, NONE),
    username,
    expirationSeconds === undefined ? NONE : durationText(expirationSeconds * 1000),
    signingState(object),
  ];
}

function signingState({ status }: KubeObject): string {
  const conditions: readonly { readonly type: string }[] = status?.conditions ?? [];
  const has = (wanted: string) => conditions.some(({ type }) => type === wanted);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}

/** What `kubectl get flowschemas` shows. */
export function flowSchemaCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { priorityLevelConfiguration, matchingPrecedence = 0, distinguisherMethod } = object.spec ?? {};
  const conditions: readonly { readonly type: string; readonly status: string }[] = object.status?.conditions ?? [];
  return [
    nameOf(object),
    priorityLevelConfiguration?.name ?? '',
    matchingPrecedence,
    distinguisherMethod?.type ?? NONE,
    age(object, nowMs),
    conditions.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ];
}

/** What `kubectl get prioritylevelconfigurations` shows. */
export function priorityLevelCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { type = '', limited } = object.spec ?? {};
  const queuing = limited?.limitResponse?.queuing;
  const queued = [queuing?.queues ?? NONE, queuing?.handSize ?? NONE, queuing?.queueLengthLimit ?? NONE];
  return [nameOf(object), type, limited?.nominalConcurrencyShares ?? NONE, ...queued, age(object, nowMs)];
}
