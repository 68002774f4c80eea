import type { KindInfo, Kinds } from '../apiserver/kinds.js';
import { rfc3339 } from '../apiserver/metadata.js';
import type { ApiRequest } from '../apiserver/request.js';
import { deepEqual, groupVersionOf, type KubeObject, type OwnerReference } from '../etcd/object.js';
import type { Host } from '../host.js';
import type { Identity, Node } from './owner-graph.js';
import { RequestFailed, type Steps } from './sync.js';

const userAgent = 'kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/system:serviceaccount:kube-system:generic-garbage-collector';

/** A reference's kind is not served (GC-11). The item stays and is looked at again. */
export class UnknownOwner extends Error {}
/** A cluster-scoped object names a namespaced owner: nobody can tell which (GC-10). The item is left alone. */
export class UnfollowableOwner extends Error {}

/** What the collector asks of the server, in the words of GC-17. */
export class CollectorRequests {
  readonly #host: Host;
  readonly #kinds: Kinds;
  #events = 0;

  constructor(host: Host, kinds: Kinds) {
    this.#host = host;
    this.#kinds = kinds;
  }

  /** The object as it is now; undefined when there is none of that name. */
  *live(identity: Identity): Steps<KubeObject | undefined> {
    if (this.kindOf(identity).namespaced && identity.namespace === '') throw new UnfollowableOwner();
    try {
      const response = yield this.#about('get', identity);
      return response.body as KubeObject;
    } catch (error) {
      if (error instanceof RequestFailed && error.code === 404) return undefined;
      throw error;
    }
  }

  /** GC-6: with the uid and the revision just seen; when only something else than the owners has changed, with the uid alone. */
  *delete(node: Node, seen: KubeObject, propagationPolicy: string): Steps<void> {
    const { uid, resourceVersion, ownerReferences } = seen.metadata;
    const options = (preconditions: object) => ({ kind: 'DeleteOptions', apiVersion: 'v1', preconditions, propagationPolicy });
    try {
      yield this.#about('delete', node.identity, options({ uid, resourceVersion }));
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.code !== 409) throw error;
      const latest = yield* this.live(node.identity);
      if (latest?.metadata.uid !== uid || !deepEqual(latest?.metadata.ownerReferences, ownerReferences)) throw error;
      yield this.#about('delete', node.identity, options({ uid }));
    }
  }

  /** GC-17: takes references out of the list; kinds without strategic merge get the whole list. */
  *takeOut(node: Node, uids: readonly string[]): Steps<void> {
    const strategic = { metadata: { uid: node.uid, ownerReferences: uids.map((uid) => ({ $patch: 'delete', uid })) } };
    const rest = node.owners.filter(({ uid }) => !uids.includes(uid));
    yield* this.#patch(node, strategic, { ownerReferences: rest.length === 0 ? null : rest });
  }

  /** GC-18 */
  *unblock(node: Node, latest: KubeObject): Steps<void> {
    const owners = latest.metadata.ownerReferences ?? [];
    const blocking = owners.filter((reference) => reference.blockOwnerDeletion === true);
    if (blocking.length === 0) return;
    const unblocked = (references: readonly OwnerReference[]) =>
      references.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
    const strategic = { metadata: { uid: node.uid, ownerReferences: unblocked(blocking) } };
    yield* this.#patch(node, strategic, { ownerReferences: unblocked(owners) });
  }

  *#patch(node: Node, strategic: unknown, metadata: object): Steps<void> {
    try {
      yield this.#about('patch', node.identity, strategic, 'application/strategic-merge-patch+json');
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.code !== 415) throw error;
      const body = { metadata: { resourceVersion: node.resourceVersion, ...metadata } };
      yield this.#about('patch', node.identity, body, 'application/merge-patch+json');
    }
  }

  /** GC-17; after a conflict the item's back-off serves as the wait before the next try. */
  *removeFinalizer(node: Node, finalizer: string): Steps<void> {
    const latest = yield* this.live(node.identity);
    const finalizers = latest?.metadata.finalizers ?? [];
    if (latest === undefined || !finalizers.includes(finalizer)) return;
    const rest = finalizers.filter((each) => each !== finalizer);
    const body = { metadata: { resourceVersion: latest.metadata.resourceVersion, finalizers: rest.length === 0 ? null : rest } };
    try {
      yield this.#about('patch', node.identity, body, 'application/merge-patch+json');
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.code !== 404) throw error;
    }
  }

  #about(verb: 'get' | 'delete' | 'patch', identity: Identity, body?: unknown, contentType?: string): ApiRequest {
    const { group, version, plural, namespaced } = this.kindOf(identity);
    return {
      verb,
      group,
      version,
      resource: plural,
      name: identity.name,
      userAgent,
      ...(namespaced && { namespace: identity.namespace }),
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
    };
  }

  /** @throws UnknownOwner (GC-11) */
  kindOf({ apiVersion, kind }: Identity): KindInfo {
    const { group, version } = groupVersionOf(apiVersion);
    const found = this.#kinds.findKind(group, version, kind);
    if (found === undefined) throw new UnknownOwner(`no kind ${kind} in ${apiVersion}`);
    return found;
  }

  /** GC-22 */
  report(dependent: Node, owner: OwnerReference): void {
    const { apiVersion, kind, name, uid, namespace } = dependent.identity;
    this.#events += 1;
    const suffix = Math.floor(this.#host.random(`event ${this.#events}`) * 0xffff_ffff_ffff).toString(16);
    const time = rfc3339(this.#host.nowMs());
    const at = namespace === '' ? 'default' : namespace;
    const named = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace: at },
      involvedObject: { apiVersion, kind, name, uid, ...(namespace !== '' && { namespace }) },
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${named} does not exist in namespace ${JSON.stringify(namespace)}`,
      type: 'Warning',
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component: 'garbage-collector-controller' },
      reportingComponent: 'garbage-collector-controller',
      reportingInstance: '',
    };
    const request: ApiRequest = {
      verb: 'create',
      group: '',
      version: 'v1',
      resource: 'events',
      namespace: at,
      body,
      userAgent,
    };
    this.#host.send(request, () => {});
  }
}
