import type { WebhookAnswer, WebhookCall } from './apiserver/admission/webhook.js';
import type { ApiRequest } from './apiserver/request.js';
import { callName } from './call-name.js';
import type { JsonValue } from './etcd/object.js';
import type { Gates } from './faults.js';
import type { Kernel } from './kernel/kernel.js';
import type { Recorder } from './recorder.js';
import { type Webhook, webhookAddress } from './webhook.js';

/** The author's code for a webhook has failed, whatever the cluster does: it is no denial. */
export class WebhookError extends Error {
  constructor(address: string, asked: string, cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    super(`the webhook \`${address}\` of the scenario failed when it was asked about \`${asked}\`: ${problem}`, { cause });
    this.name = 'WebhookError';
  }
}

/** The parts of the world that the calls of webhooks go through. */
export interface WebhookCallParts {
  readonly webhooks: Readonly<Record<string, Webhook>>;
  readonly kernel: Kernel;
  readonly gates: Gates;
  readonly recorder: Recorder;
}

/** Whose request the API server is handling. */
interface Asking {
  readonly actor: string;
  readonly request: ApiRequest;
}

/** Calls of a cluster's webhooks by its API server, and the gates at them. Conversions have no gates: they are asked for every object. */
export class WebhookCalls {
  readonly #parts: WebhookCallParts;
  readonly #byAddress: ReadonlyMap<string, Webhook>;
  #asking: Asking | undefined;

  constructor(parts: WebhookCallParts) {
    this.#parts = parts;
    this.#byAddress = new Map(Object.entries(parts.webhooks).map(([text, webhook]) => [webhookAddress(text) ?? text, webhook]));
  }

  /** Lets the server handle a request, so that webhooks are called in its name. */
  during<T>(actor: string, request: ApiRequest, handle: () => T): T {
    this.#asking = { actor, request };
    try {
      return handle();
    } finally {
      this.#asking = undefined;
    }
  }

  /** What comes of a call: the webhook's answer, a fault of the plan, or a refused connection where nobody listens. @throws WebhookError */
  answer(call: WebhookCall): WebhookAnswer {
    const address = addressOf(call);
    const webhook = this.#byAddress.get(address);
    const review = call.review as Review;
    if (webhook === undefined) return refused;
    // Before anybody acts, and while a watch is served, there is no request to name.
    if (this.#asking === undefined || review.kind !== 'AdmissionReview') return answered(address, webhook, review, this.#asking);
    return this.#atGate(address, this.#asking) ?? answered(address, webhook, review, this.#asking);
  }

  #atGate(address: string, { actor, request }: Asking): WebhookAnswer | undefined {
    const { kernel, gates, recorder } = this.#parts;
    const call = kernel.decisions.name(`call ${address} for ${callName(request, actor)}`);
    recorder.record({ kind: 'webhook', call, process: actor });
    const fault = gates.take('webhook-unreachable', call) ?? gates.take('webhook-timed-out', call);
    if (fault === undefined) return undefined;
    recorder.record({ kind: 'fault', fault });
    return fault.kind === 'webhook-unreachable' ? refused : silent;
  }
}

const refused: WebhookAnswer = { delayMs: 0, failure: 'refused' };
/** Longer than any server waits. */
const silent: WebhookAnswer = { delayMs: Number.POSITIVE_INFINITY, failure: 'closed' };

type Review = Readonly<Record<string, JsonValue>> & { readonly request: Readonly<Record<string, JsonValue>> };

function addressOf({ url, service }: WebhookCall): string {
  const { pathname } = new URL(url);
  return webhookAddress(service === undefined ? url : `${service.name}.${service.namespace}.svc${pathname}`) ?? url;
}

/** @throws WebhookError */
function answered(address: string, webhook: Webhook, { kind, apiVersion, request }: Review, asking: Asking | undefined): WebhookAnswer {
  try {
    if (webhook.kind !== kind)
      throw new TypeError(`it answers reviews of kind ${webhook.kind} and got one of kind ${kind}: another function belongs here`);
    const response = { uid: request.uid, ...webhook.answer(request) };
    return {
      delayMs: 0,
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind, apiVersion, response }),
    };
  } catch (error) {
    throw new WebhookError(address, asking === undefined ? 'what the cluster begins with' : callName(asking.request, asking.actor), error);
  }
}
