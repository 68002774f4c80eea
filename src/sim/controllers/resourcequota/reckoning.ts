import { scopesOf } from '../../apiserver/admission/quota.js';
import { concerns, isInScope, usageOf } from '../../apiserver/admission/usage.js';
import type { KindInfo, Kinds } from '../../apiserver/kinds.js';
import { addQuantities, parseQuantity, quantityText } from '../../apiserver/quantity.js';
import type { KubeObject } from '../../etcd/object.js';
import type { View } from '../view.js';

type Texts = Readonly<Record<string, string>>;

/** The namespaced kinds, one for each resource that is stored; only the one of that resource when it is named. */
export function kindsToCount(kinds: Kinds, resource?: string): readonly KindInfo[] {
  const found = new Map<string, KindInfo>();
  for (const kind of kinds.all())
    if (kind.namespaced && (resource === undefined || kind.storedAs === resource) && !found.has(kind.storedAs))
      found.set(kind.storedAs, kind);
  return [...found.values()];
}

/** Whether limits of these names are about objects of a resource. */
export function countsFor(hard: Texts, resource: string, kinds: Kinds): boolean {
  return kindsToCount(kinds, resource).some((kind) => Object.keys(hard).some((name) => concerns(kind, name)));
}

/** What the objects of the quota's namespace take of each limit that can be told, by the controller's view of them (RQ-1, RQ-3). */
export function reckon(quota: KubeObject, hard: Texts, view: View, kinds: Kinds, nowMs: number): Texts {
  const sums: Record<string, string> = {};
  for (const kind of kindsToCount(kinds)) {
    const names = Object.keys(hard).filter((name) => concerns(kind, name));
    if (names.length === 0) continue;
    const objects = view
      .list(kind.storedAs, quota.metadata.namespace)
      .filter((object) => scopesOf(quota).every((scope) => isInScope(kind, object, scope)));
    const usages = objects.map((object) => usageOf(kind, object, nowMs));
    for (const name of names) {
      const amounts = usages.flatMap((usage) => usage.get(name) ?? []);
      sums[name] = quantityText(amounts.reduce(addQuantities, parseQuantity('0')));
    }
  }
  return sums;
}
