import type { Kinds } from '../../../src/sim/apiserver/kinds.js';
import type { ApiResponse } from '../../../src/sim/apiserver/request.js';
import { ApiServer } from '../../../src/sim/apiserver/server.js';
import { startKubelet } from '../../../src/sim/controllers/kubelet/kubelet.js';
import { defaultNode } from '../../../src/sim/controllers/kubelet/node-status.js';
import { startScheduler } from '../../../src/sim/controllers/scheduler/scheduler.js';
import { startVolumeBinder } from '../../../src/sim/controllers/volumes/volumes.js';
import { Etcd } from '../../../src/sim/etcd/etcd.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import type { Host, ObjectFeed } from '../../../src/sim/host.js';
import { Clockwork } from './clockwork.js';

/** How a controller is started. */
export type Start = (host: Host, feed: ObjectFeed) => void;

/** The kinds of these tests that have no namespace. */
const clusterWide = ['nodes', 'customresourcedefinitions', 'persistentvolumes', 'storageclasses'];

/** Those by whom pods run. */
export const podRunners: readonly Start[] = [startVolumeBinder, startScheduler, startKubelet];

/** A cluster with the controllers that a test starts, and objects in the namespace `ns`. */
export class WorkloadCluster {
  readonly etcd = new Etcd();
  readonly clockwork: Clockwork;
  readonly #server: ApiServer;

  constructor(...controllers: readonly Start[]) {
    this.clockwork = new Clockwork(Date.UTC(2026, 0, 1), () => this.#server);
    const environment = { nowMs: () => this.clockwork.nowMs, random: (name: string) => this.clockwork.random(name) };
    this.#server = new ApiServer({ etcd: this.etcd, environment });
    for (const start of controllers) this.start(start);
    this.#serve('create', '', 'namespaces', { body: { metadata: { name: 'ns' } } });
    if (controllers.includes(startKubelet)) this.addNode(defaultNode(this.clockwork.nowMs));
  }

  /** A node that is up, without the taint that a new one gets; or one that has just come. */
  addNode(node: KubeObject, age: 'up' | 'new' = 'up'): void {
    this.#serve('create', '', 'nodes', { body: node });
    if (age === 'up') this.#serve('patch', '', 'nodes', { name: node.metadata.name, body: { spec: { taints: null } } });
  }

  /** The kinds that the server knows. */
  get kinds(): Kinds {
    return this.#server.kinds;
  }

  start(start: Start): void {
    start(this.clockwork.host(start.name), this.clockwork.feed());
  }

  /** Lets so much time pass, in seconds. */
  run(seconds = 1): void {
    this.clockwork.run(seconds * 1000);
  }

  create(resource: string, name: string, body: object): KubeObject {
    const labels = 'labels' in body ? body.labels : undefined;
    return this.#about('create', resource, undefined, { ...body, metadata: { name, ...(labels !== undefined && { labels }) } })
      .body as KubeObject;
  }

  /** A node that takes pods; in a real cluster another controller finds out that it is ready. */
  node(name: string, labels: Readonly<Record<string, string>> = {}): void {
    this.addNode({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
  }

  /** What `kubectl delete --force` does. */
  deleteByForce(plural: string, name: string): void {
    this.#serve('delete', '', plural, { namespace: 'ns', name, body: { gracePeriodSeconds: 0 } });
  }

  patch(resource: string, name: string, body: unknown, subresource?: 'status'): void {
    this.#about('patch', resource, name, body, subresource);
  }

  delete(resource: string, name: string): void {
    this.#about('delete', resource, name);
  }

  get(resource: string, name: string): KubeObject {
    const object = this.etcd.get({ resource, namespace: 'ns', name });
    if (object === undefined) throw new Error(`there is no ${resource} ${name}`);
    return object;
  }

  list(resource: string): readonly KubeObject[] {
    return this.etcd.list(resource).filter(({ metadata }) => metadata.namespace === 'ns');
  }

  names(resource: string): readonly string[] {
    return this.list(resource)
      .map(({ metadata }) => metadata.name ?? '')
      .sort();
  }

  /** The pod's containers run, or have come to an end. */
  becomes(pod: string, phase: 'Running' | 'Succeeded' | 'Failed'): void {
    const conditions = [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False', lastTransitionTime: '2025-12-31T23:00:00Z' }];
    this.patch('pods', pod, { status: { phase, conditions } }, 'status');
  }

  /** The messages of all events about objects of a kind, in order. */
  events(kind: string): readonly string[] {
    return this.list('events')
      .filter((event) => event.involvedObject.kind === kind)
      .map(({ message }) => message);
  }

  #about(verb: 'create' | 'patch' | 'delete', resource: string, name?: string, body?: unknown, subresource?: 'status'): ApiResponse {
    const [plural = '', ...rest] = resource.split('.');
    const group = rest.join('.');
    return this.#serve(verb, group, plural, {
      ...(!clusterWide.includes(plural) && { namespace: 'ns' }),
      ...(name !== undefined && { name }),
      ...(body !== undefined && { body }),
      ...(subresource !== undefined && { subresource }),
    });
  }

  #serve(verb: 'create' | 'patch' | 'delete', group: string, resource: string, more: object): ApiResponse {
    const contentType = verb === 'patch' ? { contentType: 'application/merge-patch+json' } : {};
    const { response } = this.clockwork.serve({ verb, group, version: 'v1', resource, ...contentType, ...more });
    if (response.code >= 300) throw new Error(`${verb} ${resource}: ${JSON.stringify(response.body)}`);
    return response;
  }
}

/** A selector and a template that go together. */
export function workload(image = 'img:1'): { readonly selector: object; readonly template: KubeObject } {
  return {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
  };
}
