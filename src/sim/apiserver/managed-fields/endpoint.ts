import type { KubeObject, ManagedFieldsEntry } from '../../etcd/object.js';
import { autoscalerIn, autoscalers } from '../autoscaler-versions.js';
import type { KindInfo } from '../kinds.js';
import { ApiStatusError } from '../status.js';
import { FieldSet } from '../structured-merge/field-set.js';
import { fieldElement } from '../structured-merge/path-element.js';
import type { TypedValue } from '../structured-merge/typed-value.js';
import type { Versions } from '../structured-merge/updating.js';
import { asTyped } from '../structured-merge/validation.js';
import { ConversionFault } from './faults.js';
import { resetFields } from './reset-fields.js';
import { type ObjectValue, typingOf } from './typing.js';

/** The endpoint that a write goes through: it decides who is written down as what, and what does not count (PA-26). */
export interface Endpoint {
  readonly kind: KindInfo;
  readonly subresource: string;
}

/**
 * How the merge sees versions through an endpoint.
 * @param entries the managedFields that go along when a webhook is asked to convert an object
 */
export function versionsOf({ kind, subresource }: Endpoint, entries: (value: ObjectValue) => readonly ManagedFieldsEntry[]): Versions {
  const reset = resetFields(kind, subresource);
  return {
    convert: (value, apiVersion) => inApiVersion(kind, value, apiVersion, entries),
    filter: (set, apiVersion) => {
      const fields = kind.custom && apiVersion !== kind.apiVersion ? undefined : reset;
      return fields === undefined ? set : set.recursiveDifference(fields);
    },
  };
}

/**
 * The value in another version; undefined when a built-in kind has none of that name (any more).
 * @throws ConversionFault (PA-27), TypeFaults when a webhook leaves what the version does not declare (PA-61)
 */
function inApiVersion(
  kind: KindInfo,
  typed: TypedValue,
  apiVersion: string,
  entries: (value: ObjectValue) => readonly ManagedFieldsEntry[],
): TypedValue | undefined {
  const value = typed.value as ObjectValue;
  if (value.apiVersion === apiVersion) return typed;
  const type = typingOf(kind).typeIn(apiVersion);
  if (type === undefined) {
    if (!kind.custom) return undefined;
    throw new ConversionFault(`request to convert CR to an invalid group/version: ${apiVersion}`);
  }
  return asTyped(
    converted(kind, value, apiVersion, () => entries(value)),
    typed.schema,
    type,
    'refused',
  );
}

/** Without a webhook nothing changes but the version's name (CD-15); with one all roads lead through the endpoint's version. */
function converted(kind: KindInfo, value: ObjectValue, apiVersion: string, entries: () => readonly ManagedFieldsEntry[]): ObjectValue {
  const { conversion } = kind;
  if (kind.resource === autoscalers) return autoscalerIn(value as unknown as KubeObject, apiVersion) as unknown as ObjectValue;
  if (conversion === undefined) return { ...value, apiVersion };
  const steps = value.apiVersion === kind.apiVersion || apiVersion === kind.apiVersion ? [apiVersion] : [kind.apiVersion, apiVersion];
  const managedFields = [...entries()];
  let object = value as unknown as KubeObject;
  if (managedFields.length > 0) object = { ...object, metadata: { ...object.metadata, managedFields } };
  try {
    for (const step of steps) object = conversion.convert(kind, object, step);
  } catch (error) {
    throw error instanceof ApiStatusError ? new ConversionFault(error.message) : error;
  }
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as ObjectValue;
}

/** PA-14 */
export const neverOwned = FieldSet.of([
  ...['apiVersion', 'kind', 'metadata'].map((name) => [fieldElement(name)]),
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (name) => [fieldElement('metadata'), fieldElement(name)],
  ),
]);
