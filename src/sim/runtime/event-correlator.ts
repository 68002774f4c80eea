import type { CoreV1Event } from './built-in-kinds.js';

const similarEvents = 10;
const similarWithinMs = 600_000;
const burst = 25;
const msPerToken = 300_000;

export interface Correlated {
  readonly event: CoreV1Event;
  /** Under this key the event is remembered once it is written. */
  readonly key: string;
}

/**
 * client-go's EventCorrelator: the same event again becomes a higher count, many similar ones become one, and too many are
 * dropped (D38).
 */
export class EventCorrelator {
  readonly #similar = new Map<string, { readonly messages: Set<string>; lastMs: number }>();
  readonly #observed = new Map<string, CoreV1Event>();
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  /** The event as it is to be written; a count above 1 means that it has been before. Undefined: it is dropped. */
  correlate(event: CoreV1Event, nowMs: number): Correlated | undefined {
    const { event: aggregated, key } = this.#aggregate(event, nowMs);
    const before = this.#observed.get(key);
    const observed: CoreV1Event =
      before === undefined
        ? aggregated
        : {
            ...aggregated,
            metadata: { ...aggregated.metadata, name: before.metadata.name as string },
            firstTimestamp: before.firstTimestamp as string,
            count: (before.count ?? 0) + 1,
          };
    this.#observed.set(key, observed);
    return this.#mayBeWritten(event, nowMs) ? { event: observed, key } : undefined;
  }

  /** The server has taken the event. */
  written(key: string, event: CoreV1Event): void {
    this.#observed.set(key, event);
  }

  #aggregate(event: CoreV1Event, nowMs: number): Correlated {
    const kindOfEvent = JSON.stringify([...aboutOf(event), event.type, event.reason]);
    const message = event.message ?? '';
    let similar = this.#similar.get(kindOfEvent);
    if (similar === undefined || nowMs - similar.lastMs > similarWithinMs) {
      similar = { messages: new Set(), lastMs: nowMs };
      this.#similar.set(kindOfEvent, similar);
    }
    similar.messages.add(message);
    similar.lastMs = nowMs;
    if (similar.messages.size < similarEvents) return { event, key: `${kindOfEvent} ${message}` };
    for (const oldest of similar.messages) {
      similar.messages.delete(oldest);
      break;
    }
    const { reportingComponent: _component, ...rest } = event;
    return { event: { ...rest, message: `(combined from similar events): ${message}`, reportingComponent: '' }, key: kindOfEvent };
  }

  /** Unlike a rate limiter's bucket this one gives no credit: what finds it empty takes nothing. */
  #mayBeWritten(event: CoreV1Event, nowMs: number): boolean {
    const about = JSON.stringify([...aboutOf(event), event.type]);
    const { tokens, atMs } = this.#buckets.get(about) ?? { tokens: burst, atMs: nowMs };
    const filled = Math.min(burst, tokens + (nowMs - atMs) / msPerToken);
    this.#buckets.set(about, { tokens: filled >= 1 ? filled - 1 : filled, atMs: nowMs });
    return filled >= 1;
  }
}

function aboutOf({ source, involvedObject }: CoreV1Event): (string | undefined)[] {
  const { kind, namespace, name, uid, apiVersion } = involvedObject;
  return [source?.component, kind, namespace, name, uid, apiVersion];
}
