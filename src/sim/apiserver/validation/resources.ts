import { duplicateValue, forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { ownMember } from '../json.js';
import { qualifiedNameFaults } from '../label-syntax.js';
import { compareQuantities, parseQuantity } from '../quantity.js';
import { checkName, checkQualifiedName, type Faults, type Fields, isBlank, listOf, notFoundValue } from './checks.js';

const ofContainers = new Set(['cpu', 'memory', 'ephemeral-storage']);
const counted = new Set(
  'pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims services.nodeports services.loadbalancers'.split(
    ' ',
  ),
);
const standard = new Set([
  ...ofContainers,
  ...counted,
  ...'requests.cpu requests.memory requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage storage requests.storage'.split(
    ' ',
  ),
]);
const ofPods = ['cpu', 'memory'];

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && qualifiedNameFaults(`requests.${name}`).length === 0;
}

/** Whether more of it may be promised than there is; of all else who asks gets exactly that. */
export function isOvercommitted(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** @returns whether the name is fine. */
export function checkResourceName(faults: Faults, field: string, name: string): boolean {
  const before = faults.length;
  checkQualifiedName(faults, field, name);
  if (faults.length > before) return false;
  if (name.includes('/') || standard.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-')) return true;
  faults.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
  return false;
}

export function checkContainerResourceName(faults: Faults, field: string, name: string): void {
  checkResourceName(faults, field, name);
  if (!name.includes('/')) {
    if (!ofContainers.has(name) && !isHugePages(name)) {
      faults.push(invalidValue(field, name, 'must be a standard resource for containers'));
    }
  } else if (!isNative(name) && !isExtended(name)) {
    faults.push(invalidValue(field, name, "doesn't follow extended resource name standard"));
  }
}

function checkPodResourceName(faults: Faults, field: string, name: string): void {
  if (!checkResourceName(faults, field, name)) return;
  if (!ofPods.includes(name) && !isHugePages(name)) faults.push(unsupportedValue(field, name, ofPods));
}

/** @param value a quantity in canonical form. */
export function checkAmount(faults: Faults, field: string, resource: string, value: string): void {
  const { nanos } = parseQuantity(value);
  if (nanos < 0n) faults.push(invalidValue(field, value, 'must be greater than or equal to 0'));
  if (nanos % 1_000_000_000n !== 0n && (counted.has(resource) || isExtended(resource))) {
    faults.push(invalidValue(field, value, 'must be an integer'));
  }
}

/** What a container, or a whole pod, asks for and may use. */
export function checkResources(
  faults: Faults,
  field: string,
  resources: Fields | undefined,
  claimNames: ReadonlySet<string>,
  isPod = false,
): void {
  if (resources === undefined) return;
  const {
    limits = {},
    requests = {},
    claims,
  } = resources as { limits?: Record<string, string>; requests?: Record<string, string>; claims?: unknown };
  const checkResource = isPod ? checkPodResourceName : checkContainerResourceName;
  for (const [name, amount] of Object.entries(limits)) {
    checkResource(faults, `${field}.limits[${name}]`, name);
    checkAmount(faults, `${field}.limits[${name}]`, name, amount);
  }
  for (const [name, amount] of Object.entries(requests)) {
    checkResource(faults, `${field}.requests[${name}]`, name);
    checkAmount(faults, `${field}.requests[${name}]`, name, amount);
    const limit = ownMember(limits, name);
    if (limit !== undefined) {
      const order = limit === amount ? 0 : compareQuantities(parseQuantity(amount), parseQuantity(limit));
      if (order !== 0 && !isOvercommitted(name)) {
        faults.push(invalidValue(`${field}.requests`, amount, `must be equal to ${name} limit of ${limit}`));
      } else if (order > 0) {
        faults.push(invalidValue(`${field}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`));
      }
    } else if (!isOvercommitted(name)) {
      faults.push(requiredValue(`${field}.limits`, 'Limit must be set for non overcommitable resources'));
    }
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => ofPods.includes(name))) {
    faults.push(forbiddenValue(field, 'HugePages require cpu or memory'));
  }
  checkClaims(faults, `${field}.claims`, listOf(claims), claimNames);
}

function checkClaims(faults: Faults, field: string, claims: readonly Fields[], claimNames: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const [index, { name = '', request }] of claims.entries()) {
    const at = `${field}[${index}]`;
    if (name === '') {
      faults.push(requiredValue(at));
      continue;
    }
    if (seen.has(name)) faults.push(duplicateValue(at, name));
    else {
      if (!isBlank(request)) checkName(faults, `${at}.request`, 'label', request);
      const key = isBlank(request) ? name : `${name}/${request}`;
      if (seen.has(key)) faults.push(duplicateValue(at, key));
      seen.add(key);
    }
    if (!claimNames.has(name)) {
      const known = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
      faults.push(notFoundValue(at, name, `must be one of the names in pod.spec.resourceClaims${known}`));
    }
  }
}
