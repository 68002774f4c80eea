import type { Deliveries, Dispatch, Notification, Registration, ResourceEventHandler } from './resource-event-handler.js';

export interface Synced {
  hasSynced(): boolean;
}

/** One registered handler with its own unbounded buffer (B22, B23): client-go's processorListener. */
export class Listener implements Registration, Deliveries {
  /** Takes part in notifications without change (B27). */
  isSyncing = true;
  /** Removed, or its informer has stopped. */
  closed = false;
  resyncMs: number;
  private buffer: Notification[] = [];
  private awake = false;
  private inCall: Notification | undefined;
  private unfinishedInitial = 0;
  private nextResyncMs: number;
  private whenQuiet: (() => void) | undefined;

  constructor(
    private readonly handler: ResourceEventHandler,
    private readonly dispatch: Dispatch,
    /** What was asked for, in ms; 0: never. */
    readonly requestedResyncMs: number,
    nowMs: number,
    private readonly informer: Synced,
    private readonly removed: (listener: Listener) => void,
  ) {
    this.resyncMs = requestedResyncMs;
    this.nextResyncMs = nowMs + requestedResyncMs;
  }

  hasSynced(): boolean {
    return this.informer.hasSynced() && this.unfinishedInitial === 0;
  }

  remove(): void {
    if (!this.closed) this.removed(this);
  }

  notify(notification: Notification): void {
    if (this.closed) return;
    if (notification.type === 'add' && notification.isInInitialList) this.unfinishedInitial++;
    this.buffer.push(notification);
    if (this.awake) return;
    this.awake = true;
    this.dispatch(this);
  }

  call(): void {
    const next = this.buffer.shift();
    if (next === undefined) return;
    this.inCall = next;
    try {
      this.invoke(next);
    } catch (panic) {
      // An initial add that was lost this way is never counted: the handler never becomes synced (B21).
      if (isInitial(next)) this.inCall = undefined;
      throw panic;
    }
  }

  returned(): boolean {
    if (this.inCall !== undefined && isInitial(this.inCall)) this.unfinishedInitial--;
    this.inCall = undefined;
    this.awake = this.buffer.length > 0;
    if (this.closed) this.whenQuiet?.();
    return this.awake;
  }

  /** Drops what waits; calls back once the call in progress, if there is one, has returned (B40). */
  close(whenQuiet: () => void): void {
    this.closed = true;
    this.buffer = [];
    if (this.inCall === undefined) whenQuiet();
    else this.whenQuiet = whenQuiet;
  }

  get idle(): boolean {
    return this.buffer.length === 0 && this.inCall === undefined;
  }

  /** Looks at the clock when a resync tick comes, and sets the flag by it (B27, B28). */
  evaluateResync(nowMs: number): boolean {
    this.isSyncing = this.resyncMs > 0 && nowMs >= this.nextResyncMs;
    if (this.isSyncing) this.nextResyncMs = nowMs + this.resyncMs;
    return this.isSyncing;
  }

  private invoke(notification: Notification): void {
    switch (notification.type) {
      case 'add':
        this.handler.onAdd(notification.object, notification.isInInitialList);
        break;
      case 'update':
        this.handler.onUpdate(notification.old, notification.object);
        break;
      case 'delete':
        this.handler.onDelete(notification.object);
        break;
    }
  }
}

function isInitial(notification: Notification): boolean {
  return notification.type === 'add' && notification.isInInitialList;
}
