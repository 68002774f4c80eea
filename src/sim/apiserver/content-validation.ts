import { deepEqual, type KubeObject } from '../etcd/object.js';
import { webhookFaults } from './admission/configuration-validation.js';
import { bindingFaults, policyFaults } from './admission/policy-validation.js';
import { eventFaults } from './event-validation.js';
import { forbiddenValue, invalidValue, tooLong } from './field-errors.js';
import { jsonSize } from './json.js';
import type { KindInfo } from './kinds.js';
import type { StatusCause } from './request.js';
import { internalWithoutReason } from './status.js';
import { typedFaults } from './validation/typed-faults.js';

const configKey = /^[-._a-zA-Z0-9]+$/;
const configKeyFault =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const maximumData = 1_048_576;
const maximumEtcdRequest = 1_572_864;

/** What is wrong with the fields of a built-in kind. @param subresource that an update goes to. */
export function contentFaults(kind: KindInfo, object: KubeObject, stored?: KubeObject, subresource?: string): StatusCause[] {
  switch (kind.resource) {
    case 'configmaps':
      return [...immutableFaults(object, stored, ['data', 'binaryData']), ...dataFaults(object, ['data', 'binaryData'], '[]')];
    case 'secrets':
      return [...secretTypeFaults(object, stored), ...immutableFaults(object, stored, ['data']), ...dataFaults(object, ['data'], 'data')];
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

function dataFaults(object: KubeObject, fields: readonly string[], sizeField: string): StatusCause[] {
  const causes: StatusCause[] = [];
  let size = 0;
  for (const field of fields) {
    const data: Readonly<Record<string, string>> = object[field] ?? {};
    for (const key of Object.keys(data)) {
      if (key.length > 253) causes.push(invalidValue(`${field}[${key}]`, key, 'must be no more than 253 characters'));
      if (!configKey.test(key)) causes.push(invalidValue(`${field}[${key}]`, key, configKeyFault));
      else if (key === '.') causes.push(invalidValue(`${field}[${key}]`, key, "must not be '.'"));
      else if (key === '..') causes.push(invalidValue(`${field}[${key}]`, key, "must not be '..'"));
      else if (key.startsWith('..')) causes.push(invalidValue(`${field}[${key}]`, key, "must not start with '..'"));
      if (field === 'data' && fields.includes('binaryData') && Object.hasOwn(object.binaryData ?? {}, key)) {
        causes.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
      }
      size += key.length + (data[key] as string).length;
    }
  }
  // FE-6
  if (size > maximumData) causes.push(tooLong(sizeField, maximumData));
  return causes;
}

/** TK-10 */
function immutableFaults(object: KubeObject, stored: KubeObject | undefined, fields: readonly string[]): StatusCause[] {
  if (stored?.immutable !== true) return [];
  const text = 'field is immutable when `immutable` is set';
  const causes = object.immutable === true ? [] : [forbiddenValue('immutable', text)];
  for (const field of fields) if (!deepEqual(object[field], stored[field])) causes.push(forbiddenValue(field, text));
  return causes;
}

/** TK-10 */
function secretTypeFaults(object: KubeObject, stored: KubeObject | undefined): StatusCause[] {
  return stored === undefined || object.type === stored.type ? [] : [invalidValue('type', object.type, 'field is immutable')];
}
