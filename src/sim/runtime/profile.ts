/** Which generation of client-go an operator is built with; the profiles of the recordings (B1). */
export type ClientGoProfile = 'default' | 'list' | 'fifo-1.35' | 'fifo-1.34' | 'deltafifo';

/** What a generation does between the server's answer and a handler's call (B1). */
export interface ClientGoBehaviour {
  /** How the first contents and those after a gap come: as a stream (WatchList, A28) or as a list in pages. */
  readonly firstContents: 'stream' | 'list';
  readonly queue: 'DeltaFIFO' | 'RealFIFO';
  /** Replace and Resync are one delta each, and bookmarks are deltas too (AtomicFIFO). */
  readonly atomic: boolean;
  /** How many deltas with distinct keys are applied to the store before the first handler hears of them (B13). */
  readonly batchSize: number;
}

/** Every generation that can be played. */
export const clientGoProfiles: Readonly<Record<ClientGoProfile, ClientGoBehaviour>> = Object.freeze({
  /** client-go 1.36 and 1.37, controller-runtime v0.24 and v0.25. */
  default: Object.freeze({ firstContents: 'stream', queue: 'RealFIFO', atomic: true, batchSize: 1000 }),
  /** The same against a server, or with a client, that does not stream. */
  list: Object.freeze({ firstContents: 'list', queue: 'RealFIFO', atomic: true, batchSize: 1000 }),
  'fifo-1.35': Object.freeze({ firstContents: 'list', queue: 'RealFIFO', atomic: false, batchSize: 1000 }),
  'fifo-1.34': Object.freeze({ firstContents: 'list', queue: 'RealFIFO', atomic: false, batchSize: 1 }),
  /** client-go up to 1.32. */
  deltafifo: Object.freeze({ firstContents: 'list', queue: 'DeltaFIFO', atomic: false, batchSize: 1 }),
});
