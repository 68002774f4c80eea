import type { KubeObject } from '../etcd/object.js';
import { type Delta, isWhole, keyOfDelta, type ObjectDelta, type WholeDelta } from './delta.js';
import type { ClientGoBehaviour } from './profile.js';
import type { Notification } from './resource-event-handler.js';
import { type Indexer, keyOf } from './store.js';
import { DeletedFinalStateUnknown } from './tombstone.js';

/** Applies popped deltas to an informer's store and says what its handlers are to hear (client-go's processDeltas). */
export class DeltaProcessor {
  constructor(
    private readonly store: Indexer,
    private readonly behaviour: ClientGoBehaviour,
    private readonly distribute: (notification: Notification) => void,
  ) {}

  process(deltas: readonly Delta[], isInInitialList: boolean): void {
    const first = deltas[0]!;
    if (isWhole(first)) {
      this.processWhole(first, isInInitialList);
      return;
    }
    // A batch of RealFIFO changes the store in one step before the first call (B13); DeltaFIFO goes delta by delta.
    if (deltas.length === 1 || this.behaviour.queue === 'DeltaFIFO') {
      for (const delta of deltas) this.distribute(this.apply(delta as ObjectDelta, isInInitialList));
      return;
    }
    const notifications = deltas.map((delta) => this.apply(delta as ObjectDelta, isInInitialList));
    for (const notification of notifications) this.distribute(notification);
  }

  // B15: what a delta means depends on the store, not on its verb.
  private apply(delta: ObjectDelta, isInInitialList: boolean): Notification {
    const { object } = delta;
    const key = keyOfDelta(delta);
    if (this.behaviour.atomic && !(object instanceof DeletedFinalStateUnknown)) {
      this.store.resourceVersion = object.metadata.resourceVersion ?? '';
    }
    if (delta.type === 'Deleted') {
      this.store.delete(key);
      return { type: 'delete', object: delta.object };
    }
    const old = this.store.put(key, delta.object);
    if (old === undefined) return { type: 'add', object: delta.object, isInInitialList };
    return { type: 'update', old, object: delta.object };
  }

  private processWhole(delta: WholeDelta, isInInitialList: boolean): void {
    switch (delta.type) {
      case 'Bookmark':
        this.store.resourceVersion = delta.resourceVersion;
        break;
      case 'SyncAll':
        for (const object of this.store.list()) this.distribute({ type: 'update', old: object, object }); // B12
        break;
      case 'ReplacedAll':
        this.replaceAll(delta.objects, delta.resourceVersion, isInInitialList);
        break;
    }
  }

  // B11
  private replaceAll(objects: readonly KubeObject[], resourceVersion: string, isInInitialList: boolean): void {
    const before = new Map(this.store.list().map((object) => [keyOf(object), object]));
    this.store.replace(objects, resourceVersion);
    for (const [key, object] of before) {
      if (!this.store.has(key)) this.distribute({ type: 'delete', object: new DeletedFinalStateUnknown(key, object) });
    }
    for (const object of objects) {
      const old = before.get(keyOf(object));
      if (old === undefined) this.distribute({ type: 'add', object, isInInitialList });
      else this.distribute({ type: 'update', old, object });
    }
  }
}
