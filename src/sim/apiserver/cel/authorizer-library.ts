import type { Declaration, Run } from './functions.js';
import { opaque, type Type } from './value-types.js';
import type { CelOpaque } from './values.js';

const authorizer = 'kubernetes.authorization.Authorizer';
const pathCheck = 'kubernetes.authorization.PathCheck';
const groupCheck = 'kubernetes.authorization.GroupCheck';
const resourceCheck = 'kubernetes.authorization.ResourceCheck';
const decision = 'kubernetes.authorization.Decision';

class Check implements CelOpaque {
  readonly kind = 'opaque';
  constructor(readonly typeName: string) {}

  equals(other: CelOpaque): boolean {
    return this === other;
  }
}

export const authorizerType: Type = opaque(authorizer);
export const requestResourceType: Type = opaque(resourceCheck);

/** The cluster has no authorization of its own: everybody may do everything. */
export const everythingAllowed: CelOpaque = new Check(authorizer);

const checks = {
  path: new Check(pathCheck),
  group: new Check(groupCheck),
  resource: new Check(resourceCheck),
  decision: new Check(decision),
};

/** `authorizer.requestResource` */
export const requestResource: CelOpaque = checks.resource;

const gives =
  (value: CelOpaque | string | boolean): Run =>
  () =>
    value;

/** The questions that an expression of admission may ask about rights. */
export const authorizerLibrary: readonly Declaration[] = [
  [`${authorizer}.path(string): ${pathCheck}`, 'authorizer_path', gives(checks.path)],
  [`${authorizer}.group(string): ${groupCheck}`, 'authorizer_group', gives(checks.group)],
  [`${authorizer}.serviceAccount(string, string): ${authorizer}`, 'authorizer_serviceaccount', gives(everythingAllowed)],
  [`${groupCheck}.resource(string): ${resourceCheck}`, 'groupcheck_resource', gives(checks.resource)],
  [`${resourceCheck}.subresource(string): ${resourceCheck}`, 'resourcecheck_subresource', gives(checks.resource)],
  [`${resourceCheck}.namespace(string): ${resourceCheck}`, 'resourcecheck_namespace', gives(checks.resource)],
  [`${resourceCheck}.name(string): ${resourceCheck}`, 'resourcecheck_name', gives(checks.resource)],
  [`${resourceCheck}.fieldSelector(string): ${resourceCheck}`, 'authorizer_fieldselector', gives(checks.resource)],
  [`${resourceCheck}.labelSelector(string): ${resourceCheck}`, 'authorizer_labelselector', gives(checks.resource)],
  [`${pathCheck}.check(string): ${decision}`, 'pathcheck_check', gives(checks.decision)],
  [`${resourceCheck}.check(string): ${decision}`, 'resourcecheck_check', gives(checks.decision)],
  [`${decision}.allowed(): bool`, 'decision_allowed', gives(true)],
  [`${decision}.reason(): string`, 'decision_reason', gives('')],
  [`${decision}.errored(): bool`, 'decision_errored', gives(false)],
  [`${decision}.error(): string`, 'decision_error', gives('')],
];
