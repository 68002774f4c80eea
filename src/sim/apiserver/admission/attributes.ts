import type { JsonValue, KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import type { DeleteOptions } from '../delete-options.js';
import type { KindInfo } from '../kinds.js';
import type { WriteOptions } from '../options.js';
import { parameter } from '../query.js';
import { administrator, type UserInfo } from '../user.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What one write looks like to those who may change or refuse it (AD-7, AD-11). */
export interface Attributes {
  readonly operation: Operation;
  /** The kind that the path names; with a subresource its objects may be of another one. */
  readonly kind: KindInfo;
  /** Empty for the main endpoint. */
  readonly subresource: string;
  /** What the objects are. */
  readonly objectKind: GroupVersionKind;
  /** Empty for cluster-scoped kinds, except namespaces, which stand in themselves (AD-19). */
  readonly namespace: string;
  /** Empty while a name is still to be generated, and in a deletecollection. */
  readonly name: string;
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  readonly options: JsonValue;
  readonly dryRun: boolean;
  readonly user: UserInfo;
}

/** The attributes that do not depend on the objects. */
function common({ kind, request }: Call, name: string) {
  const subresource = request.subresource ?? '';
  const of = kind.data.subresources?.find((known) => known.name === subresource);
  return {
    kind,
    subresource,
    objectKind: {
      group: of?.group ?? kind.group,
      version: of?.version ?? kind.version,
      kind: of?.kind ?? kind.kind,
    },
    namespace: kind.resource === 'namespaces' ? name : kind.namespaced ? (request.namespace ?? '') : '',
    name,
    user: request.user ?? administrator,
  };
}

/** AD-7: a PATCH is an update, and what `force` said is lost. */
export function writeAttributes(
  call: Call,
  options: WriteOptions,
  operation: 'CREATE' | 'UPDATE',
  name: string,
  object: KubeObject,
  oldObject: KubeObject | null,
): Attributes {
  const fieldValidation = parameter(call.request.query, 'fieldValidation');
  return {
    ...common(call, name),
    operation,
    object,
    oldObject,
    options: {
      kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
      apiVersion: 'meta.k8s.io/v1',
      ...(options.dryRun && { dryRun: ['All'] }),
      ...(options.fieldManager !== '' && { fieldManager: options.fieldManager }),
      ...(fieldValidation !== undefined && fieldValidation !== '' && { fieldValidation }),
    },
    dryRun: options.dryRun,
  };
}

/** @param name empty in a deletecollection (AD-11). */
export function deleteAttributes(call: Call, options: DeleteOptions, name: string, oldObject: KubeObject): Attributes {
  const { dryRun, gracePeriodSeconds, propagationPolicy, orphanDependents, uid, resourceVersion } = options;
  const preconditions = { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
  return {
    ...common(call, name),
    operation: 'DELETE',
    object: null,
    oldObject,
    options: {
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/v1',
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(Object.keys(preconditions).length > 0 && { preconditions }),
      ...(orphanDependents !== undefined && { orphanDependents }),
      ...(propagationPolicy !== undefined && { propagationPolicy }),
      ...(dryRun && { dryRun: ['All'] }),
    },
    dryRun,
  };
}
