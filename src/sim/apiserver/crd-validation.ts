import type { KubeObject } from '../etcd/object.js';
import { conditionOf } from './crd.js';
import { acceptsReviewVersion, type ConversionExpectations, conversionFaults, hasValidCaBundle } from './crd-conversion-validation.js';
import { namesFaults } from './crd-names-validation.js';
import { schemaExpectations } from './crd-schema-expectations.js';
import { crdSchemaFaults, type SchemaExpectations } from './crd-schema-validation.js';
import { type InternalSpec, internalSpec, printedVersion, type SentVersion, schemaOfVersion } from './crd-spec.js';
import { columnFaults, selectableFieldFaults, subresourceFaults, tooManySelectable } from './crd-views-validation.js';
import { inKeyOrder, invalidValue, requiredValue, unsupportedValue } from './field-errors.js';
import { dns1035LabelFaults, nameFaults } from './names.js';
import type { StatusCause } from './request.js';
import { supportedFormat } from './schema/formats.js';
import { someSchema } from './schema/json-schema.js';
import { goQuote } from './status.js';

/**
 * What is wrong with a definition beside its metadata (CD-6, CD-23 to CD-25, CD-46).
 * @param stored what is stored; absent for a create.
 */
export function crdFaults(crd: KubeObject, stored?: KubeObject): StatusCause[] {
  const spec = internalSpec(crd);
  const before = stored && internalSpec(stored);
  const faults: StatusCause[] = [];
  if (stored === undefined && crd.metadata.name !== `${spec.names.plural ?? ''}.${spec.group}`) {
    faults.push(invalidValue('metadata.name', crd.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  faults.push(...specFaults(spec, before, schemaExpectations(spec, before), conversionExpectations(stored, before)));
  if (before !== undefined)
    faults.push(...immutableFaults(spec, before, conditionOf(stored as KubeObject, 'Established')?.status === 'True'));
  faults.push(...namesFaults(crd.status?.acceptedNames ?? {}, 'status.acceptedNames'));
  faults.push(...storedVersionFaults(crd.status?.storedVersions ?? null, spec.versions ?? []));
  faults.push(...approvalFaults(crd, stored, spec.group));
  if (spec.preserveUnknownFields && !before?.preserveUnknownFields) {
    const text = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    faults.push(invalidValue('spec.preserveUnknownFields', true, text));
  }
  return faults;
}

/** CD-24: formats that nobody will check, of those that are new. */
export function crdWarnings(crd: KubeObject, stored?: KubeObject): string[] {
  const before = stored === undefined ? [] : unknownFormats(stored);
  return unknownFormats(crd)
    .filter((format) => !before.includes(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

function unknownFormats(crd: KubeObject): string[] {
  const spec = internalSpec(crd);
  const formats: string[] = [];
  for (const { schema } of [spec.shared, ...(spec.versions ?? [])]) {
    someSchema(schema?.openAPIV3Schema, ({ format = '', type = '' }) => {
      if (format !== '' && supportedFormat(format, type) === '') formats.push(format);
      return false;
    });
  }
  return formats;
}

/** What is wrong with a status that a client writes. */
export function crdStatusFaults(crd: KubeObject): StatusCause[] {
  return namesFaults(crd.status?.acceptedNames ?? {}, 'status.acceptedNames');
}

/** A definition that is established must not lose the way to its webhook. */
function conversionExpectations(stored: KubeObject | undefined, before: InternalSpec | undefined): ConversionExpectations {
  if (stored === undefined) return { knownVersion: true, validCaBundle: false };
  return {
    knownVersion: acceptsReviewVersion(before?.conversion),
    validCaBundle: conditionOf(stored, 'Established')?.status === 'True' && hasValidCaBundle(before?.conversion),
  };
}

function specFaults(
  spec: InternalSpec,
  before: InternalSpec | undefined,
  expectations: SchemaExpectations,
  ofConversion: ConversionExpectations,
): StatusCause[] {
  const { group, scope, versions = [], shared } = spec;
  const faults: StatusCause[] = [];
  if (group === '') faults.push(requiredValue('spec.group'));
  else {
    const wrong = nameFaults('subdomain', group);
    if (wrong.length > 0) faults.push(invalidValue('spec.group', group, wrong.join(',')));
    else if (!group.includes('.')) faults.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'));
  }
  if (scope === '') faults.push(requiredValue('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') {
    faults.push(unsupportedValue('spec.scope', scope, ['Cluster', 'Namespaced']));
  }
  const hadSchemas = before === undefined || (before.versions ?? []).every((version) => schemaOfVersion(before, version) !== undefined);
  for (const [index, version] of versions.entries()) {
    if (schemaOfVersion(spec, version) !== undefined) continue;
    const field = `spec.versions[${index}].schema.openAPIV3Schema`;
    if (hadSchemas) faults.push(requiredValue(field));
    else if (version.served) faults.push(requiredValue(field, 'because otherwise all fields are pruned'));
  }
  for (const [index, version] of versions.entries()) {
    faults.push(...versionFaults(version, `spec.versions[${index}]`, spec, before, expectations));
  }
  faults.push(...versionSetFaults(spec));
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!spec.names[name]) faults.push(requiredValue(`spec.names.${name}`));
  }
  faults.push(...namesFaults(spec.names, 'spec.names'));
  const anyStatus = [shared, ...versions].some(({ subresources }) => subresources?.status !== undefined);
  if (shared.schema?.openAPIV3Schema !== undefined) {
    faults.push(
      ...crdSchemaFaults(shared.schema.openAPIV3Schema, 'spec.validation.openAPIV3Schema', anyStatus, expectations, spec.version),
    );
  }
  faults.push(...viewFaults(shared, 'spec', shared.schema?.openAPIV3Schema, before?.shared, expectations));
  faults.push(...conversionFaults(spec.conversion, ofConversion));
  return faults;
}

function versionFaults(
  version: SentVersion,
  path: string,
  spec: InternalSpec,
  before: InternalSpec | undefined,
  expectations: SchemaExpectations,
): StatusCause[] {
  const faults: StatusCause[] = [];
  const { name = '', deprecated = false, deprecationWarning } = version;
  const wrong = dns1035LabelFaults(name);
  if (wrong.length > 0) faults.push(invalidValue(`${path}.name`, name, wrong.join(',')));
  for (const fault of deprecationFaults(deprecated, deprecationWarning)) {
    faults.push(invalidValue(`${path}.deprecationWarning`, deprecationWarning, fault));
  }
  const schema = version.schema?.openAPIV3Schema;
  const status = (version.subresources ?? spec.shared.subresources)?.status !== undefined;
  if (schema !== undefined) faults.push(...crdSchemaFaults(schema, `${path}.schema.openAPIV3Schema`, status, expectations, name));
  const old = before?.versions?.find((each) => each.name === name);
  faults.push(...viewFaults(version, path, schema, old, expectations));
  return faults;
}

/** Subresources, columns and selectable fields: of one version, or of all. */
function viewFaults(
  version: SentVersion,
  path: string,
  schema: Parameters<typeof selectableFieldFaults>[1],
  old: SentVersion | undefined,
  _expectations: SchemaExpectations,
): StatusCause[] {
  const { subresources, additionalPrinterColumns = [], selectableFields = [] } = version;
  return [
    ...(subresources === undefined ? [] : subresourceFaults(subresources, `${path}.subresources`)),
    ...additionalPrinterColumns.flatMap((column, index) => columnFaults(column, `${path}.additionalPrinterColumns[${index}]`)),
    ...(selectableFields.length === 0
      ? []
      : selectableFieldFaults(
          selectableFields,
          schema,
          `${path}.selectableFields`,
          tooManySelectable(selectableFields, old?.selectableFields),
        )),
  ];
}

function versionSetFaults({ versions, version }: InternalSpec): StatusCause[] {
  const faults: StatusCause[] = [];
  const list = versions ?? [];
  const shown = versions?.map(printedVersion) ?? null;
  if (new Set(list.map(({ name }) => name)).size < list.length) {
    faults.push(invalidValue('spec.versions', shown, 'must contain unique version names'));
  }
  if (list.filter(({ storage }) => storage).length !== 1) {
    faults.push(invalidValue('spec.versions', shown, 'must have exactly one version marked as storage version'));
  }
  if (version !== '') {
    const wrong = dns1035LabelFaults(version);
    if (wrong.length > 0) faults.push(invalidValue('spec.version', version, wrong.join(',')));
  }
  return faults;
}

/** @returns what is wrong with the warning of a deprecated version. */
function deprecationFaults(deprecated: boolean, warning: string | undefined): string[] {
  if (warning === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const faults: string[] = [];
  if (Buffer.byteLength(warning) > 256) faults.push('must be <= 256 characters long');
  if (warning === '') faults.push('must not be an empty string');
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (unprintable !== null) {
    const index = Buffer.byteLength(warning.slice(0, unprintable.index));
    faults.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
  return faults;
}

/** CD-14: a version in which objects may be stored must stay. */
function storedVersionFaults(storedVersions: readonly string[] | null, versions: readonly SentVersion[]): StatusCause[] {
  const field = 'status.storedVersions';
  if (storedVersions === null || storedVersions.length === 0) {
    return [invalidValue(field, storedVersions, 'must have at least one stored version')];
  }
  const missing = versions.filter(({ name = '', storage }) => storage && !storedVersions.includes(name));
  const left = storedVersions.flatMap((name, index) => {
    if (versions.some((version) => version.name === name)) return [];
    const text = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [invalidValue(`${field}[${index}]`, name, text)];
  });
  return [...missing.map(({ name }) => invalidValue(field, storedVersions, `must have the storage version ${name}`)), ...left];
}

/** CD-23 */
function immutableFaults(spec: InternalSpec, before: InternalSpec, established: boolean): StatusCause[] {
  const same = (field: string, value: unknown, old: unknown) =>
    value === old ? [] : [invalidValue(field, inKeyOrder(value), 'field is immutable')];
  return [
    ...(established ? same('spec.scope', spec.scope, before.scope) : []),
    ...(established ? same('spec.names.kind', spec.names.kind ?? '', before.names.kind) : []),
    ...same('spec.group', spec.group, before.group),
    ...same('spec.names.plural', spec.names.plural ?? '', before.names.plural),
  ];
}

const approval = 'api-approved.kubernetes.io';
const approvalLink = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of the Kubernetes project need a word about who has looked at them. */
function approvalFaults(crd: KubeObject, stored: KubeObject | undefined, group: string): StatusCause[] {
  if (!/(^|\.)(k8s\.io|kubernetes\.io)$/.test(group)) return [];
  const fault = approvalFault(crd.metadata.annotations?.[approval]);
  const before = stored && approvalFault(stored.metadata.annotations?.[approval]);
  if (fault === undefined || (stored !== undefined && fault.reason === before?.reason)) return [];
  return [fault];
}

function approvalFault(text: string | undefined): StatusCause | undefined {
  const field = `metadata.annotations[${approval}]`;
  if (text === undefined || text === '') {
    return requiredValue(field, `protected groups must have approval annotation "${approval}", ${approvalLink}`);
  }
  if (text.startsWith('unapproved') || /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+/.test(text)) return undefined;
  const detail = `protected groups must have approval annotation "${approval}" with either a URL or a reason starting with "unapproved", ${approvalLink}`;
  return invalidValue(field, text, detail);
}
