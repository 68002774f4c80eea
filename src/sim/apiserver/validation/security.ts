import { duplicateValue, forbiddenValue, invalidValue, requiredValue, tooLong, unsupportedValue } from '../field-errors.js';
import { checkDescendingPath, checkOption, type Faults, type Fields, inRange, isBlank, largestInt32, listOf } from './checks.js';
import { internalForm } from './internal-form.js';

function checkId(faults: Faults, field: string, id: number | undefined): void {
  if (id !== undefined && (id < 0 || id > largestInt32)) faults.push(invalidValue(field, id, inRange(0, largestInt32)));
}

/** A container's own. */
export function checkSecurityContext(faults: Faults, field: string, context: Fields | undefined, hostUsers: boolean): void {
  if (context === undefined) return;
  checkId(faults, `${field}.runAsUser`, context.runAsUser);
  checkId(faults, `${field}.runAsGroup`, context.runAsGroup);
  if (context.procMount !== undefined) {
    checkOption(faults, `${field}.procMount`, context.procMount, ['Default', 'Unmasked']);
    if (hostUsers && context.procMount === 'Unmasked') {
      faults.push(invalidValue(`${field}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`'));
    }
  }
  checkSeccomp(faults, `${field}.seccompProfile`, context.seccompProfile);
  if (context.allowPrivilegeEscalation === false) {
    const refuse = (text: string) => faults.push(invalidValue(field, internalForm('core.SecurityContext', context), text));
    if (context.privileged === true) refuse('cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
      refuse('cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN');
    }
  }
  checkAppArmor(faults, `${field}.appArmorProfile`, context.appArmorProfile);
}

/** A pod's. */
export function checkPodSecurityContext(faults: Faults, field: string, spec: Fields): void {
  const context: Fields | undefined = spec.securityContext;
  if (context === undefined) return;
  checkId(faults, `${field}.fsGroup`, context.fsGroup);
  checkId(faults, `${field}.runAsUser`, context.runAsUser);
  checkId(faults, `${field}.runAsGroup`, context.runAsGroup);
  for (const [index, id] of (context.supplementalGroups ?? []).entries()) checkId(faults, `${field}.supplementalGroups[${index}]`, id);
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const text = 'ShareProcessNamespace and HostPID cannot both be enabled';
    faults.push(invalidValue(`${field}.shareProcessNamespace`, true, text));
  }
  checkSysctls(faults, `${field}.sysctls`, spec, listOf(context.sysctls));
  checkOption(faults, `${field}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']);
  checkSeccomp(faults, `${field}.seccompProfile`, context.seccompProfile);
  checkAppArmor(faults, `${field}.appArmorProfile`, context.appArmorProfile);
  checkOption(faults, `${field}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ['Merge', 'Strict']);
  checkOption(faults, `${field}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ['Recursive']);
}

const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlPattern = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const sysctlSyntax = new RegExp(sysctlPattern);

function checkSysctls(faults: Faults, field: string, spec: Fields, sysctls: readonly Fields[]): void {
  const names = new Set<string>();
  for (const [index, { name = '' }] of sysctls.entries()) {
    const at = `${field}[${index}].name`;
    if (name === '') faults.push(requiredValue(at));
    else if (name.length > 253 || !sysctlSyntax.test(name)) {
      faults.push(invalidValue(at, name, `must have at most 253 characters and match regex ${sysctlPattern}`));
    } else if (names.has(name)) faults.push(duplicateValue(at, name));
    if (spec.hostNetwork === true && name.startsWith('net.')) {
      faults.push(invalidValue(at, name, "may not be specified when 'hostNetwork' is true"));
    } else if (spec.hostIPC === true && /^(kernel\.(shm|msg|sem)|fs\.mqueue\.)/.test(name)) {
      faults.push(invalidValue(at, name, "may not be specified when 'hostIPC' is true"));
    }
    names.add(name);
  }
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function checkSeccomp(faults: Faults, field: string, profile: Fields | undefined): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (isBlank(type)) faults.push(requiredValue(`${field}.type`, 'type is required when seccompProfile is set'));
  else if (!profileTypes.includes(type)) faults.push(unsupportedValue(`${field}.type`, type, profileTypes));
  const at = `${field}.localhostProfile`;
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return;
    faults.push(invalidValue(at, internalForm('core.SeccompProfile', profile), 'can only be set when seccomp type is Localhost'));
  } else if (localhostProfile === undefined) faults.push(requiredValue(at, 'must be set when seccomp type is Localhost'));
  else checkDescendingPath(faults, at, localhostProfile);
}

function checkAppArmor(faults: Faults, field: string, profile: Fields | undefined): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  const at = `${field}.localhostProfile`;
  if (type === 'Localhost') {
    if (localhostProfile === undefined) faults.push(requiredValue(at, 'must be set when AppArmor type is Localhost'));
    else {
      if (localhostProfile.trim() !== localhostProfile) {
        faults.push(invalidValue(at, localhostProfile, 'must not be padded with whitespace'));
      } else if (localhostProfile === '') faults.push(requiredValue(at, 'must be set when AppArmor type is Localhost'));
      if (localhostProfile.length > 4095) faults.push(tooLong(at, 4095));
    }
  } else if (isBlank(type)) faults.push(requiredValue(`${field}.type`, 'type is required when appArmorProfile is set'));
  else if (!profileTypes.includes(type)) faults.push(unsupportedValue(`${field}.type`, type, profileTypes));
  else if (localhostProfile !== undefined) {
    faults.push(invalidValue(at, localhostProfile, 'can only be set when AppArmor type is Localhost'));
  }
}

/** What a pod with its own users may not share with its host. */
export function checkHostUsers(faults: Faults, field: string, spec: Fields): void {
  if (spec.hostUsers !== false) return;
  const refuse = (name: string) => faults.push(forbiddenValue(`${field}.${name}`, 'when `hostUsers` is false'));
  if (spec.hostNetwork === true) refuse('hostNetwork');
  if (spec.hostPID === true) refuse('HostPID');
  if (spec.hostIPC === true) refuse('HostIPC');
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const [index, { volumeDevices }] of listOf(spec[list]).entries()) {
      if (listOf(volumeDevices).length > 0) refuse(`${list}[${index}].volumeDevices`);
    }
  }
}
