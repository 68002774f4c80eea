import type { Call } from '../call.js';
import type { ApiStatusError } from '../status.js';
import { ask } from './ask.js';
import type { Attributes, Operation } from './attributes.js';
import { callFailed, denial } from './denial.js';
import { type Hook, validatingHooks } from './hooks.js';
import { checkLimits } from './limit-ranges.js';
import { isAdmissionConfiguration } from './matching.js';
import { chargeQuotas } from './quota.js';
import { applyPolicies } from './validating-policies.js';
import { wanted } from './wanted.js';

/** Lets everybody who may refuse a write do so, once it is known what will be stored (AD-1). @throws ApiStatusError, PlainTextError */
export function validate(call: Call, operation: Operation, attributes: () => Attributes): void {
  checkLimits(call, operation, attributes);
  applyPolicies(call, attributes);
  askValidating(call, attributes);
  chargeQuotas(call, operation, attributes);
}

/** Lets the validating webhooks refuse a write: side by side, the quickest refusal counts (AD-2). @throws ApiStatusError, PlainTextError */
function askValidating(call: Call, attributes: () => Attributes): void {
  const hooks = validatingHooks(call.server);
  if (hooks.length === 0 || isAdmissionConfiguration(call.kind)) return;
  const given = attributes();
  const asked = hooks.flatMap((hook) => {
    const seenAs = wanted(call, hook, given);
    return seenAs === undefined ? [] : [{ hook, seenAs }];
  });
  let first: { readonly refusal: ApiStatusError; readonly atMs: number } | undefined;
  let slowestMs = 0;
  for (const { hook, seenAs } of asked) {
    const answer = ask(call, hook, given, seenAs, false);
    slowestMs = Math.max(slowestMs, answer.delayMs);
    const refusal = refusalOf(hook, answer);
    if (refusal !== undefined && (first === undefined || answer.delayMs < first.atMs)) first = { refusal, atMs: answer.delayMs };
  }
  call.spent.ms += slowestMs;
  if (first !== undefined) throw first.refusal;
}

function refusalOf(hook: Hook, answer: ReturnType<typeof ask>): ApiStatusError | undefined {
  if ('fault' in answer) return hook.failurePolicy === 'Ignore' ? undefined : callFailed(hook.name, answer.fault);
  return answer.verdict.allowed ? undefined : denial(hook.name, answer.verdict.status);
}
