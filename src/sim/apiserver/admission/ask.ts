import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { autoscalerIn, autoscalers } from '../autoscaler-versions.js';
import type { Call } from '../call.js';
import { DecodeFault } from '../decode-fault.js';
import { asCoreEvent, asEventsApi } from '../event-api.js';
import type { KindInfo, WebhookConversion } from '../kinds.js';
import { ApiStatusError, internalError } from '../status.js';
import type { Attributes } from './attributes.js';
import type { Hook } from './hooks.js';
import { admissionReview, type Verdict, verdictOf } from './review.js';
import { addWarnings } from './warnings.js';
import { callWebhook } from './webhook.js';

const defaultTimeoutSeconds = 10;
const eventsApi = 'events.events.k8s.io';

/** How long webhooks have held a request up so far, in virtual milliseconds. */
export interface Spent {
  ms: number;
}

export type Asked =
  | {
      readonly verdict: Verdict;
      readonly delayMs: number;
      /** The object as the webhook saw it. */
      readonly object: JsonValue;
      /** A document of the version that the webhook saw, in the request's own. */
      readonly back: (document: JsonValue) => JsonValue;
    }
  | { readonly fault: string; readonly delayMs: number };

/**
 * Asks one webhook about a request. A mutating one holds the request up; how long validating ones do, which are asked
 * side by side, is their caller's business. @throws ApiStatusError, PlainTextError
 */
export function ask(call: Call, hook: Hook, attributes: Attributes, seenAs: KindInfo, mutating: boolean): Asked {
  const { server, kind } = call;
  const uid = server.newUid(kind, attributes.namespace, attributes.name, attributes.dryRun, `review for ${hook.name} of`);
  const shown = (object: KubeObject | null) => inVersionOf(seenAs, attributes, object) as unknown as JsonValue;
  const object = shown(attributes.object);
  const review = admissionReview(hook, attributes, seenAs, uid, object, shown(attributes.oldObject));
  const timeoutMs = (hook.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
  const called = callWebhook(call, hook.clientConfig, review, timeoutMs);
  if (mutating) call.spent.ms += called.delayMs;
  if ('fault' in called) return called;
  try {
    const verdict = verdictOf(called.review, review, mutating);
    if (typeof verdict === 'string') return { fault: `received invalid webhook response: ${verdict}`, delayMs: called.delayMs };
    addWarnings(call.warnings, verdict.warnings);
    const back = (document: JsonValue) => backToRequest(seenAs, kind, document);
    return { verdict, delayMs: called.delayMs, object, back };
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error;
    return { fault: `failed to call webhook: ${error.message}`, delayMs: called.delayMs };
  }
}

/** AD-20: with conversion None an object is only named otherwise. */
export function inVersionOf(seenAs: KindInfo, { kind, objectKind }: Attributes, object: KubeObject | null): KubeObject | null {
  if (object === null || seenAs === kind || objectKind.group !== kind.group) return object;
  // EV-3
  if (seenAs.resource === eventsApi) return asEventsApi(object);
  if (kind.resource === eventsApi) return asCoreEvent(object);
  if (kind.resource === autoscalers) return autoscalerIn(object, seenAs.apiVersion);
  if (kind.conversion === undefined) return { ...object, apiVersion: seenAs.apiVersion };
  return convertedBy(() => (kind.conversion as WebhookConversion).convert(kind, object, seenAs.apiVersion));
}

/** AD-20: the prefix comes twice. @throws ApiStatusError 500 */
function convertedBy(convert: () => KubeObject): KubeObject {
  try {
    return convert();
  } catch (error) {
    throw error instanceof ApiStatusError ? internalError(`Internal error occurred: ${error.message}`) : error;
  }
}

function backToRequest(seenAs: KindInfo, kind: KindInfo, document: JsonValue): JsonValue {
  if (seenAs === kind || typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  const patched = document as { readonly [key: string]: JsonValue };
  if (seenAs.resource === eventsApi) return asCoreEvent(document as unknown as KubeObject) as unknown as JsonValue;
  if (kind.resource === eventsApi) return asEventsApi(document as unknown as KubeObject) as unknown as JsonValue;
  if (kind.resource === autoscalers) return autoscalerIn(document as unknown as KubeObject, kind.apiVersion) as unknown as JsonValue;
  const { conversion } = seenAs;
  if (conversion !== undefined && patched.apiVersion === seenAs.apiVersion) {
    const object = patched as unknown as KubeObject;
    return convertedBy(() => conversion.convert(seenAs, object, kind.apiVersion)) as unknown as JsonValue;
  }
  return patched.apiVersion === seenAs.apiVersion ? { ...patched, apiVersion: kind.apiVersion } : patched;
}
