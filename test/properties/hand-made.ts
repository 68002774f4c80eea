import type { Case, Finding, Property } from '../../src/properties/property.js';
import type { ApiRequest } from '../../src/sim/apiserver/request.js';
import { callName } from '../../src/sim/call-name.js';
import { Etcd, type EtcdKey } from '../../src/sim/etcd/etcd.js';
import { deepCopy, type KubeObject } from '../../src/sim/etcd/object.js';
import { Kernel } from '../../src/sim/kernel/kernel.js';
import { calmPlan } from '../../src/sim/plan.js';
import { Recorder } from '../../src/sim/recorder.js';
import type { Phase, PhaseEnd, Trace } from '../../src/sim/trace.js';
import type { World } from '../../src/sim/world.js';

export const operator = 'web-operator';
export const user = 'a user';
export const collector = 'garbage-collector';

/** A run that a test writes entry by entry, with a store behind it. */
export class HandMade {
  readonly #etcd = new Etcd(1_000);
  readonly #kernel = new Kernel({ seed: 0, overrides: {}, strategy: { kind: 'calm' } });
  readonly #recorder = new Recorder(this.#kernel, this.#etcd);
  #uids = 0;
  #calls = 0;

  constructor() {
    this.#recorder.record({ kind: 'phase', phase: 'disturb' });
  }

  /** Somebody creates or updates an object. @returns it as it is stored */
  put(process: string, object: KubeObject, request: Partial<ApiRequest> = {}): KubeObject {
    const key = keyOf(object);
    const previous = this.#etcd.get(key);
    const uid = previous?.metadata.uid ?? object.metadata.uid ?? `uid-${this.#uids++}`;
    return this.#handle(process, previous === undefined ? 'create' : 'update', object, request, () => {
      const stored = { ...object, metadata: { ...object.metadata, uid, generation: object.metadata.generation ?? 1 } };
      return this.#etcd.put(key, deepCopy(stored)).object;
    }) as KubeObject;
  }

  remove(process: string, object: KubeObject): void {
    this.#handle(process, 'delete', object, {}, () => {
      this.#etcd.delete(keyOf(object));
      return undefined;
    });
  }

  /** A request that changes nothing. */
  idle(process: string, verb: ApiRequest['verb'], object: KubeObject, code = 200): void {
    this.#handle(process, verb, object, {}, () => this.#etcd.get(keyOf(object)), code);
  }

  /** A reconcile, with what happens in it. */
  pass(key: string, body: () => void, result = 'done', error?: string): void {
    this.#note({ kind: 'reconcile-start', controller: 'web', key, worker: 0 });
    body();
    this.#note({ kind: 'reconcile-end', controller: 'web', key, result, ...(error === undefined ? {} : { error }) });
  }

  startPass(key: string): void {
    this.#note({ kind: 'reconcile-start', controller: 'web', key, worker: 0 });
  }

  /** The operator reads an object from its cache, in the version given. */
  read(object: KubeObject): void {
    const { resource, namespace, name } = keyOf(object);
    const key = `${namespace}/${name}`;
    this.#note({ kind: 'cached-read', verb: 'get', resource, key, found: [`${key}@${object.metadata.resourceVersion}`] });
  }

  deliver(
    object: KubeObject,
    type: 'ADDED' | 'MODIFIED' | 'DELETED' = 'MODIFIED',
    revision = Number(object.metadata.resourceVersion),
  ): void {
    const key = keyOf(object);
    this.#recorder.record({ kind: 'delivered', process: operator, resource: key.resource, key, type, revision });
  }

  act(done = true): void {
    this.#recorder.record({ kind: 'op', op: 'an act', done });
  }

  /** Ends the phase, and begins the next one if one is named. */
  end(how: PhaseEnd, next?: Phase): this {
    this.#recorder.endPhase({ end: how, waiting: [] });
    if (next !== undefined) this.#recorder.record({ kind: 'phase', phase: next });
    return this;
  }

  /** The cluster comes to rest, and none of the probes changes anything. */
  rest(): Trace {
    this.end('quiescent', 'settle')
      .end('quiescent', 'probe-restart')
      .end('quiescent', 'probe-redelivery')
      .end('quiescent', 'probe-deletion');
    return this.end('quiescent').trace();
  }

  trace(): Trace {
    return this.#recorder.trace(calmPlan('hand-made'), []);
  }

  get revision(): number {
    return this.#etcd.revision;
  }

  #note(event: Extract<Parameters<Recorder['record']>[0], { kind: 'process' }>['event']): void {
    this.#recorder.record({ kind: 'process', process: operator, event });
  }

  #handle(
    process: string,
    verb: ApiRequest['verb'],
    object: KubeObject,
    request: Partial<ApiRequest>,
    does: () => KubeObject | undefined,
    code = verb === 'create' ? 201 : 200,
  ): KubeObject | undefined {
    const { resource, namespace, name } = keyOf(object);
    const [plural = '', ...group] = resource.split('.');
    const full: ApiRequest = { verb, group: group.join('.'), version: 'v1', resource: plural, namespace, name, body: object, ...request };
    const call = `${callName(full, process)} #${++this.#calls}`;
    this.#recorder.record({ kind: 'sent', call, process, request: full });
    const before = this.#etcd.revision;
    const body = does();
    this.#recorder.record({
      kind: 'handled',
      call,
      process,
      request: full,
      response: { code, body: body ?? null },
      commits: this.#etcd.since(before),
    });
    this.#recorder.record({ kind: 'answered', call, process, code });
    return body;
  }
}

const plurals: Readonly<Record<string, string>> = {
  Secret: 'secrets',
  Web: 'webs.example.com',
  ConfigMap: 'configmaps',
  Pod: 'pods',
  Deployment: 'deployments.apps',
};

function keyOf({ kind = '', metadata }: KubeObject): EtcdKey {
  return { resource: plurals[kind] ?? kind.toLowerCase(), namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

export function web(name: string, rest: object = {}, metadata: object = {}): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Web', metadata: { name, namespace: 'default', ...metadata }, ...rest };
}

export function child(kind: string, owner: KubeObject | undefined, metadata: object, rest: object = {}): KubeObject {
  const ownerReferences =
    owner === undefined
      ? {}
      : {
          ownerReferences: [
            { apiVersion: 'example.com/v1', kind: 'Web', name: owner.metadata.name ?? '', uid: owner.metadata.uid ?? '', controller: true },
          ],
        };
  return { apiVersion: 'v1', kind, metadata: { namespace: 'default', ...ownerReferences, ...metadata }, ...rest };
}

export const world: World = {
  name: 'hand-made',
  crds: [],
  objects: [],
  operators: [{ name: operator, setup: () => {} }],
  controllers: ['garbage-collector'],
  workload: [],
  webhooks: {},
  acts: {},
};

export function check(property: Property, trace: Trace, calm: Trace = trace) {
  return property.check({ world, trace, calm } satisfies Case);
}

/** What a property has found, or undefined when it holds. */
export function findingOf(property: Property, trace: Trace, calm: Trace = trace): Finding | undefined {
  const judgement = check(property, trace, calm);
  return typeof judgement === 'object' && 'message' in judgement ? judgement : undefined;
}
