import { deepFreeze, type KubeObject } from './object.js';

/** Where an object is kept. `resource` is the qualified plural (`pods`, `deployments.apps`), whatever the version. */
export interface EtcdKey {
  readonly resource: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** One committed transaction: exactly one key changed, and the revision went up by one (ST-1). */
export interface Commit {
  readonly revision: number;
  readonly key: EtcdKey;
  /** What is stored now; absent when the key was deleted. */
  readonly object?: KubeObject;
  /** What was stored before; absent when the key was created. */
  readonly previous?: KubeObject;
}

/** The history that was asked for has been compacted away (ST-10). */
export class CompactedError extends Error {
  constructor(
    readonly requested: number,
    readonly compacted: number,
  ) {
    super(`etcd has compacted revision ${requested}: the oldest it can still show is ${compacted}`);
    this.name = 'CompactedError';
  }
}

/** What `Etcd.snapshot` gives and `Etcd.restore` takes: the whole store as it was, sharing its frozen objects. */
export interface EtcdSnapshot {
  readonly revision: number;
  readonly compacted: number;
  readonly log: readonly Commit[];
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;
}

/**
 * A multi-version store: one revision counter, the present objects, and the log of every commit since the last compaction.
 * Objects are deep-frozen and carry their revision in `metadata.resourceVersion` (ST-1, ST-2). A write costs the same
 * whatever the number of objects.
 */
export class Etcd {
  #revision: number;
  #compacted: number;
  #firstOfLog: number;
  #log: Commit[] = [];
  #objects = new Map<string, Map<string, KubeObject>>();
  /** Keys of a resource in etcd's byte order; dropped when a key comes or goes, sorted again when a list needs it. */
  readonly #sorted = new Map<string, readonly string[]>();

  /** @param revision the revision of the empty store; the first commit gets the next one. */
  constructor(revision = 1) {
    this.#revision = revision;
    this.#compacted = revision;
    this.#firstOfLog = revision + 1;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision that a read in the past may still ask for. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  get(key: EtcdKey): KubeObject | undefined {
    return this.#objects.get(key.resource)?.get(pathOf(key));
  }

  /** All objects of a resource in key order: bytewise by `namespace/name` (LW-6). */
  list(resource: string): readonly KubeObject[] {
    const objects = this.#objects.get(resource);
    if (objects === undefined) return [];
    let keys = this.#sorted.get(resource);
    if (keys === undefined) {
      keys = [...objects.keys()].sort(byBytes);
      this.#sorted.set(resource, keys);
    }
    return keys.map((key) => objects.get(key) as KubeObject);
  }

  /** Resources that hold or held objects, in the order of their first object. */
  resources(): readonly string[] {
    return [...this.#objects.keys()];
  }

  /**
   * Stores an object, new or changed. The caller has checked every precondition: a simulated request is one step, so
   * nothing can have come between. The stored copy is frozen and carries its new revision.
   */
  put(key: EtcdKey, object: KubeObject): Commit & { readonly object: KubeObject } {
    const path = pathOf(key);
    const objects = this.#objectsOf(key.resource);
    const previous = objects.get(path);
    this.#revision += 1;
    const stored = deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } });
    if (previous === undefined) this.#sorted.delete(key.resource);
    objects.set(path, stored);
    const commit = { revision: this.#revision, key, object: stored, ...(previous === undefined ? {} : { previous }) };
    this.#log.push(commit);
    return commit;
  }

  /** Removes a key. @throws if it is not there: the caller has looked. */
  delete(key: EtcdKey): Commit & { readonly previous: KubeObject } {
    const previous = this.get(key);
    if (previous === undefined) throw new Error(`etcd cannot delete ${key.resource} ${pathOf(key)}: there is no such key`);
    this.#revision += 1;
    this.#objects.get(key.resource)?.delete(pathOf(key));
    this.#sorted.delete(key.resource);
    const commit = { revision: this.#revision, key, previous };
    this.#log.push(commit);
    return commit;
  }

  /** Every commit with a revision above `revision`, oldest first. @throws CompactedError when some of them are gone. */
  since(revision: number): readonly Commit[] {
    if (revision + 1 < this.#firstOfLog) throw new CompactedError(revision, this.#compacted);
    return this.#log.slice(revision + 1 - this.#firstOfLog);
  }

  /** The objects of a resource as they were at a revision, in key order. @throws CompactedError when that is too old. */
  listAt(resource: string, revision: number): readonly KubeObject[] {
    if (revision >= this.#revision) return this.list(resource);
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted);
    const objects = new Map(this.#objects.get(resource));
    const later = this.since(revision);
    for (let index = later.length - 1; index >= 0; index--) {
      const commit = later[index] as Commit;
      if (commit.key.resource !== resource) continue;
      if (commit.previous === undefined) objects.delete(pathOf(commit.key));
      else objects.set(pathOf(commit.key), commit.previous);
    }
    return [...objects.keys()].sort(byBytes).map((key) => objects.get(key) as KubeObject);
  }

  /** Forgets history below `revision`; the state at `revision` itself can still be read. */
  compact(revision: number): void {
    if (revision <= this.#compacted || revision > this.#revision) return;
    this.#compacted = revision;
    this.#log = this.#log.slice(revision + 1 - this.#firstOfLog);
    this.#firstOfLog = revision + 1;
  }

  snapshot(): EtcdSnapshot {
    return {
      revision: this.#revision,
      compacted: this.#compacted,
      log: this.#log.slice(),
      objects: new Map([...this.#objects].map(([resource, objects]) => [resource, new Map(objects)])),
    };
  }

  /** Puts the store back to a snapshot, revision counter included: what restoring a backup does. */
  restore(snapshot: EtcdSnapshot): void {
    this.#revision = snapshot.revision;
    this.#compacted = snapshot.compacted;
    this.#firstOfLog = snapshot.revision - snapshot.log.length + 1;
    this.#log = snapshot.log.slice();
    this.#objects = new Map([...snapshot.objects].map(([resource, objects]) => [resource, new Map(objects)]));
    this.#sorted.clear();
  }

  #objectsOf(resource: string): Map<string, KubeObject> {
    let objects = this.#objects.get(resource);
    if (objects === undefined) {
      objects = new Map();
      this.#objects.set(resource, objects);
    }
    return objects;
  }
}

/** Where an object of that resource is kept. */
export function keyOf(resource: string, object: KubeObject): EtcdKey {
  return { resource, namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
}

/** `namespace/name`, or `name` for a cluster-scoped object. */
export function pathOf(key: { readonly namespace: string; readonly name: string }): string {
  return key.namespace === '' ? key.name : `${key.namespace}/${key.name}`;
}

/** Names of Kubernetes objects are ASCII, so the order of UTF-16 units is the order of bytes. */
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
