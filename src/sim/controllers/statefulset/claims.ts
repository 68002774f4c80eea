import type { KubeObject, OwnerReference } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { controllerReference } from '../references.js';
import { about, persistentVolumeClaims as resource } from '../requests.js';
import { answeredWith, type Steps, SyncFailed } from '../sync.js';
import { claimName, claimTemplates, isWanted, ordinalOf } from './pods.js';

/** WL-55, WL-71. @throws SyncFailed when one of them is not there afterwards */
export function* createClaims(set: KubeObject, pod: KubeObject, look: Look): Steps<void> {
  const failures: string[] = [];
  for (const template of claimTemplates(set)) {
    const name = claimName(set, template, ordinalOf(pod));
    const known = knownClaim(set, name, look);
    if (known !== undefined) {
      if (known.metadata.deletionTimestamp !== undefined) failures.push(`pvc ${name} is being deleted`);
      continue;
    }
    const labels = { ...template.metadata.labels, ...set.spec?.selector?.matchLabels };
    const namespace = set.metadata.namespace;
    const claim: KubeObject = {
      ...template,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...template.metadata, name, labels, ...(namespace !== undefined && { namespace }) },
    };
    const where = `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    try {
      yield about('create', resource, claim, claim);
      look.event(set, 'Normal', 'SuccessfulCreate', `Create Claim ${name} ${where} success`);
    } catch (error) {
      if (!(error instanceof SyncFailed)) throw error;
      failures.push(`failed to create PVC ${name}: ${error.message}`);
      if (!answeredWith(error, 409))
        look.event(set, 'Warning', 'FailedCreate', `Create Claim ${name} for ${where} failed error: ${error.message}`);
    }
  }
  if (failures.length > 0) throw new SyncFailed(failures.length === 1 ? (failures[0] as string) : `[${failures.join(', ')}]`);
}

function knownClaim(set: KubeObject, name: string, { view }: Look): KubeObject | undefined {
  return view.get('persistentvolumeclaims', `${set.metadata.namespace}/${name}`);
}

function claimsOf(set: KubeObject, pod: KubeObject, look: Look): readonly KubeObject[] {
  const names = claimTemplates(set).map((template) => claimName(set, template, ordinalOf(pod)));
  return names.map((name) => knownClaim(set, name, look)).filter((claim) => claim !== undefined);
}

/** Whether all claims of the pod have the owners that the set's policy gives them (WL-70). */
export function claimsMatchPolicy(set: KubeObject, pod: KubeObject, look: Look): boolean {
  return claimsOf(set, pod, look).every((claim) => isUpToDate(claim, set, pod));
}

/** WL-70. @throws SyncFailed */
export function* syncClaimOwners(set: KubeObject, pod: KubeObject, look: Look): Steps<void> {
  for (const claim of claimsOf(set, pod, look)) {
    const { name } = claim.metadata;
    if (hasOtherController(claim, set, pod))
      look.event(
        set,
        'Warning',
        'ConflictingController',
        `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`,
      );
    if (isUpToDate(claim, set, pod)) continue;
    const { ownerReferences: _, ...metadata } = claim.metadata;
    const owners = ownersOf(claim, set, pod);
    const changed = { ...claim, metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) } };
    try {
      yield about('update', resource, claim, changed);
    } catch (error) {
      if (!(error instanceof SyncFailed)) throw error;
      throw new SyncFailed(`could not update claim ${name} for delete policy ownerRefs: ${error.message}`);
    }
  }
}

/** WL-70: a claim of a pod that was scaled away, made by a namesake of this one. */
export function hasStaleClaim(set: KubeObject, pod: KubeObject, look: Look): boolean {
  if (!policyOf(set).whenScaled) return false;
  return claimsOf(set, pod, look).some((claim) => isStale(claim, pod));
}

function policyOf(set: KubeObject): { readonly whenDeleted: boolean; readonly whenScaled: boolean } {
  const policy = set.spec?.persistentVolumeClaimRetentionPolicy;
  return { whenDeleted: policy?.whenDeleted === 'Delete', whenScaled: policy?.whenScaled === 'Delete' };
}

function refers(reference: OwnerReference, owner: KubeObject): boolean {
  const { apiVersion, kind, metadata } = owner;
  return reference.apiVersion === apiVersion && reference.kind === kind && reference.name === metadata.name;
}

function referencesOf(claim: KubeObject): readonly OwnerReference[] {
  return claim.metadata.ownerReferences ?? [];
}

function isOwnedBy(claim: KubeObject, owner: KubeObject): boolean {
  return referencesOf(claim).some(({ uid }) => uid === (owner.metadata.uid ?? ''));
}

function isStale(claim: KubeObject, owner: KubeObject): boolean {
  const reference = referencesOf(claim).find((each) => refers(each, owner));
  return reference !== undefined && reference.uid !== owner.metadata.uid;
}

function hasOtherController(claim: KubeObject, set: KubeObject, pod: KubeObject): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  if (!whenDeleted && !whenScaled) return false;
  return referencesOf(claim).some((reference) => {
    for (const owner of [set, pod]) if (refers(reference, owner)) return reference.uid !== owner.metadata.uid;
    return reference.controller === true;
  });
}

/** Who shall own the claim: the set while it lives, or the pod that is scaled away. */
function wantedOwners(set: KubeObject, pod: KubeObject): { readonly set: boolean; readonly pod: boolean } {
  const { whenDeleted, whenScaled } = policyOf(set);
  const scaledAway = !isWanted(set, pod);
  return { set: whenDeleted && !(whenScaled && scaledAway), pod: whenScaled && scaledAway };
}

function isUpToDate(claim: KubeObject, set: KubeObject, pod: KubeObject): boolean {
  if (isStale(claim, set) || isStale(claim, pod)) return true;
  if (hasOtherController(claim, set, pod)) return !isOwnedBy(claim, set) && !isOwnedBy(claim, pod);
  const ours = [set.metadata.uid, pod.metadata.uid ?? ''];
  if (referencesOf(claim).some(({ uid, controller }) => ours.includes(uid) && controller !== true)) return false;
  const wanted = wantedOwners(set, pod);
  return isOwnedBy(claim, set) === wanted.set && isOwnedBy(claim, pod) === wanted.pod;
}

function ownersOf(claim: KubeObject, set: KubeObject, pod: KubeObject): OwnerReference[] {
  const others = referencesOf(claim).filter((reference) => !refers(reference, set) && !refers(reference, pod));
  if (hasOtherController(claim, set, pod)) return others;
  const wanted = wantedOwners(set, pod);
  return [...others, ...(wanted.pod ? [controllerReference(pod)] : []), ...(wanted.set ? [controllerReference(set)] : [])];
}
