import type { KubeObject } from '../../etcd/object.js';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { compareQuantities, parseQuantity } from '../quantity.js';
import {
  checkAnnotations,
  checkImmutable,
  checkLabels,
  checkName,
  checkOption,
  checkSelector,
  type Faults,
  type Fields,
  isBlank,
  sameFields,
  textsOf,
  without,
} from './checks.js';
import { internalDiff } from './internal-form.js';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

export function checkAccessModes(faults: Faults, field: string, modes: readonly string[]): void {
  for (const mode of modes) if (!accessModes.includes(mode)) faults.push(unsupportedValue(field, mode, accessModes));
  const single = modes.includes('ReadWriteOncePod');
  if (single && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))) {
    faults.push(forbiddenValue(field, 'may not use ReadWriteOncePod with other access modes'));
  }
}

export function checkClaimSpec(faults: Faults, field: string, spec: Fields): void {
  const modes = textsOf(spec.accessModes);
  if (modes.length === 0) faults.push(requiredValue(`${field}.accessModes`, 'at least 1 access mode is required'));
  checkSelector(faults, `${field}.selector`, spec.selector);
  checkAccessModes(faults, `${field}.accessModes`, modes);
  const size = spec.resources?.requests?.storage;
  if (size === undefined) faults.push(requiredValue(`${field}.resources[storage]`));
  else if (parseQuantity(size).nanos <= 0n) faults.push(invalidValue(`${field}.resources[storage]`, size, 'must be greater than zero'));
  if (!isBlank(spec.storageClassName)) checkName(faults, `${field}.storageClassName`, 'subdomain', spec.storageClassName);
  checkOption(faults, `${field}.volumeMode`, spec.volumeMode, volumeModes);
  checkDataSource(faults, `${field}.dataSource`, spec.dataSource);
  checkDataSource(faults, `${field}.dataSourceRef`, spec.dataSourceRef);
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef !== undefined) {
    // The server prints its own path here.
    if (!isBlank(dataSourceRef.namespace)) {
      faults.push(invalidValue(field, {}, 'may not be specified when dataSourceRef.namespace is specified'));
    } else if (['apiGroup', 'kind', 'name'].some((part) => dataSource[part] !== dataSourceRef[part])) {
      faults.push(invalidValue(field, {}, 'must match dataSourceRef'));
    }
  }
  if (!isBlank(spec.volumeAttributesClassName)) {
    checkName(faults, `${field}.volumeAttributesClassName`, 'subdomain', spec.volumeAttributesClassName);
  }
}

function checkDataSource(faults: Faults, field: string, source: Fields | undefined): void {
  if (source === undefined) return;
  const { name, kind = '', apiGroup = '', namespace } = source;
  if (isBlank(name)) faults.push(requiredValue(`${field}.name`));
  if (kind === '') faults.push(requiredValue(`${field}.kind`));
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    faults.push(invalidValue(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (apiGroup !== '') checkName(faults, `${field}.apiGroup`, 'subdomain', apiGroup);
  if (!isBlank(namespace)) checkName(faults, `${field}.namespace`, 'label', namespace);
}

/** What a pod says of the claims that are made for it. */
export function checkClaimTemplate(faults: Faults, field: string, { metadata = {}, spec = {} }: Fields): void {
  checkAnnotations(faults, `${field}.metadata.annotations`, metadata.annotations);
  checkLabels(faults, `${field}.metadata.labels`, metadata.labels);
  for (const part of ['name', 'generateName', 'namespace', 'ownerReferences', 'finalizers']) {
    if (metadata[part] !== undefined) faults.push(forbiddenValue(`${field}.metadata.${part}`, 'cannot be set'));
  }
  checkClaimSpec(faults, `${field}.spec`, spec);
}

export function checkClaim(faults: Faults, claim: KubeObject, stored: KubeObject | undefined): void {
  checkClaimSpec(faults, 'spec', claim.spec ?? {});
  if (stored !== undefined) checkClaimChange(faults, claim, stored);
}

const className = 'volume.beta.kubernetes.io/storage-class';

/** TK-10: a claim that is bound may ask for more, and that is all. */
function checkClaimChange(faults: Faults, claim: KubeObject, stored: KubeObject): void {
  const before: Fields = stored.spec ?? {};
  const after: Fields = claim.spec ?? {};
  const oldClass = stored.metadata.annotations?.[className];
  const newClass = claim.metadata.annotations?.[className];
  if (oldClass !== newClass) {
    faults.push(invalidValue(`metadata.annotations[${className}]`, newClass ?? '', 'field is immutable'));
  }
  const bound = claim.status?.phase === 'Bound';
  const oldShown: Fields = isBlank(before.volumeName) ? { ...before, volumeName: after.volumeName } : before;
  let newShown: Fields = after;
  // A class may still be given to a claim that never said which it wants.
  if (before.storageClassName === undefined && oldClass === undefined) newShown = without(newShown, 'storageClassName');
  if (bound) {
    const requests = { ...after.resources?.requests, storage: before.resources?.requests?.storage };
    newShown = {
      ...newShown,
      resources: { ...after.resources, requests },
      volumeAttributesClassName: before.volumeAttributesClassName,
    };
  }
  if (!sameFields(newShown, oldShown)) {
    const text = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
    faults.push(forbiddenValue('spec', text + internalDiff('core.PersistentVolumeClaimSpec', oldShown, newShown)));
  }
  const size = parseQuantity(after.resources?.requests?.storage ?? '0');
  if (compareQuantities(size, parseQuantity(before.resources?.requests?.storage ?? '0')) < 0) {
    if (compareQuantities(size, parseQuantity(stored.status?.capacity?.storage ?? '0')) <= 0) {
      faults.push(forbiddenValue('spec.resources.requests.storage', 'field can not be less than status.capacity'));
    }
  }
  checkImmutable(faults, 'volumeMode', after.volumeMode, before.volumeMode);
  const current = stored.status?.currentVolumeAttributesClassName;
  if (current !== undefined && after.volumeAttributesClassName !== before.volumeAttributesClassName) {
    const what =
      after.volumeAttributesClassName === undefined ? 'nil' : after.volumeAttributesClassName === '' ? 'empty string' : undefined;
    if (what !== undefined) {
      const text = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
      faults.push(forbiddenValue('spec.volumeAttributesClassName', text));
    }
  }
}

export function checkClaimStatus(faults: Faults, claim: KubeObject): void {
  for (const [name, amount] of Object.entries((claim.status?.capacity ?? {}) as Record<string, string>)) {
    const { nanos } = parseQuantity(amount);
    if (nanos < 0n) {
      faults.push(invalidValue(`status.capacity[${name}]`, Number(nanos / 1_000_000_000n), 'must be a valid resource quantity'));
    }
  }
}
