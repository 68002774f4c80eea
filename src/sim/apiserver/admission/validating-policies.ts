import type { JsonValue } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { CelError } from '../cel/values.js';
import type { KindInfo } from '../kinds.js';
import { keyOf } from '../kinds.js';
import { selects } from '../object-selector.js';
import { ApiStatusError, forbidden } from '../status.js';
import { inVersionOf } from './ask.js';
import type { Attributes } from './attributes.js';
import { conditionsHold } from './conditions.js';
import { compiled, evaluate, evaluationFault, requestValues, type Values } from './expression.js';
import { concernedKind, isAdmissionConfiguration } from './matching.js';
import {
  type BindingSpec,
  type BoundPolicy,
  boundPolicies,
  concernOf,
  type MatchResources,
  type ParamRef,
  type Validation,
} from './policies.js';
import { type PolicyScope, policyValues, scopeOf } from './policy-expressions.js';
import { admissionRequest } from './review.js';
import { addWarnings } from './warnings.js';

/** A validation that failed. */
interface Failure {
  readonly message: string;
  readonly reason: string;
}

const longestMessage = 5 * 1024;

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422 };

/** Lets the ValidatingAdmissionPolicies refuse a write, or warn of it (AD-8, AD-12). @throws ApiStatusError */
export function applyPolicies(call: Call, attributes: () => Attributes): void {
  const policies = boundPolicies(call.server);
  if (policies.length === 0 || isAdmissionConfiguration(call.kind)) return;
  const given = attributes();
  let denied: ApiStatusError | undefined;
  for (const policy of policies) {
    const seenAs = matching(call, policy.spec.matchConstraints ?? {}, given);
    if (seenAs === undefined) continue;
    for (const binding of policy.bindings) {
      if (binding.spec.matchResources !== undefined && !isBound(call, binding.spec.matchResources, given)) continue;
      for (const failure of failuresOf(call, policy, binding.spec, given, seenAs)) {
        const { validationActions = [] } = binding.spec;
        if (validationActions.includes('Warn')) {
          addWarnings(call.warnings, [
            `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${failure.message}`,
          ]);
        }
        if (validationActions.includes('Deny')) denied ??= refusal(call.kind, policy.name, binding.name, given, failure);
      }
    }
  }
  if (denied !== undefined) throw denied;
}

function matching({ server }: Call, match: MatchResources, attributes: Attributes): KindInfo | undefined {
  const excluded = { matchPolicy: match.matchPolicy, rules: match.excludeResourceRules } as Parameters<typeof concernedKind>[1];
  if ((match.excludeResourceRules ?? []).length > 0 && concernedKind(server, excluded, attributes) !== undefined) return undefined;
  const rules = (match.resourceRules ?? []).filter(
    ({ resourceNames = [] }) => resourceNames.length === 0 || resourceNames.includes(attributes.name),
  );
  return concernedKind(server, concernOf({ ...match, resourceRules: rules }), attributes);
}

/** A binding without rules is about all that its policy is about. */
function isBound(call: Call, match: MatchResources, attributes: Attributes): boolean {
  const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }];
  return (
    matching(call, (match.resourceRules ?? []).length === 0 ? { ...match, resourceRules: everything } : match, attributes) !== undefined
  );
}

function failuresOf(call: Call, { spec }: BoundPolicy, binding: BindingSpec, attributes: Attributes, seenAs: KindInfo): readonly Failure[] {
  const fail = (message: string): readonly Failure[] => (spec.failurePolicy === 'Ignore' ? [] : [{ message, reason: 'Invalid' }]);
  const params =
    spec.paramKind === undefined || binding.paramRef === undefined ? [null] : paramsOf(call, spec.paramKind, binding.paramRef, attributes);
  if (typeof params === 'string') return fail(`failed to configure binding: ${params}`);
  const seen = {
    ...attributes,
    object: inVersionOf(seenAs, attributes, attributes.object),
    oldObject: inVersionOf(seenAs, attributes, attributes.oldObject),
  };
  const request = requestValues(call.server, seen, admissionRequest(attributes, seenAs, '', null, null));
  const scope = scopeOf(spec);
  return params.flatMap((param) => {
    const values = policyValues(scope, request, param);
    const holds = conditionsHold(spec.matchConditions ?? [], values, scope.conditions);
    if (holds === false) return [];
    if (holds !== true) return fail(holds);
    return (spec.validations ?? []).flatMap((validation) => {
      const outcome = failureOf(validation, scope, values);
      return outcome === undefined ? [] : typeof outcome === 'string' ? fail(outcome) : [outcome];
    });
  });
}

/** Undefined: it holds. A text: it cannot be said. */
function failureOf(validation: Validation, scope: PolicyScope, values: Values): Failure | string | undefined {
  const { expression, message = '', reason = 'Invalid' } = validation;
  const program = compiled(expression, scope.all);
  if (typeof program === 'string') return `compilation failed: ${program}`;
  try {
    if (evaluate(program, values) === true) return undefined;
  } catch (error) {
    return evaluationFault(expression, error);
  }
  return { message: expressed(validation, scope, values) ?? (message.trim() || `failed expression: ${expression.trim()}`), reason };
}

/** What a message expression says, if it says something that can be shown. */
function expressed({ messageExpression }: Validation, scope: PolicyScope, values: Values): string | undefined {
  if (messageExpression === undefined || messageExpression === '') return undefined;
  const program = compiled(messageExpression, scope.all);
  if (typeof program === 'string') return undefined;
  try {
    const text = evaluate(program, values);
    const usable = typeof text === 'string' && text.trim() !== '' && text.length <= longestMessage && !text.includes('\n');
    return usable ? text.trim() : undefined;
  } catch (error) {
    if (error instanceof CelError) return undefined;
    throw error;
  }
}

/** The objects that a binding takes its parameters from, or why there are none. */
function paramsOf(
  { server }: Call,
  paramKind: { readonly apiVersion: string; readonly kind: string },
  ref: ParamRef,
  { namespace }: Attributes,
) {
  const { apiVersion, kind: name } = paramKind;
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
  const kind = server.kinds.findKind(group, version, name);
  if (kind === undefined) return `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${name}'`;
  const from = kind.namespaced ? (ref.namespace ?? namespace) : '';
  const single = ref.name === undefined ? undefined : server.etcd.get(keyOf(kind, from, ref.name));
  const found =
    ref.name !== undefined
      ? single === undefined
        ? []
        : [single]
      : server.etcd
          .list(kind.storedAs)
          .filter(
            ({ metadata }) =>
              (!kind.namespaced || metadata.namespace === from) && (ref.selector === undefined || selects(ref.selector, metadata.labels)),
          );
  if (found.length > 0) return found as unknown as readonly JsonValue[];
  return ref.parameterNotFoundAction === 'Deny' ? 'no params found for policy binding with `Deny` parameterNotFoundAction' : [];
}

function refusal(
  kind: KindInfo,
  policy: string,
  binding: string,
  { name, object }: Attributes,
  { message, reason }: Failure,
): ApiStatusError {
  const text = `ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${message}`;
  const shown = name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  const { status } = forbidden(kind, shown, text, [{ message: text }]);
  return new ApiStatusError({ ...status, reason, code: codes[reason] ?? 422 });
}
