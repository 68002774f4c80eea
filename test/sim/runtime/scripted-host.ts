import type { ApiRequest, WatchEvent } from '../../../src/sim/apiserver/request.js';
import { deepFreeze, type KubeObject } from '../../../src/sim/etcd/object.js';
import type { Cancel, Host, Outcome, ProcessEvent, WatchSink } from '../../../src/sim/host.js';

export interface Asked {
  readonly request: ApiRequest;
  readonly done?: (outcome: Outcome) => void;
  readonly sink?: WatchSink;
  cancelled: boolean;
}

/** A host whose server answers when the test says so, and whose clock the test moves. */
export class ScriptedHost implements Host {
  readonly process = 'operator';
  readonly asked: Asked[] = [];
  readonly notes: ProcessEvent[] = [];
  random: (name: string) => number = () => 0;
  private time = 0;
  private timers: { atMs: number; run: () => void }[] = [];

  nowMs(): number {
    return this.time;
  }

  after(delayMs: number, _lane: string, _what: string, run: () => void): Cancel {
    const timer = { atMs: this.time + delayMs, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  send(request: ApiRequest, done: (outcome: Outcome) => void): Cancel {
    return this.ask({ request, done, cancelled: false });
  }

  watch(request: ApiRequest, sink: WatchSink): Cancel {
    return this.ask({ request, sink, cancelled: false });
  }

  note(event: ProcessEvent): void {
    this.notes.push(event);
  }

  /** The newest request. */
  get last(): Asked {
    return this.asked.at(-1)!;
  }

  get timersLeft(): number {
    return this.timers.length;
  }

  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.atMs <= end).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = next.atMs;
      next.run();
    }
    this.time = end;
  }

  answerList(resourceVersion: string, ...items: readonly KubeObject[]): void {
    this.last.done?.({
      response: { code: 200, body: deepFreeze({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion }, items }) },
    });
  }

  event(type: WatchEvent['type'], object: KubeObject): void {
    this.last.sink?.event({ type, object });
  }

  private ask(asked: Asked): Cancel {
    this.asked.push(asked);
    return () => {
      asked.cancelled = true;
    };
  }
}

export const pods = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

export function pod(name: string, resourceVersion: number | string, more: Partial<KubeObject['metadata']> = {}): KubeObject {
  return deepFreeze({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'ns', name, resourceVersion: String(resourceVersion), ...more },
  });
}

export function bookmark(resourceVersion: number | string, annotations: Record<string, string> = {}): KubeObject {
  return deepFreeze({ apiVersion: 'v1', kind: 'Pod', metadata: { resourceVersion: String(resourceVersion), annotations } });
}

export const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };
