import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../field-errors.js';
import {
  checkDescendingPath,
  checkEnum,
  checkName,
  checkNoBacksteps,
  checkOption,
  checkPortNumber,
  configKeyFaults,
  envNameFaults,
  type Faults,
  type Fields,
  invalidFor,
  isBlank,
  listOf,
  notFoundValue,
  portNameFaults,
} from './checks.js';
import { checkFieldSelector, checkResourceFieldSelector, variableFieldPaths } from './downward-api.js';
import type { Volumes } from './volumes.js';

export const protocols = ['SCTP', 'TCP', 'UDP'];

export function checkContainerPorts(faults: Faults, field: string, ports: readonly Fields[]): void {
  const names = new Set<string>();
  for (const [index, { name, containerPort, hostPort, protocol }] of ports.entries()) {
    const at = `${field}[${index}]`;
    if (!isBlank(name)) {
      const texts = portNameFaults(name);
      invalidFor(faults, `${at}.name`, name, texts);
      if (texts.length === 0 && names.has(name)) faults.push(duplicateValue(`${at}.name`, name));
      names.add(name);
    }
    if ((containerPort ?? 0) === 0) faults.push(requiredValue(`${at}.containerPort`));
    else checkPortNumber(faults, `${at}.containerPort`, containerPort);
    if ((hostPort ?? 0) !== 0) checkPortNumber(faults, `${at}.hostPort`, hostPort);
    checkEnum(faults, `${at}.protocol`, protocol, protocols);
  }
}

export function checkVariables(faults: Faults, field: string, variables: readonly Fields[]): void {
  for (const [index, { name = '', value, valueFrom }] of variables.entries()) {
    const at = `${field}[${index}]`;
    if (name === '') faults.push(requiredValue(`${at}.name`));
    else invalidFor(faults, `${at}.name`, name, envNameFaults(name));
    if (valueFrom !== undefined) checkValueSource(faults, `${at}.valueFrom`, valueFrom, value);
  }
}

function checkValueSource(faults: Faults, field: string, source: Fields, value: unknown): void {
  let found = 0;
  const at = (name: string, check: (reference: Fields, path: string) => void) => {
    if (source[name] === undefined) return;
    found++;
    check(source[name], `${field}.${name}`);
  };
  at('fieldRef', (reference, path) => checkFieldSelector(faults, path, reference, variableFieldPaths));
  at('resourceFieldRef', (reference, path) => checkResourceFieldSelector(faults, path, reference, false));
  for (const name of ['configMapKeyRef', 'secretKeyRef']) at(name, (reference, path) => checkKeyReference(faults, path, reference));
  at('fileKeyRef', (reference, path) => checkFileKey(faults, path, reference));
  if (found === 0) {
    const text = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    faults.push(invalidValue(field, '', text));
  } else if (!isBlank(value)) faults.push(invalidValue(field, '', 'may not be specified when `value` is not empty'));
  else if (found > 1) faults.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
}

function checkKeyReference(faults: Faults, field: string, { name = '', key = '' }: Fields): void {
  checkName(faults, `${field}.name`, 'subdomain', name);
  if (key === '') faults.push(requiredValue(`${field}.key`));
  else invalidFor(faults, `${field}.key`, key, configKeyFaults(key));
}

function checkFileKey(faults: Faults, field: string, { key = '', volumeName = '', path = '' }: Fields): void {
  if (key === '') faults.push(requiredValue(`${field}.key`));
  else invalidFor(faults, `${field}.key`, key, envNameFaults(key));
  if (volumeName === '') faults.push(requiredValue(`${field}.volumeName`));
  else checkName(faults, `${field}.volumeName`, 'label', volumeName);
  if (path === '') faults.push(requiredValue(`${field}.path`));
  else checkNoBacksteps(faults, `${field}.path`, path);
}

