import type { ApiRequest, Status, WatchDelivery, WatchEvent } from './apiserver/request.js';
import type { ApiServer } from './apiserver/server.js';
import { resourceOf } from './call-name.js';
import { type Commit, type EtcdKey, keyOf, pathOf } from './etcd/etcd.js';
import type { KubeObject } from './etcd/object.js';
import type { Gates } from './faults.js';
import { type FedResources, type FeedObserver, isFed, type WatchSink } from './host.js';
import type { DecisionName } from './kernel/decisions.js';
import type { Kernel } from './kernel/kernel.js';
import type { Process } from './kernel/process.js';
import type { Recorder } from './recorder.js';

/** One watch that the server has accepted, and its client. */
export interface Stream {
  readonly id: number;
  readonly process: Process;
  readonly sink: WatchSink;
  readonly lane: string;
  readonly resource: string;
  open: boolean;
}

/** A process that is told of every commit. */
interface Feed {
  readonly process: Process;
  readonly resources: FedResources;
  readonly observed: FeedObserver;
}

/** The parts of the world that streams run between. */
export interface StreamParts {
  readonly kernel: Kernel;
  readonly server: ApiServer;
  readonly gates: Gates;
  readonly recorder: Recorder;
  /** From a commit to its watchers, in virtual milliseconds. */
  readonly watchMs: number;
  readonly epochMs: number;
}

/** Everything that flows from the server to its clients: open watches, and the feeds of the cluster's own controllers. */
export class Streams {
  readonly #parts: StreamParts;
  readonly #open = new Map<number, Stream>();
  #feeds: readonly Feed[] = [];
  #fed = 0;
  #tickAtMs = Number.POSITIVE_INFINITY;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** The server has accepted a watch. */
  open(stream: Stream): void {
    this.#open.set(stream.id, stream);
    this.#tickLater();
  }

  /** Nothing more comes out of it, and the server forgets it. */
  close(stream: Stream): void {
    stream.open = false;
    this.#open.delete(stream.id);
    this.#parts.server.closeWatch(stream.id);
  }

