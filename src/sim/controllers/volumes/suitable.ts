import { type LabelSelector, selects } from '../../apiserver/object-selector.js';
import { compareQuantities, parseQuantity } from '../../apiserver/quantity.js';
import type { KubeObject } from '../../etcd/object.js';
import type { View } from '../view.js';

/** What a volume says of the claim that it is bound to. */
export function claimReference({ metadata: { name, namespace, uid, resourceVersion } }: KubeObject): KubeObject['spec'] {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion };
}

/** Whether the volume is bound to this very claim, and not to an earlier one of its name. */
export function isFor(volume: KubeObject, { metadata }: KubeObject): boolean {
  const { claimRef } = volume.spec ?? {};
  if (claimRef?.namespace !== metadata.namespace || claimRef?.name !== metadata.name) return false;
  return claimRef.uid === undefined || claimRef.uid === metadata.uid;
}

/** The volume that is meant for the claim or, of those that nobody has, the smallest that suits it. */
export function suitable(claim: KubeObject, view: View): KubeObject | undefined {
  const volumes = view.list('persistentvolumes').filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const { volumeName } = claim.spec ?? {};
  if (volumeName !== undefined) {
    const named = volumes.find(({ metadata }) => metadata.name === volumeName);
    return named === undefined || (named.spec?.claimRef !== undefined && !isFor(named, claim)) ? undefined : named;
  }
  const meant = volumes.find((volume) => isFor(volume, claim));
  if (meant !== undefined) return meant;
  return volumes.filter((volume) => volume.spec?.claimRef === undefined && suits(claim, volume)).sort(bySize)[0];
}

function suits({ spec }: KubeObject, volume: KubeObject): boolean {
  const { accessModes = [], storageClassName = '', volumeMode = 'Filesystem' } = volume.spec ?? {};
  return (
    storageClassName === (spec?.storageClassName ?? '') &&
    volumeMode === (spec?.volumeMode ?? 'Filesystem') &&
    ((spec?.accessModes ?? []) as readonly string[]).every((mode) => accessModes.includes(mode)) &&
    compareQuantities(sizeOf(volume), parseQuantity(spec?.resources?.requests?.storage ?? '0')) >= 0 &&
    selects((spec?.selector ?? {}) as LabelSelector, volume.metadata.labels)
  );
}

function bySize(a: KubeObject, b: KubeObject): number {
  return compareQuantities(sizeOf(a), sizeOf(b)) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
}

function sizeOf({ spec }: KubeObject) {
  return parseQuantity(spec?.capacity?.storage ?? '0');
}
