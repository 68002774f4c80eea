import type { KubeObject } from '../../etcd/object.js';
import { boolType, stringType } from '../cel/value-types.js';
import { invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import type { StatusCause } from '../request.js';
import { expressionFaults, matchConditionFaults } from './condition-validation.js';
import { enumFaults } from './configuration-validation.js';
import type { BindingSpec, MatchResources, PolicySpec } from './policies.js';
import { scopeOf } from './policy-expressions.js';
import { ruleFaults } from './rule-validation.js';
import { selectorFaults } from './selector-validation.js';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];

/** What is wrong with a ValidatingAdmissionPolicy. */
export function policyFaults(policy: KubeObject): StatusCause[] {
  const spec: PolicySpec = policy.spec ?? {};
  const faults = enumFaults('spec.failurePolicy', spec.failurePolicy, ['Fail', 'Ignore']);
  const scope = scopeOf(spec);
  if (spec.matchConstraints === undefined) faults.push(requiredValue('spec.matchConstraints'));
  else {
    faults.push(...matchFaults('spec.matchConstraints', spec.matchConstraints));
    if ((spec.matchConstraints.resourceRules ?? []).length === 0) faults.push(requiredValue('spec.matchConstraints.resourceRules'));
  }
  faults.push(...matchConditionFaults('spec.matchConditions', spec.matchConditions ?? [], [], scope.conditions));
  for (const [index, { name = '', expression = '' }] of (spec.variables ?? []).entries()) {
    if (name.trim() === '') faults.push(requiredValue(`spec.variables[${index}].name`, 'name is not specified'));
    if (expression.trim() === '') {
      faults.push(requiredValue(`spec.variables[${index}].expression`, 'expression is not specified'));
      continue;
    }
    const program = scope.variables.get(name);
    if (typeof program === 'string')
      faults.push(invalidValue(`spec.variables[${index}].expression`, expression, `compilation failed: ${program}`));
  }
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length + auditAnnotations.length === 0) {
    const text = 'validations or auditAnnotations must contain at least one item';
    faults.push(requiredValue('spec.validations', text), requiredValue('spec.auditAnnotations', text));
  }
  for (const [index, { expression = '', messageExpression, reason }] of validations.entries()) {
    const field = `spec.validations[${index}]`;
    if (expression.trim() === '') faults.push(requiredValue(`${field}.expression`, 'expression is not specified'));
    else faults.push(...expressionFaults(`${field}.expression`, expression.trim(), scope.all, boolType));
    if (messageExpression !== undefined && messageExpression !== '') {
      faults.push(...expressionFaults(`${field}.messageExpression`, messageExpression.trim(), scope.all, stringType));
    }
    if (reason !== undefined && !reasons.includes(reason)) faults.push(unsupportedValue(`${field}.reason`, reason, reasons));
  }
  return faults;
}

/** What is wrong with a ValidatingAdmissionPolicyBinding. */
export function bindingFaults(binding: KubeObject): StatusCause[] {
  const { policyName = '', matchResources, validationActions: actions }: BindingSpec = binding.spec ?? {};
  // Go writes what was not given as null.
  const validationActions = actions ?? [];
  const faults: StatusCause[] = [];
  if (policyName === '') faults.push(requiredValue('spec.policyName'));
  if (matchResources !== undefined) faults.push(...matchFaults('spec.matchResources', matchResources));
  const field = 'spec.validationActions';
  if (validationActions.length === 0) faults.push(requiredValue(field, 'at least one validation action is required'));
  for (const [index, action] of validationActions.entries())
    faults.push(...enumFaults(`${field}[${index}]`, action, ['Audit', 'Deny', 'Warn']));
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    const text =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    faults.push(invalidValue(field, validationActions, text));
  }
  return faults;
}

function matchFaults(field: string, match: MatchResources): StatusCause[] {
  return [
    ...enumFaults(`${field}.matchPolicy`, match.matchPolicy, ['Equivalent', 'Exact']),
    ...selectorFaults(`${field}.namespaceSelector`, match.namespaceSelector),
    ...selectorFaults(`${field}.objectSelector`, match.objectSelector),
    ...(match.resourceRules ?? []).flatMap((rule, index) => ruleFaults(`${field}.resourceRules[${index}]`, rule)),
    ...(match.excludeResourceRules ?? []).flatMap((rule, index) => ruleFaults(`${field}.excludeResourceRules[${index}]`, rule)),
  ];
}
