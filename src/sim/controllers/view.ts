import type { KubeObject } from '../etcd/object.js';
import { controllerOf, pathOfObject } from './references.js';

/** What a controller knows of the cluster: as of the last event that each resource's lane has brought. */
export class View {
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #revisions = new Map<string, number>();

  get(resource: string, path: string): KubeObject | undefined {
    return this.#objects.get(resource)?.get(path);
  }

  /** All objects of a resource, or those of one namespace, in the order in which they appeared. */
  list(resource: string, namespace?: string): readonly KubeObject[] {
    const objects = this.#objects.get(resource)?.values() ?? [];
    if (namespace === undefined) return [...objects];
    const near: KubeObject[] = [];
    for (const object of objects) if (object.metadata.namespace === namespace) near.push(object);
    return near;
  }

  /** The objects of a resource that name this owner as their controller, in the order in which they appeared. */
  controlledBy(resource: string, owner: KubeObject): readonly KubeObject[] {
    return this.list(resource, owner.metadata.namespace).filter((object) => controllerOf(object)?.uid === owner.metadata.uid);
  }

  /** The revision up to which the events of a resource have come. */
  revision(resource: string): number {
    return this.#revisions.get(resource) ?? 0;
  }

  /** Takes an event in. @returns the object as it was known before */
  take(resource: string, deleted: boolean, object: KubeObject): KubeObject | undefined {
    let objects = this.#objects.get(resource);
    if (objects === undefined) {
      objects = new Map();
      this.#objects.set(resource, objects);
    }
    const path = pathOfObject(object);
    const before = objects.get(path);
    if (deleted) objects.delete(path);
    else objects.set(path, object);
    const revision = Number(object.metadata.resourceVersion ?? 0);
    if (revision > this.revision(resource)) this.#revisions.set(resource, revision);
    return before;
  }
}
