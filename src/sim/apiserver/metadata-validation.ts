import type { ObjectMeta, OwnerReference } from '../etcd/object.js';
import { forbiddenValue, invalidValue, requiredValue } from './field-errors.js';
import { metadataChecksOf } from './kind-facts.js';
import type { KindInfo } from './kinds.js';
import { qualifiedNameFaults } from './label-syntax.js';
import { generateNameFaults, nameFaults } from './names.js';
import type { StatusCause } from './request.js';
import { goQuote } from './status.js';
import { checkAnnotations, checkLabels } from './validation/checks.js';

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** What is wrong with the metadata of a new object. */
export function metadataFaultsOnCreate(kind: KindInfo, metadata: ObjectMeta): StatusCause[] {
  const causes: StatusCause[] = [];
  const { name = '', generateName } = metadata;
  if (generateName !== undefined) {
    for (const fault of generateNameFaults(kind.nameRule, generateName)) {
      causes.push(invalidValue('metadata.generateName', generateName, fault));
    }
  }
  if (name === '') causes.push(requiredValue('metadata.name', 'name or generateName is required'));
  else for (const fault of nameFaults(kind.nameRule, name)) causes.push(invalidValue('metadata.name', name, fault));
  causes.push(...mapFaults(metadata), ...ownerFaults(metadata.ownerReferences), ...finalizerSyntaxFaults(metadata.finalizers));
  causes.push(...unqualifiedFinalizerFaults(kind, metadata.finalizers));
  return causes;
}

/** What can be wrong with metadata wherever it stands: labels, annotations, owners, finalizers. */
export function metadataSyntaxFaults(metadata: ObjectMeta): StatusCause[] {
  return [...mapFaults(metadata), ...ownerFaults(metadata.ownerReferences), ...finalizerSyntaxFaults(metadata.finalizers)];
}

/** The faults of changed metadata around those of the fields. */
export interface MetadataFaults {
  readonly before: readonly StatusCause[];
  /** What is told after some faults of the fields. */
  readonly after: readonly StatusCause[];
  /** Whether a fault of a field comes before that. */
  readonly isEarly: (ofField: StatusCause) => boolean;
}

/** All faults of an update in their order. */
export function inTold(
  { before, after, isEarly }: MetadataFaults,
  others: readonly StatusCause[],
  ofFields: readonly StatusCause[],
): StatusCause[] {
  if (after.length === 0) return [...before, ...others, ...ofFields];
  return [...before, ...ofFields.filter(isEarly), ...after, ...others, ...ofFields.filter((cause) => !isEarly(cause))];
}

/**
 * What is wrong with changed metadata. Checks are repeated as often as the server's layers repeat them (FE-4).
 * @param subresource whether it is the status that is written.
 * @param typeFaults an object of another kind is refused for that in the place of the kind's own checks (CD-19).
 */
export function metadataFaultsOnUpdate(
  kind: KindInfo,
  metadata: ObjectMeta,
  stored: ObjectMeta,
  subresource?: string,
  typeFaults: readonly StatusCause[] = [],
): MetadataFaults {
  const told = (before: readonly StatusCause[]): MetadataFaults => ({ before, after: [], isEarly: () => false });
  const shared = [...mapFaults(metadata), ...ownerFaults(metadata.ownerReferences)];
  const finalizers = finalizerSyntaxFaults(metadata.finalizers);
  const unqualified = unqualifiedFinalizerFaults(kind, metadata.finalizers);
  const changes = changeFaults(metadata, stored);
  // Only a webhook can take the name away (AD-23).
  const missing = metadata.name === undefined ? [requiredValue('metadata.name', 'name or generateName is required')] : [];
  const first = [...missing, ...shared, ...finalizers, ...changes, ...shared];
  if (typeFaults.length > 0) return told([...first, ...typeFaults]);
  if (first.length + unqualified.length === 0) return told(first);
  const ofChange = [...changes, ...missing, ...shared, ...unqualified];
  const ofObject = [...shared, ...finalizers, ...unqualified];
  switch (metadataChecksOf(kind.resource, subresource)) {
    case 'none':
      return told(first);
    case 'object':
      return told([...first, ...ofObject]);
    case 'change, object':
      return told([...first, ...ofChange, ...ofObject]);
    case 'change, what is immutable, object':
      return { before: [...first, ...ofChange], after: ofObject, isEarly: ({ message = '' }) => message.includes('field is immutable') };
    case 'object, fields, change':
      return {
        before: [...first, ...missing, ...ofObject],
        after: [...changes, ...shared, ...unqualified],
        isEarly: ({ message = '' }) => !message.includes('cannot change'),
      };
    case 'object, change':
      return told([...first, ...missing, ...ofObject, ...changes, ...shared, ...unqualified]);
    default:
      return told([...first, ...ofChange]);
  }
}

