import type { KubeObject } from '../etcd/object.js';
import { type Transform, TransformError, transformed } from './delta.js';
import { keyOf } from './store.js';
import type { WatchTarget } from './watch-session.js';

/** Where a stream of first contents gathers until its end mark; nobody sees it before (A30). */
export class TemporaryStore implements WatchTarget {
  private readonly objects = new Map<string, KubeObject>();

  constructor(private readonly transform: Transform | undefined) {}

  add(object: KubeObject): void {
    try {
      this.objects.set(keyOf(object), transformed(this.transform, object)); // B30
    } catch (error) {
      throw new TransformError(`transforming: ${(error as TransformError).message}`, error);
    }
  }

  update(object: KubeObject): void {
    this.add(object);
  }

  delete(object: KubeObject): void {
    this.objects.delete(keyOf(object));
  }

  bookmark(): void {}

  seen(): void {}

  /** In the order in which the objects came; the real library promises none (A32). */
  list(): KubeObject[] {
    return [...this.objects.values()];
  }
}
