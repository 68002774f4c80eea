import type { KubeObject } from '../etcd/object.js';
import { webhookFaults } from './admission/configuration-validation.js';
import { bindingFaults, policyFaults } from './admission/policy-validation.js';
import { eventFaults } from './event-validation.js';
import { jsonSize } from './json.js';
import type { KindInfo } from './kinds.js';
import type { StatusCause } from './request.js';
import { internalWithoutReason } from './status.js';
import { typedFaults } from './validation/typed-faults.js';

const maximumEtcdRequest = 1_572_864;

/** What is wrong with the fields of a built-in kind. @param subresource that an update goes to. */
export function contentFaults(kind: KindInfo, object: KubeObject, stored?: KubeObject, subresource?: string): StatusCause[] {
  switch (kind.resource) {
    case 'events':
    case 'events.events.k8s.io':
      return eventFaults(kind, object, stored);
    case 'mutatingwebhookconfigurations.admissionregistration.k8s.io':
    case 'validatingwebhookconfigurations.admissionregistration.k8s.io':
      return webhookFaults(object, kind.kind === 'MutatingWebhookConfiguration', stored);
    case 'validatingadmissionpolicies.admissionregistration.k8s.io':
      return policyFaults(object);
    case 'validatingadmissionpolicybindings.admissionregistration.k8s.io':
      return bindingFaults(object);
    default:
      return typedFaults(kind, object, stored, subresource);
  }
}

/** ST-11: etcd takes no larger request. @throws ApiStatusError 500 without a reason */
export function refuseTooLarge(object: KubeObject): void {
  if (jsonSize(object) > maximumEtcdRequest) throw internalWithoutReason('etcdserver: request is too large');
}
