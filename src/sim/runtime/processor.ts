import type { KubeObject } from '../etcd/object.js';
import { Listener, type Synced } from './listener.js';
import { type Dispatch, dispatchAtOnce, type Notification, type ResourceEventHandler } from './resource-event-handler.js';

export interface HandlerOptions {
  /** Absent: the informer's own; 0: never (B28). */
  readonly resyncMs?: number;
  /** Absent: at once. */
  readonly dispatch?: Dispatch;
}

const leastResyncMs = 1000;

/** The handlers of one informer, and who of them is due for a resync: client-go's sharedProcessor. */
export class Processor {
  private listeners: readonly Listener[] = [];
  /** Removed, but still inside of a call. */
  private leaving: readonly Listener[] = [];
  /** How often resync ticks come: the smallest period asked for before the start; 0: never, whatever is asked (B28). */
  private resyncCheckMs: number;
  private started = false;

  constructor(private readonly defaultResyncMs: number) {
    this.resyncCheckMs = defaultResyncMs;
  }

  /** From now on a shorter period is raised to that of the ticks (B28). Returns it, in ms. */
  start(): number {
    this.started = true;
    return this.resyncCheckMs;
  }

  /** Makes a listener that hears nothing until it is added. */
  make(handler: ResourceEventHandler, options: HandlerOptions, informer: Synced, nowMs: number): Listener {
    const { resyncMs = this.defaultResyncMs, dispatch = dispatchAtOnce } = options;
    const requestedMs = this.requested(resyncMs);
    const listener = new Listener(handler, dispatch, requestedMs, nowMs, informer, (gone) => this.remove(gone));
    listener.resyncMs = this.served(requestedMs);
    return listener;
  }

  add(listener: Listener): void {
    if (listener.closed) return;
    this.listeners = [...this.listeners, listener];
  }

  distribute(notification: Notification): void {
    const unchanged = notification.type === 'update' && versionOf(notification.old) === versionOf(notification.object);
    for (const listener of this.listeners) {
      if (!unchanged || listener.isSyncing) listener.notify(notification); // B27
    }
  }

  /** Looks at the clock for every handler when a resync tick comes; true if anyone is due (B27, B28). */
  evaluateResync(nowMs: number): boolean {
    const due = this.listeners.map((listener) => listener.evaluateResync(nowMs));
    return due.includes(true);
  }

  flagAllAsSyncing(): void {
    for (const listener of this.listeners) listener.isSyncing = true;
  }

  /** Drops what waits; calls back once all calls in progress have returned (B40). */
  close(whenQuiet: () => void): void {
    const all = [...this.listeners, ...this.leaving];
    let left = all.length;
    if (left === 0) whenQuiet();
    for (const listener of all) {
      listener.close(() => {
        if (--left === 0) whenQuiet();
      });
    }
  }

  get idle(): boolean {
    return this.listeners.every((listener) => listener.idle) && this.leaving.length === 0;
  }

  private requested(wantedMs: number): number {
    if (wantedMs <= 0) return 0;
    const ms = Math.max(wantedMs, leastResyncMs);
    if (ms >= this.resyncCheckMs) return ms;
    if (this.started) return this.resyncCheckMs;
    this.resyncCheckMs = ms;
    for (const listener of this.listeners) listener.resyncMs = this.served(listener.requestedResyncMs);
    return ms;
  }

  private served(requestedMs: number): number {
    return requestedMs === 0 || this.resyncCheckMs === 0 ? 0 : Math.max(requestedMs, this.resyncCheckMs);
  }

  private remove(listener: Listener): void {
    this.listeners = this.listeners.filter((other) => other !== listener);
    this.leaving = [...this.leaving, listener];
    listener.close(() => {
      this.leaving = this.leaving.filter((other) => other !== listener);
    });
  }
}

function versionOf(object: KubeObject): string | undefined {
  return object.metadata.resourceVersion;
}