  /** Puts what the server gave for its watches into their lanes, and tells the feeds what was committed. */
  deliver(deliveries: readonly WatchDelivery[]): void {
    const { kernel, server } = this.#parts;
    for (const { watch, event, ended } of deliveries) {
      const stream = this.#open.get(watch);
      if (stream === undefined) continue;
      if (event !== undefined) this.#bring(stream, event);
      const { lane, resource, process } = stream;
      if (ended) kernel.enqueue(lane, `end ${resource} of ${process.name}`, 0, () => this.#end(stream, 'eof'), { process });
    }
    if (this.#feeds.length === 0 || server.etcd.revision === this.#fed) return;
    const commits = server.etcd.since(this.#fed);
    this.#fed = server.etcd.revision;
    for (const commit of commits)
      for (const feed of this.#feeds) if (isFed(feed.resources, commit.key.resource)) this.#tell(feed, commit.key, eventOf(commit));
  }

  /**
   * Tells a process of the objects of the cluster, each resource in order and with a lag of its own: what the informers
   * of a controller would see. A resource begins to be told of when its first object appears.
   * @param synced is called once what is there by now has been told
   */
  feed(process: Process, resources: FedResources, observed: FeedObserver, synced: () => void = () => {}): void {
    const { etcd } = this.#parts.server;
    // Commits count as told only while somebody listens.
    if (this.#feeds.length === 0) this.#fed = etcd.revision;
    const feed: Feed = { process, resources, observed };
    this.#feeds = [...this.#feeds, feed];
    let left = 1;
    const told = (): void => {
      left -= 1;
      if (left === 0) synced();
    };
    for (const resource of etcd.resources())
      if (isFed(resources, resource))
        for (const object of etcd.list(resource)) {
          left += 1;
          this.#tell(feed, keyOf(resource, object), { type: 'ADDED', object }, told);
        }
    told();
  }

  /** The process has died: its connections are closed. */
  disconnect(process: Process): void {
    for (const stream of [...this.#open.values()]) if (stream.process === process) this.close(stream);
    this.#feeds = this.#feeds.filter((feed) => feed.process !== process);
  }

  #bring(stream: Stream, event: WatchEvent): void {
    const { resource, process, lane } = stream;
    const object = event.object as KubeObject;
    const key = event.type === 'ERROR' ? { resource, namespace: '', name: '' } : keyOf(resource, object);
    // The bookmark that ends the first contents carries an annotation, and somebody waits for it; the others come for ever.
    const periodic = event.type === 'BOOKMARK' && object.metadata.annotations === undefined;
    const what = event.type === 'BOOKMARK' || event.type === 'ERROR' ? event.type.toLowerCase() : pathOf(key);
    const task = this.#parts.kernel.enqueue(
      lane,
      `deliver ${resource} ${what} to ${process.name}`,
      this.#parts.watchMs,
      () => this.#arrive(stream, event, key, task.decision),
      { process, periodic },
    );
  }

  /** A watch event comes to its client, unless a fault of the watch comes instead. */
  #arrive(stream: Stream, event: WatchEvent, key: EtcdKey, decision: DecisionName): void {
    if (!stream.open) return;
    const { process, resource, sink } = stream;
    const expires = this.#take('watch-expired', decision);
    if (expires) sink.event({ type: 'ERROR', object: expired });
    const how = this.#take('watch-reset', decision) ? 'reset' : expires || this.#take('watch-ended', decision) ? 'eof' : undefined;
    if (how !== undefined) {
      this.#end(stream, how);
      return;
    }
    if (event.type !== 'BOOKMARK' && event.type !== 'ERROR') {
      const revision = Number((event.object as KubeObject).metadata.resourceVersion ?? 0);
      this.#parts.recorder.record({ kind: 'delivered', process: process.name, resource, key, type: event.type, revision });
    }
    sink.event(event);
  }

  #take(kind: 'watch-expired' | 'watch-ended' | 'watch-reset', decision: DecisionName): boolean {
    const fault = this.#parts.gates.take(kind, decision);
    if (fault !== undefined) this.#parts.recorder.record({ kind: 'fault', fault });
    return fault !== undefined;
  }

  #end(stream: Stream, how: 'eof' | 'reset'): void {
    if (!stream.open) return;
    this.close(stream);
    this.#parts.recorder.record({ kind: 'watch-ended', process: stream.process.name, resource: stream.resource, how });
    stream.sink.ended(how);
  }

  #tell(feed: Feed, key: EtcdKey, event: WatchEvent, told: () => void = () => {}): void {
    const { process } = feed;
    const what = `deliver ${key.resource} ${pathOf(key)} to ${process.name}`;
    const observe = () => {
      feed.observed(key.resource, event);
      told();
    };
    this.#parts.kernel.enqueue(`watch ${key.resource} of ${process.name}`, what, this.#parts.watchMs, observe, { process });
  }

  /** Bookmarks and the ends of watches come by the server's clock. */
  #tickLater(): void {
    const { kernel, server, epochMs } = this.#parts;
    const next = server.nextTickMs();
    if (next === undefined) return;
    const atMs = next - epochMs;
    if (atMs >= this.#tickAtMs && this.#tickAtMs > kernel.nowMs) return;
    this.#tickAtMs = atMs;
    const task = () => {
      if (this.#tickAtMs !== atMs) return;
      this.#tickAtMs = Number.POSITIVE_INFINITY;
      this.deliver(server.tick());
      this.#tickLater();
    };
    kernel.enqueue('the clock of the API server', 'tick of the API server', atMs - kernel.nowMs, task, { timer: true, periodic: true });
  }
}

/** A watch by what it watches; two informers of one process may watch one kind with different selectors. */
export function laneOf(request: ApiRequest, process: Process): string {
  const parts = [resourceOf(request), request.namespace, request.query?.labelSelector, request.query?.fieldSelector];
  return `watch ${parts.filter((part) => part !== undefined).join(' ')} of ${process.name}`;
}

/** 410 as a watch shows it (LW-16). */
export const expired: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'The resourceVersion for the provided watch is too old.',
  reason: 'Expired',
  code: 410,
};

/** The event that a commit is, as the watch of all objects shows it (DE-10: a delete carries its own revision). */
function eventOf(commit: Commit): WatchEvent {
  if (commit.object !== undefined) return { type: commit.previous === undefined ? 'ADDED' : 'MODIFIED', object: commit.object };
  const last = commit.previous as KubeObject;
  return { type: 'DELETED', object: { ...last, metadata: { ...last.metadata, resourceVersion: String(commit.revision) } } };
}
