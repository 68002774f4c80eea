import type { ApiRequest, Query, Verb } from '../apiserver/request.js';
import { deepCopy } from '../etcd/object.js';
import type { Host, Outcome } from '../host.js';
import { ConnectionLost, errorOf, NoKindMatchError } from './api-errors.js';
import type { ObjectList, Reader } from './cache-reader.js';
import { acceptFor, contentTypeFor } from './encodings.js';
import { asJson, jsonOf, replaceContents } from './json-body.js';
import { apiVersionOf, type ClientObject, type Kind, type ObjectKey } from './kind.js';
import { type ListOptions, selectorText } from './list-options.js';
import { contentTypeOf, type Patch } from './patch-builder.js';
import type { RunawayGuard } from './runaway.js';
import type { Scheme } from './scheme.js';

/** Options of create, update and patch; what is left out is not sent. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** Options of patch and apply. */
export interface PatchOptions extends WriteOptions {
  /** Apply only: takes fields from other managers. */
  readonly force?: boolean;
}

/** Options of delete; what is left out is not sent, and the server decides. */
export interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/** Which objects of the kind go, and how. */
export type DeleteAllOfOptions = Omit<ListOptions, 'limit' | 'continue'> & DeleteOptions;

/** Writes to one subresource of an object. */
export interface SubResourceWriter {
  update<T extends ClientObject>(object: T, options?: WriteOptions): Promise<T>;
  /** The patch holds the whole difference, spec included; the server takes what belongs to the subresource (D70). */
  patch<T extends ClientObject>(object: T, patch: Patch, options?: PatchOptions): Promise<T>;
}

/**
 * What a reconciler talks to the cluster with: reads from where its maker says, writes live. Objects say their apiVersion and
 * kind. A write puts the server's answer into the object that was passed, and returns it; on an error it stays as it was (D28).
 * All calls reject with an ApiError for an answer that is an error, and with a ConnectionLost when no answer came.
 */
export interface Client extends Reader {
  create<T extends ClientObject>(object: T, options?: WriteOptions): Promise<T>;
  /** Sends the whole object. With a resourceVersion it is a compare-and-set: a Conflict if the object has changed (D29). */
  update<T extends ClientObject>(object: T, options?: WriteOptions): Promise<T>;
  patch<T extends ClientObject>(object: T, patch: Patch, options?: PatchOptions): Promise<T>;
  /** Server-side apply of the object as it stands: only the fields that the caller wants to own. The server demands a field manager. */
  apply<T extends ClientObject>(object: T, options?: PatchOptions): Promise<T>;
  /** The object's name and namespace alone count; it is not changed (D28). */
  delete(object: ClientObject, options?: DeleteOptions): Promise<void>;
  /** Without a namespace: in all namespaces (D76). */
  deleteAllOf<T extends ClientObject>(kind: Kind<T>, options?: DeleteAllOfOptions): Promise<void>;
  status(): SubResourceWriter;
  subResource(name: string): SubResourceWriter;
  readonly scheme: Scheme;
}

/** Talks to the server for every call. */
export class LiveClient implements Client {
  /** Kinds that the server has been seen to serve: what a RESTMapper has found stays known, whatever becomes of it. */
  readonly #served = new Set<string>();

  constructor(
    private readonly host: Pick<Host, 'send'>,
    readonly scheme: Scheme,
    private readonly guard: RunawayGuard,
    private readonly userAgent: string,
  ) {}

