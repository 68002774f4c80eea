import type { KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { calmFates, type Fates } from '../fates.js';
import { type Change, type Look, startLevelController } from '../level-controller.js';
import { pathOfObject } from '../references.js';
import { about, object, persistentVolumeClaims, persistentVolumes, unlessGone } from '../requests.js';
import { answeredWith, type Steps, type Sync } from '../sync.js';
import type { View } from '../view.js';
import { type ClassOfClaim, classOf, selectedNodeAnnotation, waitsForConsumer } from './classes.js';
import { claimReference, isFor, suitable } from './suitable.js';

const protection = 'kubernetes.io/pv-protection';

/**
 * Stands for all that gives claims their volumes: binds a claim to a volume that suits it or to one that is made for it, and
 * deletes or sets free the volume when the claim is gone.
 */
export function startVolumeBinder(host: Host, feed: ObjectFeed, fates: Fates = calmFates): void {
  /** Until when the plan keeps a claim from being bound, by uid. */
  const lateUntilMs = new Map<string, number>();
  startLevelController(host, feed, {
    name: 'persistentvolume-binder-controller',
    component: 'persistentvolume-controller',
    resource: 'persistentvolumeclaims',
    own: (change) => claimWakes(change, lateUntilMs, fates),
    related: {
      persistentvolumes: ({ object: { spec } }, view) => (spec?.claimRef === undefined ? unbound(view) : [pathOfReference(spec.claimRef)]),
      'storageclasses.storage.k8s.io': (_, view) => unbound(view),
    },
    wakes: (wake, view) => fates.onHeal(() => unbound(view).forEach(wake)),
    sync: (key, look) => sync(key, look, lateUntilMs, fates),
  });
}

function claimWakes({ type, object }: Change, lateUntilMs: Map<string, number>, fates: Fates): readonly string[] {
  if (type === 'ADDED') fates.meet('claim', object);
  if (type === 'DELETED') lateUntilMs.delete(object.metadata.uid ?? '');
  return type === 'DELETED' || !isBound(object) ? [pathOfObject(object)] : [];
}

function isBound({ status }: KubeObject): boolean {
  return status?.phase === 'Bound';
}

function unbound(view: View): readonly string[] {
  return view
    .list('persistentvolumeclaims')
    .filter((claim) => !isBound(claim))
    .map(pathOfObject);
}

function pathOfReference({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

function* sync(key: string, look: Look, lateUntilMs: Map<string, number>, fates: Fates): Sync {
  const { view, host, again } = look;
  const claim = view.get('persistentvolumeclaims', key);
  yield* release(key, claim, view);
  if (claim === undefined || isBound(claim) || claim.metadata.deletionTimestamp !== undefined) return;
  const late = fates.ofClaim(claim);
  if (late !== undefined) {
    fates.comes(late);
    const uid = claim.metadata.uid ?? '';
    const untilMs = lateUntilMs.get(uid) ?? host.nowMs() + late.forMs;
    lateUntilMs.set(uid, untilMs);
    if (untilMs > host.nowMs()) {
      again(untilMs - host.nowMs());
      return;
    }
  }
  const chosen = claim.metadata.annotations?.[selectedNodeAnnotation] !== undefined;
  if (!chosen && waitsForConsumer(claim, view)) return;
  const volume = suitable(claim, view) ?? (yield* provision(claim, look));
  if (volume !== undefined) yield* bind(claim, volume);
}

/** Makes a volume for the claim, as its class says. */
function* provision(claim: KubeObject, { view, event }: Look): Steps<KubeObject | undefined> {
  const by = classOf(claim, view);
  const { storageClassName, volumeName } = claim.spec ?? {};
  if (volumeName !== undefined) return undefined;
  if (by === undefined) {
    const known = storageClassName === undefined || storageClassName === '' || view.get('storageclasses.storage.k8s.io', storageClassName);
    if (known === undefined) event(claim, 'Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${storageClassName}" not found`);
    else event(claim, 'Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set');
    return undefined;
  }
  const volume = volumeFor(claim, by);
  try {
    return yield* object(about('create', persistentVolumes, volume, volume));
  } catch (error) {
    // It is made already, and not seen yet.
    if (!answeredWith(error, 409)) throw error;
    return undefined;
  }
}

function volumeFor(claim: KubeObject, { name, provisioner, reclaimPolicy }: ClassOfClaim): KubeObject {
  const { accessModes, volumeMode, resources } = claim.spec ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${claim.metadata.uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } },
    spec: {
      accessModes,
      capacity: { storage: resources?.requests?.storage },
      claimRef: claimReference(claim),
      csi: { driver: provisioner, volumeHandle: claim.metadata.uid },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      ...(name !== undefined && { storageClassName: name }),
      ...(volumeMode !== undefined && { volumeMode }),
    },
  };
}

/** The four writes of a binding, in their order: the volume, its phase, the claim, its phase. */
function* bind(claim: KubeObject, found: KubeObject): Steps<void> {
  let volume = found;
  if (volume.spec?.claimRef?.uid !== claim.metadata.uid) {
    const annotations = { ...volume.metadata.annotations, 'pv.kubernetes.io/bound-by-controller': 'yes' };
    const spec = { ...volume.spec, claimRef: claimReference(claim) };
    const taken = { ...volume, metadata: { ...volume.metadata, annotations }, spec };
    volume = yield* object(about('update', persistentVolumes, taken, taken));
  }
  if (volume.status?.phase !== 'Bound') {
    const bound = { ...volume, status: { ...volume.status, phase: 'Bound' } };
    volume = yield* object(about('update', persistentVolumes, bound, bound, 'status'));
  }
  let bound = claim;
  if (claim.metadata.annotations?.['pv.kubernetes.io/bind-completed'] === undefined) {
    const byController = claim.spec?.volumeName === undefined ? { 'pv.kubernetes.io/bound-by-controller': 'yes' } : {};
    const annotations = { ...claim.metadata.annotations, 'pv.kubernetes.io/bind-completed': 'yes', ...byController };
    const spec = { ...claim.spec, volumeName: volume.metadata.name };
    const placed = { ...claim, metadata: { ...claim.metadata, annotations }, spec };
    bound = yield* object(about('update', persistentVolumeClaims, placed, placed));
  }
  const { accessModes, capacity } = volume.spec ?? {};
  const told = { ...bound, status: { ...bound.status, phase: 'Bound', accessModes, capacity } };
  yield about('update', persistentVolumeClaims, told, told, 'status');
}

/** Volumes whose claim is gone: deleted, or kept for somebody to look at, as they say themselves. */
function* release(key: string, claim: KubeObject | undefined, view: View): Steps<void> {
  for (const volume of view.list('persistentvolumes')) {
    const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
    if (claimRef?.uid === undefined || pathOfReference(claimRef) !== key || (claim !== undefined && isFor(volume, claim))) continue;
    if (volume.metadata.deletionTimestamp !== undefined) {
      const finalizers = (volume.metadata.finalizers ?? []).filter((finalizer) => finalizer !== protection);
      if (finalizers.length === volume.metadata.finalizers?.length) continue;
      const freed = { ...volume, metadata: { ...volume.metadata, finalizers } };
      yield* unlessGone(about('update', persistentVolumes, freed, freed));
    } else if (policy === 'Delete') yield* unlessGone(about('delete', persistentVolumes, volume));
    else if (volume.status?.phase !== 'Released') {
      const released = { ...volume, status: { ...volume.status, phase: 'Released' } };
      yield* unlessGone(about('update', persistentVolumes, released, released, 'status'));
    }
  }
}
