import { pathOf } from '../etcd/etcd.js';
import type { KubeObject, ObjectMeta, OwnerReference } from '../etcd/object.js';

export function pathOfObject(object: KubeObject): string {
  return pathOf({ namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' });
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** A reference that makes the owner the controller of its dependents and keeps it until they are gone (WL-1). */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { apiVersion = '', kind = '' } = owner;
  return { apiVersion, kind, name: owner.metadata.name ?? '', uid: owner.metadata.uid ?? '', controller: true, blockOwnerDeletion: true };
}

/** The part of a dependent's metadata that puts it beside its owner and under its control (WL-1). */
export function ownedBy(owner: KubeObject): Pick<ObjectMeta, 'namespace' | 'ownerReferences'> {
  const { namespace } = owner.metadata;
  return { ...(namespace !== undefined && { namespace }), ownerReferences: [controllerReference(owner)] };
}
