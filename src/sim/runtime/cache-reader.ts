import { matchesLabels } from '../apiserver/label-selector.js';
import { deepCopy, type KubeObject } from '../etcd/object.js';
import type { Host } from '../host.js';
import { notFoundInCache } from './api-errors.js';
import { type Cache, indexName, indexValue } from './cache.js';
import type { SharedInformer } from './informer.js';
import { apiVersionOf, type ClientObject, type Kind, type ObjectKey, resourceOf } from './kind.js';
import { exactFieldsOf, type ListOptions, requirementsOf } from './list-options.js';
import type { ManagerOptions } from './manager-options.js';
import { keyOf } from './store.js';

/** The answer to a list: objects that may be changed, and how to ask for more. */
export interface ObjectList<T> {
  items: T[];
  metadata: { resourceVersion?: string; continue?: string };
}

/** Reads objects, from a cache or live: controller-runtime's client.Reader. */
export interface Reader {
  /** @throws ApiError NotFound */
  get<T extends ClientObject>(kind: Kind<T>, key: ObjectKey): Promise<T>;
  list<T extends ClientObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
}

/**
 * Reads from the informers, however old they are: there is no write-through (D20). Answers are there at once, unless the
 * kind's informer has yet to see its first contents. Objects are copies that may be changed (D23).
 */
export class CacheReader implements Reader {
  constructor(
    private readonly host: Host,
    private readonly cache: Cache,
    private readonly options: Pick<ManagerOptions, 'readerFailOnMissingInformer'> = {},
  ) {}

  get<T extends ClientObject>(kind: Kind<T>, key: ObjectKey): Promise<T> {
    return this.#read(kind, (informer) => {
      const found = informer.store.get(kind.namespaced ? key.namespace : undefined, key.name);
      this.#note('get', kind, key.namespace ? `${key.namespace}/${key.name}` : key.name, found === undefined ? [] : [found]);
      if (found === undefined) throw notFoundInCache(kind, key.name);
      return copyFor(kind, found);
    });
  }

  list<T extends ClientObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    return this.#read(kind, (informer) => {
      const found = select(informer, options);
      this.#note('list', kind, options.namespace ?? '', found);
      // D23: always this continue token, never a resourceVersion.
      return { items: found.map((object) => copyFor(kind, object)), metadata: { continue: 'continue-not-supported' } };
    });
  }

  #read<T extends ClientObject, Answer>(kind: Kind<T>, answer: (informer: SharedInformer) => Answer): Promise<Answer> {
    if (this.options.readerFailOnMissingInformer && !this.cache.has(kind))
      return Promise.reject(new Error(`${kind.group}/${kind.version}, Kind=${kind.kind} is not cached`)); // D25
    // A read before the start fails, and makes the kind known all the same: the start waits for it (D68).
    const informer = this.cache.informer(kind);
    if (!this.cache.started) return Promise.reject(new Error('the cache is not started, can not read objects')); // D25
    return new Promise((resolve, reject) => {
      this.cache.whenInformerSynced(informer, () => {
        try {
          resolve(answer(informer));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #note(verb: 'get' | 'list', kind: Kind, key: string, found: readonly KubeObject[]): void {
    const shown = found.map((object) => `${keyOf(object)}@${object.metadata.resourceVersion}`);
    this.host.note({ kind: 'cached-read', verb, resource: resourceOf(kind), key, found: shown });
  }
}

/** Reads some kinds live instead (D21). */
export function readerWithout(cached: Reader, live: Reader, liveKinds: readonly Kind[]): Reader {
  if (liveKinds.length === 0) return cached;
  const names = new Set(liveKinds.map((kind) => `${apiVersionOf(kind)} ${kind.kind}`));
  const readerFor = (kind: Kind) => (names.has(`${apiVersionOf(kind)} ${kind.kind}`) ? live : cached);
  return {
    get: (kind, key) => readerFor(kind).get(kind, key),
    list: (kind, options) => readerFor(kind).list(kind, options),
  };
}

function select(informer: SharedInformer, options: ListOptions): KubeObject[] {
  if (options.continue) throw new Error('continue list option is not supported by the cache'); // D69
  const requirements = requirementsOf(options.labels);
  const namespace = options.namespace || undefined;
  const chosen = candidates(informer, namespace, options.fields).filter(
    ({ metadata }) => (namespace === undefined || metadata.namespace === namespace) && matchesLabels(requirements, metadata.labels),
  );
  return options.limit ? chosen.slice(0, options.limit) : chosen;
}

/** The objects that all field selectors agree on, each by its index (D23, D24). */
function candidates(informer: SharedInformer, namespace: string | undefined, fields: ListOptions['fields']): KubeObject[] {
  const exact = exactFieldsOf(fields);
  if (exact.length === 0) return informer.store.list();
  const found = exact.map(([field, value]) => informer.store.byIndex(indexName(field), indexValue(namespace, value)));
  return (found[0] as KubeObject[]).filter((object) => found.every((objects) => objects.includes(object)));
}

/** Lists of built-in kinds leave kind and apiVersion out; a program that ports Go's types needs them in the objects. */
function copyFor<T extends ClientObject>(kind: Kind<T>, object: KubeObject): T {
  const copy = deepCopy(object);
  if (copy.kind === undefined || copy.apiVersion === undefined)
    return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...copy } as unknown as T;
  return copy as unknown as T;
}
