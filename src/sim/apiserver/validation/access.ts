import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { checkName, checkSelector, type Faults, type Fields, isBlank, listOf, textsOf } from './checks.js';
import { internalForm } from './internal-form.js';

const group = 'rbac.authorization.k8s.io';

export function checkRole(faults: Faults, role: KubeObject): void {
  for (const [index, rule] of listOf(role.rules).entries()) checkRule(faults, `rules[${index}]`, rule, true);
}

export function checkClusterRole(faults: Faults, role: KubeObject): void {
  for (const [index, rule] of listOf(role.rules).entries()) checkRule(faults, `rules[${index}]`, rule, false);
  if (role.aggregationRule === undefined) return;
  const selectors = listOf(role.aggregationRule.clusterRoleSelectors);
  const field = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0) {
    faults.push(requiredValue(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  }
  for (const [index, selector] of selectors.entries()) {
    const before = faults.length;
    checkSelector(faults, `${field}[${index}]`, selector);
    if (faults.length > before) faults.push(invalidValue(`${field}[${index}]`, null, 'invalid label selector.'));
  }
}

function checkRule(faults: Faults, field: string, rule: Fields, namespaced: boolean): void {
  if (textsOf(rule.verbs).length === 0) faults.push(requiredValue(`${field}.verbs`, 'verbs must contain at least one value'));
  const urls = textsOf(rule.nonResourceURLs);
  const [groups, resources, names] = [textsOf(rule.apiGroups), textsOf(rule.resources), textsOf(rule.resourceNames)];
  if (urls.length > 0) {
    const wrong = (text: string) => faults.push(invalidValue(`${field}.nonResourceURLs`, urls, text));
    if (namespaced) wrong('namespaced rules cannot apply to non-resource URLs');
    if (groups.length + resources.length + names.length > 0) {
      wrong('rules cannot apply to both regular resources and non-resource URLs');
    }
    return;
  }
  if (groups.length === 0) faults.push(requiredValue(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  if (resources.length === 0) faults.push(requiredValue(`${field}.resources`, 'resource rules must supply at least one resource'));
}

/** TK-9, TK-10 */
export function checkBinding(faults: Faults, binding: KubeObject, stored: KubeObject | undefined): void {
  const namespaced = binding.metadata.namespace !== undefined;
  const reference: Fields = binding.roleRef ?? {};
  const { apiGroup = '', kind = '', name = '' } = reference;
  if (apiGroup !== group) faults.push(unsupportedValue('roleRef.apiGroup', apiGroup, [group]));
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(kind)) faults.push(unsupportedValue('roleRef.kind', kind, kinds));
  if (name === '') faults.push(requiredValue('roleRef.name'));
  else checkName(faults, 'roleRef.name', 'path segment', name);
  for (const [index, subject] of listOf(binding.subjects).entries()) checkSubject(faults, `subjects[${index}]`, subject, namespaced);
  if (stored !== undefined && !deepEqual(reference, stored.roleRef)) {
    faults.push(invalidValue('roleRef', internalForm('rbac.RoleRef', reference), 'cannot change roleRef'));
  }
}

function checkSubject(
  faults: Faults,
  field: string,
  { kind = '', name = '', apiGroup = '', namespace }: Fields,
  namespaced: boolean,
): void {
  if (name === '') faults.push(requiredValue(`${field}.name`));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') checkName(faults, `${field}.name`, 'subdomain', name);
      if (apiGroup !== '') faults.push(unsupportedValue(`${field}.apiGroup`, apiGroup, ['']));
      if (!namespaced && isBlank(namespace)) faults.push(requiredValue(`${field}.namespace`));
      return;
    case 'User':
    case 'Group':
      if (apiGroup !== group) faults.push(unsupportedValue(`${field}.apiGroup`, apiGroup, [group]));
      return;
    default:
      faults.push(unsupportedValue(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
}
