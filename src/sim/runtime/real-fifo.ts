import type { KubeObject } from '../etcd/object.js';
import {
  type Delta,
  isWhole,
  type KnownObjects,
  keyOfDelta,
  type ObjectDelta,
  type Process,
  type Queue,
  type Transform,
  transformed,
  transformedInList,
} from './delta.js';
import { keyOf } from './store.js';
import { DeletedFinalStateUnknown } from './tombstone.js';

export interface RealFIFOOptions {
  readonly known: KnownObjects;
  readonly transform?: Transform | undefined;
  /** Replace and Resync are one delta each; bookmarks are deltas too. */
  readonly atomic: boolean;
}

/** The queue of client-go from 1.33 on: one flat list in exactly the order of arrival (B9 to B13). */
export class RealFIFO implements Queue {
  private items: Delta[] = [];
  /** Popped deltas are left at the front of the list until they are worth a copy. */
  private head = 0;
  private populated = false;
  private initialLeft = 0;

  constructor(private readonly options: RealFIFOOptions) {}

  add(object: KubeObject): void {
    this.populated = true;
    this.items.push({ type: 'Added', object: this.transformed(object) });
  }

  update(object: KubeObject): void {
    this.populated = true;
    this.items.push({ type: 'Updated', object: this.transformed(object) });
  }

  delete(object: KubeObject | DeletedFinalStateUnknown): void {
    this.populated = true;
    this.items.push({ type: 'Deleted', object: object instanceof DeletedFinalStateUnknown ? object : this.transformed(object) });
  }

  replace(objects: readonly KubeObject[], resourceVersion: string): void {
    if (this.options.atomic) {
      this.items.push({ type: 'ReplacedAll', objects: objects.map((object) => this.transformed(object)), resourceVersion });
    } else this.reconcile(objects);
    if (this.populated) return;
    this.populated = true;
    this.initialLeft = this.items.length - this.head;
  }

  resync(): void {
    if (this.options.atomic) {
      this.items.push({ type: 'SyncAll' });
      return;
    }
    const queued = new Set(this.queued().map(keyOfDelta));
    for (const key of this.options.known.keys()) {
      const object = this.options.known.getByKey(key);
      if (object !== undefined && !queued.has(key)) this.items.push({ type: 'Sync', object });
    }
  }

  bookmark(resourceVersion: string): void {
    if (this.options.atomic) this.items.push({ type: 'Bookmark', resourceVersion });
  }

  /** A batch has distinct keys; a delta for all objects comes alone (B13). */
  pop(process: Process, most = 1): boolean {
    const first = this.items[this.head];
    if (first === undefined) return false;
    const batch = [first];
    if (most > 1 && !isWhole(first) && this.head + 1 < this.items.length) this.gather(batch, keyOfDelta(first), most);
    this.head += batch.length;
    if (this.head === this.items.length || this.head > 1000) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    process(batch, !this.hasSynced());
    this.initialLeft = Math.max(0, this.initialLeft - batch.length);
    return true;
  }

  hasSynced(): boolean {
    return this.populated && this.initialLeft === 0;
  }

  get empty(): boolean {
    return this.head === this.items.length;
  }

  private gather(batch: Delta[], firstKey: string, most: number): void {
    const keys = new Set([firstKey]);
    const end = this.initialLeft > 0 ? Math.min(most, this.initialLeft) : most;
    for (const delta of this.items.slice(this.head + 1, this.head + end)) {
      if (isWhole(delta) || keys.has(keyOfDelta(delta))) return;
      keys.add(keyOfDelta(delta));
      batch.push(delta);
    }
  }

  // B10: deletions first, then what the list has.
  private reconcile(objects: readonly KubeObject[]): void {
    const listed = new Set(objects.map(keyOf));
    const lastQueued = new Map(this.queued().map((delta) => [keyOfDelta(delta), delta]));
    for (const [key, last] of lastQueued) {
      if (!listed.has(key) && last.type !== 'Deleted') this.bury(key, last.object);
    }
    for (const key of this.options.known.keys()) {
      if (!listed.has(key) && !lastQueued.has(key)) this.bury(key, this.options.known.getByKey(key));
    }
    for (const object of objects) {
      this.items.push({ type: 'Replaced', object: transformedInList(this.options.transform, object) });
    }
  }

  private bury(key: string, last: KubeObject | undefined): void {
    this.items.push({ type: 'Deleted', object: new DeletedFinalStateUnknown(key, last) });
  }

  private queued(): ObjectDelta[] {
    return this.items.slice(this.head).filter((delta): delta is ObjectDelta => !isWhole(delta));
  }

  private transformed(object: KubeObject): KubeObject {
    return transformed(this.options.transform, object);
  }
}
