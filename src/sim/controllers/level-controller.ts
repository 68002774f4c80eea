import type { ApiRequest } from '../apiserver/request.js';
import { pathOf } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { drive, type Sync } from './steps.js';

/** What a controller knows of the cluster: as of the last event that each resource's lane has brought. */
export class View {
  readonly #objects = new Map<string, Map<string, KubeObject>>();

  get(resource: string, path: string): KubeObject | undefined {
    return this.#objects.get(resource)?.get(path);
  }

  list(resource: string): readonly KubeObject[] {
    return [...(this.#objects.get(resource)?.values() ?? [])];
  }

  /** The objects of a resource that name this owner as their controller, in the order in which they appeared. */
  controlledBy(resource: string, uid: string | undefined): readonly KubeObject[] {
    return this.list(resource).filter((object) => controllerOf(object)?.uid === uid);
  }

  set(resource: string, object: KubeObject): void {
    let objects = this.#objects.get(resource);
    if (objects === undefined) {
      objects = new Map();
      this.#objects.set(resource, objects);
    }
    objects.set(pathOfObject(object), object);
  }

  remove(resource: string, object: KubeObject): void {
    this.#objects.get(resource)?.delete(pathOfObject(object));
  }
}

export interface LevelController {
  /** The resource whose keys are looked at. */
  readonly resource: string;
  /** Of another resource's object, the keys it concerns. */
  readonly related: Readonly<Record<string, (object: KubeObject, view: View) => readonly string[]>>;
  sync(key: string, look: Look): Sync;
}

/** What one look at a key has at hand. */
export interface Look {
  readonly view: View;
  readonly host: Host;
  /** Has the key looked at again after so many virtual milliseconds. */
  again(afterMs: number): void;
}

const firstRetryMs = 5;
const lastRetryMs = 1_000_000;

/**
 * A controller of the cluster as an ordinary client: a view with a lag, a queue that holds each key once, one worker, and
 * exponential back-off for keys that failed (C10).
 */
export function startLevelController(host: Host, feed: ObjectFeed, controller: LevelController): void {
  const view = new View();
  const queue: string[] = [];
  const failures = new Map<string, number>();
  let working = false;

  const add = (key: string): void => {
    if (!queue.includes(key)) queue.push(key);
    if (!working) wake();
  };
  const wake = (): void => {
    working = true;
    host.after(0, 'worker', `look at ${controller.resource} ${queue[0]}`, work);
  };
  const work = (): void => {
    const key = queue.shift();
    if (key === undefined) {
      working = false;
      return;
    }
    const again = (afterMs: number): void => {
      host.after(afterMs, `again ${key}`, `look again at ${controller.resource} ${key}`, () => add(key));
    };
    drive(host, controller.sync(key, { view, host, again }), (failed) => {
      if (failed) {
        const times = failures.get(key) ?? 0;
        failures.set(key, times + 1);
        again(Math.min(firstRetryMs * 2 ** times, lastRetryMs));
      } else failures.delete(key);
      if (queue.length > 0) wake();
      else working = false;
    });
  };

  feed.subscribe((resource, event) => {
    if (resource !== controller.resource && controller.related[resource] === undefined) return;
    const object = event.object as KubeObject;
    if (event.type === 'DELETED') view.remove(resource, object);
    else view.set(resource, object);
    if (resource === controller.resource) add(pathOfObject(object));
    else for (const key of controller.related[resource]?.(object, view) ?? []) add(key);
  });
}

export function controllerOf(object: KubeObject) {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

export function pathOfObject(object: KubeObject): string {
  return pathOf({ namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' });
}

/** The key of the object's controller, when that is of this kind. */
export function keyOfController(object: KubeObject, kind: string): readonly string[] {
  const owner = controllerOf(object);
  return owner === undefined || owner.kind !== kind ? [] : [pathOf({ namespace: object.metadata.namespace ?? '', name: owner.name })];
}

/** A request about an object of a built-in, namespaced kind. */
export function about(
  verb: 'create' | 'update' | 'patch' | 'delete',
  resource: { readonly group: string; readonly version: string; readonly plural: string },
  object: KubeObject,
  body: unknown,
  subresource?: 'status',
): ApiRequest {
  const { namespace, name } = object.metadata;
  return {
    verb,
    group: resource.group,
    version: resource.version,
    resource: resource.plural,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(verb === 'create' || name === undefined ? {} : { name }),
    ...(verb === 'patch' ? { contentType: 'application/merge-patch+json' } : {}),
    body,
  };
}

export const replicaSets = { group: 'apps', version: 'v1', plural: 'replicasets' } as const;
export const deployments = { group: 'apps', version: 'v1', plural: 'deployments' } as const;
export const pods = { group: '', version: 'v1', plural: 'pods' } as const;

/** A reference that makes the owner the controller of its dependents and keeps it until they are gone. */
export function controllerReference(owner: KubeObject) {
  const { apiVersion = '', kind = '' } = owner;
  return { apiVersion, kind, name: owner.metadata.name ?? '', uid: owner.metadata.uid ?? '', controller: true, blockOwnerDeletion: true };
}
