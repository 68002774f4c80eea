import type { KubeObject } from '../etcd/object.js';
import type { ResourceEventHandler } from './resource-event-handler.js';
import { DeletedFinalStateUnknown } from './tombstone.js';

/**
 * client-go's FilteringResourceEventHandler: the inner handler hears of the objects that pass; an update that crosses the
 * filter is an add of the new or a delete of the old (B29).
 */
export function filteringHandler(passes: (object: KubeObject) => boolean, inner: ResourceEventHandler): ResourceEventHandler {
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
      const last = object instanceof DeletedFinalStateUnknown ? object.object : object;
      if (last !== undefined && passes(last)) inner.onDelete(object);
    },
  };
}
