import type { Call } from '../call.js';
import type { KindInfo } from '../kinds.js';
import { forbidden } from '../status.js';
import { inVersionOf } from './ask.js';
import type { Attributes } from './attributes.js';
import { conditionsHold } from './conditions.js';
import { requestValues } from './expression.js';
import type { Hook } from './hooks.js';
import { concernedKind } from './matching.js';
import { admissionRequest } from './review.js';

/** The kind in whose version a webhook is to be asked, or undefined: it is not asked (AD-19 to AD-21). @throws ApiStatusError 403 */
export function wanted(call: Call, hook: Hook, attributes: Attributes): KindInfo | undefined {
  const seenAs = concernedKind(call.server, hook, attributes);
  const { matchConditions = [] } = hook;
  if (seenAs === undefined || matchConditions.length === 0) return seenAs;
  const request = admissionRequest(attributes, seenAs, '', null, null);
  const seen = {
    ...attributes,
    object: inVersionOf(seenAs, attributes, attributes.object),
    oldObject: inVersionOf(seenAs, attributes, attributes.oldObject),
  };
  const holds = conditionsHold(matchConditions, requestValues(call.server, seen, request));
  if (holds === true) return seenAs;
  if (holds === false || hook.failurePolicy === 'Ignore') return undefined;
  throw forbidden(call.kind, attributes.name, holds);
}
