import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { forbiddenValue, invalidValue, requiredValue, tooLong, unsupportedValue } from '../field-errors.js';
import { parseQuantity } from '../quantity.js';
import {
  checkImmutable,
  checkName,
  checkNoBacksteps,
  checkOption,
  checkQualifiedName,
  type Faults,
  type Fields,
  isBlank,
  listOf,
  sameFields,
  textsOf,
  without,
} from './checks.js';
import { checkAccessModes, volumeModes } from './claims.js';
import { internalDiff, internalForm } from './internal-form.js';
import { checkNodeSelector } from './scheduling.js';
import { checkDriverName, checkHostPath, checkNfs } from './volumes.js';

const sources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

/** On an update the server looks at the whole volume twice. */
export function checkPersistentVolume(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  checkVolumeSpec(faults, 'spec', spec);
  if (stored === undefined) return;
  checkVolumeSpec(faults, 'spec', spec);
  const before: Fields = stored.spec ?? {};
  const [next, old] = [sourceOf(spec), sourceOf(before)];
  // A secret for growing may be added later.
  const late =
    old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined && next.csi?.controllerExpandSecretRef !== undefined;
  const shown = late ? { ...next, csi: without(next.csi, 'controllerExpandSecretRef') } : next;
  if (!sameFields(shown, old)) {
    const diff = internalDiff('core.PersistentVolumeSource', old, shown);
    faults.push(forbiddenValue('spec.persistentvolumesource', `spec.persistentvolumesource is immutable after creation\n${diff}`));
  }
  checkImmutable(faults, 'volumeMode', spec.volumeMode, before.volumeMode);
  if (before.nodeAffinity !== undefined && !deepEqual(spec.nodeAffinity, before.nodeAffinity)) {
    const shownAffinity = spec.nodeAffinity === undefined ? null : internalForm('core.VolumeNodeAffinity', spec.nodeAffinity);
    faults.push(invalidValue('nodeAffinity', shownAffinity, 'field is immutable'));
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    faults.push(forbiddenValue('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'));
  }
}

function sourceOf(spec: Fields): Fields {
  return Object.fromEntries(sources.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]));
}

