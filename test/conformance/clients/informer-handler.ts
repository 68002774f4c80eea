import type { KubeObject } from '../../../src/sim/etcd/object.js';
import type { Host } from '../../../src/sim/host.js';
import { filteringHandler } from '../../../src/sim/runtime/filtering-handler.js';
import type { SharedInformer } from '../../../src/sim/runtime/informer.js';
import type { Deliveries, Dispatch, ResourceEventHandler } from '../../../src/sim/runtime/resource-event-handler.js';
import { DeletedFinalStateUnknown } from '../../../src/sim/runtime/tombstone.js';
import { shortenCached } from './informer-player.js';
import type { Journal } from './journal.js';

export interface HandlerSetup {
  readonly name: string;
  readonly resyncMs?: number;
  /** A filtering handler: the value of the label app. */
  readonly filter?: string;
  /** Calls wait. */
  readonly held?: boolean;
  /** Each call notes what the store has. */
  readonly reads?: boolean;
  /** Panics once on this object. */
  readonly panicsOn?: string;
}

const panicPauseMs = 1000;

/** A handler that notes its calls, can be made to wait inside of one, and panics if the script wants it to. */
export class RecordingHandler implements ResourceEventHandler {
  private held: boolean;
  /** Calls that may go on although the handler is held. */
  private mayGoOn = 0;
  private waiting: Deliveries | undefined;
  private panicked = false;
  private called = false;

  constructor(
    private readonly setup: HandlerSetup,
    private readonly host: Host,
    private readonly informer: SharedInformer,
    private readonly journal: Journal,
  ) {
    this.held = setup.held ?? false;
  }

  listening(): ResourceEventHandler {
    const { filter } = this.setup;
    return filter === undefined ? this : filteringHandler((object) => this.passes(object, filter), this);
  }

  /** Names the handler in client-go's messages. */
  toString(): string {
    return this.setup.name;
  }

  /** Calls until the handler stays inside of a call. */
  readonly dispatch: Dispatch = (deliveries) => {
    do {
      this.called = false;
      try {
        deliveries.call();
      } catch (panic) {
        this.journal.note('panics', (panic as Error).message);
        this.host.after(panicPauseMs, this.setup.name, this.setup.name, () => {
          if (deliveries.returned()) this.dispatch(deliveries);
        });
        return;
      }
      // What a filter keeps away holds nobody up.
      if (!this.held || !this.called) continue;
      if (this.mayGoOn === 0) {
        this.waiting = deliveries;
        return;
      }
      this.mayGoOn--;
    } while (deliveries.returned());
  };

  hold(): void {
    this.held = true;
    this.mayGoOn = 0;
  }

  release(): void {
    this.held = false;
    this.goOn();
  }

  releaseOne(): void {
    this.held = true;
    this.mayGoOn = 1;
    this.goOn();
  }

  onAdd(object: KubeObject, isInInitialList: boolean): void {
    this.note(`add ${shortenCached(object)}${isInInitialList ? ' initial' : ''}`, object);
  }

  onUpdate(old: KubeObject, new_: KubeObject): void {
    this.note(`update ${shortenCached(old)} -> ${shortenCached(new_)}${old === new_ ? ' (same object)' : ''}`, new_);
  }

  onDelete(object: KubeObject | DeletedFinalStateUnknown): void {
    this.note(`delete ${shortenCached(object)}`, object);
  }

  private passes(object: KubeObject | DeletedFinalStateUnknown, filter: string): boolean {
    if (!(object instanceof DeletedFinalStateUnknown)) return object.metadata.labels?.app === filter;
    this.journal.note(`filter ${this.setup.name}`, `saw ${shortenCached(object)}`);
    return true;
  }

  private goOn(): void {
    const deliveries = this.waiting;
    if (deliveries === undefined) return;
    this.waiting = undefined;
    if (this.held) this.mayGoOn--;
    if (deliveries.returned()) this.dispatch(deliveries);
  }

  private note(text: string, object: KubeObject | DeletedFinalStateUnknown): void {
    const { name, reads, panicsOn } = this.setup;
    this.called = true;
    const store = reads ? ` | store: ${this.informer.store.list().map(shortenCached).sort().join(' ')}` : '';
    this.journal.note(`handler ${name}`, text + store);
    if (panicsOn === undefined || this.panicked || !shortenCached(object).startsWith(panicsOn)) return;
    this.panicked = true;
    throw new Error('handler panics');
  }
}
