import { duplicateValue, forbiddenValue, invalidValue, requiredValue, tooMany, unsupportedValue } from '../field-errors.js';
import { checkEnum, checkName, type Faults, type Fields, isBlank, listOf, notFoundValue } from './checks.js';
import { checkContainerPorts, checkDevices, checkMounts, checkVariableSources, checkVariables } from './container-parts.js';
import { checkLifecycle, checkProbe, probeKinds } from './handlers.js';
import { checkResources } from './resources.js';
import { checkSecurityContext } from './security.js';
import type { Volumes } from './volumes.js';

/** What containers are checked against. */
export interface PodContext {
  readonly spec: Fields;
  readonly volumes: Volumes;
  readonly claims: ReadonlySet<string>;
  readonly gracePeriod: number;
}

export function checkContainers(faults: Faults, field: string, context: PodContext): void {
  const { spec, gracePeriod } = context;
  const containers = listOf(spec.containers);
  if (containers.length === 0) {
    faults.push(requiredValue(field));
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = `${field}[${index}]`;
    checkCommon(faults, at, container, context);
    checkUnique(faults, at, container.name ?? '', names);
    names.add(container.name ?? '');
    checkLifecycle(faults, `${at}.lifecycle`, container.lifecycle, gracePeriod, spec.os?.name);
    for (const kind of probeKinds) checkProbe(faults, at, kind, container[kind], gracePeriod);
    checkRestart(faults, at, container);
  }
  checkHostPorts(faults, field, containers);
}

const noSidecar = 'may not be set for init containers without restartPolicy=Always';

export function checkInitContainers(faults: Faults, field: string, context: PodContext): void {
  const { spec, gracePeriod } = context;
  const names = new Set(listOf(spec.containers).map((container) => container.name ?? ''));
  for (const [index, container] of listOf(spec.initContainers).entries()) {
    const at = `${field}[${index}]`;
    checkCommon(faults, at, container, context);
    checkRestart(faults, at, container);
    checkUnique(faults, at, container.name ?? '', names);
    if (!isBlank(container.name)) names.add(container.name);
    checkHostPorts(faults, field, [container]);
    if (container.restartPolicy === 'Always') {
      checkLifecycle(faults, `${at}.lifecycle`, container.lifecycle, gracePeriod, spec.os?.name);
      for (const kind of probeKinds) checkProbe(faults, at, kind, container[kind], gracePeriod);
      continue;
    }
    for (const part of ['lifecycle', ...probeKinds]) {
      if (container[part] !== undefined) faults.push(forbiddenValue(`${at}.${part}`, noSidecar));
    }
    for (const [place, { restartPolicy }] of listOf(container.resizePolicy).entries()) {
      if (restartPolicy !== 'RestartContainer') continue;
      const text = "must not be set to 'RestartContainer' for non-sidecar initContainers";
      faults.push(invalidValue(`${at}.resizePolicy[${place}].restartPolicy`, restartPolicy, text));
    }
  }
}

const notEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];

export function checkEphemeralContainers(faults: Faults, field: string, context: PodContext): void {
  const others = new Set<string>();
  for (const list of ['containers', 'initContainers']) for (const { name = '' } of listOf(context.spec[list])) others.add(name);
  const names = new Set(others);
  for (const [index, container] of listOf(context.spec.ephemeralContainers).entries()) {
    const at = `${field}[${index}]`;
    checkCommon(faults, at, container, context);
    checkTrimmedImage(faults, at, container);
    checkUnique(faults, at, container.name ?? '', names);
    names.add(container.name ?? '');
    const target = container.targetContainerName;
    if (!isBlank(target) && !others.has(target)) faults.push(notFoundValue(`${at}.targetContainerName`, target));
    for (const part of notEphemeral) {
      const value = container[part];
      const isSet = value !== undefined && (part !== 'resources' || Object.keys(value).length > 0);
      if (isSet) faults.push(forbiddenValue(`${at}.${part}`, 'cannot be set for an Ephemeral Container'));
    }
    for (const [place, mount] of listOf(container.volumeMounts).entries()) {
      for (const part of ['subPath', 'subPathExpr']) {
        if (isBlank(mount[part])) continue;
        faults.push(forbiddenValue(`${at}.volumeMounts[${place}].${part}`, 'cannot be set for an Ephemeral Container'));
      }
    }
  }
}

