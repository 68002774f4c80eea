import { deepCopy, type JsonValue, type KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { goTypeOf } from '../decode-fault.js';
import { parseGoJson } from '../go-json.js';
import { isObject } from '../json.js';
import { goQuote } from '../status.js';
import { RequestDeadline, remainingMs } from './deadline.js';
import type { ClientConfig } from './hooks.js';

/** One POST of the API server to a webhook. */
export interface WebhookCall {
  /** Where it goes, with the parameters: `https://svc.ns.svc:443/path?timeout=10s`. */
  readonly url: string;
  /** The service behind it, if it is reached by one. */
  readonly service?: { readonly namespace: string; readonly name: string; readonly port: number };
  /** Base64; empty when the configuration has none. */
  readonly caBundle: string;
  /** An AdmissionReview or a ConversionReview. */
  readonly review: JsonValue;
}

/** What came of a call. The delay comes first in every case, in virtual milliseconds. */
export type WebhookAnswer = { readonly delayMs: number } & (
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  /** `refused`: nobody listens; `closed`: the connection ends without an answer; `untrusted`: the certificate is another's. */
  | { readonly failure: 'refused' | 'closed' | 'untrusted' }
);

/** Whoever plays the webhooks of a cluster. */
export type Webhooks = (call: WebhookCall) => WebhookAnswer;

export interface Called {
  /** The answer's body as data. */
  readonly review: Record<string, JsonValue>;
  readonly delayMs: number;
}

const maximumRetries = 10;

/**
 * Calls a webhook and reads its answer as a review of the group that it was asked in.
 * @param timeoutMs how long it may take; what is left of the request's own time limits it further (AD-29).
 * @throws RequestDeadline
 */
export function callWebhook(call: Call, config: ClientConfig, review: Record<string, JsonValue>, timeoutMs: number): Called | SlowFault {
  const leftMs = remainingMs(call.request, call.spent.ms);
  const limitMs = Math.min(timeoutMs, leftMs);
  let spent = 0;
  const fault = (text: string): SlowFault => ({ fault: text, delayMs: spent });
  if (config.caBundle !== undefined && !isPem(config.caBundle)) {
    return fault('could not get REST client: unable to load root certificates: unable to parse bytes as PEM block');
  }
  const place = placeOf(call, config);
  const url = `${place.url}?timeout=${Math.ceil(limitMs / 1000)}s`;
  const post = (text: string) => fault(`failed to call webhook: Post "${url}": ${text}`);
  if (place.unreachable !== undefined) return post(place.unreachable);
  const tooSlow = () => {
    spent = limitMs;
    if (leftMs > timeoutMs) return post('context deadline exceeded');
    call.spent.ms += leftMs;
    throw new RequestDeadline();
  };
  const { webhooks } = call.server;
  for (let attempt = 0; ; attempt++) {
    const answer: WebhookAnswer = webhooks?.({
      url,
      ...(place.service !== undefined && { service: place.service }),
      caBundle: config.caBundle ?? '',
      // Whoever plays the webhook may do with it as it likes.
      review: deepCopy(review),
    }) ?? { delayMs: 0, failure: 'refused' };
    if (spent + answer.delayMs >= limitMs) return tooSlow();
    spent += answer.delayMs;
    if ('failure' in answer) return post(failureTexts(place.host)[answer.failure]);
    const retryMs = retryAfterMs(answer);
    if (retryMs !== undefined && attempt < maximumRetries) {
      spent += retryMs;
      if (spent >= limitMs) return tooSlow();
      continue;
    }
    const read = readAnswer(answer, review);
    return typeof read === 'string' ? fault(`failed to call webhook: ${read}`) : { review: read, delayMs: spent };
  }
}

/** A call that brought no answer that could be read; the text is Go's (AD-18). */
export interface SlowFault {
  readonly fault: string;
  readonly delayMs: number;
}

function failureTexts(host: string) {
  return {
    refused: `dial tcp ${host}: connect: connection refused`,
    closed: 'EOF',
    untrusted: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  } as const;
}

/** Whether a bundle of certificates, in base64, has any; an empty one means those that everybody trusts. */
export function isPem(caBundle: string): boolean {
  return caBundle === '' || Buffer.from(caBundle, 'base64').toString('latin1').includes('-----BEGIN ');
}

interface Place {
  readonly url: string;
  /** What is dialled. */
  readonly host: string;
  readonly service?: WebhookCall['service'];
  readonly unreachable?: string;
}

/** AD-18: a service is dialled at its address, and named in texts. */
function placeOf({ server }: Call, { url, service }: ClientConfig): Place {
  if (service === undefined) {
    const text = url ?? '';
    return { url: text, host: text.replace(/^https:\/\//i, '').split('/')[0] as string };
  }
  const { namespace, name, path = '', port = 443 } = service;
  const place = {
    url: `https://${name}.${namespace}.svc:${port}${path.startsWith('/') || path === '' ? path : `/${path}`}`,
    service: { namespace, name, port },
  };
  const object: KubeObject | undefined = server.etcd.get({ resource: 'services', namespace, name });
  if (object === undefined) return { ...place, host: '', unreachable: `service ${goQuote(name)} not found` };
  if (object.spec?.type === 'ExternalName') return { ...place, host: `${object.spec.externalName}:${port}` };
  const { clusterIP, ports = [] } = object.spec ?? {};
  if (clusterIP === 'None') return { ...place, host: '', unreachable: 'cannot route to service with ClusterIP "None"' };
  if (!(ports as readonly { readonly port: number }[]).some((each) => each.port === port)) {
    return { ...place, host: '', unreachable: `no service port ${port} found for service ${goQuote(name)}` };
  }
  return { ...place, host: `${clusterIP}:${port}` };
}

/** AD-18: the API server itself tries again. */
function retryAfterMs({ status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> }) {
  if (status !== 429 && status < 500) return undefined;
  const text = headerOf(headers, 'retry-after');
  return text !== undefined && /^\d+$/.test(text) ? Number(text) * 1000 : undefined;
}

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

type Answered = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** The review, or what is wrong with the answer. */
function readAnswer({ status, headers, body }: Answered, asked: Record<string, JsonValue>): Record<string, JsonValue> | string {
  if (status < 200 || status > 206) return statusText(status, headers, body);
  if (body === '') {
    return `0-length response with status code: ${status} and content type: ${headerOf(headers, 'content-type') ?? ''}`;
  }
  const read = parseGoJson(body);
  // What does not begin as an object is read as YAML, to which every line of text is a text.
  const isText = 'fault' in read && !body.trimStart().startsWith('{');
  if ('fault' in read && !isText) return `couldn't get version/kind; json parse error: ${read.fault}`;
  const value = 'fault' in read ? body : (read.value as JsonValue);
  if (value === null) return {};
  if (!isObject(value)) {
    return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
  }
  return typeFault(value, asked) ?? value;
}

/** AD-18: a Status in the body says more than the code. */
function statusText(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const read = parseGoJson(body);
  if (!('fault' in read) && isObject(read.value) && read.value.kind === 'Status' && read.value.apiVersion === 'v1') {
    const { message } = read.value;
    return typeof message === 'string' && message !== '' ? message : 'unknown';
  }
  const text = headerOf(headers, 'content-type')?.startsWith('text/') === true ? body.trim() : 'unknown';
  switch (status) {
    case 400:
      return 'the server rejected our request for an unknown reason';
    case 401:
      return 'the server has asked for the client to provide credentials';
    case 403:
    case 415:
      return text;
    case 404:
      return 'the server could not find the requested resource';
    case 405:
      return 'the server does not allow this method on the requested resource';
    case 406:
      return text;
    case 409:
      return 'the server reported a conflict';
    case 422:
      return 'the server rejected our request due to an error in our request';
    case 429:
      return 'the server has received too many requests and has asked us to try again later';
    case 503:
      return 'the server is currently unable to handle the request';
    case 504:
      return 'the server was unable to return a response in the time allotted, but may still be processing the request';
  }
  if (status >= 500) return `an error on the server (${goQuote(text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

/** AD-30: the answer is of another kind than the question. */
function typeFault(value: Record<string, JsonValue>, asked: Record<string, JsonValue>): string | undefined {
  const wantedKind = asked.kind as string;
  const wantedVersion = asked.apiVersion as string;
  const kind = typeof value.kind === 'string' && value.kind !== '' ? value.kind : wantedKind;
  const apiVersion = typeof value.apiVersion === 'string' && value.apiVersion !== '' ? value.apiVersion : wantedVersion;
  if (kind === wantedKind && apiVersion === wantedVersion) return undefined;
  const [group] = wantedVersion.split('/') as [string];
  if (kind === wantedKind && (apiVersion === `${group}/v1` || apiVersion === `${group}/v1beta1`)) {
    const version = (text: string) => text.split('/')[1];
    return `converting (${version(apiVersion)}.${kind}) to (${version(wantedVersion)}.${kind}): unknown conversion`;
  }
  if (kind === 'Status' && apiVersion === 'v1')
    return `converting (v1.Status) to (${wantedVersion.split('/')[1]}.${wantedKind}): unknown conversion`;
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}