/** UP-19: warnings for finalizers of a custom resource that the stored object does not have. */
export function finalizerWarnings(finalizers: readonly string[] = [], stored: readonly string[] = []): string[] {
  return finalizers
    .filter((name) => !name.includes('/') && !standardFinalizers.has(name) && !stored.includes(name))
    .sort()
    .map((name) => {
      const better = name.includes('.') ? 'finalizer name including a path (/)' : 'finalizer name';
      return `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified ${better} to avoid accidental conflicts with other finalizer writers`;
    });
}

function mapFaults({ labels, annotations }: ObjectMeta): StatusCause[] {
  const causes: StatusCause[] = [];
  checkLabels(causes, 'metadata.labels', labels);
  checkAnnotations(causes, 'metadata.annotations', annotations);
  return causes;
}

/** UP-18 */
function ownerFaults(owners: readonly OwnerReference[] | undefined): StatusCause[] {
  if (owners === undefined) return [];
  const causes: StatusCause[] = [];
  const field = 'metadata.ownerReferences';
  let controller: string | undefined;
  for (const owner of owners) {
    const parts = owner.apiVersion.split('/');
    const version = parts.length > 2 ? '' : (parts.at(-1) ?? '');
    if (version === '') causes.push(invalidValue(`${field}.apiVersion`, owner.apiVersion, 'version must not be empty'));
    for (const part of ['kind', 'name', 'uid'] as const) {
      if (owner[part] === '') causes.push(invalidValue(`${field}.${part}`, '', 'must not be empty'));
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      causes.push(invalidValue(field, owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (owner.controller !== true) continue;
    const current = `${owner.kind}/${owner.name}`;
    if (controller === undefined) controller = current;
    else {
      const text = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      causes.push(invalidValue(field, owners, text));
    }
  }
  return causes;
}

function finalizerSyntaxFaults(finalizers: readonly string[] | undefined): StatusCause[] {
  if (finalizers === undefined) return [];
  const field = 'metadata.finalizers';
  const causes = finalizers.flatMap((name) => qualifiedNameFaults(name).map((fault) => invalidValue(field, name, fault)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    causes.push(invalidValue(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return causes;
}

/** UP-19: most built-in kinds insist on a slash. */
function unqualifiedFinalizerFaults(kind: KindInfo, finalizers: readonly string[] | undefined): StatusCause[] {
  if (finalizers === undefined || kind.custom || kind.lenientFinalizers) return [];
  return finalizers.flatMap((name, index) =>
    unqualifiedFaults(name).map((fault) => invalidValue(`metadata.finalizers[${index}]`, name, fault)),
  );
}

/** What is wrong with a finalizer that is neither the server's own nor has a slash. */
export function unqualifiedFaults(finalizer: string): readonly string[] {
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
  return ['name is neither a standard finalizer name nor is it fully qualified'];
}

/** UP-8, UP-9 */
function changeFaults(metadata: ObjectMeta, stored: ObjectMeta): StatusCause[] {
  const causes: StatusCause[] = [];
  if (stored.deletionTimestamp !== undefined && metadata.finalizers !== undefined) {
    const added = metadata.finalizers.filter((name) => !stored.finalizers?.includes(name));
    if (added.length > 0) {
      const list = [...new Set(added)].sort().map((name) => goQuote(name));
      const text = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(', ')}}`;
      causes.push(forbiddenValue('metadata.finalizers', text));
    }
  }
  for (const field of ['name', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (metadata[field] !== stored[field])
      causes.push(invalidValue(`metadata.${field}`, metadata[field] ?? (field === 'name' ? '' : undefined), 'field is immutable'));
  }
  return causes;
}
