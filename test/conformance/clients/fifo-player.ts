import type { KubeObject } from '../../../src/sim/etcd/object.js';
import type { Delta, Queue, Transform } from '../../../src/sim/runtime/delta.js';
import { DeltaFIFO } from '../../../src/sim/runtime/delta-fifo.js';
import { RealFIFO } from '../../../src/sim/runtime/real-fifo.js';
import { Indexer, keyOf } from '../../../src/sim/runtime/store.js';
import { DeletedFinalStateUnknown } from '../../../src/sim/runtime/tombstone.js';
import { shortenCached, transforms } from './informer-player.js';
import { Journal } from './journal.js';
import { type Client, playSteps } from './play.js';
import { expand, type Player, type Step } from './script.js';
import { Stage } from './stage.js';

interface Setup {
  readonly known?: readonly unknown[];
  /** What is popped changes the known store, as an informer does. */
  readonly apply?: boolean;
  readonly mark?: boolean;
}

export const play: Player = (script, profile) => {
  const journal = new Journal(script.anyOrder);
  const setup = (script.setup ?? {}) as Setup;
  return playSteps(script, new Stage(script, journal), journal, new FifoClient(profile, setup, journal));
};

const batchSize = 1000;

/** A pop that waits for something to come. */
interface Pop {
  readonly batch: boolean;
  /** What is popped cannot be processed (B14). */
  readonly fails: boolean;
}

/** Drives one queue by itself. */
class FifoClient implements Client {
  private readonly known = new Indexer();
  private readonly queue: Queue;
  private readonly waiting: Pop[] = [];
  private closed = false;

  constructor(
    profile: string,
    private readonly setup: Setup,
    private readonly journal: Journal,
  ) {
    for (const short of setup.known ?? []) this.known.put(keyOf(configMap(short)), configMap(short));
    const transform = setup.mark ? transforms.mark : undefined;
    this.queue = makeQueue(profile, this.known, transform);
    this.batches = profile !== 'DeltaFIFO';
  }

  private readonly batches: boolean;

  do(step: Step): void {
    if ('add' in step) this.queue.add(configMap(step.add));
    else if ('update' in step) this.queue.update(configMap(step.update));
    else if ('delete' in step) this.queue.delete(deleted(step.delete));
    else if ('replace' in step) this.queue.replace((step.replace as unknown[]).map(configMap), String(step.resourceVersion ?? ''));
    else if ('resync' in step) this.queue.resync();
    else if ('bookmark' in step) this.bookmark(String(step.bookmark));
    else if ('pop' in step) this.wait(step.pop as number, { batch: false, fails: step.fail === true });
    else if ('popBatch' in step) this.wait(step.popBatch as number, { batch: true, fails: false });
    else if ('close' in step) this.closed = true;
    else throw new Error(`a queue cannot ${JSON.stringify(step)}`);
    this.serve();
  }

  state(): Readonly<Record<string, unknown>> {
    return { synced: this.queue.hasSynced(), known: this.known.list().map(shortenCached).sort() };
  }

  private bookmark(resourceVersion: string): void {
    if (this.queue instanceof RealFIFO) this.queue.bookmark(resourceVersion);
    else this.journal.note('errors', 'this queue takes no bookmarks');
  }

  private wait(times: number, pop: Pop): void {
    if (pop.batch && !this.batches) this.journal.note('errors', 'this queue has no batches');
    else this.waiting.push(...Array<Pop>(times).fill(pop));
  }

  private serve(): void {
    while (this.waiting.length > 0 && this.popOne(this.waiting[0]!)) this.waiting.shift();
    if (this.closed) for (const _ of this.waiting.splice(0)) this.journal.note('errors', 'DeltaFIFO: manipulating with closed queue'); // B14
  }

  private popOne({ batch, fails }: Pop): boolean {
    const process = (deltas: readonly Delta[], initial: boolean) => {
      const lane = batch && deltas.length > 1 ? 'batch' : 'popped';
      this.journal.note(lane, [...deltas.map(textOf), ...(initial ? ['(initial)'] : [])]);
      if (this.setup.apply) for (const delta of deltas) this.apply(delta);
      if (fails) this.journal.note('errors', 'processing failed');
    };
    return this.queue.pop(process, batch ? batchSize : 1);
  }

  private apply(delta: Delta): void {
    if (delta.type === 'ReplacedAll') this.known.replace(delta.objects, delta.resourceVersion);
    else if (delta.type === 'Deleted')
      this.known.delete(delta.object instanceof DeletedFinalStateUnknown ? delta.object.key : keyOf(delta.object));
    else if (delta.type !== 'SyncAll' && delta.type !== 'Bookmark') this.known.put(keyOf(delta.object), delta.object);
  }
}

function makeQueue(profile: string, known: Indexer, transform: Transform | undefined): Queue {
  switch (profile) {
    case 'DeltaFIFO':
      return new DeltaFIFO(known, transform);
    case 'RealFIFO':
      return new RealFIFO({ known, transform, atomic: false });
    case 'RealFIFO-atomic':
      return new RealFIFO({ known, transform, atomic: true });
    default:
      throw new Error(`there is no queue ${JSON.stringify(profile)}`);
  }
}

function configMap(short: unknown): KubeObject {
  return expand('configmaps', short);
}

function deleted(short: unknown): KubeObject | DeletedFinalStateUnknown {
  const { tombstone, object } = short as { tombstone?: string; object?: unknown };
  if (tombstone === undefined) return configMap(short);
  return new DeletedFinalStateUnknown(tombstone, object === undefined ? undefined : configMap(object));
}

function textOf(delta: Delta): string {
  switch (delta.type) {
    case 'ReplacedAll':
      return `ReplacedAll @${delta.resourceVersion} [${delta.objects.map(shortenCached).join(' ')}]`;
    case 'Bookmark':
      return `Bookmark @${delta.resourceVersion}`;
    case 'SyncAll':
      return 'SyncAll';
    default:
      return `${delta.type} ${shortenCached(delta.object)}`;
  }
}
