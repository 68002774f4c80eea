import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { forbiddenValue, invalidValue, requiredValue } from '../field-errors.js';
import {
  checkImmutable,
  checkQualifiedName,
  type Faults,
  type Fields,
  inRange,
  isBlank,
  largestInt32,
  listOf,
  sameFields,
} from './checks.js';
import { checkTrimmedImage } from './containers.js';
import { internalDiff, internalForm } from './internal-form.js';
import { checkAddress, isIpv6 } from './ip-addresses.js';
import { checkPodSpec } from './pod-spec.js';
import { checkPodAnnotations } from './pod-templates.js';
import { checkTolerations } from './scheduling.js';

export function checkPod(faults: Faults, pod: KubeObject, stored: KubeObject | undefined): void {
  const spec: Fields = pod.spec ?? {};
  checkPodAsItIs(faults, pod);
  if (stored !== undefined) {
    checkAnnotationChange(faults, pod, stored, spec);
    checkChange(faults, spec, stored.spec ?? {});
    return;
  }
  if (listOf(spec.ephemeralContainers).length > 0) faults.push(forbiddenValue('spec.ephemeralContainers', 'cannot be set on create'));
  if (!isBlank(spec.nodeName) && listOf(spec.schedulingGates).length > 0) {
    faults.push(forbiddenValue('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
}

/** What is wrong with a pod whatever it was before. */
export function checkPodAsItIs(faults: Faults, pod: KubeObject): void {
  const spec: Fields = pod.spec ?? {};
  checkPodAnnotations(faults, 'metadata.annotations', pod.metadata.annotations, spec);
  checkPodSpec(faults, 'spec', spec, { podName: pod.metadata.name, isPod: true });
  if (isBlank(spec.serviceAccountName)) {
    for (const [index, { projected }] of listOf(spec.volumes).entries()) {
      for (const [place, { serviceAccountToken }] of listOf(projected?.sources).entries()) {
        if (serviceAccountToken === undefined) continue;
        // TK-7
        const at = `spec.volumes[${index}].projected.sources[${place}].serviceAccountToken`;
        faults.push(forbiddenValue(at, 'must not be specified when serviceAccountName is not set'));
      }
    }
  }
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of listOf(spec[list]).entries()) checkTrimmedImage(faults, `spec.${list}[${index}]`, container);
  }
}

const mirror = 'kubernetes.io/config.mirror';
const armor = 'container.apparmor.security.beta.kubernetes.io/';

function checkAnnotationChange(faults: Faults, pod: KubeObject, stored: KubeObject, spec: Fields): void {
  const after = pod.metadata.annotations ?? {};
  const before = stored.metadata.annotations ?? {};
  for (const [key, old] of Object.entries(before)) {
    if (after[key] === old) continue;
    const at = `metadata.annotations[${key}]`;
    if (key.startsWith(armor)) faults.push(forbiddenValue(at, 'may not remove or update AppArmor annotations'));
    if (key === mirror) faults.push(forbiddenValue(at, 'may not remove or update mirror pod annotation'));
  }
  for (const key of Object.keys(after)) {
    if (before[key] !== undefined) continue;
    if (key.startsWith(armor)) faults.push(forbiddenValue(`metadata.annotations[${key}]`, 'may not add AppArmor annotations'));
    if (key === mirror) faults.push(forbiddenValue(`metadata.annotations[${key}]`, 'may not add mirror pod annotation'));
  }
  checkPodAnnotations(faults, 'metadata.annotations', after, spec);
}

const fixedFault =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

/** TK-7, TK-10: what may be changed of a pod, and how. */
function checkChange(faults: Faults, spec: Fields, stored: Fields): void {
  for (const list of ['containers', 'initContainers']) if (!checkImages(faults, `spec.${list}`, spec[list], stored[list])) return;
  if (!checkDeadline(faults, spec.activeDeadlineSeconds, stored.activeDeadlineSeconds)) return;
  checkAddedTolerations(faults, listOf(spec.tolerations), listOf(stored.tolerations));
  checkRemovedGates(faults, listOf(spec.schedulingGates), listOf(stored.schedulingGates));
  let free: Fields = {
    ...spec,
    containers: withImages(spec.containers, stored.containers),
    initContainers: withImages(spec.initContainers, stored.initContainers),
    activeDeadlineSeconds: stored.activeDeadlineSeconds,
    schedulingGates: stored.schedulingGates,
    tolerations: stored.tolerations,
  };
  if (stored.terminationGracePeriodSeconds < 0 && spec.terminationGracePeriodSeconds === 1) {
    free = { ...free, terminationGracePeriodSeconds: stored.terminationGracePeriodSeconds };
  }
  if (listOf(stored.schedulingGates).length > 0) free = checkGated(faults, free, stored);
  if (!sameFields(free, stored)) faults.push(forbiddenValue('spec', fixedFault + internalDiff('core.PodSpec', stored, free)));
}

/** @returns whether the rest can be compared. */
function checkImages(faults: Faults, field: string, containers: unknown, stored: unknown): boolean {
  const list = listOf(containers);
  if (list.length !== listOf(stored).length) {
    faults.push(forbiddenValue(field, 'pod updates may not add or remove containers'));
    return false;
  }
  for (const [index, container] of list.entries()) {
    if (isBlank(container.image)) faults.push(requiredValue(`${field}[${index}].image`));
    checkTrimmedImage(faults, `${field}[${index}]`, container);
  }
  return true;
}

function withImages(containers: unknown, stored: unknown): unknown {
  if (!Array.isArray(containers)) return containers;
  return containers.map((container, index) => ({ ...container, image: listOf(stored)[index]?.image }));
}

/** @returns whether the rest can be compared. */
function checkDeadline(faults: Faults, deadline: number | undefined, stored: number | undefined): boolean {
  const field = 'spec.activeDeadlineSeconds';
  if (deadline === undefined) {
    if (stored !== undefined) faults.push(invalidValue(field, null, 'must not update from a positive integer to nil value'));
    return true;
  }
  if (deadline < 0 || deadline > largestInt32) faults.push(invalidValue(field, deadline, inRange(0, largestInt32)));
  else if (stored !== undefined && stored < deadline) {
    faults.push(invalidValue(field, deadline, 'must be less than or equal to previous value'));
  } else return true;
  return false;
}

function checkAddedTolerations(faults: Faults, tolerations: readonly Fields[], stored: readonly Fields[]): void {
  const same = (a: Fields, b: Fields) => sameFields({ ...a, tolerationSeconds: undefined }, { ...b, tolerationSeconds: undefined });
  if (!stored.every((old) => tolerations.some((toleration) => same(toleration, old)))) {
    faults.push(forbiddenValue('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'));
    return;
  }
  checkTolerations(faults, 'spec.tolerations', tolerations);
}

function checkRemovedGates(faults: Faults, gates: readonly Fields[], stored: readonly Fields[]): void {
  for (const [index, { name }] of gates.entries()) {
    if (stored.some((old) => old.name === name)) continue;
    const text = `only deletion is allowed, but found new scheduling gate '${name}'`;
    faults.push(forbiddenValue(`spec.schedulingGates[${index}].name`, text));
  }
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** A pod that still waits at a gate may become more choosy about its node. */
function checkGated(faults: Faults, spec: Fields, stored: Fields): Fields {
  let free = spec;
  if (!deepEqual(spec.nodeSelector, stored.nodeSelector)) {
    const before: Readonly<Record<string, string>> = stored.nodeSelector ?? {};
    if (Object.keys(before).some((key) => spec.nodeSelector?.[key] !== before[key])) {
      const text = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
      faults.push(invalidValue('spec.nodeSelector', spec.nodeSelector ?? null, text));
    }
    free = { ...free, nodeSelector: stored.nodeSelector };
  }
  const before: Fields | undefined = stored.affinity?.nodeAffinity;
  const after: Fields | undefined = spec.affinity?.nodeAffinity;
  if (deepEqual(before, after)) return free;
  checkNodeAffinityChange(faults, `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`, after, before);
  const affinity = { ...spec.affinity, nodeAffinity: before };
  const isEmpty = Object.values(affinity).every((part) => part === undefined);
  return { ...free, affinity: isEmpty ? undefined : affinity };
}

function checkNodeAffinityChange(faults: Faults, field: string, after: Fields | undefined, before: Fields | undefined): void {
  const oldTerms = listOf(before?.[required]?.nodeSelectorTerms);
  const newTerms = listOf(after?.[required]?.nodeSelectorTerms);
  if (oldTerms.length === 0) return;
  if (oldTerms.length !== newTerms.length) {
    const shown = newTerms.map((term) => internalForm('core.NodeSelectorTerm', term));
    faults.push(invalidValue(field, shown, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'));
    return;
  }
  for (const [index, old] of oldTerms.entries()) {
    const term = newTerms[index] as Fields;
    const grows = (list: string) => deepEqual(listOf(term[list]).slice(0, listOf(old[list]).length), listOf(old[list]));
    const wasEmpty = listOf(old.matchExpressions).length + listOf(old.matchFields).length === 0;
    const isEmpty = listOf(term.matchExpressions).length + listOf(term.matchFields).length === 0;
    if (grows('matchExpressions') && grows('matchFields') && (!wasEmpty || isEmpty)) continue;
    const shown = internalForm('core.NodeSelectorTerm', term);
    faults.push(invalidValue(`${field}[${index}]`, shown, 'only additions are allowed (no mutations or deletions)'));
  }
}

/** UP-22: ephemeral containers come, and stay as they are. */
export function checkEphemeralChange(faults: Faults, pod: KubeObject, stored: KubeObject): void {
  const spec: Fields = pod.spec ?? {};
  checkPodAsItIs(faults, pod);
  checkAnnotationChange(faults, pod, stored, spec);
  for (const old of listOf(stored.spec?.ephemeralContainers)) {
    const next = listOf(spec.ephemeralContainers).find(({ name }) => name === old.name);
    const text = `existing ephemeral containers "${old.name}" may not be`;
    if (next === undefined) faults.push(forbiddenValue('spec.ephemeralContainers', `${text} removed\n`));
    else if (!deepEqual(next, old)) {
      const diff = internalDiff('core.EphemeralContainer', old, next);
      faults.push(forbiddenValue('spec.ephemeralContainers', `${text} changed\n${diff}`));
    }
  }
}

const systemConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** TK-7: what a kubelet may report. */
export function checkPodStatus(faults: Faults, pod: KubeObject, stored: KubeObject): void {
  const status: Fields = pod.status ?? {};
  const before: Fields = stored.status ?? {};
  checkAnnotationChange(faults, pod, stored, stored.spec ?? {});
  for (const [index, { type = '', observedGeneration = 0 }] of listOf(status.conditions).entries()) {
    const at = `status.conditions[${index}]`;
    if (observedGeneration < 0) {
      faults.push(invalidValue(`${at}.observedGeneration`, observedGeneration, 'must be a non-negative integer'));
    }
    if (!systemConditions.has(type)) checkQualifiedName(faults, `${at}.Type`, type);
  }
  if (status.observedGeneration < 0) {
    faults.push(invalidValue('status.observedGeneration', status.observedGeneration, 'must be a non-negative integer'));
  }
  checkImmutable(faults, 'status.qosClass', status.qosClass ?? '', before.qosClass ?? '');
  checkTransitions(faults, 'status.containerStatuses', status.containerStatuses, before.containerStatuses, stored.spec ?? {});
  checkIps(faults, 'status.podIPs', listOf(status.podIPs), listOf(before.podIPs), 'core.PodIP');
  const hostIps = listOf(status.hostIPs);
  if (hostIps.length === 0) return;
  if (hostIps[0]?.ip !== status.hostIP) {
    faults.push(invalidValue('status.hostIPs[0].ip', hostIps[0]?.ip ?? '', 'must be equal to `hostIP`'));
  }
  checkIps(faults, 'status.hostIPs', hostIps, listOf(before.hostIPs), 'core.HostIP');
}

function checkIps(faults: Faults, field: string, ips: readonly Fields[], stored: readonly Fields[], form: string): void {
  const known = stored.map(({ ip }) => ip as string);
  for (const [index, { ip = '' }] of ips.entries()) checkAddress(faults, `${field}[${index}]`, ip, known);
  if (ips.length < 2) return;
  const dual = new Set(ips.map(({ ip = '' }) => isIpv6(ip))).size === 2;
  if (dual && ips.length === 2) return;
  const shown = ips.map((ip) => internalForm(form, ip));
  faults.push(invalidValue(field, shown, 'may specify no more than one IP for each IP family'));
}

/** A container that has ended for good does not come back. */
function checkTransitions(faults: Faults, field: string, statuses: unknown, stored: unknown, spec: Fields): void {
  const containers = listOf(spec.containers);
  // One container that may restart all of them is enough.
  const all = containers.some(({ restartPolicyRules }) =>
    listOf(restartPolicyRules).some(({ action }) => action === 'RestartAllContainers'),
  );
  if (all) return;
  for (const [index, old] of listOf(stored).entries()) {
    const { terminated } = old.state ?? {};
    if (terminated === undefined) continue;
    const next = listOf(statuses).find(({ name }) => name === old.name);
    if (next === undefined || next.state?.terminated !== undefined) continue;
    const container = containers.find(({ name }) => name === old.name);
    if (container !== undefined && mayRestart(container, spec.restartPolicy, terminated.exitCode ?? 0)) continue;
    faults.push(forbiddenValue(`${field}[${index}].state`, 'may not be transitioned to non-terminated state'));
  }
}

function mayRestart({ restartPolicy, restartPolicyRules }: Fields, ofPod: string, exitCode: number): boolean {
  for (const { action, exitCodes } of listOf(restartPolicyRules)) {
    const listed = ((exitCodes?.values ?? []) as readonly number[]).includes(exitCode);
    if (action === 'Restart' && listed === (exitCodes?.operator === 'In')) return true;
  }
  switch (restartPolicy ?? ofPod) {
    case 'Always':
      return true;
    case 'OnFailure':
      return exitCode !== 0;
    default:
      return false;
  }
}
