import type { KindInfo, Kinds } from '../apiserver/kinds.js';
import type { ApiRequest, ApiResponse } from '../apiserver/request.js';
import { deepEqual, type KubeObject, type OwnerReference } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { drive, RequestFailed, type Sync } from './level-controller.js';
import { type Identity, identityOf, type Node, OwnerGraph } from './owner-graph.js';

const USER_AGENT = 'kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/system:serviceaccount:kube-system:generic-garbage-collector';
const WORKERS = 20;
const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 1_000_000;

/** A reference's kind is not served (GC-11), or the reference cannot be followed. The item stays and is looked at again. */
class UnknownOwner extends Error {}
/** A cluster-scoped object names a namespaced owner: nobody can tell which (GC-10). The item is left alone. */
class UnfollowableOwner extends Error {}
/** The item itself is not there any more; the graph has been told. */
class ItemGone extends Error {}

type Task = 'delete' | 'orphan';
/** A generator over requests that gives back a value. */
type Steps<T> = Generator<ApiRequest, T, ApiResponse>;

/**
 * The garbage collector of kube-controller-manager: an ordinary client that learns of objects by the feed, each kind with a
 * lag of its own, looks at what it means to delete live, and deletes with preconditions (the GC rules).
 */
export function startGarbageCollector(host: Host, feed: ObjectFeed, kinds: Kinds): void {
  const collector = new GarbageCollector(host, kinds);
  feed.subscribe((resource, event) => {
    // GC-1: Events are no part of the graph.
    if (resource !== 'events') collector.observed(event.type, event.object as KubeObject);
  });
}

class GarbageCollector {
  readonly #host: Host;
  readonly #kinds: Kinds;
  readonly #graph: OwnerGraph;
  readonly #waiting: { readonly task: Task; readonly uid: string }[] = [];
  readonly #inWork = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #retrying = new Set<string>();
  #workers = 0;
  #events = 0;

