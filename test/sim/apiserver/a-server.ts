import type { Webhooks } from '../../../src/sim/apiserver/admission/webhook.js';
import type { Answer, ApiRequest, WatchDelivery } from '../../../src/sim/apiserver/request.js';
import { ApiServer, type HandleOptions } from '../../../src/sim/apiserver/server.js';
import { Etcd } from '../../../src/sim/etcd/etcd.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';

type Body = KubeObject & { readonly items: readonly KubeObject[]; readonly code?: number; readonly message?: string };

/** A server with the namespace `ns`, and short ways to talk to it about ConfigMaps. Its clock stands still unless it is moved. */
export class AServer {
  nowMs = Date.UTC(2026, 0, 1);
  readonly etcd = new Etcd();
  readonly server: ApiServer;

  constructor(webhooks?: Webhooks) {
    const environment = { nowMs: () => this.nowMs, random: () => 0.5 };
    this.server = new ApiServer({ etcd: this.etcd, environment, ...(webhooks !== undefined && { webhooks }) });
    this.do({ verb: 'create', resource: 'namespaces', namespace: undefined, body: { metadata: { name: 'ns' } } });
  }

  /** Anything; what is not said is a ConfigMap in `ns`. */
  do(request: Partial<Omit<ApiRequest, 'namespace'>> & { readonly namespace?: string | undefined }, options?: HandleOptions): Answer {
    const { namespace, ...rest } = { namespace: 'ns', ...request };
    const whole: ApiRequest = {
      verb: 'get',
      group: '',
      version: 'v1',
      resource: 'configmaps',
      ...rest,
      ...(namespace !== undefined && { namespace }),
    };
    return this.server.handle(whole, options);
  }

  create(name: string, fields: Partial<KubeObject> = {}): KubeObject {
    const { metadata, ...rest } = fields;
    return this.do({ verb: 'create', body: { ...rest, metadata: { name, ...metadata } } }).response.body as KubeObject;
  }

  update(name: string, fields: Partial<KubeObject>): Answer {
    const { metadata, ...rest } = fields;
    return this.do({ verb: 'update', name, body: { ...rest, metadata: { name, ...metadata } } });
  }

  delete(name: string): Answer {
    return this.do({ verb: 'delete', name });
  }

  list(query: Record<string, string> = {}, options?: HandleOptions): Body {
    return this.do({ verb: 'list', query }, options).response.body as Body;
  }

  watch(query: Record<string, string> = {}, options?: HandleOptions): Answer {
    return this.do({ verb: 'watch', query }, options);
  }

  get revision(): string {
    return String(this.etcd.revision);
  }
}

export function namesOf(list: { readonly items: readonly KubeObject[] }): readonly (string | undefined)[] {
  return list.items.map((item) => item.metadata.name);
}

/** `ADDED a`, `BOOKMARK`, `ERROR 410`, `ended`: what a watch got. */
export function told(deliveries: readonly WatchDelivery[], watch?: number): readonly string[] {
  return deliveries
    .filter((delivery) => watch === undefined || delivery.watch === watch)
    .map(({ event }) => {
      if (event === undefined) return 'ended';
      const object = event.object as KubeObject & { readonly code?: number };
      return [event.type, event.type === 'ERROR' ? object.code : object.metadata.name].filter((part) => part !== undefined).join(' ');
    });
}