export function checkTrimmedImage(faults: Faults, field: string, { image = '' }: Fields): void {
  if (image.trim() !== image) faults.push(invalidValue(`${field}.image`, image, 'must not have leading or trailing whitespace'));
}

function checkUnique(faults: Faults, field: string, name: string, names: ReadonlySet<string>): void {
  if (names.has(name)) faults.push(duplicateValue(`${field}.name`, name));
}

function checkCommon(faults: Faults, field: string, container: Fields, { spec, volumes, claims }: PodContext): void {
  const { name, image } = container;
  if (isBlank(name)) faults.push(requiredValue(`${field}.name`));
  else checkName(faults, `${field}.name`, 'label', name);
  if (isBlank(image)) faults.push(requiredValue(`${field}.image`));
  checkEnum(faults, `${field}.terminationMessagePolicy`, container.terminationMessagePolicy, ['File', 'FallbackToLogsOnError']);
  checkContainerPorts(faults, `${field}.ports`, listOf(container.ports));
  checkVariables(faults, `${field}.env`, listOf(container.env));
  checkVariableSources(faults, `${field}.envFrom`, listOf(container.envFrom));
  checkMounts(faults, `${field}.volumeMounts`, container, volumes);
  checkDevices(faults, `${field}.volumeDevices`, container, volumes);
  checkEnum(faults, `${field}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']);
  checkResources(faults, `${field}.resources`, container.resources, claims);
  checkResizePolicy(faults, `${field}.resizePolicy`, listOf(container.resizePolicy), spec.restartPolicy);
  checkSecurityContext(faults, `${field}.securityContext`, container.securityContext, spec.hostUsers !== false);
}

function checkResizePolicy(faults: Faults, field: string, policies: readonly Fields[], podRestart: string): void {
  const seen = new Set<string>();
  for (const [index, { resourceName, restartPolicy }] of policies.entries()) {
    if (seen.has(resourceName)) faults.push(duplicateValue(`${field}[${index}]`, resourceName));
    seen.add(resourceName);
    checkEnum(faults, field, resourceName, ['cpu', 'memory']);
    checkEnum(faults, field, restartPolicy, ['NotRequired', 'RestartContainer']);
    if (podRestart === 'Never' && restartPolicy !== 'NotRequired') {
      faults.push(invalidValue(field, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
  }
}

const restartActions = ['Restart', 'RestartAllContainers'];
const exitCodeOperators = ['In', 'NotIn'];

function checkRestart(faults: Faults, field: string, { restartPolicy, restartPolicyRules }: Fields): void {
  const rules = listOf(restartPolicyRules);
  const policies = ['Always', 'Never', 'OnFailure'];
  if (restartPolicy === undefined) {
    if (rules.length === 0) return;
    faults.push(requiredValue(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  } else if (!policies.includes(restartPolicy)) faults.push(unsupportedValue(`${field}.restartPolicy`, restartPolicy, policies));
  if (rules.length > 20) faults.push(tooMany(`${field}.restartPolicyRules`, rules.length, 20));
  for (const [index, { action = '', exitCodes }] of rules.entries()) {
    const at = `${field}.restartPolicyRules[${index}]`;
    if (!restartActions.includes(action)) faults.push(unsupportedValue(`${at}.action`, action, restartActions));
    if (exitCodes === undefined) {
      faults.push(requiredValue(`${at}.exitCodes`, 'must be specified'));
      continue;
    }
    const { operator = '', values } = exitCodes;
    if (!exitCodeOperators.includes(operator)) faults.push(unsupportedValue(`${at}.exitCodes.operator`, operator, exitCodeOperators));
    if (listOf(values).length > 255) faults.push(tooMany(`${at}.exitCodes.values`, values.length, 255));
  }
}

/** No two containers get the same port of the host. */
function checkHostPorts(faults: Faults, field: string, containers: readonly Fields[]): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [place, { protocol, hostIP = '', hostPort = 0 }] of listOf(container.ports).entries()) {
      if (hostPort === 0) continue;
      const port = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(port)) faults.push(duplicateValue(`${field}[${index}].ports[${place}].hostPort`, port));
      taken.add(port);
    }
  }
}
