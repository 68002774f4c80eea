import { invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import type { StatusCause } from '../request.js';
import type { Rule } from './hooks.js';

const operationNames = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** AD-27 */
export function ruleFaults(field: string, rule: Partial<Rule>): StatusCause[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const faults: StatusCause[] = [];
  if (operations.length === 0) faults.push(requiredValue(`${field}.operations`));
  faults.push(...loneStarFaults(`${field}.operations`, operations, 'operations'));
  for (const [index, operation] of operations.entries()) {
    if (!operationNames.includes(operation)) faults.push(unsupportedValue(`${field}.operations[${index}]`, operation, operationNames));
  }
  if (apiGroups.length === 0) faults.push(requiredValue(`${field}.apiGroups`));
  faults.push(...loneStarFaults(`${field}.apiGroups`, apiGroups, 'API groups'));
  if (apiVersions.length === 0) faults.push(requiredValue(`${field}.apiVersions`));
  faults.push(...loneStarFaults(`${field}.apiVersions`, apiVersions, 'API versions'));
  for (const [index, version] of apiVersions.entries()) if (version === '') faults.push(requiredValue(`${field}.apiVersions[${index}]`));
  faults.push(...resourceFaults(`${field}.resources`, resources));
  const scopes = ['*', 'Cluster', 'Namespaced'];
  if (scope !== undefined && !scopes.includes(scope)) faults.push(unsupportedValue(`${field}.scope`, scope, scopes));
  return faults;
}

function loneStarFaults(field: string, values: readonly string[], what: string): StatusCause[] {
  if (values.length < 2 || !values.includes('*')) return [];
  return [invalidValue(field, values, `if '*' is present, must not specify other ${what}`)];
}

function resourceFaults(field: string, resources: readonly string[]): StatusCause[] {
  if (resources.length === 0) return [requiredValue(field)];
  const faults: StatusCause[] = [];
  const allOf = new Set<string>();
  const ofAll = new Set<string>();
  let lastIsPlain = false;
  for (const [index, text] of resources.entries()) {
    if (text === '') {
      faults.push(requiredValue(`${field}[${index}]`));
      continue;
    }
    const slash = text.indexOf('/');
    if (slash < 0) {
      // The server only remembers the last one.
      lastIsPlain = text !== '*';
      continue;
    }
    const resource = text.slice(0, slash);
    const subresource = text.slice(slash + 1);
    if (allOf.has(resource))
      faults.push(invalidValue(`${field}[${index}]`, text, `if '${resource}/*' is present, must not specify ${text}`));
    if (ofAll.has(subresource)) {
      faults.push(invalidValue(`${field}[${index}]`, text, `if '*/${subresource}' is present, must not specify ${text}`));
    }
    if (subresource === '*') allOf.add(resource);
    if (resource === '*') ofAll.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    faults.push(invalidValue(field, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && lastIsPlain) {
    faults.push(invalidValue(field, resources, "if '*' is present, must not specify other resources without subresources"));
  }
  return faults;
}
