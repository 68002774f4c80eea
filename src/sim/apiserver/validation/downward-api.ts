import { invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { checkQualifiedName, type Faults, type Fields, isBlank } from './checks.js';

/** What a pod may tell its containers in files. */
export const volumeFieldPaths = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** What a pod may tell its containers in variables. */
export const variableFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const convertible = new Set([...variableFieldPaths, ...volumeFieldPaths, 'spec.restartPolicy', 'status.phase', 'spec.schedulerName']);

export function checkFieldSelector(faults: Faults, field: string, { apiVersion, fieldPath }: Fields, supported: readonly string[]): void {
  if (isBlank(apiVersion)) {
    faults.push(requiredValue(`${field}.apiVersion`));
    return;
  }
  if (isBlank(fieldPath)) {
    faults.push(requiredValue(`${field}.fieldPath`));
    return;
  }
  const unconvertible = (text: string) => faults.push(invalidValue(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${text}`));
  if (apiVersion !== 'v1') {
    unconvertible(`unsupported pod version: ${apiVersion}`);
    return;
  }
  const [, path, subscript] = /^(.+)\['(.*)'\]$/.exec(fieldPath) ?? [];
  if (path !== undefined && subscript !== undefined) {
    if (path === 'metadata.annotations') checkQualifiedName(faults, field, subscript.toLowerCase());
    else if (path === 'metadata.labels') checkQualifiedName(faults, field, subscript);
    else unconvertible(`field label does not support subscript: ${fieldPath}`);
    return;
  }
  // An old name is still understood.
  const known = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!convertible.has(known)) unconvertible(`field label not supported: ${fieldPath}`);
  else if (!supported.includes(known)) faults.push(unsupportedValue(`${field}.fieldPath`, known, supported));
}

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const sizes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** @param isFile whether it stands in a volume, which belongs to no container. */
export function checkResourceFieldSelector(
  faults: Faults,
  field: string,
  { containerName, resource = '', divisor = '0' }: Fields,
  isFile: boolean,
): void {
  const hugePages = /^(requests|limits)\.hugepages-/.test(resource);
  if (isFile && isBlank(containerName)) faults.push(requiredValue(`${field}.containerName`));
  else if (resource === '') faults.push(requiredValue(`${field}.resource`));
  else if (!resources.includes(resource) && !hugePages) faults.push(unsupportedValue(`${field}.resource`, resource, resources));
  if (divisor === '0') return;
  const only = (values: readonly string[], of: string) => {
    if (values.includes(divisor)) return;
    const named = values.length === 2 ? values.join(' and ') : values.join(', ');
    faults.push(invalidValue(`${field}.divisor`, resource, `only divisor's values ${named} are supported with the ${of} resource`));
  };
  if (resource.endsWith('.cpu')) only(['1m', '1'], 'cpu');
  else if (resource.endsWith('.memory')) only(sizes, 'memory');
  else if (resource.endsWith('.ephemeral-storage')) only(sizes, 'local ephemeral storage');
  else if (hugePages) only(sizes, 'hugepages');
}
