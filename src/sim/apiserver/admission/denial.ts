import type { JsonValue } from '../../etcd/object.js';
import { isObject } from '../json.js';
import type { Status, StatusDetails } from '../request.js';
import { ApiStatusError, failure, goQuote } from '../status.js';

/** AD-4: what a webhook sends with its denial is answered as it came, and nothing is added. */
export function denial(webhook: string, sent: Readonly<Record<string, JsonValue>>): ApiStatusError {
  const { code, reason, message, details, metadata } = sent;
  const because = text(message) || text(reason);
  const head = `admission webhook ${goQuote(webhook)} denied the request`;
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: listMeta(metadata),
    status: 'Failure',
    message: because === '' ? `${head} without explanation` : `${head}: ${because}`,
    ...(text(reason) !== '' && { reason: text(reason) }),
    ...(isObject(details) && { details: details as StatusDetails }),
    code: typeof code === 'number' && code >= 400 ? code : 400,
  };
  return new ApiStatusError(status);
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function listMeta(value: JsonValue | undefined): Status['metadata'] {
  if (!isObject(value)) return {};
  const kept = ['selfLink', 'resourceVersion', 'continue', 'remainingItemCount'].filter((name) => value[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, value[name]]));
}

/** AD-5: a webhook whose word is needed cannot be asked. */
export function callFailed(webhook: string, cause: string): ApiStatusError {
  const text = `failed calling webhook ${goQuote(webhook)}: ${cause}`;
  return failure(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] });
}