  constructor(host: Host, kinds: Kinds) {
    this.#host = host;
    this.#kinds = kinds;
    this.#graph = new OwnerGraph({
      delete: (node) => this.#add('delete', node.uid),
      deleteLater: (node) => this.#retry('delete', node, false),
      orphan: (node) => this.#add('orphan', node.uid),
      reportNamespace: (dependent, owner) => this.#report(dependent, owner),
    });
  }

  observed(type: string, object: KubeObject): void {
    if (type === 'DELETED') this.#graph.forget(identityOf(object), false);
    else this.#graph.observe(object);
  }

  /** Every item is in the queue once, and in work once at a time. */
  #add(task: Task, uid: string): void {
    if (!this.#waiting.some((each) => each.task === task && each.uid === uid)) this.#waiting.push({ task, uid });
    this.#startWorkers();
  }

  #startWorkers(): void {
    for (let index = 0; index < this.#waiting.length && this.#workers < WORKERS; ) {
      const { task, uid } = this.#waiting[index] as { readonly task: Task; readonly uid: string };
      if (this.#inWork.has(`${task} ${uid}`)) {
        index += 1;
        continue;
      }
      this.#waiting.splice(index, 1);
      this.#start(task, uid);
    }
  }

  #start(task: Task, uid: string): void {
    const node = this.#graph.get(uid);
    if (node === undefined) return;
    this.#workers += 1;
    this.#inWork.add(`${task} ${uid}`);
    const what = `${task === 'delete' ? 'look at' : 'orphan dependents of'} ${textOf(node.identity)}`;
    this.#host.after(0, what, what, () => {
      // The item may have gone while its turn came.
      const known = this.#graph.get(uid);
      if (known === undefined) this.#done(task, uid);
      else this.#work(task, known);
    });
  }

  #work(task: Task, node: Node): void {
    let outcome: 'done' | 'again' | 'unknown owner' = 'done';
    const sync = function* (steps: Steps<void>): Sync {
      try {
        yield* steps;
        // A placeholder that was found is looked for until its informer shows it.
        if (node.virtual) outcome = 'again';
      } catch (error) {
        if (error instanceof UnknownOwner) outcome = 'unknown owner';
        else if (error instanceof RequestFailed) outcome = 'again';
        else if (!(error instanceof ItemGone || error instanceof UnfollowableOwner)) throw error;
      }
    };
    drive(this.#host, sync(task === 'delete' ? this.#lookAt(node) : this.#orphan(node)), () => {
      if (outcome === 'done') this.#failures.delete(`${task} ${node.uid}`);
      else this.#retry(task, node, outcome === 'unknown owner');
      this.#done(task, node.uid);
    });
  }

  #done(task: Task, uid: string): void {
    this.#workers -= 1;
    this.#inWork.delete(`${task} ${uid}`);
    this.#startWorkers();
  }

  /** GC-14: 5 ms, doubled each time. @param forEver what makes it fail may never change: nobody waits for that */
  #retry(task: Task, node: Node, forEver: boolean): void {
    const key = `${task} ${node.uid}`;
    const times = this.#failures.get(key) ?? 0;
    this.#failures.set(key, times + 1);
    if (this.#retrying.has(key)) return;
    this.#retrying.add(key);
    const again = () => {
      this.#retrying.delete(key);
      if (this.#graph.get(node.uid) !== undefined) this.#add(task, node.uid);
    };
    const afterMs = Math.min(FIRST_RETRY_MS * 2 ** times, LAST_RETRY_MS);
    this.#host.after(afterMs, `retry ${key}`, `look again at ${textOf(node.identity)}`, again, forEver);
  }

  /** GC-3 */
  *#lookAt(node: Node): Steps<void> {
    if (node.deleting && !node.deletingDependents) return;
    const latest = yield* this.#live(node.identity);
    if (latest?.metadata.uid !== node.uid) {
      this.#graph.forget(node.identity, true);
      throw new ItemGone();
    }
    if (node.deletingDependents) return yield* this.#waitForDependents(node);
    const owners = latest.metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const { solid, dangling, waiting } = yield* this.#classify(node, owners);
    if (solid.length > 0) {
      // GC-5
      if (dangling.length + waiting.length > 0) yield* this.#takeOut(node, [...dangling, ...waiting]);
      return;
    }
    if (waiting.length > 0 && node.dependents.size > 0) {
      // GC-18: a ring of blocking references would wait for ever.
      if ([...node.dependents].some((dependent) => dependent.deletingDependents)) yield* this.#unblock(node, latest);
      return yield* this.#delete(node, latest, 'Foreground');
    }
    const finalizers = latest.metadata.finalizers ?? [];
    const policy = finalizers.includes('orphan') ? 'Orphan' : finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background';
    yield* this.#delete(node, latest, policy);
  }

  /** GC-7 */
  *#waitForDependents(node: Node): Steps<void> {
    const blocking = [...node.dependents].filter((dependent) =>
      dependent.owners.some(({ uid, blockOwnerDeletion }) => uid === node.uid && blockOwnerDeletion === true),
    );
    if (blocking.length === 0) return yield* this.#removeFinalizer(node, 'foregroundDeletion');
    for (const dependent of blocking) if (!dependent.deletingDependents) this.#add('delete', dependent.uid);
  }

  /** GC-8 */
  *#orphan(node: Node): Steps<void> {
    let failed: RequestFailed | undefined;
    for (const dependent of [...node.dependents]) {
      try {
        yield* this.#takeOut(dependent, [node.uid]);
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        if (error.code !== 404) failed = error;
      }
    }
    if (failed !== undefined) throw failed;
    yield* this.#removeFinalizer(node, 'orphan');
  }

  /** GC-4: uids of owners by what they are. */
  *#classify(node: Node, owners: readonly OwnerReference[]): Steps<Record<'solid' | 'dangling' | 'waiting', string[]>> {
    const classes = { solid: [] as string[], dangling: [] as string[], waiting: [] as string[] };
    for (const reference of owners) {
      const owner = yield* this.#ownerOf(node, reference);
      if (owner === undefined) classes.dangling.push(reference.uid);
      else {
        const { deletionTimestamp, finalizers = [] } = owner.metadata;
        const waits = deletionTimestamp !== undefined && finalizers.includes('foregroundDeletion');
        classes[waits ? 'waiting' : 'solid'].push(reference.uid);
      }
    }
    return classes;
  }

  /** The owner as it is now; undefined when the reference dangles. */
  *#ownerOf(node: Node, reference: OwnerReference): Steps<KubeObject | undefined> {
    const { apiVersion, kind, name, uid } = reference;
    const place = { apiVersion, kind, name, uid, namespace: node.identity.namespace };
    if (this.#graph.isAbsent(place)) return undefined;
    const found = this.#kindOf(place);
    const identity = found.namespaced ? place : { ...place, namespace: '' };
    if (!found.namespaced && this.#graph.isAbsent(identity)) return undefined;
    const owner = yield* this.#live(identity);
    if (owner?.metadata.uid === uid) return owner;
    this.#graph.addAbsent(identity);
    return undefined;
  }

  *#live(identity: Identity): Steps<KubeObject | undefined> {
    if (this.#kindOf(identity).namespaced && identity.namespace === '') throw new UnfollowableOwner();
    try {
      const response = yield this.#about('get', identity);
      return response.body as KubeObject;
    } catch (error) {
      if (error instanceof RequestFailed && error.code === 404) return undefined;
      throw error;
    }
  }

  /** GC-6: with the uid and the revision just seen; when only something else than the owners has changed, with the uid alone. */
  *#delete(node: Node, seen: KubeObject, propagationPolicy: string): Steps<void> {
    const { uid, resourceVersion, ownerReferences } = seen.metadata;
    const options = (preconditions: object) => ({ kind: 'DeleteOptions', apiVersion: 'v1', preconditions, propagationPolicy });
    try {
      yield this.#about('delete', node.identity, options({ uid, resourceVersion }));
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.code !== 409) throw error;
      const latest = yield* this.#live(node.identity);
      if (latest?.metadata.uid !== uid || !deepEqual(latest?.metadata.ownerReferences, ownerReferences)) throw error;
      yield this.#about('delete', node.identity, options({ uid }));
    }
  }

  /** GC-17: takes references out of the list; kinds without strategic merge get the whole list. */
  *#takeOut(node: Node, uids: readonly string[]): Steps<void> {
    const strategic = { metadata: { uid: node.uid, ownerReferences: uids.map((uid) => ({ $patch: 'delete', uid })) } };
    const rest = node.owners.filter(({ uid }) => !uids.includes(uid));
    yield* this.#patch(node, strategic, { ownerReferences: rest.length === 0 ? null : rest });
  }

  /** GC-18 */
  *#unblock(node: Node, latest: KubeObject): Steps<void> {
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
  *#removeFinalizer(node: Node, finalizer: string): Steps<void> {
    const latest = yield* this.#live(node.identity);
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
    const { group, version, plural, namespaced } = this.#kindOf(identity);
    return {
      verb,
      group,
      version,
      resource: plural,
      name: identity.name,
      userAgent: USER_AGENT,
      ...(namespaced && { namespace: identity.namespace }),
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
    };
  }

  /** @throws UnknownOwner (GC-11) */
  #kindOf({ apiVersion, kind }: Identity): KindInfo {
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : (['', apiVersion] as const);
    const found = this.#kinds.findKind(group, version, kind);
    if (found === undefined) throw new UnknownOwner(`no kind ${kind} in ${apiVersion}`);
    return found;
  }

  /** GC-22 */
  #report(dependent: Node, owner: OwnerReference): void {
    const { apiVersion, kind, name, uid, namespace } = dependent.identity;
    this.#events += 1;
    const suffix = Math.floor(this.#host.random(`event ${this.#events}`) * 0xffff_ffff_ffff).toString(16);
    const time = `${new Date(this.#host.nowMs()).toISOString().slice(0, 19)}Z`;
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
      userAgent: USER_AGENT,
    };
    this.#host.send(request, () => {});
  }
}

function textOf({ kind, namespace, name }: Identity): string {
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
