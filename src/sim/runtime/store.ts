import type { KubeObject } from '../etcd/object.js';

/** The values under which an object is found in an index. */
export type IndexFunction = (object: KubeObject) => readonly string[];

/** What may be read from an informer's cache. The objects are the frozen ones that the server's events carried (B32). */
export interface Store {
  /** @param namespace empty or absent for cluster-scoped objects. */
  get(namespace: string | undefined, name: string): KubeObject | undefined;
  /** In the order in which the objects came in first; the real library promises none (B31). */
  list(): KubeObject[];
  /** Throws if there is no such index (B39). */
  byIndex(name: string, value: string): KubeObject[];
  /** Allowed at any time; throws if one of the names is taken (B39). */
  addIndexers(indexers: Readonly<Record<string, IndexFunction>>): void;
}

/** The key of a store and of its queue. The uid plays no part (B3). */
export function storeKey(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}

export function keyOf(object: KubeObject): string {
  return storeKey(object.metadata.namespace, object.metadata.name ?? '');
}

interface Index {
  readonly valuesOf: IndexFunction;
  readonly buckets: Map<string, Map<string, KubeObject>>;
}

/** The cache of one informer, written by the informer alone. */
export class Indexer implements Store {
  /** The version of the newest list, event or bookmark that was applied; only atomic queues keep it (B38). */
  resourceVersion = '';
  private readonly objects = new Map<string, KubeObject>();
  private readonly indices = new Map<string, Index>();

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.objects.get(storeKey(namespace, name));
  }

  getByKey(key: string): KubeObject | undefined {
    return this.objects.get(key);
  }

  has(key: string): boolean {
    return this.objects.has(key);
  }

  keys(): IterableIterator<string> {
    return this.objects.keys();
  }

  list(): KubeObject[] {
    return [...this.objects.values()];
  }

  byIndex(name: string, value: string): KubeObject[] {
    const index = this.indices.get(name);
    if (index === undefined) throw new Error(`Index with name ${name} does not exist`);
    return [...(index.buckets.get(value)?.values() ?? [])];
  }

  addIndexers(indexers: Readonly<Record<string, IndexFunction>>): void {
    const taken = Object.keys(indexers).filter((name) => this.indices.has(name));
    if (taken.length > 0) throw new Error(`indexer conflict: map[${taken.map((name) => `${name}:{}`).join(' ')}]`);
    for (const [name, valuesOf] of Object.entries(indexers)) {
      const index: Index = { valuesOf, buckets: new Map() };
      this.indices.set(name, index);
      for (const [key, object] of this.objects) enter(index, key, object);
    }
  }

  /** Adds or changes an object; returns what was there before. */
  put(key: string, object: KubeObject): KubeObject | undefined {
    const before = this.objects.get(key);
    this.objects.set(key, object);
    if (this.indices.size > 0) {
      for (const index of this.indices.values()) {
        if (before !== undefined) leave(index, key, before);
        enter(index, key, object);
      }
    }
    return before;
  }

  delete(key: string): void {
    const before = this.objects.get(key);
    if (before === undefined) return;
    this.objects.delete(key);
    for (const index of this.indices.values()) leave(index, key, before);
  }

  replace(objects: readonly KubeObject[], resourceVersion: string): void {
    this.objects.clear();
    for (const index of this.indices.values()) index.buckets.clear();
    for (const object of objects) this.put(keyOf(object), object);
    this.resourceVersion = resourceVersion;
  }
}

function enter(index: Index, key: string, object: KubeObject): void {
  for (const value of index.valuesOf(object)) {
    const bucket = index.buckets.get(value);
    if (bucket === undefined) index.buckets.set(value, new Map([[key, object]]));
    else bucket.set(key, object);
  }
}

function leave(index: Index, key: string, object: KubeObject): void {
  for (const value of index.valuesOf(object)) {
    const bucket = index.buckets.get(value);
    bucket?.delete(key);
    if (bucket?.size === 0) index.buckets.delete(value);
  }
}
