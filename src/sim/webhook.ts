import type { JsonValue } from './etcd/object.js';

/** A webhook of a cluster: a review in, its answer out, at once and by nothing but what it is asked. */
export interface Webhook {
  /** What it is asked: an AdmissionReview of admission.k8s.io, or a ConversionReview of apiextensions.k8s.io. */
  readonly kind: 'AdmissionReview' | 'ConversionReview';
  /** The `response` to the review's `request`, without its uid. @throws what its author's code throws */
  answer(request: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>>;
}

/**
 * Where a webhook is, as the API server says it: `web-webhook.system.svc/validate` for a service, `https://host/path` for a
 * URL. One place has one such text: ports of services, the default port and a lone slash are left out.
 * @returns undefined when the text is neither
 */
export function webhookAddress(text: string): string | undefined {
  const service = /^([a-z0-9-]+\.[a-z0-9-]+\.svc)(\/[^?#\s]*)?$/.exec(text);
  if (service !== null) return `${service[1]}${service[2] === '/' ? '' : (service[2] ?? '')}`;
  if (!/^https:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { host, pathname } = new URL(text);
  return `https://${host}${pathname === '/' ? '' : pathname}`;
}

/** The service of an address; undefined for a URL. */
export function serviceOf(address: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, name, namespace] = /^([^.:/]+)\.([^./]+)\.svc(?:\/|$)/.exec(address) ?? [];
  return name === undefined || namespace === undefined ? undefined : { namespace, name };
}
