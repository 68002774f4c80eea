import type { KindInfo } from '../kinds.js';
import { FieldSet } from '../structured-merge/field-set.js';
import { fieldElement } from '../structured-merge/path-element.js';

/** Beside `spec`: what else a write to `/status` of a built-in kind cannot change (PA-26). */
const statusEndpoints: Readonly<Record<string, readonly string[]>> = {
  'deployments.apps': ['metadata.labels'],
  pods: ['metadata.deletionTimestamp', 'metadata.ownerReferences'],
  'customresourcedefinitions.apiextensions.k8s.io': ['metadata'],
  'volumeattachments.storage.k8s.io': ['metadata'],
  'flowschemas.flowcontrol.apiserver.k8s.io': ['metadata'],
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': ['metadata'],
  'certificatesigningrequests.certificates.k8s.io': ['status.conditions'],
  'resourceclaims.resource.k8s.io': ['metadata'],
};

/** The fields that an endpoint sets back, whatever is sent, and of which a writer becomes no owner (PA-26). */
export function resetFields(kind: KindInfo, subresource: string): FieldSet | undefined {
  switch (subresource) {
    case '':
      return kind.subresources.has('status') ? fields('status') : undefined;
    case 'status':
      return kind.custom ? fields('metadata', 'spec') : fields('spec', ...(statusEndpoints[kind.resource] ?? []));
    case 'finalize':
      return fields('status');
    default:
      return undefined;
  }
}

function fields(...paths: readonly string[]): FieldSet {
  return FieldSet.of(paths.map((path) => path.split('.').map(fieldElement)));
}
