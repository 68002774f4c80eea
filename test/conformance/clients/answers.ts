import type { ApiRequest, ApiResponse, Status, WatchEvent } from '../../../src/sim/apiserver/request.js';
import { deepCopy, deepFreeze, type JsonValue, type KubeObject } from '../../../src/sim/etcd/object.js';
import { expand, type Step, scriptKinds } from './script.js';

interface ShortStatus {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly retryAfter?: number;
  readonly causes?: readonly object[];
  readonly details?: object;
  readonly success?: boolean;
}

/** Builds a Status from its short form. */
export function statusOf(short: ShortStatus): Status {
  const details = {
    ...short.details,
    ...(short.causes ? { causes: short.causes } : {}),
    ...(short.retryAfter ? { retryAfterSeconds: short.retryAfter } : {}),
  };
  return deepFreeze({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: short.success ? 'Success' : 'Failure',
    message: short.message ?? '',
    reason: short.reason ?? '',
    ...(Object.keys(details).length > 0 ? { details } : {}),
    code: short.code,
  }) as Status;
}

/** The answer that a step gives to a request; a watch is opened by `events`, which are no answer. */
export function answerOf(request: ApiRequest, step: Step, nextRevision: () => string): ApiResponse {
  if (step.status) {
    const short = step.status as ShortStatus;
    return { code: short.code, body: statusOf(short), ...(short.retryAfter ? { retryAfterSeconds: short.retryAfter } : {}) };
  }
  if (step.raw) return rawAnswer(step.raw as RawAnswer);
  if (step.items) return { code: 200, body: deepFreeze(listOf(request, step)) };
  if (step.echo) return echoAnswer(request, step.echo as Record<string, string>, nextRevision);
  if (step.object) return { code: (step.code as number | undefined) ?? 200, body: deepFreeze(expand(request.resource, step.object)) };
  throw new Error(`the answer to ${request.verb} ${request.resource} says nothing`);
}

interface RawAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: string;
  readonly retryAfter?: number;
}

function rawAnswer(raw: RawAnswer): ApiResponse {
  return {
    code: raw.code,
    body: raw.contentType.includes('json') ? (parsed(raw.body) ?? raw.body) : raw.body,
    contentType: raw.contentType,
    ...(raw.retryAfter ? { retryAfterSeconds: raw.retryAfter } : {}),
  };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return deepFreeze(JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

export function metadataOnly(request: ApiRequest): boolean {
  return request.accept?.includes('as=PartialObjectMetadata') ?? false;
}

const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };

function listOf(request: ApiRequest, step: Step): KubeObject {
  const only = metadataOnly(request);
  const items = (step.items as unknown[]).map((item) => ({ ...expand(request.resource, item), ...(only ? partial : {}) }));
  const kind = scriptKinds[request.resource]!;
  return {
    apiVersion: only ? partial.apiVersion : kind.apiVersion,
    kind: `${only ? partial.kind : kind.kind}List`,
    metadata: {
      resourceVersion: (step.resourceVersion as string | undefined) ?? '',
      ...(step.continue === undefined ? {} : { continue: step.continue }),
      ...(step.remaining === undefined ? {} : { remainingItemCount: step.remaining }),
    },
    items,
  };
}

/** Gives the request's body back with members of metadata set; `next` counts up. */
function echoAnswer(request: ApiRequest, set: Readonly<Record<string, string>>, nextRevision: () => string): ApiResponse {
  const object = deepCopy(request.body) as KubeObject;
  const changes = Object.entries(set).map(([name, value]) => [name, value === 'next' ? nextRevision() : value]);
  object.metadata = { ...object.metadata, ...Object.fromEntries(changes) };
  return { code: request.verb === 'create' ? 201 : 200, body: deepFreeze(object) };
}

/** The events of a step, as they are on the wire; types that do not exist pass. */
export function eventsOf(request: ApiRequest, step: Step): WatchEvent[] {
  return ((step.events ?? []) as [string, unknown][]).map(([type, short]) => {
    if (type === 'ERROR') return { type, object: statusOf(short as ShortStatus) };
    const object = { ...expand(request.resource, short), ...(metadataOnly(request) ? partial : {}) };
    if (type !== 'BOOKMARK-END') return deepFreeze({ type, object }) as WatchEvent;
    const metadata = { ...object.metadata, annotations: { 'k8s.io/initial-events-end': 'true' } };
    return deepFreeze({ type: 'BOOKMARK', object: { ...object, metadata } });
  });
}
