import type { KubeObject } from '../../etcd/object.js';
import { duplicateValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { dns1035LabelFaults, nameFaults } from '../names.js';
import type { StatusCause } from '../request.js';
import { webhookServiceFaults, webhookUrlFaults } from '../webhook-validation.js';
import { matchConditionFaults } from './condition-validation.js';
import type { Hook } from './hooks.js';
import { ruleFaults } from './rule-validation.js';
import { selectorFaults } from './selector-validation.js';

/** What is wrong with a configuration of webhooks (AD-6, AD-22, AD-27). */
export function webhookFaults(configuration: KubeObject, mutating: boolean, stored?: KubeObject): StatusCause[] {
  const hooks: readonly Partial<Hook & { readonly sideEffects: string }>[] = configuration.webhooks ?? [];
  const names = new Set<string>();
  return hooks.flatMap((hook, index) => {
    const field = `webhooks[${index}]`;
    const { name = '' } = hook;
    const faults: StatusCause[] = [];
    faults.push(...qualifiedDomainFaults(`${field}.name`, name));
    for (const [at, rule] of (hook.rules ?? []).entries()) faults.push(...ruleFaults(`${field}.rules[${at}]`, rule));
    faults.push(...enumFaults(`${field}.failurePolicy`, hook.failurePolicy, ['Fail', 'Ignore']));
    faults.push(...enumFaults(`${field}.matchPolicy`, hook.matchPolicy, ['Equivalent', 'Exact']));
    if (!hook.sideEffects) faults.push(requiredValue(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
    else faults.push(...enumFaults(`${field}.sideEffects`, hook.sideEffects, ['None', 'NoneOnDryRun']));
    const { timeoutSeconds = 10 } = hook;
    if (timeoutSeconds < 1 || timeoutSeconds > 30) {
      faults.push(invalidValue(`${field}.timeoutSeconds`, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds'));
    }
    faults.push(...selectorFaults(`${field}.namespaceSelector`, hook.namespaceSelector));
    faults.push(...selectorFaults(`${field}.objectSelector`, hook.objectSelector));
    if (mutating) faults.push(...enumFaults(`${field}.reinvocationPolicy`, hook.reinvocationPolicy, ['IfNeeded', 'Never']));
    faults.push(...clientConfigFaults(`${field}.clientConfig`, hook));
    const before = (stored?.webhooks as readonly Partial<Hook>[] | undefined)?.flatMap((each) => each.matchConditions ?? []);
    faults.push(...matchConditionFaults(`${field}.matchConditions`, hook.matchConditions ?? [], before));
    faults.push(...reviewVersionFaults(`${field}.admissionReviewVersions`, hook.admissionReviewVersions ?? []));
    if (names.has(name)) faults.push(duplicateValue(`${field}.name`, name));
    names.add(name);
    return faults;
  });
}

export function enumFaults(field: string, value: string | undefined, supported: readonly string[]): StatusCause[] {
  return value === undefined || supported.includes(value) ? [] : [unsupportedValue(field, value, supported)];
}

function qualifiedDomainFaults(field: string, name: string): StatusCause[] {
  if (name === '') return [requiredValue(field)];
  const faults = nameFaults('subdomain', name);
  if (faults.length > 0) return [invalidValue(field, name, faults.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalidValue(field, name, 'should be a domain with at least three segments separated by dots')];
}

function clientConfigFaults(field: string, { clientConfig = {} }: Partial<Hook>): StatusCause[] {
  const { url, service } = clientConfig;
  if ((url === undefined) === (service === undefined)) return [requiredValue(field, 'exactly one of url or service is required')];
  if (url !== undefined) return webhookUrlFaults(`${field}.url`, url);
  const { name = '', namespace = '', path, port = 443 } = service ?? {};
  // The server hands over the two names in the wrong order.
  return webhookServiceFaults(`${field}.service`, name, namespace, path, port);
}

function reviewVersionFaults(field: string, versions: readonly string[]): StatusCause[] {
  if (versions.length === 0) return [requiredValue(field, 'must specify one of v1, v1beta1')];
  const faults = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalidValue(`${field}[${index}]`, version, 'duplicate version')];
    return dns1035LabelFaults(version).map((fault) => invalidValue(`${field}[${index}]`, version, fault));
  });
  if (!versions.includes('v1') && !versions.includes('v1beta1')) {
    faults.push(invalidValue(field, versions, 'must include at least one of v1, v1beta1'));
  }
  return faults;
}
