import type { Commit } from '../etcd/etcd.js';
import { deepFreeze, type KubeObject } from '../etcd/object.js';
import type { KindInfo } from './kinds.js';
import type { Selection } from './list-options.js';
import type { WatchEvent } from './request.js';
import { withMetadata } from './store.js';
import { inVersion } from './version.js';

/** What a watch wants to see. */
export interface Watched {
  readonly kind: KindInfo;
  /** Undefined: of all namespaces. */
  readonly namespace: string | undefined;
  readonly selection: Selection;
}

/** The events that one commit can be, each made once. */
export class EventsOfCommit {
  readonly #commit: Commit;
  readonly #show: typeof inVersion;
  readonly #made = new Map<string, WatchEvent>();

  /** @param show absent: as the watch's version shows what is stored. */
  constructor(commit: Commit, show = inVersion) {
    this.#commit = commit;
    this.#show = show;
  }

  /** LW-19: what the commit is to a watch depends on whether the object matched before and matches now. */
  forWatch(watch: Watched): WatchEvent | undefined {
    const { key, object, previous } = this.#commit;
    if (watch.namespace !== undefined && watch.namespace !== key.namespace) return undefined;
    const before = previous !== undefined && watch.selection.matches(previous);
    const after = object !== undefined && watch.selection.matches(object);
    if (after) return this.#event(watch.kind, before ? 'MODIFIED' : 'ADDED');
    return before ? this.#event(watch.kind, 'DELETED') : undefined;
  }

  #event(kind: KindInfo, type: 'ADDED' | 'MODIFIED' | 'DELETED'): WatchEvent {
    const name = `${type} ${kind.apiVersion}`;
    let event = this.#made.get(name);
    if (event === undefined) {
      const { object, previous, revision } = this.#commit;
      const stored = type === 'DELETED' ? atRevision(previous as KubeObject, revision) : (object as KubeObject);
      event = Object.freeze({ type, object: this.#show(kind, stored) });
      this.#made.set(name, event);
    }
    return event;
  }
}

/** The events of a commit whose objects are in the watch's version already (CD-48). */
export function eventsAsTheyAre(commit: Commit): EventsOfCommit {
  return new EventsOfCommit(commit, (_, object) => object);
}

/** DE-10: what has gone is shown as it last was, with the revision of its going. */
function atRevision(object: KubeObject, revision: number): KubeObject {
  return deepFreeze(withMetadata(object, { resourceVersion: String(revision) }));
}
