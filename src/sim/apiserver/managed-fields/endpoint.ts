import type { JsonValue } from '../../etcd/object.js';
import type { KindInfo } from '../kinds.js';
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

/** How the merge sees versions through an endpoint. */
export function versionsOf({ kind, subresource }: Endpoint): Versions {
  const reset = resetFields(kind, subresource);
  return {
    convert: (value, apiVersion) => inApiVersion(kind, value, apiVersion),
    filter: (set, apiVersion) => {
      const fields = kind.custom && apiVersion !== kind.apiVersion ? undefined : reset;
      return fields === undefined ? set : set.recursiveDifference(fields);
    },
  };
}

/** Conversion without a webhook: nothing changes but the version's name (CD-15). @throws ConversionFault (PA-27) */
function inApiVersion(kind: KindInfo, typed: TypedValue, apiVersion: string): TypedValue | undefined {
  const value = typed.value as ObjectValue;
  if (value.apiVersion === apiVersion) return typed;
  const type = typingOf(kind).typeIn(apiVersion);
  if (type === undefined) {
    if (!kind.custom) return undefined;
    throw new ConversionFault(`request to convert CR to an invalid group/version: ${apiVersion}`);
  }
  return asTyped({ ...value, apiVersion }, typed.schema, type, 'refused');
}

/** PA-14 */
export const neverOwned = FieldSet.of([
  ...['apiVersion', 'kind', 'metadata'].map((name) => [fieldElement(name)]),
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (name) => [fieldElement('metadata'), fieldElement(name)],
  ),
]);

/** An object as the merge wants it, without what is not a matter of owners. */
export function objectValue(object: unknown): ObjectValue {
  return object as { readonly [key: string]: JsonValue };
}
