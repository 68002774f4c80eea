import type { WebhookAnswer, WebhookCall } from '../../../../src/sim/apiserver/admission/webhook.js';
import type { KubeObject } from '../../../../src/sim/etcd/object.js';
import { AServer } from '../a-server.js';

/** What a review asks, as far as the tests look at it. */
export interface Asked {
  readonly uid: string;
  readonly operation: string;
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  readonly name?: string;
  readonly dryRun: boolean;
}

/** What a webhook says; `late` milliseconds after it was asked. */
export interface Says {
  readonly deny?: string;
  readonly code?: number;
  readonly patch?: readonly object[];
  readonly warnings?: readonly string[];
  readonly late?: number;
  /** The whole response in the place of one that is right. */
  readonly response?: unknown;
  readonly answer?: WebhookAnswer;
}

interface Webhook {
  readonly name: string;
  readonly [field: string]: unknown;
}

export type Rules = Readonly<Record<string, (asked: Asked) => Says>>;

/** A server whose webhooks are functions by name, reached as `https://<name>.example.com`. */
export class HookedServer extends AServer {
  /** Who was called, in order. */
  readonly calls: string[];
  readonly urls: string[];

  constructor(rules: Rules) {
    const calls: string[] = [];
    const urls: string[] = [];
    super((call) => {
      const name = /^https:\/\/(\w+)\./.exec(call.url)?.[1] ?? '';
      calls.push(name);
      urls.push(call.url);
      const rule = rules[name];
      return rule === undefined ? { delayMs: 0, failure: 'refused' } : answer(call, rule);
    });
    this.calls = calls;
    this.urls = urls;
  }

  /** Puts webhooks in force for ConfigMaps. */
  configure(type: 'Mutating' | 'Validating', configuration: string, ...webhooks: readonly Webhook[]): void {
    const body = {
      metadata: { name: configuration },
      webhooks: webhooks.map(({ name, ...fields }) => ({
        name: `${name}.hooks.example.com`,
        clientConfig: { url: `https://${name}.example.com` },
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...fields,
      })),
    };
    this.post('admissionregistration.k8s.io', `${type.toLowerCase()}webhookconfigurations`, body);
  }

  /** Creates a cluster-scoped object. */
  post(group: string, resource: string, body: object): void {
    const { code, body: answered } = this.do({ verb: 'create', group, resource, namespace: undefined, body }).response;
    if (code !== 201) throw new Error(JSON.stringify(answered));
  }
}

function answer({ review }: WebhookCall, rule: (asked: Asked) => Says): WebhookAnswer {
  const { request, ...envelope } = review as unknown as { readonly request: Asked };
  const { deny, code, patch, warnings, late = 0, response, answer: whole } = rule(request);
  if (whole !== undefined) return whole;
  const right = {
    uid: request.uid,
    allowed: deny === undefined,
    ...(deny !== undefined && { status: { message: deny, ...(code !== undefined && { code }) } }),
    ...(patch !== undefined && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
    ...(warnings !== undefined && { warnings }),
  };
  return {
    delayMs: late,
    status: 200,
    headers: {},
    body: JSON.stringify({ ...envelope, response: response === undefined ? right : response }),
  };
}
