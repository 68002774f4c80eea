import type { JsonValue, KubeObject, ManagedFieldsEntry } from '../../etcd/object.js';
import { deepEqual } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { defaultedOnly, prunedBy } from '../custom-resource.js';
import { decodeObject } from '../decode.js';
import { DecodeFault, goTypeOf } from '../decode-fault.js';
import { goJson, inKeyOrder } from '../field-errors.js';
import { isObject } from '../json.js';
import type { KindInfo } from '../kinds.js';
import { decodeEntries } from '../managed-fields/entries.js';
import { undecodable } from '../managed-fields/entry-faults.js';
import { knownOwners, managedFieldsOf, type Owners } from '../managed-fields/owners.js';
import { decodeMetadata } from '../metadata.js';
import { goQuote, internalError, internalWithoutReason } from '../status.js';
import { addWarnings } from './warnings.js';

/** An object as admission shows it: with the managedFields that its write will leave (AD-11). */
export function seen(object: KubeObject, namespace: string, entries: readonly ManagedFieldsEntry[]): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(namespace !== '' && metadata.namespace === undefined && { namespace }),
      ...(entries.length > 0 && { managedFields: [...entries] }),
    },
  };
}

/** A stored object as admission shows it. */
export function seenStored(object: KubeObject): KubeObject {
  return seen(object, '', managedFieldsOf(object));
}

/**
 * What a patched document stands for, with the defaults of its kind; the unknown fields of a custom resource stay (AD-2, AD-31).
 * @throws ApiStatusError 500
 */
export function decodedAfterPatch({ kind, server }: Call, document: JsonValue): KubeObject {
  if (!isObject(document)) {
    throw internalError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(document)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const { apiVersion, kind: name } = document;
  if (kind.custom) {
    if (typeof name !== 'string' || name === '') throw internalError(`Object 'Kind' is missing in '${goJson(inKeyOrder(document))}'`);
    if (typeof apiVersion === 'string' && apiVersion !== kind.apiVersion) {
      throw internalWithoutReason(
        apiVersion.split('/')[0] === kind.group
          ? `request to convert CR from an invalid group/version: ${apiVersion}`
          : `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${name} is unstructured and is not suitable for converting to ${goQuote(kind.apiVersion)}`,
      );
    }
    const { metadata, ...fields } = document;
    return defaultedOnly(kind, { ...fields, metadata: lenientMetadata(metadata) } as unknown as KubeObject);
  }
  if (typeof name === 'string' && typeof apiVersion === 'string' && (name !== kind.kind || apiVersion !== kind.apiVersion)) {
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
    const other = server.kinds.findKind(group, version, name);
    if (other === undefined) {
      throw internalError(
        `no kind ${goQuote(name)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
      );
    }
    decoded(other, document);
    throw internalError(`converting (${version}.${name}) to (${kind.version}.${kind.kind}): unknown conversion`);
  }
  return decoded(kind, document);
}

/** @throws ApiStatusError 500 */
function decoded(kind: KindInfo, document: Readonly<Record<string, JsonValue>>): KubeObject {
  try {
    return decodeObject(kind, document).object;
  } catch (error) {
    throw error instanceof DecodeFault ? internalError(error.message) : error;
  }
}

/** What only a webhook can have put into a custom resource is not stored (AD-2): the version that it is stored in decides. */
export function withoutUnknown(kind: KindInfo, object: KubeObject, patched: boolean): KubeObject {
  return patched && kind.custom && kind.apiVersion === kind.storedVersion
    ? { ...prunedBy(kind.definition, object), metadata: object.metadata }
    : object;
}

/** AD-31: a map of labels of another type is none. */
function lenientMetadata(sent: JsonValue | undefined): KubeObject['metadata'] {
  if (!isObject(sent)) return {};
  const { managedFields, ...rest } = sent;
  const metadata = decodable(rest);
  return managedFields === undefined ? metadata : { ...metadata, managedFields: managedFields as unknown as ManagedFieldsEntry[] };
}

function decodable(sent: Readonly<Record<string, JsonValue>>): KubeObject['metadata'] {
  try {
    return decodeMetadata(sent, '', 'ObjectMeta', []);
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error;
    const kept = Object.entries(sent).filter(([name, value]) => {
      try {
        decodeMetadata({ [name]: value }, '', 'ObjectMeta', []);
        return true;
      } catch {
        return false;
      }
    });
    return decodeMetadata(Object.fromEntries(kept), '', 'ObjectMeta', []);
  }
}

/** AD-24: the owners that a webhook has left, or those from before when it has touched nothing. */
export function ownersAfterAdmission(warnings: string[], object: KubeObject, before: Owners): Owners {
  const entries = object.metadata.managedFields ?? [];
  if (deepEqual(entries, before.entries())) return before;
  const managed = Array.isArray(entries) ? decodeEntries(entries) : undefined;
  if (managed !== undefined) return knownOwners(managed);
  const fault = (Array.isArray(entries) ? undecodable(entries) : undefined) ?? 'operation must be `Apply` or `Update`';
  addWarnings(warnings, [
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${fault}`,
  ]);
  return before;
}
