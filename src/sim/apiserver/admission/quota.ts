import type { KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { type KindInfo, keyOf } from '../kinds.js';
import { ownersChanged, ownersOfObject } from '../managed-fields/owners.js';
import { managedAfterUpdate } from '../managed-fields/update.js';
import { rfc3339 } from '../metadata.js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityText } from '../quantity.js';
import { forbidden } from '../status.js';
import { store } from '../store.js';
import type { Attributes } from './attributes.js';
import { type Amounts, isInScope, type Scope, unspecified, usageOf } from './usage.js';

type Texts = Readonly<Record<string, string>>;

/**
 * Charges a new object to the quotas of its namespace, after everybody else has agreed (RQ-1 to RQ-3). What is charged stays so
 * until the quota's controller reckons anew, though the create fail later. @throws ApiStatusError 403
 */
export function chargeQuotas(call: Call, attributes: () => Attributes): void {
  const { server, kind, request } = call;
  if (!kind.namespaced || request.subresource !== undefined) return;
  const all = server.etcd.list('resourcequotas');
  if (all.length === 0) return;
  const quotas = all.filter(({ metadata }) => metadata.namespace === request.namespace);
  if (quotas.length === 0) return;
  const { object, name, dryRun } = attributes();
  if (object === null) return;
  const usage = usageOf(kind, object);
  const charged: { readonly quota: KubeObject; readonly used: Texts }[] = [];
  for (const quota of quotas) {
    const used = charge(kind, name, object, quota, usage);
    if (used !== undefined) charged.push({ quota, used });
  }
  if (dryRun) return;
  for (const { quota, used } of charged) storeCharge(call, quota, used);
}

/** @returns undefined when the quota is not about this object. @throws ApiStatusError 403 */
function charge(kind: KindInfo, name: string, object: KubeObject, quota: KubeObject, usage: Amounts): Texts | undefined {
  const hard: Texts = quota.status?.hard ?? {};
  const used: Texts = quota.status?.used ?? {};
  const limited = Object.keys(hard).filter((resource) => usage.has(resource) || isPodResource(kind, resource));
  if (limited.length === 0 || !scopesOf(quota).every((scope) => isInScope(kind, object, scope))) return undefined;
  const quotaName = quota.metadata.name ?? '';
  const missing = unspecified(kind, object, limited);
  if (missing !== undefined) throw forbidden(kind, name, `failed quota: ${quotaName}: ${missing}`);
  const unknown = limited.filter((resource) => used[resource] === undefined);
  if (unknown.length > 0) {
    throw forbidden(kind, name, `status unknown for quota: ${quotaName}, resources: ${[...limited].sort().join(',')}`);
  }
  const after: Record<string, string> = { ...used };
  const exceeded: string[] = [];
  for (const resource of limited) {
    const wanted = usage.get(resource);
    if (wanted === undefined) continue;
    const sum = addQuantities(parseQuantity(used[resource] as string), wanted);
    if (compareQuantities(sum, parseQuantity(hard[resource] as string)) > 0) exceeded.push(resource);
    after[resource] = quantityText(sum);
  }
  if (exceeded.length === 0) return after;
  exceeded.sort();
  const listed = (text: (resource: string) => string) => exceeded.map((resource) => `${resource}=${text(resource)}`).join(',');
  const requested = listed((resource) => quantityText(usage.get(resource) as Quantity));
  throw forbidden(
    kind,
    name,
    `exceeded quota: ${quotaName}, requested: ${requested}, used: ${listed((resource) => used[resource] as string)}, limited: ${listed((resource) => hard[resource] as string)}`,
  );
}

/** A pod is held to what it does not ask for, too. */
function isPodResource(kind: KindInfo, resource: string): boolean {
  return kind.resource === 'pods' && /^(cpu|memory|(requests|limits)\.(?!storage$).+)$/.test(resource);
}

function scopesOf({ spec }: KubeObject): readonly Scope[] {
  const plain: readonly string[] = spec?.scopes ?? [];
  const selected: readonly Scope[] = spec?.scopeSelector?.matchExpressions ?? [];
  return [...plain.map((scopeName) => ({ scopeName })), ...selected];
}

/** RQ-2: a write of the status, by the server itself. */
function storeCharge({ server }: Call, quota: KubeObject, used: Texts): void {
  const kind = server.kinds.find('', 'v1', 'resourcequotas') as KindInfo;
  const next = { ...quota, status: { ...quota.status, used } };
  const write = {
    endpoint: { kind, subresource: 'status' },
    live: quota,
    next,
    manager: 'kube-apiserver',
    time: rfc3339(server.environment.nowMs()),
  };
  const owners = ownersChanged((before) => managedAfterUpdate(before, write), ownersOfObject(quota));
  store(server, keyOf(kind, quota.metadata.namespace, quota.metadata.name ?? ''), next, owners);
}