export function checkVariableSources(faults: Faults, field: string, sources: readonly Fields[]): void {
  for (const [index, source] of sources.entries()) {
    const at = `${field}[${index}]`;
    if (!isBlank(source.prefix)) invalidFor(faults, `${at}.prefix`, source.prefix, envNameFaults(source.prefix));
    const found = ['configMapRef', 'secretRef'].filter((name) => source[name] !== undefined);
    for (const name of found) {
      if (isBlank(source[name].name)) faults.push(requiredValue(`${at}.${name}.name`));
      else checkName(faults, `${at}.${name}.name`, 'subdomain', source[name].name);
    }
    if (found.length === 0) faults.push(invalidValue(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (found.length > 1) faults.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
  }
}

export function checkMounts(faults: Faults, field: string, container: Fields, volumes: Volumes): void {
  const mounts = listOf(container.volumeMounts);
  if (mounts.length === 0) return;
  const paths = new Set<string>();
  const devices = listOf(container.volumeDevices);
  for (const [index, mount] of mounts.entries()) {
    const { name = '', mountPath = '', subPath, subPathExpr } = mount;
    const at = `${field}[${index}]`;
    if (name === '') faults.push(requiredValue(`${at}.name`));
    if (!volumes.has(name)) faults.push(notFoundValue(`${at}.name`, name));
    if (mountPath === '') faults.push(requiredValue(`${at}.mountPath`));
    if (paths.has(mountPath)) faults.push(invalidValue(`${at}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (devices.some((device) => device.name === name)) {
      faults.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (devices.some((device) => device.devicePath === mountPath)) {
      faults.push(invalidValue(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    }
    // From here on the server names the list, not the mount.
    if (!isBlank(subPath)) checkDescendingPath(faults, `${field}.subPath`, subPath);
    if (!isBlank(subPathExpr)) {
      if (!isBlank(subPath)) {
        faults.push(invalidValue(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      }
      checkDescendingPath(faults, `${field}.subPathExpr`, subPathExpr);
    }
    checkPropagation(faults, field, mount, container.securityContext?.privileged === true);
  }
}

function checkPropagation(faults: Faults, field: string, mount: Fields, privileged: boolean): void {
  const { mountPropagation, recursiveReadOnly, readOnly } = mount;
  checkOption(faults, `${field}.mountPropagation`, mountPropagation, ['Bidirectional', 'HostToContainer', 'None']);
  if (mountPropagation === 'Bidirectional' && !privileged) {
    const text = 'Bidirectional mount propagation is available only to privileged containers';
    faults.push(forbiddenValue(`${field}.mountPropagation`, text));
  }
  const at = `${field}.recursiveReadOnly`;
  checkOption(faults, at, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible']);
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible') return;
  if (readOnly !== true) faults.push(forbiddenValue(at, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    faults.push(forbiddenValue(at, 'may only be specified when mountPropagation is None or not specified'));
  }
}

export function checkDevices(faults: Faults, field: string, container: Fields, volumes: Volumes): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = listOf(container.volumeMounts);
  for (const [index, { name = '', devicePath = '' }] of listOf(container.volumeDevices).entries()) {
    const at = `${field}[${index}]`;
    const volume = volumes.get(name);
    if (name === '') faults.push(requiredValue(`${at}.name`));
    if (names.has(name)) faults.push(invalidValue(`${at}.name`, name, 'must be unique'));
    if (volume === undefined) faults.push(notFoundValue(`${at}.name`, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const text = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      faults.push(invalidValue(`${at}.name`, name, text));
    }
    if (devicePath === '') faults.push(requiredValue(`${at}.devicePath`));
    if (paths.has(devicePath)) faults.push(invalidValue(`${at}.devicePath`, devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..')) {
      faults.push(invalidValue(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    } else paths.add(devicePath);
    if (mounts.some((mount) => mount.name === name)) {
      faults.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (mounts.some((mount) => mount.mountPath === devicePath)) {
      faults.push(invalidValue(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
  }
}