function checkVolumeSpec(faults: Faults, field: string, spec: Fields): void {
  const modes = textsOf(spec.accessModes);
  if (modes.length === 0) faults.push(requiredValue(`${field}.accessModes`));
  checkAccessModes(faults, `${field}.accessModes`, modes);
  const capacity: Readonly<Record<string, string>> = spec.capacity ?? {};
  const amounts = Object.entries(capacity);
  if (amounts.length === 0) faults.push(requiredValue(`${field}.capacity`));
  if (capacity.storage === undefined || amounts.length > 1) {
    faults.push(unsupportedValue(`${field}.capacity`, spec.capacity ?? null, ['storage']));
  }
  for (const [name, amount] of amounts) {
    const { nanos } = parseQuantity(amount);
    const at = `${field}.capacity[${name}]`;
    if (nanos < 0n) faults.push(invalidValue(at, Number(nanos / 1_000_000_000n), 'must be a valid resource quantity'));
    if (nanos <= 0n) faults.push(invalidValue(at, amount, 'must be greater than zero'));
  }
  checkOption(faults, `${field}.persistentVolumeReclaimPolicy`, spec.persistentVolumeReclaimPolicy, ['Delete', 'Recycle', 'Retain']);
  if (spec.nodeAffinity !== undefined) {
    const at = `${field}.nodeAffinity.required`;
    if (spec.nodeAffinity.required === undefined) faults.push(requiredValue(at, 'must specify required node constraints'));
    else checkNodeSelector(faults, at, spec.nodeAffinity.required);
  }
  checkSources(faults, field, spec);
  if (spec.hostPath !== undefined && /^\/+\.?\/*$/.test(spec.hostPath.path ?? '') && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    faults.push(forbiddenValue(`${field}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"));
  }
  if (!isBlank(spec.storageClassName)) checkName(faults, `${field}.storageClassName`, 'subdomain', spec.storageClassName);
  checkOption(faults, `${field}.volumeMode`, spec.volumeMode, volumeModes);
  const className: string | undefined = spec.volumeAttributesClassName;
  if (className === '') faults.push(requiredValue(`${field}.volumeAttributesClassName`, 'an empty string is disallowed'));
  else if (className !== undefined) checkName(faults, `${field}.volumeAttributesClassName`, 'subdomain', className);
}

function checkSources(faults: Faults, field: string, spec: Fields): void {
  let found = 0;
  for (const name of sources) {
    const source: Fields | undefined = spec[name];
    if (source === undefined) continue;
    if (found > 0)
      faults.push(forbiddenValue(`${field}.${name === 'cephfs' ? 'cephFS' : name}`, 'may not specify more than 1 volume type'));
    else if (name === 'hostPath') checkHostPath(faults, `${field}.hostPath`, source);
    else if (name === 'nfs') checkNfs(faults, `${field}.nfs`, source);
    else if (name === 'csi') checkCsi(faults, `${field}.csi`, source);
    else if (name === 'local') {
      if (isBlank(source.path)) faults.push(requiredValue(`${field}.local.path`));
      else checkNoBacksteps(faults, `${field}.local.path`, source.path);
      if (spec.nodeAffinity === undefined) faults.push(requiredValue(`${field}.nodeAffinity`, 'Local volume requires node affinity'));
    }
    found++;
  }
  if (found === 0) faults.push(requiredValue(field, 'must specify a volume type'));
}

function checkCsi(faults: Faults, field: string, csi: Fields): void {
  checkDriverName(faults, `${field}.driver`, csi.driver ?? '');
  if (isBlank(csi.volumeHandle)) faults.push(requiredValue(`${field}.volumeHandle`));
  for (const name of ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef']) {
    const reference: Fields | undefined = csi[name];
    if (reference === undefined) continue;
    if (isBlank(reference.name)) faults.push(requiredValue(`${field}.${name}.name`));
    else checkName(faults, `${field}.${name}.name`, 'subdomain', reference.name);
    if (isBlank(reference.namespace)) faults.push(requiredValue(`${field}.${name}.namespace`));
    else checkName(faults, `${field}.${name}.namespace`, 'label', reference.namespace);
  }
}

export function checkStorageClass(faults: Faults, object: KubeObject, stored: KubeObject | undefined): void {
  const provisioner: string = object.provisioner ?? '';
  if (provisioner === '') faults.push(requiredValue('provisioner'));
  else checkQualifiedName(faults, 'provisioner', provisioner.toLowerCase());
  checkParameters(faults, object.parameters ?? {});
  checkOption(faults, 'reclaimPolicy', object.reclaimPolicy, ['Delete', 'Retain']);
  checkOption(faults, 'volumeBindingMode', object.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']);
  if (stored === undefined) return;
  for (const name of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
    checkImmutable(faults, name, object[name], stored[name]);
  }
}

function checkParameters(faults: Faults, parameters: Readonly<Record<string, string>>): void {
  const entries = Object.entries(parameters);
  if (entries.length > 512) {
    faults.push(tooLong('parameters', 512));
    return;
  }
  for (const [key] of entries) if (key === '') faults.push(invalidValue('parameters', key, 'field can not be empty.'));
  const size = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  if (size > 262_144) faults.push(tooLong('parameters', 262_144));
}

export function checkCsiDriver(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  checkOption(faults, 'spec.fsGroupPolicy', spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType']);
  for (const mode of textsOf(spec.volumeLifecycleModes)) {
    if (mode !== 'Ephemeral' && mode !== 'Persistent') {
      faults.push(unsupportedValue('spec.volumeLifecycleModes', mode, ['Ephemeral', 'Persistent']));
    }
  }
  if (spec.serviceAccountTokenInSecrets !== undefined && listOf(spec.tokenRequests).length === 0) {
    const text = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    faults.push(invalidValue('spec.serviceAccountTokenInSecrets', spec.serviceAccountTokenInSecrets, text));
  }
  if (stored === undefined) return;
  // The server misspells the first.
  checkImmutable(faults, 'spec.attachedRequired', spec.attachRequired, stored.spec?.attachRequired);
  checkImmutable(faults, 'spec.volumeLifecycleModes', spec.volumeLifecycleModes, stored.spec?.volumeLifecycleModes);
}

export function checkVolumeAttachment(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  checkDriverName(faults, 'spec.attacher', spec.attacher ?? '');
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = spec.source ?? {};
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline === undefined && name === undefined) faults.push(requiredValue('spec.source', one));
  else if (inline !== undefined && name !== undefined) faults.push(forbiddenValue('spec.source', one));
  else if (name === '') faults.push(requiredValue('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName'));
  checkName(faults, 'spec.nodeName', 'subdomain', spec.nodeName ?? '');
  if (!isBlank(name)) checkName(faults, 'spec.source.persistentVolumeName', 'subdomain', name);
  if (stored !== undefined) checkImmutable(faults, 'spec', spec, stored.spec, internalForm('storage.VolumeAttachmentSpec', spec));
}
