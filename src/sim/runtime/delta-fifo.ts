import type { KubeObject } from '../etcd/object.js';
import {
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

/** The queue of client-go up to 1.32: keys in order of arrival, each with all its deltas (B4 to B8). */
export class DeltaFIFO implements Queue {
  private readonly items = new Map<string, ObjectDelta[]>();
  private populated = false;
  private initialLeft = 0;

  constructor(
    private readonly known: KnownObjects,
    private readonly transform?: Transform,
  ) {}

  add(object: KubeObject): void {
    this.populated = true;
    this.push(keyOf(object), { type: 'Added', object: transformed(this.transform, object) });
  }

  update(object: KubeObject): void {
    this.populated = true;
    this.push(keyOf(object), { type: 'Updated', object: transformed(this.transform, object) });
  }

  /** What is neither known nor queued is not worth a deletion (B6). */
  delete(object: KubeObject | DeletedFinalStateUnknown): void {
    this.populated = true;
    const key = keyOfDelta({ type: 'Deleted', object });
    if (this.known.getByKey(key) === undefined && !this.items.has(key)) return;
    const last = object instanceof DeletedFinalStateUnknown ? object : transformed(this.transform, object);
    this.push(key, { type: 'Deleted', object: last });
  }

  // B7: items first, deletions after them.
  replace(objects: readonly KubeObject[]): void {
    const listed = new Set<string>();
    for (const object of objects) {
      listed.add(keyOf(object));
      this.push(keyOf(object), { type: 'Replaced', object: transformedInList(this.transform, object) });
    }
    let deletions = 0;
    const bury = (key: string, last: KubeObject | undefined) => {
      deletions++;
      this.push(key, { type: 'Deleted', object: new DeletedFinalStateUnknown(key, last) });
    };
    for (const [key, deltas] of this.items) if (!listed.has(key)) bury(key, lastObject(deltas));
    for (const key of this.known.keys()) if (!listed.has(key) && !this.items.has(key)) bury(key, this.known.getByKey(key));
    if (this.populated) return;
    this.populated = true;
    this.initialLeft = listed.size + deletions;
  }

  // B8
  resync(): void {
    for (const key of this.known.keys()) {
      const object = this.known.getByKey(key);
      if (object !== undefined && !this.items.has(key)) this.push(key, { type: 'Sync', object });
    }
  }

  /** This queue has no such call (B2). */
  bookmark(): void {}

  pop(process: Process): boolean {
    const next = this.items.entries().next();
    if (next.done) return false;
    const [key, deltas] = next.value;
    this.items.delete(key);
    process(deltas, !this.hasSynced());
    if (this.initialLeft > 0) this.initialLeft--;
    return true;
  }

  hasSynced(): boolean {
    return this.populated && this.initialLeft === 0;
  }

  get empty(): boolean {
    return this.items.size === 0;
  }

  private push(key: string, delta: ObjectDelta): void {
    const deltas = this.items.get(key);
    if (deltas === undefined) {
      this.items.set(key, [delta]);
      return;
    }
    const last = deltas.at(-1)!;
    if (last.type !== 'Deleted' || delta.type !== 'Deleted') deltas.push(delta);
    // B5: of two deletions in a row the one that knows more stays.
    else if (last.object instanceof DeletedFinalStateUnknown) deltas[deltas.length - 1] = delta;
  }
}

function lastObject(deltas: readonly ObjectDelta[]): KubeObject | undefined {
  const object = deltas.at(-1)!.object;
  return object instanceof DeletedFinalStateUnknown ? object.object : object;
}
