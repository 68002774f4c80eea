import { deepEqual, type KubeObject, type OwnerReference } from '../etcd/object.js';

/**
 * UP-23: exactly equal references are removed, with a warning.
 * @param afterAdmission a patch's references are looked at only then, and the text says so.
 */
export function withoutDuplicateOwners(object: KubeObject, warnings: string[], afterAdmission = false): KubeObject {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return object;
  const kept: OwnerReference[] = [];
  const duplicates = new Set<string>();
  for (const owner of owners) {
    if (kept.some((other) => deepEqual(owner, other))) duplicates.add(owner.uid);
    else kept.push(owner);
  }
  if (duplicates.size === 0) return object;
  const when = afterAdmission ? ' after mutating admission happens' : '';
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...duplicates].join(', ')}`,
  );
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
}
