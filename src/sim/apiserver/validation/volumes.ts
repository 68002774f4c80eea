import { duplicateValue, forbiddenValue, invalidValue, requiredValue, tooLong, unsupportedValue } from '../field-errors.js';
import { nameFaults } from '../names.js';
import { parseQuantity } from '../quantity.js';
import {
  checkDescendingPath,
  checkName,
  checkNoBacksteps,
  checkOption,
  checkSelector,
  type Faults,
  type Fields,
  isBlank,
  listOf,
} from './checks.js';
import { checkClaimTemplate } from './claims.js';
import { checkFieldSelector, checkResourceFieldSelector, volumeFieldPaths } from './downward-api.js';

/** The volumes that containers may mount, by name: only those without a fault. */
export type Volumes = ReadonlyMap<string, Fields>;

/** @param podName of a pod; a template has none. */
export function checkVolumes(faults: Faults, field: string, volumes: readonly Fields[], podName: string | undefined): Volumes {
  const good = new Map<string, Fields>();
  const created = new Set(podName === undefined ? [] : volumes.filter((each) => each.ephemeral).map((each) => `${podName}-${each.name}`));
  for (const [index, volume] of volumes.entries()) {
    const at = `${field}[${index}]`;
    const before = faults.length;
    checkVolumeSource(faults, at, volume);
    const name: string = volume.name ?? '';
    if (name === '') faults.push(requiredValue(`${at}.name`));
    else checkName(faults, `${at}.name`, 'label', name);
    if (good.has(name)) faults.push(duplicateValue(`${at}.name`, name));
    if (faults.length === before) good.set(name, volume);
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (claimName !== undefined && created.has(claimName)) {
      faults.push(
        invalidValue(
          `${at}.persistentVolumeClaim.claimName`,
          claimName,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      );
    }
  }
  return good;
}

/** In the server's order. The second word is the field that it names when there is another source already. */
const sources: readonly (readonly [string, string, ((faults: Faults, field: string, source: Fields) => void) | undefined])[] = [
  ['emptyDir', 'emptyDir', checkEmptyDir],
  ['hostPath', 'hostPath', checkHostPath],
  ['gitRepo', 'gitRepo', required('repository')],
  ['gcePersistentDisk', 'gcePersistentDisk', undefined],
  ['awsElasticBlockStore', 'awsElasticBlockStore', undefined],
  ['secret', 'secret', checkSecret],
  ['nfs', 'nfs', checkNfs],
  ['iscsi', 'iscsi', undefined],
  ['glusterfs', 'glusterfs', undefined],
  ['flocker', 'flocker', undefined],
  ['persistentVolumeClaim', 'persistentVolumeClaim', required('claimName')],
  ['rbd', 'rbd', undefined],
  ['cinder', 'cinder', required('volumeID')],
  ['cephfs', 'cephFS', undefined],
  ['quobyte', 'quobyte', undefined],
  ['downwardAPI', 'downwarAPI', checkDownwardApi],
  ['fc', 'fc', undefined],
  ['flexVolume', 'flexVolume', required('driver')],
  ['configMap', 'configMap', checkConfigMap],
  ['azureFile', 'azureFile', undefined],
  ['vsphereVolume', 'vsphereVolume', required('volumePath')],
  ['photonPersistentDisk', 'photonPersistentDisk', required('pdID')],
  ['portworxVolume', 'portworxVolume', required('volumeID')],
  ['azureDisk', 'azureDisk', undefined],
  ['storageos', 'storageos', undefined],
  ['projected', 'projected', checkProjected],
  ['scaleIO', 'scaleIO', undefined],
  ['csi', 'csi', checkCsi],
  ['ephemeral', 'ephemeral', checkEphemeral],
  ['image', 'image', checkImage],
];

function checkVolumeSource(faults: Faults, field: string, volume: Fields): void {
  let found = 0;
  for (const [name, named, check] of sources) {
    const source = volume[name];
    if (source === undefined) continue;
    if (found > 0) faults.push(forbiddenValue(`${field}.${named}`, 'may not specify more than 1 volume type'));
    else check?.(faults, `${field}.${name}`, source);
    found++;
  }
  if (found === 0) faults.push(requiredValue(field, 'must specify a volume type'));
}

function required(member: string): (faults: Faults, field: string, source: Fields) => void {
  return (faults, field, source) => {
    if (isBlank(source[member])) faults.push(requiredValue(`${field}.${member}`));
  };
}

function checkEmptyDir(faults: Faults, field: string, { sizeLimit }: Fields): void {
  if (sizeLimit !== undefined && parseQuantity(sizeLimit).nanos < 0n) {
    faults.push(forbiddenValue(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
  }
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

export function checkHostPath(faults: Faults, field: string, { path, type }: Fields): void {
  if (isBlank(path)) {
    faults.push(requiredValue(`${field}.path`));
    return;
  }
  checkNoBacksteps(faults, `${field}.path`, path);
  checkOption(faults, `${field}.type`, type, hostPathTypes);
}

export function checkNfs(faults: Faults, field: string, { server, path = '' }: Fields): void {
  if (isBlank(server)) faults.push(requiredValue(`${field}.server`));
  if (path === '') faults.push(requiredValue(`${field}.path`));
  if (!path.startsWith('/')) faults.push(invalidValue(`${field}.path`, path, 'must be an absolute path'));
}

function checkSecret(faults: Faults, field: string, { secretName, defaultMode, items }: Fields): void {
  if (isBlank(secretName)) faults.push(requiredValue(`${field}.secretName`));
  checkMode(faults, `${field}.defaultMode`, defaultMode);
  for (const [index, item] of listOf(items).entries()) checkKeyToPath(faults, `${field}.items[${index}]`, item);
}

function checkConfigMap(faults: Faults, field: string, { name, defaultMode, items }: Fields): void {
  if (isBlank(name)) faults.push(requiredValue(`${field}.name`));
  checkMode(faults, `${field}.defaultMode`, defaultMode);
  for (const [index, item] of listOf(items).entries()) checkKeyToPath(faults, `${field}.items[${index}]`, item);
}

function checkMode(faults: Faults, field: string, mode: number | undefined): void {
  if (mode !== undefined && (mode > 0o777 || mode < 0)) {
    faults.push(invalidValue(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
  }
}

function checkKeyToPath(faults: Faults, field: string, { key, path = '', mode }: Fields): void {
  if (isBlank(key)) faults.push(requiredValue(`${field}.key`));
  if (path === '') faults.push(requiredValue(`${field}.path`));
  checkOwnPath(faults, `${field}.path`, path);
  checkMode(faults, `${field}.mode`, mode);
}

/** Names that start with two dots are the kubelet's. */
function checkOwnPath(faults: Faults, field: string, path: string): void {
  checkDescendingPath(faults, field, path);
  if (path.startsWith('..') && !path.startsWith('../')) faults.push(invalidValue(field, path, "must not start with '..'"));
}

function checkDownwardApi(faults: Faults, field: string, { defaultMode, items }: Fields): void {
  checkMode(faults, `${field}.defaultMode`, defaultMode);
  for (const item of listOf(items)) checkDownwardFile(faults, field, item);
}

function checkDownwardFile(faults: Faults, field: string, { path = '', fieldRef, resourceFieldRef, mode }: Fields): void {
  if (path === '') faults.push(requiredValue(`${field}.path`));
  checkOwnPath(faults, `${field}.path`, path);
  if (fieldRef !== undefined) {
    checkFieldSelector(faults, `${field}.fieldRef`, fieldRef, volumeFieldPaths);
    if (resourceFieldRef !== undefined) {
      faults.push(invalidValue(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    }
  } else if (resourceFieldRef !== undefined) checkResourceFieldSelector(faults, `${field}.resourceFieldRef`, resourceFieldRef, true);
  else faults.push(requiredValue(field, 'one of fieldRef and resourceFieldRef is required'));
  checkMode(faults, `${field}.mode`, mode);
}

function checkProjected(faults: Faults, field: string, { defaultMode, sources: projections }: Fields): void {
  checkMode(faults, `${field}.defaultMode`, defaultMode);
  const paths = new Set<string>();
  const claim = (path: string, shown: string) => {
    if (paths.has(path)) faults.push(invalidValue(field, shown, 'conflicting duplicate paths'));
    paths.add(path);
  };
  for (const [index, source] of listOf(projections).entries()) {
    const at = `${field}.sources[${index}]`;
    for (const kind of ['secret', 'configMap']) {
      const projection: Fields | undefined = source[kind];
      if (projection === undefined) continue;
      if (isBlank(projection.name)) faults.push(requiredValue(`${at}.${kind}.name`));
      for (const [position, item] of listOf(projection.items).entries()) {
        checkKeyToPath(faults, `${at}.${kind}.items[${position}]`, item);
        if (!isBlank(item.path)) claim(item.path, projection.name ?? '');
      }
    }
    for (const item of listOf(source.downwardAPI?.items)) {
      checkDownwardFile(faults, `${at}.downwardAPI`, item);
      if (!isBlank(item.path)) claim(item.path, item.path);
    }
    if (source.serviceAccountToken !== undefined) checkTokenProjection(faults, field, at, source.serviceAccountToken);
    if (source.clusterTrustBundle !== undefined) {
      checkTrustBundle(faults, `${at}.clusterTrustBundle`, source.clusterTrustBundle);
      claim(source.clusterTrustBundle.path ?? '', source.clusterTrustBundle.path ?? '');
    }
    const kinds = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];
    if (kinds.filter((kind) => source[kind] !== undefined).length > 1) {
      faults.push(forbiddenValue(at, 'may not specify more than 1 volume type per source'));
    }
  }
}

function checkTokenProjection(faults: Faults, field: string, at: string, { expirationSeconds = 3600, path }: Fields): void {
  const lifetime = `${at}.serviceAccountToken.expirationSeconds`;
  if (expirationSeconds < 600) faults.push(invalidValue(lifetime, expirationSeconds, 'may not specify a duration less than 10 minutes'));
  if (expirationSeconds > 2 ** 32) {
    faults.push(invalidValue(lifetime, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  if (isBlank(path)) faults.push(requiredValue(`${field}.path`));
  else checkOwnPath(faults, `${field}.path`, path);
}

function checkTrustBundle(faults: Faults, field: string, { name, signerName, labelSelector, path = '' }: Fields): void {
  if (name === undefined && signerName === undefined) faults.push(requiredValue(field, 'either name or signerName must be specified'));
  else if (name === '') faults.push(requiredValue(`${field}.name`, 'must be a valid object name'));
  if (signerName !== undefined) checkSelector(faults, `${field}.labelSelector`, labelSelector);
  if (path === '') faults.push(requiredValue(`${field}.path`));
  checkOwnPath(faults, `${field}.path`, path);
}

export function checkDriverName(faults: Faults, field: string, name: string): void {
  if (name === '') {
    faults.push(requiredValue(field));
    return;
  }
  if (name.length > 63) faults.push(tooLong(field, 63));
  for (const text of nameFaults('subdomain', name.toLowerCase())) faults.push(invalidValue(field, name, text));
}

function checkCsi(faults: Faults, field: string, { driver = '', nodePublishSecretRef }: Fields): void {
  checkDriverName(faults, `${field}.driver`, driver);
  if (nodePublishSecretRef === undefined) return;
  if (isBlank(nodePublishSecretRef.name)) faults.push(requiredValue(`${field}.nodePublishSecretRef.name`));
  else checkName(faults, `${field}.name`, 'subdomain', nodePublishSecretRef.name);
}

function checkEphemeral(faults: Faults, field: string, { volumeClaimTemplate }: Fields): void {
  if (volumeClaimTemplate === undefined) faults.push(requiredValue(`${field}.volumeClaimTemplate`));
  else checkClaimTemplate(faults, `${field}.volumeClaimTemplate`, volumeClaimTemplate);
}

function checkImage(faults: Faults, field: string, { reference, pullPolicy }: Fields): void {
  if (isBlank(reference)) faults.push(requiredValue(`${field}.reference`));
  const policies = ['Always', 'IfNotPresent', 'Never'];
  if (!isBlank(pullPolicy) && !policies.includes(pullPolicy)) faults.push(unsupportedValue(`${field}.pullPolicy`, pullPolicy, policies));
}
