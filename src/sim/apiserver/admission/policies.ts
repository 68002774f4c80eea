import type { KubeObject } from '../../etcd/object.js';
import type { LabelSelector } from '../object-selector.js';
import type { ApiServer } from '../server.js';
import type { MatchCondition, Rule } from './hooks.js';
import type { Concern } from './matching.js';

/** `matchConstraints` and `matchResources`. */
export interface MatchResources {
  readonly resourceRules?: readonly (Rule & { readonly resourceNames?: readonly string[] })[];
  readonly excludeResourceRules?: readonly (Rule & { readonly resourceNames?: readonly string[] })[];
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

export interface PolicySpec {
  readonly matchConstraints?: MatchResources;
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
}

export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[];
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: 'Allow' | 'Deny';
}

export interface BoundPolicy {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly bindings: readonly { readonly name: string; readonly spec: BindingSpec }[];
}

const policyResource = 'validatingadmissionpolicies.admissionregistration.k8s.io';
const bindingResource = 'validatingadmissionpolicybindings.admissionregistration.k8s.io';
const none: readonly BoundPolicy[] = [];

/** The policies that somebody has bound: one without binding does nothing (AD-12). */
export function boundPolicies(server: ApiServer): readonly BoundPolicy[] {
  const policies = server.etcd.list(policyResource);
  if (policies.length === 0) return none;
  const bindings = server.etcd.list(bindingResource);
  return policies.flatMap((policy) => {
    const name = policy.metadata.name ?? '';
    const bound = bindings
      .filter(({ spec }) => spec?.policyName === name)
      .map((binding) => ({ name: nameOf(binding), spec: binding.spec ?? {} }));
    return bound.length === 0 ? [] : [{ name, spec: policy.spec ?? {}, bindings: bound }];
  });
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? '';
}

/** The same as a webhook's rules and selectors. */
export function concernOf({ resourceRules, ...rest }: MatchResources): Concern {
  return { ...rest, ...(resourceRules !== undefined && { rules: resourceRules }) };
}
