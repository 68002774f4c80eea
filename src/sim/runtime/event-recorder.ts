import { rfc3339 } from '../apiserver/metadata.js';
import type { ApiRequest } from '../apiserver/request.js';
import type { Host, Outcome } from '../host.js';
import { errorOf, isNotFound } from './api-errors.js';
import { CoreV1Event } from './built-in-kinds.js';
import { type Correlated, EventCorrelator } from './event-correlator.js';
import { apiVersionOf, type ClientObject } from './kind.js';
import { contentTypeOf } from './patch-builder.js';

const queueLength = 1000;
const mostTries = 12;
const retryMs = 10_000;

/** What Go's `mgr.GetEventRecorderFor(name)` gives. */
export interface EventRecorder {
  /** Returns at once; the event is written later, or never (D38). */
  event(object: ClientObject, type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/** Writes the events of a process one after the other, as client-go's broadcaster and its sink do (D38). */
export class EventBroadcaster {
  readonly #correlator = new EventCorrelator();
  readonly #waiting: CoreV1Event[] = [];
  #writing = false;
  #made = 0;

  constructor(
    private readonly host: Host,
    private readonly rest: Pick<Host, 'send'>,
    private readonly userAgent: string,
  ) {}

  recorderFor(component: string): EventRecorder {
    return {
      event: (object, type, reason, message) => {
        if (this.#waiting.length >= queueLength) return;
        this.#waiting.push(this.#make(object, component, type, reason, message));
        this.#writeNext();
      },
    };
  }

  #make(object: ClientObject, component: string, type: string, reason: string, message: string): CoreV1Event {
    const { name = '', namespace, uid, resourceVersion } = object.metadata;
    const now = rfc3339(this.host.nowMs());
    const about = { kind: object.kind, apiVersion: object.apiVersion, name, namespace, uid, resourceVersion };
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${this.#nameSuffix()}`, namespace: namespace || 'default' },
      involvedObject: Object.fromEntries(Object.entries(about).filter(([, value]) => value)),
      reason,
      message,
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null as unknown as string,
      reportingComponent: component,
      reportingInstance: '',
    };
  }

  /** The present time in nanoseconds, as hex. No two events of a process have the same. */
  #nameSuffix(): string {
    this.#made += 1;
    return (BigInt(Math.floor(this.host.nowMs())) * 1_000_000n + BigInt(this.#made % 1_000_000)).toString(16);
  }

  #writeNext(): void {
    if (this.#writing) return;
    const event = this.#waiting.shift();
    if (event === undefined) return;
    const correlated = this.#correlator.correlate(event, this.host.nowMs());
    if (correlated === undefined) {
      this.#writeNext();
      return;
    }
    this.#writing = true;
    this.#write(correlated, 1);
  }

  #write(correlated: Correlated, tries: number): void {
    const again = (correlated.event.count ?? 0) > 1;
    const create = () => this.rest.send(this.#request(correlated.event, 'create'), (outcome) => end(outcome));
    const end = (outcome: Outcome) => {
      if ('lost' in outcome) {
        this.#retry(correlated, tries);
        return;
      }
      if (outcome.response.code < 400) this.#correlator.written(correlated.key, outcome.response.body as unknown as CoreV1Event);
      // Whatever the server says instead, the event is dropped.
      this.#writing = false;
      this.#writeNext();
    };
    if (!again) {
      create();
      return;
    }
    const request = this.#request(correlated.event, 'patch');
    this.rest.send(request, (outcome) => {
      const gone = 'response' in outcome && outcome.response.code >= 400 && isNotFound(errorOf(request, outcome.response));
      if (gone) create();
      else end(outcome);
    });
  }

  #retry(correlated: Correlated, tries: number): void {
    if (tries >= mostTries) {
      this.#writing = false;
      this.#writeNext();
      return;
    }
    const waitMs = tries === 1 ? retryMs * this.host.random('first retry of an event') : retryMs;
    this.host.after(waitMs, 'events', `try again to write ${correlated.event.metadata.name}`, () => this.#write(correlated, tries + 1));
  }

  #request(event: CoreV1Event, verb: 'create' | 'patch'): ApiRequest {
    const { name = '', namespace = '' } = event.metadata;
    const { count, lastTimestamp, message } = event;
    return {
      verb,
      group: CoreV1Event.group,
      version: CoreV1Event.version,
      resource: CoreV1Event.plural,
      namespace,
      ...(verb === 'patch' ? { name } : {}),
      body:
        verb === 'create' ? { ...event, apiVersion: apiVersionOf(CoreV1Event), kind: CoreV1Event.kind } : { count, lastTimestamp, message },
      contentType: verb === 'create' ? 'application/json' : contentTypeOf('strategic'),
      accept: 'application/json, */*',
      userAgent: this.userAgent,
    };
  }
}
