import { usageOf } from '../../apiserver/admission/usage.js';
import type { Kinds } from '../../apiserver/kinds.js';
import { deepEqual, type KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { type Change, type Look, startLevelController } from '../level-controller.js';
import { pathOfObject } from '../references.js';
import { about, resourceQuotas } from '../requests.js';
import type { Sync } from '../sync.js';
import type { View } from '../view.js';
import { countsFor, kindsToCount, reckon } from './reckoning.js';

/** However quiet it is, usage is reckoned anew after so long (WL-117). */
const resyncMs = 300_000;

/**
 * Writes into each ResourceQuota what its namespace takes: at first, after a change of its limits, and when something has
 * gone or ended (WL-117). What comes is charged by the API server. While there is no quota, only quotas are looked at.
 */
export function startQuotaController(host: Host, feed: ObjectFeed, kinds: Kinds): void {
  startLevelController(host, feed, {
    name: 'resourcequota-controller',
    resource: 'resourcequotas',
    own: quotaWakes,
    related: {},
    others: (resource, change, view) => givenBack(resource, change, view, kinds, host.nowMs()),
    sync: (key, look) => sync(key, look, kinds),
  });
}

/** A write of the status alone is its own. */
function quotaWakes({ object, previous }: Change): readonly string[] {
  return previous !== undefined && deepEqual(previous.spec?.hard, object.spec?.hard) ? [] : [pathOfObject(object)];
}

function givenBack(resource: string, change: Change, view: View, kinds: Kinds, nowMs: number): readonly string[] {
  const quotas = view.list('resourcequotas', change.object.metadata.namespace);
  if (quotas.length === 0 || !takesLess(resource, change, kinds, nowMs)) return [];
  return quotas.filter((quota) => countsFor(quota.status?.hard ?? {}, resource, kinds)).map(pathOfObject);
}

function takesLess(resource: string, { type, object, previous }: Change, kinds: Kinds, nowMs: number): boolean {
  if (type === 'DELETED') return true;
  const [kind] = kindsToCount(kinds, resource);
  if (kind === undefined || previous === undefined) return false;
  if (resource !== 'pods' && resource !== 'services' && resource !== 'persistentvolumeclaims') return false;
  const now = usageOf(kind, object, nowMs);
  return [...usageOf(kind, previous, nowMs)].some(([name, amount]) => amount.nanos > (now.get(name)?.nanos ?? 0n));
}

function* sync(key: string, { view, host, again }: Look, kinds: Kinds): Sync {
  const quota = view.get('resourcequotas', key);
  if (quota === undefined) return;
  again(resyncMs);
  const hard: Readonly<Record<string, string>> = quota.spec?.hard ?? {};
  const reckoned = reckon(quota, hard, view, kinds, host.nowMs());
  const known: Readonly<Record<string, string>> = { ...quota.status?.used, ...reckoned };
  const used = Object.fromEntries(Object.entries(known).filter(([name]) => Object.hasOwn(hard, name)));
  const status = { hard, used };
  if (quota.status?.used !== undefined && deepEqual(quota.status, status)) return;
  const next: KubeObject = { ...quota, status };
  yield about('update', resourceQuotas, quota, next, 'status');
}
