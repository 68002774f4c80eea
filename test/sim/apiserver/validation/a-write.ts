import type { ApiRequest, Status } from '../../../../src/sim/apiserver/request.js';
import type { KubeObject } from '../../../../src/sim/etcd/object.js';
import { AServer } from '../a-server.js';

export type Fields = Readonly<Record<string, unknown>>;

/** A server that is asked to store objects of one kind in `ns`, and what it says to that. */
export class AWrite {
  readonly server = new AServer();
  readonly #kind: Pick<ApiRequest, 'group' | 'version' | 'resource'>;
  readonly #namespaced: boolean;

  /** @param kind such as `apps/v1 deployments`, or `v1 nodes` of the cluster. */
  constructor(kind: string, namespaced = true) {
    const [apiVersion = '', resource = ''] = kind.split(' ');
    const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    this.#kind = { group, version, resource };
    this.#namespaced = namespaced;
  }

  /** What is wrong with a new object, as `field: message`; empty when it is stored. */
  create(fields: Fields, name = 'a'): string[] {
    return this.#faults({ verb: 'create', body: { metadata: { name }, ...fields } });
  }

  /** What is wrong with a merge patch of the object `a`. */
  patch(body: Fields, subresource?: string): string[] {
    const patch = { verb: 'patch', name: 'a', contentType: 'application/merge-patch+json', body } as const;
    return this.#faults(subresource === undefined ? patch : { ...patch, subresource });
  }

  /** The object `a` as it is stored. */
  get(): KubeObject {
    return this.#send({ verb: 'get', name: 'a' }).body as KubeObject;
  }

  /** What is said beside the answer. */
  warnings(fields: Fields): readonly string[] {
    return this.#send({ verb: 'create', body: { metadata: { name: 'a' }, ...fields } }).warnings ?? [];
  }

  #send(request: Partial<ApiRequest>) {
    const namespace = this.#namespaced ? 'ns' : undefined;
    return this.server.do({ ...this.#kind, ...request, namespace }).response;
  }

  #faults(request: Partial<ApiRequest>): string[] {
    const { code, body } = this.#send(request);
    if (code < 300) return [];
    const { details, message } = body as Status;
    return details?.causes?.map((cause) => `${cause.field}: ${cause.message}`) ?? [`${code} ${message}`];
  }
}

export const aPodSpec = { containers: [{ name: 'c', image: 'i:1' }] };
export const aTemplate = { metadata: { labels: { app: 'a' } }, spec: aPodSpec };
export const aWorkload = { selector: { matchLabels: { app: 'a' } }, template: aTemplate };