  async get<T extends ClientObject>(kind: Kind<T>, key: ObjectKey): Promise<T> {
    this.scheme.register(kind);
    const answer = await this.#send(kind, 'get', key);
    return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...answer } as unknown as T;
  }

  async list<T extends ClientObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    this.scheme.register(kind);
    const query: Record<string, string> = selectors(options);
    if (options.limit) query.limit = String(options.limit);
    if (options.continue) query.continue = options.continue;
    const answer = await this.#send(kind, 'list', { namespace: options.namespace }, { query });
    const { items, metadata } = answer as unknown as ObjectList<T>;
    // Lists of built-in kinds leave kind and apiVersion out of their items.
    return { items: items.map((item) => ({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...item })), metadata };
  }

  create<T extends ClientObject>(object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace } = object.metadata;
    return this.#write(object, 'create', { namespace }, { query: writeQuery(options), body: asJson(object) });
  }

  update<T extends ClientObject>(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#update(object, undefined, options);
  }

  patch<T extends ClientObject>(object: T, patch: Patch, options: PatchOptions = {}): Promise<T> {
    return this.#patch(object, undefined, patch, options);
  }

  apply<T extends ClientObject>(object: T, options: PatchOptions = {}): Promise<T> {
    return this.#patch(object, undefined, { type: 'apply', data: asJson }, options);
  }

  async delete(object: ClientObject, options: DeleteOptions = {}): Promise<void> {
    const kind = this.scheme.kindOf(object);
    await this.#send(kind, 'delete', keyOf(object), deleteBody(kind, options));
  }

  async deleteAllOf<T extends ClientObject>(kind: Kind<T>, options: DeleteAllOfOptions = {}): Promise<void> {
    this.scheme.register(kind);
    await this.#send(
      kind,
      'deletecollection',
      { namespace: options.namespace },
      { query: selectors(options), ...deleteBody(kind, options) },
    );
  }

  status(): SubResourceWriter {
    return this.subResource('status');
  }

  subResource(name: string): SubResourceWriter {
    return {
      update: (object, options = {}) => this.#update(object, name, options),
      patch: (object, patch, options = {}) => this.#patch(object, name, patch, options),
    };
  }

  #update<T extends ClientObject>(object: T, subresource: string | undefined, options: WriteOptions): Promise<T> {
    return this.#write(object, 'update', keyOf(object), { subresource, query: writeQuery(options), body: asJson(object) });
  }

  async #patch<T extends ClientObject>(object: T, subresource: string | undefined, patch: Patch, options: PatchOptions): Promise<T> {
    const query = { ...writeQuery(options), ...(options.force === undefined ? {} : { force: String(options.force) }) };
    const body = jsonOf(patch.data(object));
    return this.#write(object, 'patch', keyOf(object), { subresource, query, body, contentType: contentTypeOf(patch.type) });
  }

  async #write<T extends ClientObject>(object: T, verb: Verb, key: Partial<ObjectKey>, parts: RequestParts): Promise<T> {
    const kind = this.scheme.kindOf(object);
    const answer = await this.#send(kind, verb, key, parts);
    replaceContents(object, answer);
    return Object.isFrozen(object) ? (answer as T) : object;
  }

  /** Resolves with a copy of the answer's body that the caller may keep and change. */
  #send(kind: Kind, verb: Verb, key: Partial<ObjectKey>, parts: RequestParts = {}): Promise<object> {
    const request = requestFor(kind, verb, key, parts, this.userAgent);
    return this.guard.run(
      () =>
        new Promise((resolve, reject) => {
          this.host.send(request, (outcome) => {
            this.guard.step();
            const error = this.#errorIn(kind, request, outcome);
            if (error !== undefined) reject(error);
            else resolve(deepCopy((outcome as { response: { body: object } }).response.body));
          });
        }),
    );
  }

  #errorIn(kind: Kind, request: ApiRequest, outcome: Outcome): Error | undefined {
    if ('lost' in outcome) return new ConnectionLost(outcome.lost, request);
    const { response } = outcome;
    const name = `${apiVersionOf(kind)} ${kind.kind}`;
    // HT-6: only a path that is not there is answered by a page.
    if (response.code === 404 && response.body === noSuchPage && !this.#served.has(name)) return new NoKindMatchError(kind);
    this.#served.add(name);
    return response.code >= 400 ? errorOf(request, response) : undefined;
  }
}

const noSuchPage = '404 page not found\n';

/** The manager's client: reads from one reader, writes with another client (D20). */
export function delegatingClient(reader: Reader, writer: Client, guard: RunawayGuard): Client {
  return {
    get: (kind, key) => guard.run(() => reader.get(kind, key)),
    list: (kind, options) => guard.run(() => reader.list(kind, options)),
    create: (object, options) => writer.create(object, options),
    update: (object, options) => writer.update(object, options),
    patch: (object, patch, options) => writer.patch(object, patch, options),
    apply: (object, options) => writer.apply(object, options),
    delete: (object, options) => writer.delete(object, options),
    deleteAllOf: (kind, options) => writer.deleteAllOf(kind, options),
    status: () => writer.status(),
    subResource: (name) => writer.subResource(name),
    scheme: writer.scheme,
  };
}

interface RequestParts {
  readonly subresource?: string | undefined;
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
}

function requestFor(kind: Kind, verb: Verb, key: Partial<ObjectKey>, parts: RequestParts, userAgent: string): ApiRequest {
  const { subresource, query, body, contentType } = parts;
  return {
    verb,
    group: kind.group,
    version: kind.version,
    resource: kind.plural,
    ...(subresource === undefined ? {} : { subresource }),
    ...(kind.namespaced && key.namespace ? { namespace: key.namespace } : {}),
    ...(key.name === undefined ? {} : { name: key.name }),
    ...(query === undefined || Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body, contentType: contentType ?? contentTypeFor(kind) }),
    accept: acceptFor(kind),
    userAgent,
  };
}

function keyOf(object: ClientObject): Partial<ObjectKey> {
  return { namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
}

function selectors(options: ListOptions): Record<string, string> {
  const query: Record<string, string> = {};
  const labelSelector = selectorText(options.labels);
  const fieldSelector = selectorText(options.fields);
  if (labelSelector !== '') query.labelSelector = labelSelector;
  if (fieldSelector !== '') query.fieldSelector = fieldSelector;
  return query;
}

function writeQuery(options: WriteOptions): Record<string, string> {
  return {
    ...(options.dryRun ? { dryRun: 'All' } : {}),
    ...(options.fieldManager === undefined ? {} : { fieldManager: options.fieldManager }),
    ...(options.fieldValidation === undefined ? {} : { fieldValidation: options.fieldValidation }),
  };
}

/** D76: options go into the body, only what was given. */
function deleteBody(kind: Kind, options: DeleteOptions): RequestParts {
  const { preconditions, propagationPolicy, gracePeriodSeconds, dryRun } = options;
  return {
    body: jsonOf({
      kind: 'DeleteOptions',
      apiVersion: apiVersionOf(kind),
      gracePeriodSeconds,
      preconditions,
      propagationPolicy,
      dryRun: dryRun ? ['All'] : undefined,
    }),
  };
}
