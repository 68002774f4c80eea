import type { KindInfo } from '../kinds.js';
import { FieldSet } from '../structured-merge/field-set.js';
import { fieldElement } from '../structured-merge/path-element.js';

/** The fields that an endpoint sets back, whatever is sent, and of which a writer becomes no owner (PA-26). */
export function resetFields(kind: KindInfo, subresource: string): FieldSet | undefined {
  switch (subresource) {
    case '':
      return kind.subresources.has('status') ? fields('status') : undefined;
    case 'status':
      return fields('spec', ...notTakenByStatus(kind));
    case 'finalize':
      return fields('status');
    default:
      return undefined;
  }
}

/** UP-16: what a write to the status does not take of the metadata, it does not own either. */
function notTakenByStatus({ resource, statusMetadata }: KindInfo): readonly string[] {
  if (statusMetadata.length === 0) return ['metadata'];
  const missing = (['labels', 'annotations', 'finalizers', 'ownerReferences'] as const).filter((field) => !statusMetadata.includes(field));
  const others: Readonly<Record<string, readonly string[]>> = {
    pods: ['metadata.deletionTimestamp'],
    'certificatesigningrequests.certificates.k8s.io': ['status.conditions'],
  };
  return [...missing.map((field) => `metadata.${field}`), ...(others[resource] ?? [])];
}

function fields(...paths: readonly string[]): FieldSet {
  return FieldSet.of(paths.map((path) => path.split('.').map(fieldElement)));
}
