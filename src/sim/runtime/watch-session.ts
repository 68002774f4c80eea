import type { ApiRequest, Status, WatchEvent } from '../apiserver/request.js';
import type { KubeObject } from '../etcd/object.js';
import type { Cancel, Host, Outcome } from '../host.js';
import { ApiError, ConnectionLost, errorOf } from './api-errors.js';
import { TransformError } from './delta.js';
import type { RestClient } from './rest.js';

/** Where the events of a watch go; what it throws is reported and the event is lost (A27). */
export interface WatchTarget {
  add(object: KubeObject): void;
  update(object: KubeObject): void;
  delete(object: KubeObject): void;
  bookmark(resourceVersion: string): void;
  /** An event was taken; this is now the newest version seen. */
  seen(resourceVersion: string): void;
}

/** How a watch ended: without a word, so soon that it does not count (A18), or by an ERROR event (A19). */
export type WatchEnd = 'closed' | 'very-short' | ApiError;

export interface WatchCallbacks {
  /** The watch could not be opened. */
  refused(error: ApiError | ConnectionLost): void;
  /** The bookmark that ends the first contents has come (A30). */
  initialEventsEnd(resourceVersion: string): void;
  ended(end: WatchEnd): void;
}

const veryShortMs = 1000;

// A27
const failures = {
  ADDED: 'Unable to add watch event object to store',
  MODIFIED: 'Unable to update watch event object to store',
  DELETED: 'Unable to delete watch event object from store',
  BOOKMARK: 'Unable to take watch event bookmark into store',
} as const;

/** One watch, from before its request is sent until it ends; `cancel` ends it without a callback. */
export class WatchSession {
  private startMs: number;
  private events = 0;
  /** First ADDEDs that come in no order of versions say nothing about how far the watch is (A26). */
  private versionsCount: boolean;
  private over = false;
  private readonly cancelRequest: Cancel;

  constructor(
    private readonly host: Host,
    rest: RestClient,
    private readonly request: ApiRequest,
    /** The kinds that are expected; objects of another are skipped (A24). */
    private readonly kinds: readonly string[],
    private target: WatchTarget,
    private readonly callbacks: WatchCallbacks,
  ) {
    this.startMs = host.nowMs();
    const { resourceVersion, sendInitialEvents } = request.query ?? {};
    this.versionsCount = sendInitialEvents !== undefined || (resourceVersion !== undefined && resourceVersion !== '0');
    this.cancelRequest = rest.watch(request, {
      opened: () => undefined,
      refused: (outcome) => this.refuse(outcome),
      event: (event) => this.take(event),
      ended: () => this.close(),
    });
  }

  /** The same watch goes on as a new one: other target, other callbacks to come, its time counted from now. */
  continueInto(target: WatchTarget): void {
    this.target = target;
    this.startMs = this.host.nowMs();
    this.events = 0;
  }

  cancel(): void {
    if (this.over) return;
    this.over = true;
    this.cancelRequest();
  }

  private refuse(outcome: Outcome): void {
    if (this.over) return;
    this.over = true;
    this.callbacks.refused('lost' in outcome ? new ConnectionLost(outcome.lost, this.request) : errorOf(this.request, outcome.response));
  }

  private close(): void {
    if (this.over) return;
    this.over = true;
    const short = this.events === 0 && this.host.nowMs() - this.startMs < veryShortMs;
    this.callbacks.ended(short ? 'very-short' : 'closed');
  }

  private take(event: WatchEvent): void {
    if (this.over) return;
    if (event.type === 'ERROR') {
      this.cancel();
      this.callbacks.ended(new ApiError(event.object as Status));
      return;
    }
    const object = event.object as KubeObject;
    if (!this.kinds.includes(object.kind ?? '')) {
      this.report('Unexpected watch event object type');
      return;
    }
    const resourceVersion = object.metadata.resourceVersion ?? '';
    this.apply(event.type, object, resourceVersion);
    if (this.over) return;
    if (event.type !== 'ADDED') this.versionsCount = true;
    if (this.versionsCount) this.target.seen(resourceVersion);
    this.events++;
    if (event.type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true') {
      this.callbacks.initialEventsEnd(resourceVersion);
    }
  }

  private apply(type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK', object: KubeObject, resourceVersion: string): void {
    try {
      switch (type) {
        case 'ADDED':
          this.target.add(object);
          break;
        case 'MODIFIED':
          this.target.update(object);
          break;
        case 'DELETED':
          this.target.delete(object);
          break;
        case 'BOOKMARK':
          this.target.bookmark(resourceVersion);
          break;
      }
    } catch (error) {
      if (!(error instanceof TransformError)) throw error;
      this.report(`${failures[type]}: ${error.message}`);
    }
  }

  private report(message: string): void {
    this.host.note({ kind: 'log', level: 'error', message });
  }
}
