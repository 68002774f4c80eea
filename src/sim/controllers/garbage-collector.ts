import type { Kinds } from '../apiserver/kinds.js';
import type { KubeObject, OwnerReference } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { CollectorRequests, UnfollowableOwner, UnknownOwner } from './garbage-collector-requests.js';
import { type Identity, identityOf, type Node, OwnerGraph } from './owner-graph.js';
import { drive, RequestFailed, type Steps, type Sync } from './sync.js';

const mostWorkers = 20;
const firstRetryMs = 5;
const lastRetryMs = 1_000_000;

/** The item itself is not there any more; the graph has been told. */
class ItemGone extends Error {}

type Task = 'delete' | 'orphan';

/**
 * The garbage collector of kube-controller-manager: an ordinary client that learns of objects by the feed, each kind with a
 * lag of its own, looks at what it means to delete live, and deletes with preconditions (the GC rules).
 */
export function startGarbageCollector(host: Host, feed: ObjectFeed, kinds: Kinds): void {
  const collector = new GarbageCollector(host, kinds);
  feed.subscribe('all', (resource, event) => {
    // GC-1: Events are no part of the graph.
    if (resource !== 'events') collector.observed(event.type, event.object as KubeObject);
  });
}

class GarbageCollector {
  readonly #host: Host;
  readonly #requests: CollectorRequests;
  readonly #graph: OwnerGraph;
  readonly #waiting: { readonly task: Task; readonly uid: string }[] = [];
  readonly #inWork = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #retrying = new Set<string>();
  #workers = 0;

  constructor(host: Host, kinds: Kinds) {
    this.#host = host;
    this.#requests = new CollectorRequests(host, kinds);
    this.#graph = new OwnerGraph({
      delete: (node) => this.#add('delete', node.uid),
      deleteLater: (node) => this.#retry('delete', node, false),
      orphan: (node) => this.#add('orphan', node.uid),
      reportNamespace: (dependent, owner) => this.#requests.report(dependent, owner),
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
    for (let index = 0; index < this.#waiting.length && this.#workers < mostWorkers; ) {
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
    const afterMs = Math.min(firstRetryMs * 2 ** times, lastRetryMs);
    this.#host.after(afterMs, `retry ${key}`, `look again at ${textOf(node.identity)}`, again, forEver);
  }

  /** GC-3 */
  *#lookAt(node: Node): Steps<void> {
    if (node.deleting && !node.deletingDependents) return;
    const latest = yield* this.#requests.live(node.identity);
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
      if (dangling.length + waiting.length > 0) yield* this.#requests.takeOut(node, [...dangling, ...waiting]);
      return;
    }
    if (waiting.length > 0 && node.dependents.size > 0) {
      // GC-18: a ring of blocking references would wait for ever.
      if ([...node.dependents].some((dependent) => dependent.deletingDependents)) yield* this.#requests.unblock(node, latest);
      return yield* this.#requests.delete(node, latest, 'Foreground');
    }
    const finalizers = latest.metadata.finalizers ?? [];
    const policy = finalizers.includes('orphan') ? 'Orphan' : finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background';
    yield* this.#requests.delete(node, latest, policy);
  }

  /** GC-7 */
  *#waitForDependents(node: Node): Steps<void> {
    const blocking = [...node.dependents].filter((dependent) =>
      dependent.owners.some(({ uid, blockOwnerDeletion }) => uid === node.uid && blockOwnerDeletion === true),
    );
    if (blocking.length === 0) return yield* this.#requests.removeFinalizer(node, 'foregroundDeletion');
    for (const dependent of blocking) if (!dependent.deletingDependents) this.#add('delete', dependent.uid);
  }

  /** GC-8 */
  *#orphan(node: Node): Steps<void> {
    let failed: RequestFailed | undefined;
    for (const dependent of [...node.dependents]) {
      try {
        yield* this.#requests.takeOut(dependent, [node.uid]);
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        if (error.code !== 404) failed = error;
      }
    }
    if (failed !== undefined) throw failed;
    yield* this.#requests.removeFinalizer(node, 'orphan');
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
    const found = this.#requests.kindOf(place);
    const identity = found.namespaced ? place : { ...place, namespace: '' };
    if (!found.namespaced && this.#graph.isAbsent(identity)) return undefined;
    const owner = yield* this.#requests.live(identity);
    if (owner?.metadata.uid === uid) return owner;
    this.#graph.addAbsent(identity);
    return undefined;
  }
}

function textOf({ kind, namespace, name }: Identity): string {
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
