import type { KubeObject, ObjectMeta } from '../etcd/object.js';
import type { Call } from './call.js';
import { invalidValue } from './field-errors.js';
import type { KindInfo } from './kinds.js';
import { qualifiedNameFaults } from './label-syntax.js';
import { unqualifiedFaults } from './metadata-validation.js';
import type { StatusCause } from './request.js';
import { failure, forbidden } from './status.js';

const nameLabel = 'kubernetes.io/metadata.name';
const protectedNames: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export function isNamespace(kind: KindInfo): boolean {
  return kind.resource === 'namespaces';
}

/** CR-12: nothing is created in a namespace that is missing or being terminated. @throws ApiStatusError 404, 403 */
export function admitCreate({ server, kind }: Call, namespace: string, name: string): void {
  if (!kind.namespaced) return;
  const object = server.etcd.get({ resource: 'namespaces', namespace: '', name: namespace });
  if (object === undefined) {
    throw failure(404, 'NotFound', `namespaces "${namespace}" not found`, { name: namespace, kind: 'namespaces' });
  }
  if (object.status?.phase !== 'Terminating') return;
  throw forbidden(kind, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
  ]);
}

/** CR-13 @throws ApiStatusError 403 */
export function admitDelete(kind: KindInfo, name: string): void {
  if (isNamespace(kind) && protectedNames.has(name)) throw forbidden(kind, name, 'this namespace may not be deleted');
}

/** NS-6: a namespace carries its name as a label, whatever a client writes. */
export function withNameLabel(namespace: KubeObject): KubeObject {
  const { name = '', labels } = namespace.metadata;
  if (labels?.[nameLabel] === name) return namespace;
  return { ...namespace, metadata: { ...namespace.metadata, labels: { ...labels, [nameLabel]: name } } };
}

/** NS-6: the namespace controller's finalizer is there from the beginning. */
export function newNamespace(namespace: KubeObject): KubeObject {
  const finalizers: readonly string[] = namespace.spec?.finalizers ?? [];
  const all = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
  return withNameLabel({ ...namespace, spec: { ...namespace.spec, finalizers: all } });
}

/** NS-6, NS-7: names in the spec's finalizers are standard ones or qualified. @param field how a cause names the n-th of them */
export function specFinalizerFaults(namespace: KubeObject, field: (index: number) => string): StatusCause[] {
  const finalizers: readonly string[] = namespace.spec?.finalizers ?? [];
  return finalizers.flatMap((finalizer, index) =>
    [...qualifiedNameFaults(finalizer), ...unqualifiedFaults(finalizer)].map((fault) => invalidValue(field(index), finalizer, fault)),
  );
}

/** NS-7: `/finalize` takes the finalizers of the spec and the metadata, and leaves the status. */
export function finalizing(sent: KubeObject, current: KubeObject, metadata: ObjectMeta): KubeObject {
  const finalizers: readonly string[] = sent.spec?.finalizers ?? [];
  return withNameLabel({ ...current, metadata, spec: finalizers.length === 0 ? {} : { finalizers } });
}
