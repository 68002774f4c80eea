import type { ApiRequest } from '../apiserver/request.js';
import type { KubeObject } from '../etcd/object.js';
import type { Cancel, FeedObserver, Host, ObjectFeed } from '../host.js';
import { EventBroadcaster } from '../runtime/event-recorder.js';
import { OwnWrites } from './own-writes.js';
import { pathOfObject } from './references.js';
import { drive, type Sync } from './sync.js';
import { View } from './view.js';
import { type Retries, WorkQueue } from './work-queue.js';

/** What has become of an object that a controller hears of. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  /** As the controller knew it before. */
  readonly previous: KubeObject | undefined;
}

/** A key to look at, at once or after so many virtual milliseconds. */
export type Wake = string | { readonly key: string; readonly afterMs: number };

export interface LevelController {
  /** The name of its service account. */
  readonly name: string;
  /** The program that it is a part of; absent: kube-controller-manager. */
  readonly program?: string;
  /** As which component it writes its events; absent: as its name. */
  readonly component?: string;
  /** The resource whose keys are looked at. */
  readonly resource: string;
  /** What of a change of that resource's objects wakes which keys; absent: every change its own. */
  readonly own?: (change: Change, view: View) => readonly Wake[];
  /** Of a change of another resource's object, the keys it concerns. */
  readonly related: Readonly<Record<string, (change: Change, view: View) => readonly Wake[]>>;
  /** Of a change of any other resource's object, the keys it concerns. Nobody is asked before there is an object of `resource`. */
  readonly others?: (from: string, change: Change, view: View) => readonly Wake[];
  /** Called once with a way to have keys looked at of which the controller learns otherwise than by the feed. */
  readonly wakes?: (wake: (key: string) => void, view: View) => void;
  /** How keys that failed come back; absent: after 5 ms and twice as long each time, for ever. */
  readonly retries?: Retries;
  /** Whether a key is not looked at before the controller has seen what it wrote for it itself (WL-6). */
  readonly readsOwnWrites?: boolean;
  sync(key: string, look: Look): Sync;
}

/** What one look at a key has at hand. */
export interface Look {
  readonly view: View;
  readonly host: Host;
  /** Has the key looked at again after so many virtual milliseconds. */
  again(afterMs: number): void;
  /** Has the key looked at again then, and not at the time that was asked for in this way before. */
  deadline(afterMs: number | undefined): void;
  /** Writes an event about an object (WL-12). */
  event(object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/**
 * A controller of the cluster as an ordinary client: a view with a lag, a queue that holds each key once, one worker, and
 * exponential back-off for keys that failed (C10).
 */
export function startLevelController(machine: Host, feed: ObjectFeed, controller: LevelController): void {
  const { name, program = 'kube-controller-manager', resource, related, component = name } = controller;
  const own = controller.own ?? (({ object }: Change) => [pathOfObject(object)]);
  // WL-3
  const userAgent = `${program}/v1.36.3 (linux/amd64) kubernetes/system:serviceaccount:kube-system:${name}`;
  const host = signed(machine, userAgent);
  const view = new View();
  const written = controller.readsOwnWrites === true ? new OwnWrites() : undefined;
  /** Keys that wait for the controller's own writes to be seen. */
  const behind = new Set<string>();
  const deadlines = new Map<string, Cancel>();
  const events = new EventBroadcaster(host, host, userAgent).recorderFor(component);

  const lookAt = (key: string): Look => ({
    view,
    host,
    again: (afterMs) => queue.addAfter(key, afterMs),
    deadline: (afterMs) => {
      deadlines.get(key)?.();
      deadlines.delete(key);
      if (afterMs === undefined) return;
      const due = () => queue.add(key);
      deadlines.set(key, host.after(afterMs, `deadline ${key}`, `look again at ${resource} ${key}`, due));
    },
    event: (object, type, reason, message) => events.event(object, type, reason, message),
  });
  const look = (key: string, done: (failed: boolean) => void): void => {
    if (written?.seen(key, view) === false) {
      behind.add(key);
      done(false);
      return;
    }
    const sync = controller.sync(key, lookAt(key));
    drive(host, written === undefined ? sync : written.following(key, sync), done);
  };
  const queue = new WorkQueue(host, resource, look, controller.retries);

  controller.wakes?.((key) => queue.add(key), view);
  const wake = (wakes: readonly Wake[]): void => {
    for (const each of wakes) {
      if (typeof each === 'string') queue.add(each);
      else queue.addAfter(each.key, each.afterMs);
    }
  };
  let hearsOfAll = false;
  const hearOfAll = (others: NonNullable<LevelController['others']>): void => {
    hearsOfAll = true;
    queue.hold();
    const observed: FeedObserver = (from, event) => {
      if (from === resource) return;
      const object = event.object as KubeObject;
      wake(others(from, changeOf(event.type, object, view.take(from, event.type === 'DELETED', object)), view));
    };
    feed.subscribe('all', observed, () => queue.release());
  };

  const observed: FeedObserver = (from, event) => {
    const object = event.object as KubeObject;
    const deleted = event.type === 'DELETED';
    const previous = view.take(from, deleted, object);
    const change = changeOf(event.type, object, previous);
    if (from === resource && deleted) written?.forget(pathOfObject(object));
    if (from === resource && controller.others !== undefined && !hearsOfAll) hearOfAll(controller.others);
    wake(from === resource ? own(change, view) : (related[from]?.(change, view) ?? []));
    for (const key of behind) {
      if (written?.seen(key, view) === false) continue;
      behind.delete(key);
      queue.add(key);
    }
  };
  queue.hold();
  feed.subscribe([resource, ...Object.keys(related)], observed, () => queue.release());
}

function changeOf(type: string, object: KubeObject, previous: KubeObject | undefined): Change {
  return { type: type === 'DELETED' ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED', object, previous };
}

/** The machine, with the controller's name on every request. */
function signed(host: Host, userAgent: string): Host {
  return { ...host, send: (request: ApiRequest, done) => host.send({ userAgent, ...request }, done) };
}
