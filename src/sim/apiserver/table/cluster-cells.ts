import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { age } from './ages.js';
import { NONE, nameOf, orElse, quantityCell, UNKNOWN } from './cell-text.js';

const ROLE_PREFIX = 'node-role.kubernetes.io/';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

/** What `kubectl get` shows of kinds that have nothing but a name and an age. */
export function nameAndAge(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), age(object, nowMs)];
}

/** What `kubectl get` shows of kinds that have no columns of their own. */
export function nameAndTime(object: KubeObject): readonly JsonValue[] {
  return [nameOf(object), object.metadata.creationTimestamp ?? '0001-01-01T00:00:00Z'];
}

/** What `kubectl get configmaps` shows. */
export function configMapCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length, age(object, nowMs)];
}

/** What `kubectl get secrets` shows. */
export function secretCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), object.type ?? '', Object.keys(object.data ?? {}).length, age(object, nowMs)];
}

/** What `kubectl get namespaces` shows. */
export function namespaceCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), object.status?.phase ?? '', age(object, nowMs)];
}

/** What `kubectl get nodes -o wide` shows. */
export function nodeCells(node: KubeObject, nowMs: number): readonly JsonValue[] {
  const info = node.status?.nodeInfo ?? {};
  const addresses: readonly { readonly type: string; readonly address: string }[] = node.status?.addresses ?? [];
  const addressOf = (wanted: string) => addresses.find(({ type }) => type === wanted)?.address ?? NONE;
  const architecture = info.architecture ? ` (${info.architecture})` : '';
  return [
    nameOf(node),
    nodeState(node),
    orElse(rolesOf(node).join(','), NONE),
    age(node, nowMs),
    info.kubeletVersion ?? '',
    addressOf('InternalIP'),
    addressOf('ExternalIP'),
    orElse(info.osImage, UNKNOWN),
    orElse(info.kernelVersion, UNKNOWN) + architecture,
    orElse(info.containerRuntimeVersion, UNKNOWN),
  ];
}

function nodeState({ spec, status }: KubeObject): string {
  const conditions: readonly Condition[] = status?.conditions ?? [];
  const ready = [...conditions].reverse().find(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

function rolesOf({ metadata }: KubeObject): readonly string[] {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === 'kubernetes.io/role' ? value : '';
  });
  return [...new Set(roles)].filter((role) => role !== '').sort();
}

/** What `kubectl get componentstatuses` shows. */
export function componentStatusCells(object: KubeObject): readonly JsonValue[] {
  const conditions: readonly (Condition & { readonly message?: string; readonly error?: string })[] = object.conditions ?? [];
  const healthy = conditions.find(({ type }) => type === 'Healthy');
  if (healthy === undefined) return [nameOf(object), 'Unknown', '', ''];
  return [nameOf(object), healthy.status === 'True' ? 'Healthy' : 'Unhealthy', healthy.message ?? '', healthy.error ?? ''];
}

/** What `kubectl get resourcequotas` shows. */
export function quotaCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { hard = {}, used = {} } = (object.status ?? {}) as Record<'hard' | 'used', Readonly<Record<string, string>> | undefined>;
  const text = (resource: string) => `${resource}: ${quantityCell(used[resource])}/${quantityCell(hard[resource])}`;
  const resources = Object.keys(hard).sort();
  const limits = resources.filter((resource) => resource.startsWith('limits.'));
  const requests = resources.filter((resource) => !limits.includes(resource));
  return [nameOf(object), requests.map(text).join(', '), limits.map(text).join(', '), age(object, nowMs)];
}

/** What `kubectl get leases` shows. */
export function leaseCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), object.spec?.holderIdentity ?? '', age(object, nowMs)];
}

/** What `kubectl get priorityclasses` shows. */
export function priorityClassCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), object.value ?? 0, object.globalDefault ?? false, age(object, nowMs), object.preemptionPolicy ?? ''];
}

/** What `kubectl get runtimeclasses` shows. */
export function runtimeClassCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), object.handler ?? '', age(object, nowMs)];
}

/** What `kubectl get apiservices` shows. */
export function apiServiceCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const service = object.spec?.service;
  const conditions: readonly Condition[] = object.status?.conditions ?? [];
  const available = conditions.find(({ type }) => type === 'Available');
  const state = available?.status ?? 'Unknown';
  return [
    nameOf(object),
    service === undefined || service === null ? 'Local' : `${service.namespace}/${service.name}`,
    state !== 'True' && available?.reason ? `${state} (${available.reason})` : state,
    age(object, nowMs),
  ];
}
