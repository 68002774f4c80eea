import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { age } from './ages.js';
import { markedName, NONE, nameOf, orElse, quantityCell, UNSET } from './cell-text.js';

const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

const MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function modesText(modes: readonly string[] = []): string {
  return MODES.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',');
}

function classOf({ metadata, spec }: KubeObject): string {
  return metadata.annotations?.[BETA_CLASS] ?? spec?.storageClassName ?? '';
}

function phaseOf({ metadata, status }: KubeObject): string {
  return metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating';
}

/** What `kubectl get persistentvolumes -o wide` shows. */
export function volumeCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { capacity, accessModes, persistentVolumeReclaimPolicy = '', claimRef, volumeAttributesClassName, volumeMode } = object.spec ?? {};
  return [
    nameOf(object),
    quantityCell(capacity?.storage),
    modesText(accessModes),
    persistentVolumeReclaimPolicy,
    phaseOf(object),
    claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`,
    classOf(object),
    volumeAttributesClassName ?? UNSET,
    object.status?.reason ?? '',
    age(object, nowMs),
    volumeMode ?? UNSET,
  ];
}

/** What `kubectl get persistentvolumeclaims -o wide` shows. */
export function claimCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { volumeName = '', volumeAttributesClassName = UNSET, volumeMode = UNSET } = object.spec ?? {};
  const bound = volumeName !== '';
  return [
    nameOf(object),
    phaseOf(object),
    volumeName,
    bound ? quantityCell(object.status?.capacity?.storage) : '',
    bound ? modesText(object.status?.accessModes) : '',
    classOf(object),
    volumeAttributesClassName,
    age(object, nowMs),
    volumeMode,
  ];
}

/** What `kubectl get storageclasses` shows. */
export function storageClassCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { provisioner = '', reclaimPolicy = 'Delete', volumeBindingMode = 'Immediate', allowVolumeExpansion = false } = object;
  const name = markedName(object, 'storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class');
  return [name, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion, age(object, nowMs)];
}

/** What `kubectl get volumeattributesclasses` shows. */
export function attributesClassCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), object.driverName ?? '', age(object, nowMs)];
}

/** What `kubectl get volumeattachments` shows. */
export function attachmentCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { attacher = '', source, nodeName = '' } = object.spec ?? {};
  return [nameOf(object), attacher, source?.persistentVolumeName ?? '', nodeName, object.status?.attached ?? false, age(object, nowMs)];
}

/** What `kubectl get csinodes` shows. */
export function csiNodeCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(object), (object.spec?.drivers ?? []).length, age(object, nowMs)];
}

/** What `kubectl get csidrivers` shows. */
export function csiDriverCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const {
    attachRequired = true,
    podInfoOnMount = false,
    storageCapacity = false,
    tokenRequests,
    requiresRepublish = false,
    volumeLifecycleModes = [],
  } = object.spec ?? {};
  const audiences = (tokenRequests as readonly { readonly audience: string }[] | undefined)?.map(({ audience }) => audience);
  return [
    nameOf(object),
    attachRequired,
    podInfoOnMount,
    storageCapacity,
    audiences?.join(',') ?? UNSET,
    requiresRepublish,
    orElse(volumeLifecycleModes.join(','), NONE),
    age(object, nowMs),
  ];
}
