import type { KubeObject } from '../etcd/object.js';
import type { ResourceEventHandler } from './resource-event-handler.js';
import type { DeletedFinalStateUnknown } from './tombstone.js';

/**
 * client-go's FilteringResourceEventHandler: the inner handler hears of the objects that pass; an update that crosses the
 * filter is an add of the new or a delete of the old. The filter is shown tombstones as they are (B29).
 */
export function filteringHandler(
  passes: (object: KubeObject | DeletedFinalStateUnknown) => boolean,
  inner: ResourceEventHandler,
): ResourceEventHandler {
  return {
    onAdd(object, isInInitialList) {
      if (passes(object)) inner.onAdd(object, isInInitialList);
    },
    onUpdate(old, new_) {
      const before = passes(old);
      if (passes(new_)) {
        if (before) inner.onUpdate(old, new_);
        else inner.onAdd(new_, false);
      } else if (before) inner.onDelete(old);
    },
    onDelete(object) {
      if (passes(object)) inner.onDelete(object);
    },
  };
}
