import type { KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { type KindInfo, keyOf } from '../kinds.js';
import { ownersChanged, ownersOfObject } from '../managed-fields/owners.js';
import { managedAfterUpdate } from '../managed-fields/update.js';
import { rfc3339 } from '../metadata.js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityText, subtractQuantities } from '../quantity.js';
import { forbidden } from '../status.js';
import { store } from '../store.js';
import type { Attributes, Operation } from './attributes.js';
import type { Amounts } from './pod-amounts.js';
import { concerns, isInScope, isTerminating, type Scope, unspecified, usageOf } from './usage.js';

type Texts = Readonly<Record<string, string>>;

/**
 * Charges what a write takes more than before to the quotas of its namespace, after everybody else has agreed (RQ-1 to RQ-3). What
 * is charged stays so until the quota's controller reckons anew, though the write fail later. @throws ApiStatusError 403
 */
export function chargeQuotas(call: Call, operation: Operation, attributes: () => Attributes): void {
  const { server, kind, request } = call;
  if (!kind.namespaced || !mayCharge(kind, operation, request.subresource)) return;
  const all = server.etcd.list('resourcequotas');
  if (all.length === 0) return;
  const quotas = all.filter(({ metadata }) => metadata.namespace === request.namespace);
  if (quotas.length === 0) return;
  const given = attributes();
  if (given.object === null || !changesUsage(given)) return;
  const nowMs = server.environment.nowMs();
  const usage = usageOf(kind, given.object, nowMs);
  const before = given.oldObject === null ? undefined : { object: given.oldObject, usage: usageOf(kind, given.oldObject, nowMs) };
  const charged: { readonly quota: KubeObject; readonly used: Texts }[] = [];
  for (const quota of quotas) {
    const used = charge(given, given.object, quota, usage, before);
    if (used !== undefined) charged.push({ quota, used });
  }
  if (given.dryRun) return;
  for (const { quota, used } of charged) storeCharge(call, quota, used);
}

/** Which writes can take more than is charged already. */
function mayCharge({ resource, custom }: KindInfo, operation: Operation, subresource: string | undefined): boolean {
  if (operation === 'DELETE') return false;
  if (operation === 'CREATE') return subresource === undefined;
  if (custom) return false;
  switch (resource) {
    case 'pods':
      return subresource === undefined || subresource === 'resize';
    case 'services':
      return subresource === undefined;
    case 'persistentvolumeclaims':
      return subresource === undefined || subresource === 'status';
    default:
      return false;
  }
}

/** An update of a pod counts when it changes which scopes it is in. */
function changesUsage({ kind, subresource, object, oldObject }: Attributes): boolean {
  if (kind.resource !== 'pods' || subresource === 'resize' || object === null || oldObject === null) return true;
  return isTerminating(object) !== isTerminating(oldObject);
}

interface Before {
  readonly object: KubeObject;
  readonly usage: Amounts;
}

/** @returns undefined when the quota is not about this object, or it takes no more than before. @throws ApiStatusError 403 */
function charge(
  { kind, name, subresource }: Attributes,
  object: KubeObject,
  quota: KubeObject,
  usage: Amounts,
  before: Before | undefined,
): Texts | undefined {
  const hard: Texts = quota.status?.hard ?? {};
  const used: Texts = quota.status?.used ?? {};
  const limited = Object.keys(hard).filter((resource) => concerns(kind, resource));
  const isAbout = (each: KubeObject) => scopesOf(quota).every((scope) => isInScope(kind, each, scope));
  if (limited.length === 0 || !isAbout(object)) return undefined;
  const quotaName = quota.metadata.name ?? '';
  const missing = unspecified(kind, object, limited);
  if (missing !== undefined) throw forbidden(kind, name, `failed quota: ${quotaName}: ${missing}`);
  if (limited.some((resource) => used[resource] === undefined)) {
    throw forbidden(kind, name, `status unknown for quota: ${quotaName}, resources: ${[...limited].sort().join(',')}`);
  }
  const more = before !== undefined && isAbout(before.object) ? difference(usage, before.usage) : usage;
  const after: Record<string, string> = { ...used };
  const exceeded: string[] = [];
  const wanted = limited.filter((resource) => (more.get(resource)?.nanos ?? 0n) !== 0n);
  if (wanted.length === 0) return undefined;
  for (const resource of wanted) {
    const sum = addQuantities(parseQuantity(used[resource] as string), more.get(resource) as Quantity);
    if (compareQuantities(sum, parseQuantity(hard[resource] as string)) > 0) exceeded.push(resource);
    after[resource] = quantityText(sum);
  }
  // What a claim has been given already is charged, too much or not.
  if (exceeded.length === 0 || subresource === 'status') return after;
  exceeded.sort();
  const listed = (text: (resource: string) => string) => exceeded.map((resource) => `${resource}=${text(resource)}`).join(',');
  const requested = listed((resource) => quantityText(more.get(resource) as Quantity));
  throw forbidden(
    kind,
    name,
    `exceeded quota: ${quotaName}, requested: ${requested}, used: ${listed((resource) => used[resource] as string)}, limited: ${listed((resource) => hard[resource] as string)}`,
  );
}

/** What is taken more than before; less gives nothing back. */
function difference(usage: Amounts, before: Amounts): Amounts {
  const more = new Map<string, Quantity>();
  for (const [resource, amount] of usage) {
    const old = before.get(resource);
    const rest = old === undefined ? amount : subtractQuantities(amount, old);
    if (rest.nanos > 0n) more.set(resource, rest);
  }
  return more;
}

/** What the objects that a quota is about have in common. */
export function scopesOf({ spec }: KubeObject): readonly Scope[] {
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
