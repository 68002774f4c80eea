import type { Call } from '../call.js';
import type { KindInfo } from '../kinds.js';
import type { Attributes } from './attributes.js';
import type { Hook } from './hooks.js';
import { concernedKind } from './matching.js';

/** The kind in whose version a webhook is to be asked, or undefined: it is not asked (AD-19 to AD-21). @throws ApiStatusError 403 */
export function wanted(call: Call, hook: Hook, attributes: Attributes): KindInfo | undefined {
  return concernedKind(call.server, hook, attributes);
}
