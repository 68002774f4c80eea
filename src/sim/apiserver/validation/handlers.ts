import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { checkNonNegative, checkPort, type Faults, type Fields, isBlank, listOf } from './checks.js';

const headerFault =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

/** What is asked of a container, or done to it: a probe or a hook. */
function checkHandler(faults: Faults, field: string, handler: Fields, gracePeriod: number): void {
  const checks = {
    exec: checkExec,
    httpGet: checkHttpGet,
    tcpSocket: checkTcp,
    grpc: checkTcp,
    sleep: (into: Faults, at: string, sleep: Fields) => checkSleep(into, at, sleep, gracePeriod),
  };
  let found = 0;
  for (const [name, check] of Object.entries(checks)) {
    const action: Fields | undefined = handler[name];
    if (action === undefined) continue;
    if (found > 0) faults.push(forbiddenValue(`${field}.${name}`, 'may not specify more than 1 handler type'));
    else check(faults, `${field}.${name}`, action);
    found++;
  }
  if (found === 0) faults.push(requiredValue(field, 'must specify a handler type'));
}

function checkExec(faults: Faults, field: string, { command }: Fields): void {
  if (listOf(command).length === 0) faults.push(requiredValue(`${field}.command`));
}

function checkHttpGet(faults: Faults, field: string, { path, port, scheme, httpHeaders }: Fields): void {
  if (isBlank(path)) faults.push(requiredValue(`${field}.path`));
  checkPort(faults, `${field}.port`, port);
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') faults.push(unsupportedValue(`${field}.scheme`, scheme, ['HTTP', 'HTTPS']));
  for (const { name = '' } of listOf(httpHeaders)) {
    if (!/^[-A-Za-z0-9]+$/.test(name)) faults.push(invalidValue(`${field}.httpHeaders`, name, headerFault));
  }
}

function checkTcp(faults: Faults, field: string, { port }: Fields): void {
  checkPort(faults, `${field}.port`, port);
}

function checkSleep(faults: Faults, field: string, { seconds = 0 }: Fields, gracePeriod: number): void {
  if (seconds < 0 || seconds > gracePeriod) {
    const text = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
    faults.push(invalidValue(field, seconds, text));
  }
}

export type ProbeKind = 'livenessProbe' | 'readinessProbe' | 'startupProbe';
export const probeKinds: readonly ProbeKind[] = ['livenessProbe', 'readinessProbe', 'startupProbe'];

export function checkProbe(faults: Faults, field: string, kind: ProbeKind, probe: Fields | undefined, gracePeriod: number): void {
  if (probe === undefined) return;
  const at = `${field}.${kind}`;
  checkHandler(faults, at, probe, gracePeriod);
  for (const name of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']) {
    checkNonNegative(faults, `${at}.${name}`, probe[name]);
  }
  const ownGrace: number | undefined = probe.terminationGracePeriodSeconds;
  if (ownGrace !== undefined && ownGrace <= 0) {
    faults.push(invalidValue(`${at}.terminationGracePeriodSeconds`, ownGrace, 'must be greater than 0'));
  }
  if (kind !== 'readinessProbe') {
    if (probe.successThreshold !== 1) faults.push(invalidValue(`${at}.successThreshold`, probe.successThreshold, 'must be 1'));
  } else if (ownGrace !== undefined) {
    faults.push(invalidValue(`${at}.terminationGracePeriodSeconds`, ownGrace, 'must not be set for readinessProbes'));
  }
}

export function checkLifecycle(
  faults: Faults,
  field: string,
  lifecycle: Fields | undefined,
  gracePeriod: number,
  os: string | undefined,
): void {
  if (lifecycle === undefined) return;
  for (const hook of ['postStart', 'preStop']) {
    if (lifecycle[hook] !== undefined) checkHandler(faults, `${field}.${hook}`, lifecycle[hook], gracePeriod);
  }
  if (lifecycle.stopSignal === undefined) return;
  const at = `${field}.stopSignal`;
  if (os === undefined) faults.push(forbiddenValue(at, 'may not be set for containers with empty `spec.os.name`'));
  else if (os === 'windows' && !['SIGKILL', 'SIGTERM'].includes(lifecycle.stopSignal)) {
    faults.push(unsupportedValue(at, lifecycle.stopSignal, ['SIGKILL', 'SIGTERM']));
  }
}
